package io.lifespan.event.connector;

import io.lifespan.event.EventSink;
import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.NetlinkSocket;
import io.lifespan.libc.SystemCallException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The events that something must be read for at once, and those that may wait: two sockets, since
 * only the kernel can wake a reader for one kind and not for another. Of three events of a short
 * process one wakes; the others are taken along, or gather for some milliseconds.
 *
 * <p>The two are put in order again by the events' times. No event is handed over before one that
 * caused it: what is urgent waits until all that was queued at the other socket before it has been
 * seen, and the urgent socket is looked at again after every batch of the other.
 */
final class Channels implements AutoCloseable {

  /** How long events may gather that nothing has to be read for. */
  static final int COLLECT_MILLIS = 5;

  private final @Nullable Channel urgent;
  private final @Nullable Channel patient;

  /** Urgent events that have been read and not handed over yet, the oldest first. */
  private final ArrayDeque<ProcessEvent> read = new ArrayDeque<>();

  /** True if there were events lately, so that those that may wait need no look of their own. */
  private boolean busy;

  /**
   * @param urgent null if nothing is
   * @param patient null if all is urgent
   */
  Channels(@Nullable Channel urgent, @Nullable Channel patient) {
    this.urgent = urgent;
    this.patient = patient;
  }

  /** As {@link io.lifespan.event.EventSource#poll}. */
  int poll(EventSink sink, int timeoutMillis) throws SystemCallException {
    if (urgent == null) {
      return patient == null ? 0 : pollPatient(patient, sink, timeoutMillis);
    }
    if (patient == null) {
      return pollUrgent(urgent, sink, timeoutMillis);
    }
    return pollBoth(urgent, patient, sink, timeoutMillis);
  }

  void wakeup() {
    main().socket().wakeup();
  }

  /** The channel that is always there, and whose socket the reader waits at. */
  Channel main() {
    Channel main = urgent == null ? patient : urgent;
    if (main == null) {
      throw new IllegalStateException("no channel");
    }
    return main;
  }

  /** The smaller of the receive buffers in force, in bytes. */
  int receiveBuffer() {
    int size = main().subscription().receiveBuffer();
    return patient == null ? size : Math.min(size, patient.subscription().receiveBuffer());
  }

  boolean sawUnwantedKind() {
    return main().sawUnwantedKind() || (patient != null && patient.sawUnwantedKind());
  }

  @Override
  public void close() {
    main().close();
    if (patient != null && patient != main()) {
      patient.close();
    }
  }

  private static int pollPatient(Channel channel, EventSink sink, int timeoutMillis)
      throws SystemCallException {
    if (!channel.hasMore()) {
      if (!channel.socket().await(timeoutMillis)) {
        return channel.reportLoss(sink);
      }
      channel.socket().pause(COLLECT_MILLIS);
    }
    return channel.receive(sink);
  }

  private static int pollUrgent(Channel channel, EventSink sink, int timeoutMillis)
      throws SystemCallException {
    if (!channel.hasMore() && !channel.socket().await(timeoutMillis)) {
      return channel.reportLoss(sink);
    }
    return channel.receive(sink);
  }

  private int pollBoth(Channel first, Channel second, EventSink sink, int timeoutMillis)
      throws SystemCallException {
    if (read.isEmpty() && !first.hasMore() && !second.hasMore()) {
      NetlinkSocket socket = first.socket();
      if (!busy && !socket.awaitEither(second.socket(), timeoutMillis)) {
        return first.reportLoss(sink) + second.reportLoss(sink);
      }
      boolean mayGather = !busy || timeoutMillis < 0 || timeoutMillis >= COLLECT_MILLIS;
      socket.await(mayGather ? COLLECT_MILLIS : timeoutMillis);
    }
    int delivered = takeBoth(first, second, sink);
    busy = delivered > 0;
    return delivered;
  }

  private int takeBoth(Channel first, Channel second, EventSink sink) throws SystemCallException {
    first.receive(read::add);
    int withCausesQueued = read.size();
    if (second.fetch()) {
      first.receive(read::add);
    }
    int waiting = read.size();
    int delivered =
        second.deliver(
            event -> {
              handOverUntil(event.timeNanos(), sink);
              sink.accept(event);
            });
    if (!second.hasMore()) {
      int others = waiting - withCausesQueued;
      while (read.size() > others) {
        sink.accept(read.remove());
      }
    }
    return delivered + waiting - read.size();
  }

  private void handOverUntil(long nanos, EventSink sink) {
    while (!read.isEmpty() && read.element().timeNanos() <= nanos) {
      sink.accept(read.remove());
    }
  }
}
