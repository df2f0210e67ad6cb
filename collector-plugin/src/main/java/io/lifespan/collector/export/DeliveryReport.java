package io.lifespan.collector.export;

import java.util.List;

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
   * @param overflowed how many were dropped because the queue was full; known at the end only, 0
   *     before
   * @param cause why spans are missing, if any are
   * @param remedy what to do about it
   */
  public record Destination(
      String name, long accepted, long delivered, long overflowed, String cause, String remedy) {

    /** How many spans were not delivered; while spans still come and go, also those that wait. */
    public long missing() {
      return accepted - delivered;
    }

    /** One line. */
    @Override
    public String toString() {
      if (missing() == 0) {
        return delivered + " spans delivered to " + name;
      }
      String dropped =
          overflowed == 0 ? "" : " (" + overflowed + " of them dropped, the queue was full)";
      return "%d of %d spans not delivered to %s%s: %s; %s"
          .formatted(missing(), accepted, name, dropped, cause, remedy);
    }
  }

  public DeliveryReport {
    destinations = List.copyOf(destinations);
  }

  /** True if every place has got every span. */
  public boolean complete() {
    return destinations.stream().allMatch(destination -> destination.missing() == 0);
  }

  /** A line for each place that did not get all: how many spans, where to, why, what to do. */
  public List<String> problems() {
    return destinations.stream()
        .filter(destination -> destination.missing() != 0)
        .map(Destination::toString)
        .toList();
  }
}
