package io.lifespan.collector.agentextension;

import io.lifespan.collector.Lifespan;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Starts the watch on a daemon thread, so that the service starts as fast as without, and tells in
 * one line what came of it. Whatever fails, the service goes on.
 */
final class WatchInBackground {

  private static final Logger LOGGER = Logger.getLogger("io.lifespan");

  private @Nullable Lifespan running;
  private boolean stopped;

  /**
   * @param settings gives a setting by its name, or null
   * @param processors take the spans
   */
  void start(
      Function<String, @Nullable String> settings,
      Resource resource,
      List<SpanProcessor> processors) {
    if (processors.isEmpty()) {
      tellOff("no exporter takes spans (otel.traces.exporter)");
      return;
    }
    SpanProcessor spans = SpanProcessor.composite(processors);
    Thread thread = new Thread(() -> watch(settings, resource, spans), "lifespan-start");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends the watch, or its start as soon as that is possible; does not wait for a start. */
  void stop() {
    Lifespan last;
    synchronized (this) {
      stopped = true;
      last = running;
      running = null;
    }
    if (last != null) {
      last.close();
    }
  }

  private void watch(
      Function<String, @Nullable String> settings, Resource resource, SpanProcessor spans) {
    try {
      Lifespan started =
          Lifespan.builder(spans)
              .settings(settings)
              .resource(resource)
              .notices(WatchInBackground::tell)
              .start();
      if (keep(started)) {
        tell("watching what this service starts by " + started.describe());
      } else {
        started.close();
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      tellOff(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private synchronized boolean keep(Lifespan started) {
    if (!stopped) {
      running = started;
    }
    return !stopped;
  }

  private static void tell(String line) {
    LOGGER.info("lifespan: " + line);
  }

  private static void tellOff(String cause) {
    LOGGER.warning("lifespan: not watching what this service starts: " + cause);
  }
}
