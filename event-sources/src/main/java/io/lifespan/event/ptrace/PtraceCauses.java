package io.lifespan.event.ptrace;

import io.lifespan.event.Unavailable;
import io.lifespan.event.capture.OwnProc;
import io.lifespan.libc.Errno;
import io.lifespan.libc.Ptrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Why processes cannot be followed by ptrace, told from what the kernel did when asked. */
final class PtraceCauses {

  private static final String CALL = "ptrace(PTRACE_SEIZE)";

  /** Above any pid_max that Linux takes. */
  private static final int NO_PROCESS = 1 << 30;

  private static final int CAP_SYS_PTRACE = 19;
  private static final Path SELF = Path.of("/proc/self");
  private static final Path SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

  private PtraceCauses() {}

  /** Tries the call on no process; null if one that exists could be followed. */
  static @Nullable Unavailable probe() {
    Unavailable foreign = OwnProc.problem();
    if (foreign != null) {
      return foreign;
    }
    Errno errno = new Errno(-new Ptrace().seize(NO_PROCESS, 0));
    return errno.equals(Errno.ESRCH) ? ofScope(scope(), mayTraceAll()) : of(errno);
  }

  /** The kernel refused to let a child of this process be followed. */
  static Unavailable of(Errno errno) {
    Unavailable scope = ofScope(scope(), false);
    if (scope != null) {
      return new Unavailable(CALL, errno, scope.cause(), scope.remedy());
    }
    return new Unavailable(
        CALL,
        errno,
        "this process may not trace its own child",
        "allow the system call ptrace in the container's seccomp profile, and trace lifespan itself"
            + " with nothing else");
  }

  /** What the security module Yama does not allow; null if it allows to trace one's child. */
  static @Nullable Unavailable ofScope(int scope, boolean mayTraceAll) {
    if (scope < 2 || (scope == 2 && mayTraceAll)) {
      return null;
    }
    return new Unavailable(
        SCOPE.toString(),
        null,
        "this machine lets nobody" + (scope == 2 ? " but the administrator" : "") + " trace",
        scope == 2
            ? "set kernel.yama.ptrace_scope to 1, or give it CAP_SYS_PTRACE"
            : "boot with kernel.yama.ptrace_scope below 3: it cannot be lowered before");
  }

  private static int scope() {
    try {
      return Integer.parseInt(Files.readString(SCOPE).strip());
    } catch (IOException | NumberFormatException noYama) {
      return 0;
    }
  }

  private static boolean mayTraceAll() {
    try {
      for (String line : Files.readAllLines(SELF.resolve("status"))) {
        if (line.startsWith("CapEff:")) {
          long effective = Long.parseUnsignedLong(line.substring(7).strip(), 16);
          return (effective >>> CAP_SYS_PTRACE & 1) != 0;
        }
      }
    } catch (IOException unreadable) {
      // then nothing is known of it
    }
    return false;
  }
}
