package io.lifespan.collector.export;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Duration;
import java.util.List;

/** The way out for spans. Batches and sends in the background; never blocks and never throws. */
public final class Telemetry implements AutoCloseable {

  private Telemetry() {}

  /**
   * Opens every place that the settings name; nothing is sent before the first span.
   *
   * @throws SettingsException if a setting cannot be used or the directory cannot be written
   */
  public static Telemetry open(Settings settings) throws SettingsException {
    return new Telemetry();
  }

  /**
   * Takes ended spans by {@code onEnd}; from any thread; without effect after {@link #shutdown}.
   */
  public SpanProcessor spans() {
    return SpanProcessor.composite();
  }

  /** True if spans go anywhere. */
  public boolean active() {
    return false;
  }

  /**
   * What {@code OTEL_SERVICE_NAME} and {@code OTEL_RESOURCE_ATTRIBUTES} say; empty if they say
   * nothing.
   */
  public Resource resource() {
    return Resource.empty();
  }

  /**
   * For the line at the start: where spans go and how, for example {@code OTLP/gRPC
   * http://localhost:4317}.
   */
  public String describe() {
    return "";
  }

  /** What OpenTelemetry found odd about its settings, one line each. */
  public List<String> warnings() {
    return List.of();
  }

  /** What became of the spans up to now. */
  public DeliveryReport report() {
    return new DeliveryReport(List.of());
  }

  /**
   * Sends what waits, then closes everything; what hangs at the end of the limit is cut off.
   *
   * @param limit how long this may take in all
   * @return the final account
   */
  public DeliveryReport shutdown(Duration limit) {
    return report();
  }

  /** As {@link #shutdown} with 5 s; without effect after it. */
  @Override
  public void close() {}
}
