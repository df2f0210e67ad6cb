package io.lifespan.collector.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of each kind; of what is none it gives null, and an error to those of the reader.
 */
final class ValueReader {

  private static final long MIB = 1 << 20;

  private final List<String> errors;

  /**
   * @param errors gets what is wrong, one line each
   */
  ValueReader(List<String> errors) {
    this.errors = errors;
  }

  /** The names in a list; null if there is none, or one that is not known. */
  @Nullable List<String> names(RawSetting raw, String what, List<String> known) {
    List<String> names =
        Arrays.stream(raw.value().split(",", -1))
            .map(name -> name.strip().toLowerCase(Locale.ROOT))
            .filter(name -> !name.isEmpty())
            .toList();
    boolean allKnown = !names.isEmpty();
    for (String name : names) {
      if (!known.contains(name)) {
        allKnown = false;
        String article = what.startsWith("e") ? "an " : "a ";
        String choice = " (" + String.join(", ", known) + ")";
        errors.add(
            raw.error(
                "\""
                    + name
                    + "\" is not "
                    + article
                    + what
                    + choice
                    + Suggestion.text(name, known)));
      }
    }
    if (names.isEmpty()) {
      errors.add(raw.badValue("a list of " + what + "s: " + String.join(", ", known)));
    }
    return allKnown ? names : null;
  }

  @Nullable Integer ringSize(RawSetting raw) {
    Long bytes = Quantities.bytes(raw.value());
    if (bytes == null || bytes < 64 << 10 || bytes > 1024 * MIB || Long.bitCount(bytes) != 1) {
      errors.add(raw.badValue("a power of two from 64k to 1g, for example 4m"));
      return null;
    }
    return bytes.intValue();
  }

  @Nullable Integer bufferSize(RawSetting raw) {
    Long bytes = Quantities.bytes(raw.value());
    if (bytes == null || bytes < 4096 || bytes > 1024 * MIB) {
      errors.add(raw.badValue("a size from 4k to 1g, for example 16m"));
      return null;
    }
    return bytes.intValue();
  }

  @Nullable Integer count(RawSetting raw, int least, int most) {
    try {
      int count = Integer.parseInt(raw.value());
      if (count >= least && count <= most) {
        return count;
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    errors.add(raw.badValue("a whole number from " + least + " to " + most));
    return null;
  }

  @Nullable Boolean flag(RawSetting raw) {
    return switch (raw.value().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> {
        errors.add(raw.badValue("true or false"));
        yield null;
      }
    };
  }

  @Nullable Arguments arguments(RawSetting raw) {
    for (Arguments choice : Arguments.values()) {
      if (choice.name().equalsIgnoreCase(raw.value())) {
        return choice;
      }
    }
    errors.add(raw.badValue("off, count or redacted"));
    return null;
  }

  @Nullable Duration duration(RawSetting raw) {
    Duration duration = Quantities.duration(raw.value());
    if (duration == null || duration.isZero()) {
      errors.add(raw.badValue("a duration above 0, for example 500ms, 60s, 5m or 1h"));
      return null;
    }
    return duration;
  }

  @Nullable Path path(RawSetting raw) {
    try {
      return Path.of(raw.value());
    } catch (InvalidPathException invalid) {
      errors.add(raw.badValue("a path"));
      return null;
    }
  }
}
