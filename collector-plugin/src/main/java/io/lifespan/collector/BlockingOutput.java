package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.otel.BlockingEvents;
import io.lifespan.otel.BlockingMetrics;
import io.lifespan.otel.ResourceMeters;
import io.lifespan.process.ProcessTable;
import io.opentelemetry.sdk.common.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The watch for what blocks, with all that is made of it: metrics, log events, events of spans.
 *
 * @param meters null if metrics go nowhere
 */
record BlockingOutput(Settings settings, Mapping mapping, @Nullable ResourceMeters meters) {

  /**
   * Starts the watch, if the settings say so.
   *
   * @param teller is told too
   * @param onTable runs something on the thread that owns the process table, soon
   */
  BlockingWatch start(BlockingListener teller, Consumer<Consumer<ProcessTable>> onTable) {
    LongSupplier clock = Clock.getDefault()::now;
    List<BlockingListener> listeners = new ArrayList<>();
    listeners.add(teller);
    listeners.add(
        new BlockingEvents(settings.logEvents(), mapping.spans(), mapping.log(), onTable, clock));
    BlockingMetrics metrics =
        meters == null
            ? null
            : new BlockingMetrics(
                mapping.spans().commonResource(), mapping.spans().redactor(), clock);
    if (metrics != null) {
      listeners.add(metrics);
    }
    BlockingWatch watch = BlockingWatch.start(settings.blocking(), listeners);
    if (metrics != null && meters != null) {
      metrics.register(meters, watch);
    }
    return watch;
  }
}
