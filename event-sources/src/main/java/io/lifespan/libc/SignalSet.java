package io.lifespan.libc;

/**
 * A set of signals.
 *
 * @param bits bit n - 1 stands for signal n, as in the masks of /proc/PID/status
 */
public record SignalSet(long bits) {

  /** No signal at all. */
  public static final SignalSet NONE = new SignalSet(0);

  /** What a command's wrapper passes on to it: what a user, a terminal or an init sends. */
  public static final SignalSet FORWARDED =
      of(
          Signal.HUP,
          Signal.INT,
          Signal.QUIT,
          Signal.TERM,
          Signal.USR1,
          Signal.USR2,
          Signal.CONT,
          Signal.TSTP,
          Signal.WINCH);

  /** The size of the C library's {@code sigset_t}, of which the first 8 bytes count. */
  private static final int SIGSET_SIZE = 128;

  /** The set of the given signals. */
  public static SignalSet of(int... signals) {
    long bits = 0;
    for (int signal : signals) {
      bits |= bit(signal);
    }
    return new SignalSet(bits);
  }

  /** True if the signal is in it. */
  public boolean contains(int signal) {
    return (bits & bit(signal)) != 0;
  }

  /** True if all of another set's signals are in it. */
  public boolean containsAll(SignalSet other) {
    return (other.bits & ~bits) == 0;
  }

  /** These signals and another set's. */
  public SignalSet plus(SignalSet other) {
    return new SignalSet(bits | other.bits);
  }

  /** These signals without another set's. */
  public SignalSet minus(SignalSet other) {
    return new SignalSet(bits & ~other.bits);
  }

  /** As {@code sigset_t}. */
  NativeBuffer toNative() {
    NativeBuffer set = new NativeBuffer(SIGSET_SIZE);
    set.bytes().putLong(0, bits);
    return set;
  }

  private static long bit(int signal) {
    if (signal < 1 || signal > Signal.MAX) {
      throw new IllegalArgumentException("no such signal: " + signal);
    }
    return 1L << (signal - 1);
  }
}
