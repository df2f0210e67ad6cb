package io.lifespan.event.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lifespan.libc.NativeBuffer;
import io.lifespan.procfs.ProcFile;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the NUL-terminated paths below a proc file system into one buffer, over and over: each is
 * valid until the next call.
 */
final class ProcPaths {

  private static final int MAX_PID_DIGITS = 10;
  private static final int MAX_NAME = 16;

  private final NativeBuffer path;
  private final int rootLength;
  private final Map<ProcFile, byte[]> names = new EnumMap<>(ProcFile.class);
  private int processLength;

  ProcPaths(String root) {
    byte[] start = (root + "/").getBytes(UTF_8);
    rootLength = start.length;
    path = new NativeBuffer(rootLength + MAX_PID_DIGITS + MAX_NAME);
    path.bytes().put(0, start);
    for (ProcFile file : ProcFile.values()) {
      names.put(file, ("/" + file.fileName() + "\0").getBytes(UTF_8));
    }
  }

  /** The root itself. */
  NativeBuffer root() {
    path.bytes().put(rootLength, (byte) 0);
    return path;
  }

  /** Says which process the next files are of. */
  void process(int pid) {
    processLength = rootLength + digits(pid);
    int position = processLength;
    for (int rest = pid; position > rootLength; rest /= 10) {
      path.bytes().put(--position, (byte) ('0' + rest % 10));
    }
  }

  /** A file of the process. */
  NativeBuffer file(ProcFile file) {
    path.bytes().put(processLength, Objects.requireNonNull(names.get(file)));
    return path;
  }

  private static int digits(int pid) {
    int digits = 1;
    for (int rest = pid / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }
}
