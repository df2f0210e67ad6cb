package io.lifespan.libc;

/**
 * Numbers and names of Linux's signals, those of the generic ABI (x86-64 and arm64 share them; see
 * signal(7)).
 */
public final class Signal {

  public static final int HUP = 1;
  public static final int INT = 2;
  public static final int QUIT = 3;
  public static final int TRAP = 5;
  public static final int KILL = 9;
  public static final int USR1 = 10;
  public static final int USR2 = 12;
  public static final int PIPE = 13;
  public static final int TERM = 15;
  public static final int CONT = 18;
  public static final int STOP = 19;
  public static final int TSTP = 20;
  public static final int XFSZ = 25;
  public static final int WINCH = 28;

  /** The highest number. */
  public static final int MAX = 64;

  /** The first two real-time signals are the C library's own, so its SIGRTMIN is 34. */
  private static final int RTMIN = 34;

  private Signal() {}

  /**
   * The name, for example {@code SIGKILL} or {@code SIGRTMIN+3}; {@code SIG} and the number for one
   * without a name.
   */
  public static String name(int number) {
    if (number >= RTMIN && number <= MAX) {
      return number == RTMIN ? "SIGRTMIN" : "SIGRTMIN+" + (number - RTMIN);
    }
    return switch (number) {
      case HUP -> "SIGHUP";
      case INT -> "SIGINT";
      case QUIT -> "SIGQUIT";
      case 4 -> "SIGILL";
      case TRAP -> "SIGTRAP";
      case 6 -> "SIGABRT";
      case 7 -> "SIGBUS";
      case 8 -> "SIGFPE";
      case KILL -> "SIGKILL";
      case USR1 -> "SIGUSR1";
      case 11 -> "SIGSEGV";
      case USR2 -> "SIGUSR2";
      case PIPE -> "SIGPIPE";
      case 14 -> "SIGALRM";
      case TERM -> "SIGTERM";
      case 16 -> "SIGSTKFLT";
      case 17 -> "SIGCHLD";
      case CONT -> "SIGCONT";
      case STOP -> "SIGSTOP";
      case TSTP -> "SIGTSTP";
      case 21 -> "SIGTTIN";
      case 22 -> "SIGTTOU";
      case 23 -> "SIGURG";
      case 24 -> "SIGXCPU";
      case XFSZ -> "SIGXFSZ";
      case 26 -> "SIGVTALRM";
      case 27 -> "SIGPROF";
      case WINCH -> "SIGWINCH";
      case 29 -> "SIGIO";
      case 30 -> "SIGPWR";
      case 31 -> "SIGSYS";
      default -> "SIG" + number;
    };
  }
}
