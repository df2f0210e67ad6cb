package io.lifespan.event.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lifespan.libc.NativeBuffer;
import io.lifespan.procfs.ProcFile;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The NUL-terminated names below a proc file system, made once and written over for each pid. */
final class ProcPaths {

  private static final int MAX_DIGITS = 10;

  private final NativeBuffer path;
  private final int rootLength;
  private final Map<ProcFile, NativeBuffer> names = new EnumMap<>(ProcFile.class);

  ProcPaths(String root) {
    byte[] start = (root + "/").getBytes(UTF_8);
    rootLength = start.length;
    path = new NativeBuffer(rootLength + MAX_DIGITS + 1);
    path.bytes().put(0, start);
    for (ProcFile file : ProcFile.values()) {
      byte[] name = file.fileName().getBytes(UTF_8);
      NativeBuffer terminated = new NativeBuffer(name.length + 1);
      terminated.bytes().put(0, name);
      names.put(file, terminated);
    }
  }

  /** The root itself; valid until the next call. */
  NativeBuffer root() {
    path.bytes().put(rootLength, (byte) 0);
    return path;
  }

  /** The directory of a process; valid until the next call. */
  NativeBuffer of(int pid) {
    int end = rootLength + digits(pid);
    path.bytes().put(end, (byte) 0);
    for (int rest = pid; end > rootLength; rest /= 10) {
      path.bytes().put(--end, (byte) ('0' + rest % 10));
    }
    return path;
  }

  /** The name of a file in the directory of a process. */
  NativeBuffer name(ProcFile file) {
    return Objects.requireNonNull(names.get(file));
  }

  private static int digits(int pid) {
    int digits = 1;
    for (int rest = pid / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }
}
