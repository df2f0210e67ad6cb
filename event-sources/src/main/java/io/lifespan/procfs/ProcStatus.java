package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is needed of /proc/PID/status; see proc_pid_status(5). A part that the kernel does not tell,
 * or tells in a form that is not understood, is null.
 *
 * @param tgid the process (thread group)
 * @param parentPid its parent at this moment
 * @param realUid the user it was started by: 32 bits without sign
 * @param effectiveUid the user whose rights it has
 * @param realGid its group
 * @param effectiveGid the group whose rights it has
 * @param namespacePids its pids, from the reader's pid namespace to the innermost; one if it is not
 *     nested
 * @param threads how many threads it has; 0 can be seen at the very end
 * @param blockedSignals signals its first thread blocks; bit n - 1 stands for signal n
 * @param ignoredSignals signals that it ignores
 */
public record ProcStatus(
    @Nullable Integer tgid,
    @Nullable Integer parentPid,
    @Nullable Long realUid,
    @Nullable Long effectiveUid,
    @Nullable Long realGid,
    @Nullable Long effectiveGid,
    @Nullable List<Integer> namespacePids,
    @Nullable Integer threads,
    @Nullable Long blockedSignals,
    @Nullable Long ignoredSignals) {

  private static final byte[] UID = "Uid:".getBytes(US_ASCII);
  private static final byte[] GID = "Gid:".getBytes(US_ASCII);
  private static final byte[] NSPID = "NSpid:".getBytes(US_ASCII);

  /** Reads the content of the file. Never fails: from odd content little is learnt. */
  public static ProcStatus parse(Bytes content) {
    Lines lines = new Lines(content.array(), content.length());
    Scanner uid = lines.find("Uid:");
    Scanner gid = lines.find("Gid:");
    return new ProcStatus(
        integer(lines.find("Tgid:")),
        integer(lines.find("PPid:")),
        id(uid),
        id(uid),
        id(gid),
        id(gid),
        integers(lines.find("NSpid:")),
        integer(lines.find("Threads:")),
        mask(lines.find("SigBlk:")),
        mask(lines.find("SigIgn:")));
  }

  /**
   * The lines of the file that say who a process runs as, and those of its pids that only this file
   * tells: the same for most processes of a user.
   */
  public static Bytes identity(Bytes content) {
    byte[] bytes = content.array().clone();
    int kept = keepIdentity(bytes, bytes.length);
    return kept == bytes.length ? content : new Bytes(Arrays.copyOf(bytes, kept));
  }

  /**
   * The same within an array whose beginning is the content: what is kept is moved to its start.
   *
   * @return how many bytes are kept
   */
  public static int keepIdentity(byte[] bytes, int length) {
    Lines lines = new Lines(bytes, length);
    int kept = 0;
    for (int start = 0; start < length; ) {
      int next = Math.min(length, lines.endOfLine(start) + 1);
      if (lines.isIdentity(start, next)) {
        System.arraycopy(bytes, start, bytes, kept, next - start);
        kept += next - start;
      }
      start = next;
    }
    return kept;
  }

  /** Its pid in its own pid namespace; null if unknown. */
  public @Nullable Integer innermostPid() {
    return namespacePids == null ? null : namespacePids.get(namespacePids.size() - 1);
  }

  private static @Nullable Integer integer(@Nullable Scanner values) {
    if (values == null) {
      return null;
    }
    int value = values.decimalInt();
    return values.failed() ? null : (Integer) value;
  }

  private static @Nullable Long id(@Nullable Scanner values) {
    if (values == null) {
      return null;
    }
    long value = values.decimal();
    return values.failed() || value < 0 ? null : (Long) value;
  }

  private static @Nullable Long mask(@Nullable Scanner values) {
    if (values == null) {
      return null;
    }
    long value = values.hexadecimal();
    return values.failed() ? null : (Long) value;
  }

  private static @Nullable List<Integer> integers(@Nullable Scanner values) {
    if (values == null) {
      return null;
    }
    List<Integer> all = new ArrayList<>(2);
    while (values.hasNext() && !values.failed()) {
      all.add(values.decimalInt());
    }
    return values.failed() || all.isEmpty() ? null : List.copyOf(all);
  }

  /** The lines in their order; the kernel escapes the name, so that it cannot pose as a line. */
  private static final class Lines {
    private final byte[] bytes;
    private final int length;

    Lines(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
    }

    /** What follows a key up to the end of its line. */
    @Nullable Scanner find(String key) {
      byte[] wanted = key.getBytes(US_ASCII);
      for (int start = 0; start < length; ) {
        int end = endOfLine(start);
        if (startsWith(start, end, wanted)) {
          return new Scanner(bytes, start + wanted.length, end);
        }
        start = end + 1;
      }
      return null;
    }

    boolean isIdentity(int start, int end) {
      if (!startsWith(start, end, NSPID)) {
        return startsWith(start, end, UID) || startsWith(start, end, GID);
      }
      Scanner pids = new Scanner(bytes, start + NSPID.length, end);
      pids.skip(1);
      return pids.hasNext();
    }

    int endOfLine(int start) {
      int end = start;
      while (end < length && bytes[end] != '\n') {
        end++;
      }
      return end;
    }

    private boolean startsWith(int start, int end, byte[] wanted) {
      if (end - start < wanted.length) {
        return false;
      }
      for (int i = 0; i < wanted.length; i++) {
        if (bytes[start + i] != wanted[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
