package io.lifespan.collector.export;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.opentelemetry.sdk.autoconfigure.ResourceConfiguration;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way out for spans: batches and sends them in the background; never blocks and never throws.
 * Made of OpenTelemetry's exporters and batch processor, not of its tracer: the spans come
 * ready-made.
 */
public final class Telemetry implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  /** Of a limit, what is kept for the end of what was cut off. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final @Nullable SdkLog log;
  private final List<Outlet> outlets = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private final SpanProcessor intake;
  private final Resource resource;
  private final List<String> warnings;
  private final AtomicBoolean closing = new AtomicBoolean();

  private Telemetry(Settings.Export export, Consumer<String> notices) throws SettingsException {
    log = export.toEndpoint() || export.otlpDir() != null ? new SdkLog() : null;
    ConfigProperties config = DefaultConfigProperties.createFromMap(export.otel());
    List<String> errors = new ArrayList<>();
    resource = resource(config, errors);
    if (export.toEndpoint()) {
      try {
        addEndpoint(config, notices);
      } catch (SettingsException refused) {
        errors.addAll(refused.errors());
      }
    }
    if (export.otlpDir() != null) {
      addDirectory(export.otlpDir(), config, notices, errors);
    }
    intake = new SpanIntake(outlets);
    warnings = log == null ? List.of() : log.warnings();
    if (!errors.isEmpty()) {
      close();
      throw new SettingsException(errors);
    }
  }

  /**
   * Opens every place that the settings name; nothing is sent before the first span.
   *
   * @param notices gets a line when spans begin to fail to reach a place, and when they arrive
   *     there again; called from the threads that send
   * @throws SettingsException if a setting cannot be used or the directory cannot be written
   */
  public static Telemetry open(Settings settings, Consumer<String> notices)
      throws SettingsException {
    return new Telemetry(settings.export(), notices);
  }

  /**
   * As {@link #open(Settings, Consumer)}, for a caller that asks for the {@link #report()} only.
   */
  public static Telemetry open(Settings settings) throws SettingsException {
    return open(settings, line -> {});
  }

  /** Takes ended spans by {@code onEnd}, from any thread. */
  public SpanProcessor spans() {
    return intake;
  }

  /** True if spans go anywhere. */
  public boolean active() {
    return !outlets.isEmpty();
  }

  /**
   * What {@code OTEL_SERVICE_NAME} and {@code OTEL_RESOURCE_ATTRIBUTES} say; empty if they say
   * nothing.
   */
  public Resource resource() {
    return resource;
  }

  /**
   * For the line at the start: where spans go and how, for example {@code OTLP/gRPC
   * http://localhost:4317}.
   */
  public String describe() {
    return places.isEmpty() ? "nothing exported" : String.join(", ", places);
  }

  /** What OpenTelemetry found odd about its settings, one line each. */
  public List<String> warnings() {
    return warnings;
  }

  /** What became of the spans up to now. */
  public DeliveryReport report() {
    return new DeliveryReport(outlets.stream().map(Outlet::report).toList());
  }

  /**
   * Sends what waits, then closes everything; what hangs at the end of the limit is cut off. From
   * now on a connection that fails is not tried again. A second call only gives the account again.
   *
   * @param limit how long this may take in all
   * @return the final account
   */
  public DeliveryReport shutdown(Duration limit) {
    if (closing.compareAndSet(false, true)) {
      long grace = Math.min(GRACE_NANOS, limit.toNanos() / 2);
      CompletableResultCode sent =
          CompletableResultCode.ofAll(outlets.stream().map(Outlet::shutdown).toList());
      if (!sent.join(limit.toNanos() - grace, TimeUnit.NANOSECONDS).isDone()) {
        outlets.forEach(Outlet::cutOff);
        sent.join(grace, TimeUnit.NANOSECONDS);
      }
      if (log != null) {
        log.close();
      }
    }
    return report();
  }

  /** As {@link #shutdown} with 5 s. */
  @Override
  public void close() {
    shutdown(CLOSE_LIMIT);
  }

  /** Asks the SDK only if there is something to ask: its classes take long to load. */
  private static Resource resource(ConfigProperties config, List<String> errors) {
    if (config.getString("otel.service.name") == null
        && config.getString("otel.resource.attributes") == null) {
      return Resource.empty();
    }
    try {
      return ResourceConfiguration.createEnvironmentResource(config);
    } catch (ConfigurationException | IllegalArgumentException refused) {
      errors.add("otel.resource.attributes: " + refused.getMessage());
      return Resource.empty();
    }
  }

  private void addEndpoint(ConfigProperties config, Consumer<String> notices)
      throws SettingsException {
    String place = OtlpExporter.describe(config);
    FailureMemory failures = new FailureMemory(Failure::of);
    SpanExporter exporter =
        OtlpExporter.create(
            config,
            thrown -> {
              failures.failed(thrown);
              return !closing.get();
            });
    places.add(place);
    outlets.add(new Outlet(new DeliveryCounter(place, exporter, failures, notices), config));
  }

  private void addDirectory(
      Path directory, ConfigProperties config, Consumer<String> notices, List<String> errors) {
    String place = "JSON lines in " + directory;
    try {
      SpanExporter exporter = JsonLinesExporter.open(directory);
      FailureMemory failures = new FailureMemory(JsonLinesExporter::explain);
      places.add(place);
      outlets.add(new Outlet(new DeliveryCounter(place, exporter, failures, notices), config));
    } catch (IOException refused) {
      errors.add(
          "lifespan.otlp.dir: cannot write to \"%s\": %s; name a directory that can be written"
              .formatted(directory, refused));
    }
  }
}
