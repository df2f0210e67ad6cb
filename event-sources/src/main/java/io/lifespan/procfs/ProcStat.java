package io.lifespan.procfs;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * /proc/PID/stat, as proc_pid_stat(5) describes it.
 *
 * @param pid the process
 * @param comm its name: up to 15 raw bytes of a program, more of a kernel thread; any bytes,
 *     parentheses and blanks too
 * @param state R running, S sleeping, D waiting for a device, T stopped, t traced, Z zombie, X
 *     dead, I idle
 * @param parentPid its parent at this moment; 0 for one without, or outside of this pid namespace
 * @param processGroup its process group
 * @param session its session
 * @param terminal device number of its controlling terminal; 0 if it has none
 * @param flags the kernel's PF_ flags
 * @param userTicks time on the CPU in user space, in clock ticks, all threads
 * @param systemTicks time on the CPU in the kernel, in clock ticks, all threads
 * @param threads how many threads it has
 * @param startTicks when it was made, in clock ticks since boot (CLOCK_BOOTTIME, rounded down)
 * @param residentPages memory that it has in RAM, in pages; null if the file ends before it
 * @param exitStatus the raw wait status, of a zombie only; null while it lives and on kernels
 *     before 3.5. Whoever may not trace the process reads 0 here, whatever it was
 */
public record ProcStat(
    int pid,
    Bytes comm,
    char state,
    int parentPid,
    int processGroup,
    int session,
    int terminal,
    long flags,
    long userTicks,
    long systemTicks,
    int threads,
    long startTicks,
    @Nullable Long residentPages,
    @Nullable Integer exitStatus) {

  private static final int START_FIELD = 22;
  private static final long PF_KTHREAD = 0x0020_0000;

  /** Reads the content of the file; null if it is not of this form. */
  public static @Nullable ProcStat parse(Bytes content) {
    byte[] bytes = content.array();
    int open = indexOf(bytes, '(');
    int close = lastIndexOf(bytes, ')');
    if (open < 0 || close < open) {
      return null;
    }
    int pid = new Scanner(bytes, 0, open).decimalInt();
    Bytes comm = new Bytes(Arrays.copyOfRange(bytes, open + 1, close));
    return pid <= 0 ? null : parseFields(pid, comm, new Scanner(bytes, close + 1, bytes.length));
  }

  /** The beginning of the file up to the start (field 22): what follows holds for a moment only. */
  public static Bytes beginning(Bytes content) {
    byte[] bytes = content.array();
    int end = lastIndexOf(bytes, ')') + 1;
    for (int field = 3; field <= START_FIELD && end < bytes.length; field++) {
      end++;
      while (end < bytes.length && bytes[end] != ' ') {
        end++;
      }
    }
    return end == 0 || end >= bytes.length ? content : new Bytes(Arrays.copyOf(bytes, end));
  }

  /** True for a thread of the kernel's own, which has neither arguments nor an executable. */
  public boolean isKernelThread() {
    return (flags & PF_KTHREAD) != 0;
  }

  /** True if it has ended, as far as its first thread goes: other threads may live on. */
  public boolean isDead() {
    return state == 'Z' || state == 'X' || state == 'x';
  }

  /** How many of its threads have not exited: the first still counts in the file once it has. */
  public int threadsAlive() {
    return isDead() ? Math.max(0, threads - 1) : threads;
  }

  /** The comments are the numbers of the fields in proc_pid_stat(5). */
  private static @Nullable ProcStat parseFields(int pid, Bytes comm, Scanner fields) {
    char state = fields.character(); // 3
    int parentPid = fields.decimalInt(); // 4
    int processGroup = fields.decimalInt(); // 5
    int session = fields.decimalInt(); // 6
    int terminal = fields.decimalInt(); // 7
    fields.skip(1);
    long flags = fields.decimal(); // 9
    fields.skip(4);
    long userTicks = fields.decimal(); // 14
    long systemTicks = fields.decimal(); // 15
    fields.skip(4);
    int threads = fields.decimalInt(); // 20
    fields.skip(1);
    long startTicks = fields.decimal(); // 22
    if (fields.failed()) {
      return null;
    }
    fields.skip(1);
    Long residentPages = fields.hasNext() ? (Long) fields.decimal() : null; // 24
    ProcStat alive =
        new ProcStat(
            pid,
            comm,
            state,
            parentPid,
            processGroup,
            session,
            terminal,
            flags,
            userTicks,
            systemTicks,
            threads,
            startTicks,
            fields.failed() ? null : residentPages,
            null);
    fields.skip(27);
    if (!alive.isDead() || !fields.hasNext()) {
      return alive;
    }
    int exitStatus = fields.decimalInt(); // 52
    return fields.failed() ? null : alive.withExitStatus(exitStatus);
  }

  private ProcStat withExitStatus(int status) {
    return new ProcStat(
        pid,
        comm,
        state,
        parentPid,
        processGroup,
        session,
        terminal,
        flags,
        userTicks,
        systemTicks,
        threads,
        startTicks,
        residentPages,
        status);
  }

  private static int indexOf(byte[] bytes, char wanted) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private static int lastIndexOf(byte[] bytes, char wanted) {
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
