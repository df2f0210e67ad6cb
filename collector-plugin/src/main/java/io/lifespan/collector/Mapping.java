package io.lifespan.collector;

import io.lifespan.otel.EventLog;
import io.lifespan.otel.ProcessLogs;
import io.lifespan.otel.ProcessMetrics;
import io.lifespan.otel.ProcessSpans;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcessTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a watch makes of the life of processes.
 *
 * @param metrics null if they go nowhere
 * @param logs null if they go nowhere
 * @param log takes events of whatever else is to be told; null if they go nowhere
 */
record Mapping(
    ProcessSpans spans,
    @Nullable ProcessMetrics metrics,
    @Nullable ProcessLogs logs,
    @Nullable EventLog log) {

  /** To be told in this order: the others ask the spans what they know. */
  List<LifecycleListener> listeners() {
    List<LifecycleListener> listeners = new ArrayList<>();
    listeners.add(spans);
    if (metrics != null) {
      listeners.add(metrics);
    }
    if (logs != null) {
      listeners.add(logs);
    }
    return listeners;
  }

  /** Does what is due, on the table's thread. */
  void tick(ProcessTable table, long nowNanos) {
    if (metrics != null) {
      metrics.tick(table, nowNanos);
    }
    if (logs != null) {
      logs.tick(table, nowNanos);
    }
  }

  /** Takes the last look at the table, before what is measured is told for the last time. */
  void end(ProcessTable table) {
    if (metrics != null) {
      metrics.refresh(table, System.nanoTime());
    }
  }
}
