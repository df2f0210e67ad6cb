package io.lifespan.otel;

import java.time.Instant;

/**
 * Dates and times in ISO 8601, as {@link Instant#toString()} gives them: the fraction in three, six
 * or nine digits, or none. Remembers the last second, since most times that follow one another
 * share it.
 *
 * <p>Not thread-safe.
 */
final class IsoTime {

  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private long second = Long.MIN_VALUE;

  /** The last second, without the Z that ends it. */
  private String text = "";

  String of(long epochNanos) {
    long wanted = Math.floorDiv(epochNanos, NANOS_PER_SECOND);
    if (wanted != second) {
      String whole = Instant.ofEpochSecond(wanted).toString();
      text = whole.substring(0, whole.length() - 1);
      second = wanted;
    }
    int nanos = (int) Math.floorMod(epochNanos, (long) NANOS_PER_SECOND);
    if (nanos == 0) {
      return text + "Z";
    }
    int digits = nanos % NANOS_PER_MILLI == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
    char[] fraction = new char[digits + 2];
    fraction[0] = '.';
    fraction[digits + 1] = 'Z';
    int rest = digits == 3 ? nanos / NANOS_PER_MILLI : digits == 6 ? nanos / 1_000 : nanos;
    for (int i = digits; i > 0; i--) {
      fraction[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return text.concat(new String(fraction));
  }
}
