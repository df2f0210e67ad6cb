package io.lifespan.event.poll;

import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What shows that a process has executed something since it was looked at last: another executable,
 * or another place of its stack, which the kernel draws anew at each exec. Neither is shown of a
 * process that may not be traced: then only its name is left, which is also changed without an
 * exec.
 *
 * @param readable whether it may be looked into
 * @param stack where its stack began; 0 if not shown
 */
record Identity(boolean readable, @Nullable Bytes executable, long stack, @Nullable Bytes name) {

  /** Of proc_pid_stat(5), counted from the field behind the name, which is the third. */
  private static final int STACK_FIELD = 28 - 3;

  /** From stat and the link to the executable. */
  static Identity of(ProcCapture capture) {
    Errno refused = capture.reason(ProcFile.EXE);
    boolean readable = !Errno.EACCES.equals(refused) && !Errno.EPERM.equals(refused);
    Bytes stat = capture.get(ProcFile.STAT);
    return new Identity(
        readable,
        capture.get(ProcFile.EXE),
        stat == null ? 0 : stack(stat.array(), stat.length()),
        stat == null ? null : name(stat.array(), stat.length()));
  }

  /** True if between the two, of which this is the earlier, the process has executed something. */
  boolean executedBefore(Identity later) {
    if (readable && later.readable) {
      return later.stack > 1
          && (stack != later.stack || !Objects.equals(executable, later.executable));
    }
    return !Objects.equals(name, later.name);
  }

  /** True if it shows a process that is in the midst of an exec, or has no memory any more. */
  boolean isUnsettled() {
    return readable && stack <= 1;
  }

  private static long stack(byte[] stat, int length) {
    int position = closing(stat, length) + 2;
    for (int field = 0; field < STACK_FIELD && position < length; position++) {
      field += stat[position] == ' ' ? 1 : 0;
    }
    long value = 0;
    for (; position < length && stat[position] >= '0' && stat[position] <= '9'; position++) {
      value = value * 10 + stat[position] - '0';
    }
    return value;
  }

  private static Bytes name(byte[] stat, int length) {
    int open = 0;
    while (open < length && stat[open] != '(') {
      open++;
    }
    int from = Math.min(open + 1, length);
    return new Bytes(Arrays.copyOfRange(stat, from, Math.max(from, closing(stat, length))));
  }

  private static int closing(byte[] stat, int length) {
    int position = length - 1;
    while (position > 0 && stat[position] != ')') {
      position--;
    }
    return position;
  }
}
