package io.lifespan.event;

import java.io.IOException;
import java.util.Optional;

/**
 * A place that events in the life of processes come from. Equal siblings; the process table does
 * not know which one it listens to.
 *
 * <p>Life: {@link #probe()} at any time; {@link #open()} once; then {@link #poll} from one thread;
 * {@link #close()} once, after the last poll has returned. {@link #wakeup()} and {@link #stats()}
 * may be called from any thread.
 */
public interface EventSource extends AutoCloseable {

  /** The name in settings, output and metrics: {@code connector}, {@code poll} ... */
  String name();

  /** Why this source cannot work here, found by trying; empty if it works. Leaves nothing open. */
  Optional<Unavailable> probe();

  /** What is missing even where it works, in a few words for a person; empty if nothing is. */
  default String limits() {
    return "";
  }

  /**
   * Subscribes and proves the subscription: from its return on every event is delivered or counted
   * as lost.
   *
   * @throws UnavailableException with the cause and the remedy
   */
  void open() throws UnavailableException;

  /**
   * Waits for events and hands them to the sink, in the order in which the source got them.
   *
   * @param timeoutMillis how long to wait for the first event
   * @return how many events were handed over; 0 after the timeout or a {@link #wakeup()}
   * @throws IOException if the source can give no more events at all
   */
  int poll(EventSink sink, int timeoutMillis) throws IOException;

  /** Makes a waiting {@link #poll} return soon. */
  void wakeup();

  /** Counters since {@link #open()}. */
  SourceStats stats();

  @Override
  void close();
}
