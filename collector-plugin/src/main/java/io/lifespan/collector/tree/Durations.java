package io.lifespan.collector.tree;

import java.util.Locale;

/** Durations as a person reads them: three digits and a unit. */
final class Durations {

  private static final long MICRO = 1_000L;
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;

  private Durations() {}

  /** For example {@code 340 us}, {@code 1.24 s}, {@code 38.0 s}, {@code 2 m 05 s}. */
  static String text(long nanos) {
    if (nanos < MILLI) {
      return nanos / MICRO + " us";
    }
    if (nanos < SECOND) {
      return threeDigits(nanos, MILLI) + " ms";
    }
    if (nanos < MINUTE) {
      return threeDigits(nanos, SECOND) + " s";
    }
    if (nanos < HOUR) {
      return String.format(Locale.ROOT, "%d m %02d s", nanos / MINUTE, nanos % MINUTE / SECOND);
    }
    return String.format(Locale.ROOT, "%d h %02d m", nanos / HOUR, nanos % HOUR / MINUTE);
  }

  private static String threeDigits(long nanos, long unit) {
    if (nanos < 10 * unit) {
      return decimal(nanos, unit, 100);
    }
    return nanos < 100 * unit ? decimal(nanos, unit, 10) : Long.toString(nanos / unit);
  }

  /** Rounded down, so that no value reads as one of the next size. */
  private static String decimal(long nanos, long unit, int parts) {
    long fraction = nanos % unit * parts / unit;
    return nanos / unit + "." + (parts == 100 && fraction < 10 ? "0" : "") + fraction;
  }
}
