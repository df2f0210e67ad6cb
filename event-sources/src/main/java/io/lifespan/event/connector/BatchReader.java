package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSink;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.DatagramBatch;
import io.lifespan.procfs.ProcCapture;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hands the events of a batch of datagrams to a sink, each with what has to be read of its process.
 * Never throws for what a datagram holds: what it does not understand it counts.
 *
 * <p>What a process executed can be read only until it ends or executes something else, often less
 * than a millisecond: that is done for the whole batch before anything else.
 */
final class BatchReader {

  /**
   * A process starts shortly before the kernel tells of it. So close after a tick of the clock it
   * may have started in the tick before.
   */
  private static final long START_TO_EVENT_NANOS = 500_000;

  private final ConnectorOptions options;
  private final WantedEvents wanted;
  private final ProcFsReader procFs;
  private final SourceCounters counters;
  private final long sinceNanos;
  private final boolean capturesExecs;
  private final @Nullable ProcCapture[] executed;
  private final ProcEventFlyweight message = new ProcEventFlyweight();
  private volatile boolean sawUnwantedKind;

  /**
   * @param sinceNanos events before this time are passed over
   * @param capacity of the batches
   */
  BatchReader(
      ConnectorOptions options,
      WantedEvents wanted,
      ProcFsReader procFs,
      SourceCounters counters,
      long sinceNanos,
      int capacity) {
    this.options = options;
    this.wanted = wanted;
    this.procFs = procFs;
    this.counters = counters;
    this.sinceNanos = sinceNanos;
    capturesExecs = options.capture() && wanted.contains(EventKind.EXEC);
    executed = new ProcCapture[capacity];
  }

  /** True once a kind of event came that is not wanted: nothing before this process filters. */
  boolean sawUnwantedKind() {
    return sawUnwantedKind;
  }

  /** Hands over the events of a batch's first datagrams; returns how many they were. */
  int read(DatagramBatch batch, int count, EventSink sink) {
    if (capturesExecs) {
      captureExecs(batch, count);
    }
    int delivered = 0;
    for (int i = 0; i < count; i++) {
      if (deliver(batch, i, sink)) {
        delivered++;
      }
    }
    if (capturesExecs) {
      Arrays.fill(executed, 0, count, null);
    }
    return delivered;
  }

  private void captureExecs(DatagramBatch batch, int count) {
    for (int i = 0; i < count; i++) {
      if (wrap(batch, i)
          && message.what() == ProcEventFlyweight.WHAT_EXEC
          && message.timeNanos() >= sinceNanos) {
        executed[i] = procFs.read(message.tgid());
      }
    }
  }

  private boolean deliver(DatagramBatch batch, int index, EventSink sink) {
    if (!wrap(batch, index)) {
      counters.malformed(1);
      return false;
    }
    if (message.what() == ProcEventFlyweight.WHAT_NONE || message.timeNanos() < sinceNanos) {
      return false;
    }
    EventKind kind = message.kind();
    if (kind == null) {
      counters.malformed(1);
      return false;
    }
    if (!wanted.test(message)) {
      sawUnwantedKind |= !wanted.passesKernelFilter(message);
      return false;
    }
    sink.accept(ProcEventDecoder.decode(message, kind, capture(kind, index)));
    counters.delivered(kind);
    return true;
  }

  private @Nullable ProcCapture capture(EventKind kind, int index) {
    if (!options.capture()) {
      return null;
    }
    return switch (kind) {
      case EXEC -> executed[index];
      case FORK -> startTickIsUncertain() ? procFs.readStat(message.forkChildPid()) : null;
      case EXIT -> message.isOfThread() ? null : captureExit();
      default -> null;
    };
  }

  private boolean startTickIsUncertain() {
    return !message.isOfThread()
        && options.clock().nanosIntoTick(message.timeNanos()) < START_TO_EVENT_NANOS;
  }

  private @Nullable ProcCapture captureExit() {
    if (wanted.failedExitsOnly()) {
      return procFs.readExit(message.pid());
    }
    return wanted.threadEvents() ? null : procFs.readStat(message.pid());
  }

  private boolean wrap(DatagramBatch batch, int index) {
    return batch.senderPort(index) == 0
        && !batch.isTruncated(index)
        && message.wrap(batch.bytes(), batch.offset(index), batch.length(index));
  }
}
