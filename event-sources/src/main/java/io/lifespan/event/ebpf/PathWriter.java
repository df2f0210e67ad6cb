package io.lifespan.event.ebpf;

import java.nio.charset.StandardCharsets;

/** Makes a path of the names on the way from a file up to the root, each ended by a NUL. */
final class PathWriter {

  /** What /proc/PID/exe and cwd show of a file that is gone. */
  private static final byte[] DELETED = " (deleted)".getBytes(StandardCharsets.US_ASCII);

  private final byte[] path = new byte[RingRecord.MAX_LENGTH + DELETED.length];

  byte[] bytes() {
    return path;
  }

  /**
   * Writes the path of the names at a place in a record; an empty first name says that the file was
   * deleted. Returns its length in {@link #bytes()}.
   */
  int write(byte[] names, int from, int length) {
    boolean deleted = length > 0 && names[from] == 0;
    int start = deleted ? from + 1 : from;
    int end = from + length;
    int written = 0;
    while (end > start) {
      int nul = end - 1;
      int name = nul;
      while (name > start && names[name - 1] != 0) {
        name--;
      }
      path[written++] = '/';
      System.arraycopy(names, name, path, written, nul - name);
      written += nul - name;
      end = name;
    }
    if (written == 0) {
      path[written++] = '/';
    }
    if (deleted) {
      System.arraycopy(DELETED, 0, path, written, DELETED.length);
      written += DELETED.length;
    }
    return written;
  }
}
