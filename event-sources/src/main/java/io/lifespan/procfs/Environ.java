package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Looks up variables in an environment: {@code NAME=value}, each ended by a NUL. */
public final class Environ {

  private Environ() {}

  /** The value of the first variable of this name, as getenv(3) finds it; null if there is none. */
  public static @Nullable Bytes get(Bytes environment, String name) {
    byte[] bytes = environment.array();
    byte[] wanted = (name + "=").getBytes(UTF_8);
    for (int start = 0; start < bytes.length; ) {
      int end = start;
      while (end < bytes.length && bytes[end] != 0) {
        end++;
      }
      int value = start + wanted.length;
      if (value <= end && Arrays.equals(bytes, start, value, wanted, 0, wanted.length)) {
        return new Bytes(Arrays.copyOfRange(bytes, value, end));
      }
      start = end + 1;
    }
    return null;
  }
}
