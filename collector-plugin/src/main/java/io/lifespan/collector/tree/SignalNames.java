package io.lifespan.collector.tree;

import java.util.List;

/** Names of the signals of Linux (see signal(7); x86-64 and arm64 number them alike). */
final class SignalNames {

  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private SignalNames() {}

  /** For example {@code SIGSEGV}; {@code signal 42} for one without a name of its own. */
  static String of(int signal) {
    return signal >= 1 && signal <= NAMES.size()
        ? "SIG" + NAMES.get(signal - 1)
        : "signal " + signal;
  }
}
