package io.lifespan.collector.export;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of the spans handed over, for each place that they were to go to.
 *
 * @param destinations empty if nothing was to be exported
 */
public record DeliveryReport(List<Destination> destinations) {

  /**
   * One place.
   *
   * @param name for people, for example {@code OTLP/gRPC http://localhost:4317}
   * @param accepted how many spans were handed over
   * @param delivered how many of them the place has confirmed
   * @param cause why the last ones were not delivered; null if nothing has failed
   * @param remedy what to do about it
   */
  public record Destination(
      String name, long accepted, long delivered, @Nullable String cause, String remedy) {

    /** How many spans were not delivered; while spans still come and go, also those that wait. */
    public long missing() {
      return accepted - delivered;
    }

    /** One line about what is missing. */
    @Override
    public String toString() {
      if (missing() == 0) {
        return delivered + " spans delivered to " + name;
      }
      return missing()
          + " of "
          + accepted
          + " spans not delivered to "
          + name
          + ": "
          + (cause == null ? "not sent in time" : cause)
          + "; "
          + remedy;
    }
  }

  public DeliveryReport {
    destinations = List.copyOf(destinations);
  }

  /** True if every place has got every span. */
  public boolean complete() {
    return destinations.stream().allMatch(destination -> destination.missing() == 0);
  }

  /**
   * A line for each place that did not get all: how many spans, where to, why, what to do. Empty if
   * complete.
   */
  public List<String> problems() {
    return destinations.stream()
        .filter(destination -> destination.missing() != 0)
        .map(Destination::toString)
        .collect(Collectors.toUnmodifiableList());
  }
}
