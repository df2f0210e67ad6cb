package io.lifespan.event.capture;

import io.lifespan.procfs.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes bytes of what was read, and gives the same object again for content that came lately: most
 * processes of a machine share their executables, working directories and control groups with
 * others. One for each thread.
 */
public final class RecentBytes {

  /** A power of two. */
  private static final int SLOTS = 1024;

  /** Longer content is seldom shared. */
  private static final int MAX_LENGTH = 512;

  private final @Nullable Bytes[] slots = new Bytes[SLOTS];

  /** The first bytes of an array. */
  public Bytes of(byte[] content, int length) {
    return of(content, 0, length);
  }

  /** Bytes out of an array. */
  public Bytes of(byte[] content, int from, int length) {
    if (length == 0) {
      return Bytes.EMPTY;
    }
    int end = from + length;
    if (length > MAX_LENGTH) {
      return new Bytes(Arrays.copyOfRange(content, from, end));
    }
    int hash = 1;
    for (int i = from; i < end; i++) {
      hash = 31 * hash + content[i];
    }
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Bytes known = slots[slot];
    if (known != null && Arrays.equals(known.array(), 0, known.length(), content, from, end)) {
      return known;
    }
    Bytes fresh = new Bytes(Arrays.copyOfRange(content, from, end));
    slots[slot] = fresh;
    return fresh;
  }
}
