package io.lifespan.procfs;

import org.jspecify.annotations.Nullable;

/**
 * /proc/PID/task/TID/syscall: the call that a thread is in, see proc_pid_syscall(5).
 *
 * @param number of the call in the architecture's table; null if the thread sleeps outside of one,
 *     as in a page fault
 * @param first its first argument
 * @param second its second argument
 * @param stackPointer where its stack is; with the rest it tells calls apart
 */
public record TaskSyscall(@Nullable Long number, long first, long second, long stackPointer) {

  /** Reads the content of the file; null if the thread runs, or if it is not of this form. */
  public static @Nullable TaskSyscall parse(byte[] content, int length) {
    Scanner words = new Scanner(content, 0, length);
    if (length == 0 || content[0] == 'r') {
      return null;
    }
    long number = words.decimal();
    if (number < 0) {
      long sp = prefixed(words);
      return words.failed() ? null : new TaskSyscall(null, 0, 0, sp);
    }
    long first = prefixed(words);
    long second = prefixed(words);
    words.skip(4);
    long sp = prefixed(words);
    return words.failed() ? null : new TaskSyscall(number, first, second, sp);
  }

  private static long prefixed(Scanner words) {
    words.hexadecimalPrefix();
    return words.hexadecimal();
  }
}
