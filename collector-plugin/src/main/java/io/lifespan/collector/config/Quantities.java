package io.lifespan.collector.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts of settings that stand for an amount; null is returned for a text that does not. */
public final class Quantities {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,18})\\s*(\\p{Alpha}*)");
  private static final Map<String, Long> BYTES =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("kb", 1L << 10),
          Map.entry("kib", 1L << 10),
          Map.entry("m", 1L << 20),
          Map.entry("mb", 1L << 20),
          Map.entry("mib", 1L << 20),
          Map.entry("g", 1L << 30),
          Map.entry("gb", 1L << 30),
          Map.entry("gib", 1L << 30));
  private static final Map<String, TimeUnit> TIMES =
      Map.of(
          "ns", TimeUnit.NANOSECONDS,
          "us", TimeUnit.MICROSECONDS,
          "", TimeUnit.MILLISECONDS,
          "ms", TimeUnit.MILLISECONDS,
          "s", TimeUnit.SECONDS,
          "m", TimeUnit.MINUTES,
          "h", TimeUnit.HOURS,
          "d", TimeUnit.DAYS);

  private Quantities() {}

  /** Bytes: a number, alone or with k, m or g (also KiB, MB ...), each 1,024 of the former. */
  static @Nullable Long bytes(String text) {
    Matcher amount = AMOUNT.matcher(text);
    Long unit = amount.matches() ? BYTES.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      return null;
    }
    try {
      return Math.multiplyExact(Long.parseLong(amount.group(1)), unit);
    } catch (ArithmeticException tooLarge) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * A duration as OpenTelemetry writes it: a number with ns, us, ms, s, m, h or d; alone it is
   * milliseconds.
   */
  public static @Nullable Duration duration(String text) {
    Matcher amount = AMOUNT.matcher(text);
    TimeUnit unit = amount.matches() ? TIMES.get(amount.group(2)) : null;
    if (unit == null) {
      return null;
    }
    long nanos = unit.toNanos(Long.parseLong(amount.group(1)));
    return nanos == Long.MAX_VALUE ? null : Duration.ofNanos(nanos);
  }
}
