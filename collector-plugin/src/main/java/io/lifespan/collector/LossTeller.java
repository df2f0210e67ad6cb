package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.ProcessEvent;
import io.lifespan.process.LifecycleListener;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Tells of lost events, and which setting would have prevented it. Bounded: each tenfold of the sum
 * is told, not each loss.
 */
final class LossTeller implements LifecycleListener {

  private final Settings settings;
  private final Consumer<String> lines;
  private long sum;
  private long toldAt = 1;

  LossTeller(Settings settings, Consumer<String> lines) {
    this.settings = settings;
    this.lines = lines;
  }

  @Override
  public void eventsLost(ProcessEvent.Loss loss) {
    sum += loss.count();
    if (sum < toldAt) {
      return;
    }
    while (toldAt <= sum) {
      toldAt *= 10;
    }
    lines.accept(
        String.format(
            Locale.ROOT,
            "%,d events were lost so far: %s; what can be is repaired from /proc",
            sum,
            cause(loss.where())));
  }

  private String cause(ProcessEvent.Loss.Where where) {
    return switch (where) {
      case RECEIVE_BUFFER ->
          String.format(
              Locale.ROOT,
              "the kernel's receive buffer was full (lifespan.connector.receive-buffer, now %,d bytes)",
              settings.connector().receiveBufferBytes());
      case QUEUE ->
          String.format(
              Locale.ROOT,
              "the queue was full (lifespan.queue.size, now %,d)",
              settings.queueSize());
    };
  }
}
