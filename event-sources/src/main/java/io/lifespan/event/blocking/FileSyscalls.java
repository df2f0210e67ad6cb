package io.lifespan.event.blocking;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The numbers of system calls that matter here (asm/unistd.h), for one architecture. */
final class FileSyscalls {

  /** Where a call says what it is about. */
  enum Subject {
    /** The first argument is a path. */
    PATH,
    /** The first argument is a descriptor. */
    DESCRIPTOR,
    /** The first is the descriptor of a directory, the second a path below it. */
    PATH_AT
  }

  record FileSyscall(String name, Subject subject, boolean opens) {
    FileSyscall(String name, Subject subject) {
      this(name, subject, false);
    }
  }

  private final Map<Long, FileSyscall> family;
  private final Set<Long> idle;
  private final long futex;

  private FileSyscalls(Map<Long, FileSyscall> family, Set<Long> idle, long futex) {
    this.family = family;
    this.idle = idle;
    this.futex = futex;
  }

  /** Those of the machine; null for an architecture whose numbers are not known here. */
  static @Nullable FileSyscalls ofThisMachine() {
    return of(System.getProperty("os.arch", ""));
  }

  static @Nullable FileSyscalls of(String architecture) {
    return switch (architecture) {
      case "amd64" -> X86_64;
      case "aarch64" -> ARM_64;
      default -> null;
    };
  }

  /** The call of the stat family, or one that opens, with this number; null for any other. */
  @Nullable FileSyscall get(long number) {
    return family.get(number);
  }

  /** True for a call that a thread with nothing to do waits in: it is never the one looked for. */
  boolean isIdle(long number) {
    return idle.contains(number);
  }

  boolean isFutex(long number) {
    return number == futex;
  }

  private static final FileSyscalls X86_64 =
      new FileSyscalls(
          Map.ofEntries(
              Map.entry(2L, new FileSyscall("open", Subject.PATH, true)),
              Map.entry(4L, new FileSyscall("stat", Subject.PATH)),
              Map.entry(5L, new FileSyscall("fstat", Subject.DESCRIPTOR)),
              Map.entry(6L, new FileSyscall("lstat", Subject.PATH)),
              Map.entry(21L, new FileSyscall("access", Subject.PATH)),
              Map.entry(78L, new FileSyscall("getdents", Subject.DESCRIPTOR)),
              Map.entry(89L, new FileSyscall("readlink", Subject.PATH)),
              Map.entry(137L, new FileSyscall("statfs", Subject.PATH)),
              Map.entry(138L, new FileSyscall("fstatfs", Subject.DESCRIPTOR)),
              Map.entry(217L, new FileSyscall("getdents64", Subject.DESCRIPTOR)),
              Map.entry(257L, new FileSyscall("openat", Subject.PATH_AT, true)),
              Map.entry(262L, new FileSyscall("newfstatat", Subject.PATH_AT)),
              Map.entry(267L, new FileSyscall("readlinkat", Subject.PATH_AT)),
              Map.entry(269L, new FileSyscall("faccessat", Subject.PATH_AT)),
              Map.entry(332L, new FileSyscall("statx", Subject.PATH_AT)),
              Map.entry(437L, new FileSyscall("openat2", Subject.PATH_AT, true)),
              Map.entry(439L, new FileSyscall("faccessat2", Subject.PATH_AT))),
          // poll select pause nanosleep accept recvfrom recvmsg wait4 futex epoll_wait
          // rt_sigtimedwait rt_sigsuspend restart_syscall clock_nanosleep waitid pselect6 ppoll
          // epoll_pwait accept4 recvmmsg epoll_pwait2 futex_waitv
          Set.of(
              7L, 23L, 34L, 35L, 43L, 45L, 47L, 61L, 202L, 232L, 128L, 130L, 219L, 230L, 247L, 270L,
              271L, 281L, 288L, 299L, 441L, 449L),
          202);

  private static final FileSyscalls ARM_64 =
      new FileSyscalls(
          Map.ofEntries(
              Map.entry(43L, new FileSyscall("statfs", Subject.PATH)),
              Map.entry(44L, new FileSyscall("fstatfs", Subject.DESCRIPTOR)),
              Map.entry(48L, new FileSyscall("faccessat", Subject.PATH_AT)),
              Map.entry(56L, new FileSyscall("openat", Subject.PATH_AT, true)),
              Map.entry(61L, new FileSyscall("getdents64", Subject.DESCRIPTOR)),
              Map.entry(78L, new FileSyscall("readlinkat", Subject.PATH_AT)),
              Map.entry(79L, new FileSyscall("newfstatat", Subject.PATH_AT)),
              Map.entry(80L, new FileSyscall("fstat", Subject.DESCRIPTOR)),
              Map.entry(291L, new FileSyscall("statx", Subject.PATH_AT)),
              Map.entry(437L, new FileSyscall("openat2", Subject.PATH_AT, true)),
              Map.entry(439L, new FileSyscall("faccessat2", Subject.PATH_AT))),
          // epoll_pwait pselect6 ppoll waitid futex nanosleep clock_nanosleep restart_syscall
          // rt_sigsuspend rt_sigtimedwait accept recvfrom recvmsg accept4 recvmmsg wait4
          // epoll_pwait2 futex_waitv
          Set.of(
              22L, 72L, 73L, 95L, 98L, 101L, 115L, 128L, 133L, 137L, 202L, 207L, 212L, 242L, 243L,
              260L, 441L, 449L),
          98);
}
