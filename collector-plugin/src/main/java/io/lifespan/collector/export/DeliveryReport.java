package io.lifespan.collector.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What became of the telemetry handed over, for each place that they were to go to.
 *
 * @param destinations empty if nothing was to be exported
 */
public record DeliveryReport(List<Destination> destinations) {
  private static final Pattern SIGNAL_PATH = Pattern.compile("/v1/(traces|metrics|logs)$");

  /**
   * One place.
   *
   * @param name for people, for example {@code OTLP/gRPC http://localhost:4317}
   * @param items what was to go there, for people: {@code spans}, {@code data points}, {@code log
   *     events}
   * @param accepted how many of them were handed over
   * @param delivered how many of them the place has confirmed
   * @param overflowed how many were dropped because the queue was full; known at the end only, 0
   *     before
   * @param cause why spans are missing, if any are
   * @param remedy what to do about it
   */
  public record Destination(
      String name,
      String items,
      long accepted,
      long delivered,
      long overflowed,
      String cause,
      String remedy) {

    /** How many were not delivered; while more still come and go, also those that wait. */
    public long missing() {
      return accepted - delivered;
    }

    /** Where it is, however many signals have paths of their own below it. */
    String base() {
      return SIGNAL_PATH.matcher(name).replaceFirst("");
    }

    /** How many of what are missing. */
    String shortfall() {
      return missing() + " of " + accepted + " " + items;
    }

    /** One line. */
    @Override
    public String toString() {
      return missing() == 0
          ? delivered + " " + items + " delivered to " + name
          : problem(List.of(this));
    }
  }

  public DeliveryReport {
    destinations = List.copyOf(destinations);
  }

  /** True if every place has got everything. */
  public boolean complete() {
    return destinations.stream().allMatch(destination -> destination.missing() == 0);
  }

  /**
   * A line for each place that did not get all: how many of what, where to, why, what to do. What
   * failed for one reason is told together.
   */
  public List<String> problems() {
    Map<List<String>, List<Destination>> byReason = new LinkedHashMap<>();
    for (Destination destination : destinations) {
      if (destination.missing() != 0) {
        byReason
            .computeIfAbsent(
                List.of(destination.base(), destination.cause(), destination.remedy()),
                missing -> new ArrayList<>())
            .add(destination);
      }
    }
    return byReason.values().stream().map(DeliveryReport::problem).toList();
  }

  private static String problem(List<Destination> failed) {
    Destination first = failed.get(0);
    long overflowed = failed.stream().mapToLong(Destination::overflowed).sum();
    String dropped =
        overflowed == 0 ? "" : " (" + overflowed + " of them dropped, the queue was full)";
    return "%s not delivered to %s%s: %s; %s"
        .formatted(
            failed.stream().map(Destination::shortfall).collect(Collectors.joining(", ")),
            failed.size() == 1 ? first.name() : first.base(),
            dropped,
            first.cause(),
            first.remedy());
  }
}
