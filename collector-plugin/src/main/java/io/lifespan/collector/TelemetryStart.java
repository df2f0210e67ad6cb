package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.lifespan.collector.export.Telemetry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Opens the telemetry on a thread of its own: it takes as long as all else at the start. */
final class TelemetryStart {

  private final CompletableFuture<Telemetry> opened = new CompletableFuture<>();

  private TelemetryStart() {}

  /**
   * Begins to open it.
   *
   * @param notices gets a line when spans begin to fail to reach a place, and when they do again
   */
  static TelemetryStart with(Settings settings, Consumer<String> notices) {
    TelemetryStart start = new TelemetryStart();
    Thread thread = new Thread(() -> start.open(settings, notices), "lifespan-telemetry-start");
    thread.setDaemon(true);
    thread.start();
    return start;
  }

  private void open(Settings settings, Consumer<String> notices) {
    try {
      opened.complete(Telemetry.open(settings, notices, HostResource::ofLifespan));
    } catch (SettingsException | RuntimeException | LinkageError e) {
      opened.completeExceptionally(e);
    }
  }

  /**
   * Waits until it is open.
   *
   * @throws CannotStartException if the settings cannot be used
   */
  Telemetry get() throws CannotStartException {
    try {
      return opened.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SettingsException wrong) {
        throw new CannotStartException(ExitCodes.USAGE, wrong.errors());
      }
      throw new IllegalStateException("telemetry cannot be opened", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
