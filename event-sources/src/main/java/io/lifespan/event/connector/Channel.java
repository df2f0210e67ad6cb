package io.lifespan.event.connector;

import io.lifespan.event.EventSink;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceCounters;
import io.lifespan.libc.Errno;
import io.lifespan.libc.NetlinkSocket;
import io.lifespan.libc.SystemCallException;

/** One subscription with what reads its messages and counts its losses. */
final class Channel implements AutoCloseable {

  /** How many batches may pass between two looks at the kernel's count of drops. */
  private static final int BATCHES_BETWEEN_LOSS_CHECKS = 64;

  private final Subscription subscription;
  private final BatchReader reader;
  private final SourceCounters counters;
  private final LossMeter losses;

  /** How many datagrams of the batch have not been handed over. */
  private int fetched;

  private boolean backlog;
  private int batchesSinceLossCheck;

  Channel(Subscription subscription, BatchReader reader, SourceCounters counters) {
    this.subscription = subscription;
    this.reader = reader;
    this.counters = counters;
    losses = new LossMeter(subscription.dropsBefore());
  }

  Subscription subscription() {
    return subscription;
  }

  NetlinkSocket socket() {
    return subscription.socket();
  }

  /** True if the last batch was full, so that more is queued. */
  boolean hasMore() {
    return backlog;
  }

  /** True once a kind of event came that is not wanted: nothing before this process filters. */
  boolean sawUnwantedKind() {
    return reader.sawUnwantedKind();
  }

  /** Takes one batch from the kernel, without waiting; true if there is anything to hand over. */
  boolean fetch() throws SystemCallException {
    try {
      fetched = socket().receive(subscription.batch());
    } catch (SystemCallException failure) {
      if (!failure.errno().equals(Errno.ENOBUFS)) {
        throw failure;
      }
      batchesSinceLossCheck = BATCHES_BETWEEN_LOSS_CHECKS;
    }
    return fetched > 0;
  }

  /** Hands over the events of the batch that was taken last; returns how many they were. */
  int deliver(EventSink sink) throws SystemCallException {
    int capacity = subscription.batch().capacity();
    int delivered = reader.read(subscription.batch(), fetched, sink);
    boolean drained = backlog && fetched < capacity;
    backlog = fetched == capacity;
    fetched = 0;
    batchesSinceLossCheck++;
    if (drained || batchesSinceLossCheck >= BATCHES_BETWEEN_LOSS_CHECKS) {
      delivered += reportLoss(sink);
    }
    return delivered;
  }

  /** Takes one batch and hands over its events; returns how many they were. */
  int receive(EventSink sink) throws SystemCallException {
    fetch();
    return deliver(sink);
  }

  /**
   * Looks at the kernel's count: when the queue was found empty, since what was lost is newer than
   * what was queued, and now and then while it is not.
   */
  int reportLoss(EventSink sink) throws SystemCallException {
    batchesSinceLossCheck = 0;
    long lost = losses.since(socket().drops());
    if (lost == 0) {
      return 0;
    }
    counters.lost(lost);
    sink.accept(
        new ProcessEvent.Loss(System.nanoTime(), lost, ProcessEvent.Loss.Where.RECEIVE_BUFFER));
    return 1;
  }

  @Override
  public void close() {
    subscription.close();
  }
}
