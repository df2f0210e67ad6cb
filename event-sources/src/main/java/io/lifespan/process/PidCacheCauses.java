package io.lifespan.process;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SystemCallException;

/** Why {@link PidCache} has no witness, and what to do about it. */
final class PidCacheCauses {

  private static final String CONSEQUENCE = ", so each question for the pid is a system call";

  private PidCacheCauses() {}

  static Unavailable failed(SystemCallException e) {
    if (e.errno().equals(Errno.ENOMEM)) {
      return cause(
          e,
          "no page of memory could be had",
          "raise the limit of address space (ulimit -v) or of mappings (vm.max_map_count)");
    }
    if (e.errno().equals(Errno.EINVAL) && e.call().startsWith("madvise")) {
      return cause(e, "the kernel cannot wipe memory on fork", "use Linux 4.14 or newer");
    }
    return cause(
        e,
        "a page of memory could not be prepared",
        "look for what forbids the call, for example a seccomp profile");
  }

  static Unavailable untrusted() {
    return new Unavailable(
        "madvise(-1)",
        null,
        "the kernel accepts any advice about memory, so that it cannot be trusted to wipe it"
            + CONSEQUENCE,
        "run on Linux itself instead of an emulation of its system calls");
  }

  private static Unavailable cause(SystemCallException e, String cause, String remedy) {
    return new Unavailable(e.call(), e.errno(), cause + CONSEQUENCE, remedy);
  }
}
