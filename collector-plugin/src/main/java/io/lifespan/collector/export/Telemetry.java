package io.lifespan.collector.export;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.lifespan.otel.ResourceMeters;
import io.opentelemetry.sdk.autoconfigure.ResourceConfiguration;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The way out for spans, metrics and log events: batches and sends them in the background; never
 * blocks and never throws. Made of OpenTelemetry's exporters and batch processors, not of its
 * tracer and logger: spans and events come ready-made.
 */
public final class Telemetry implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  /** Of a limit, what is kept for the end of what was cut off. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final @Nullable SdkLog log;
  private final Outlets outlets;
  private final SpanProcessor spans;
  private final @Nullable LogRecordProcessor logs;
  private final Resource resource;
  private final Resource self;
  private final List<String> warnings;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean probing;

  private Telemetry(
      Settings settings, Consumer<String> notices, UnaryOperator<Resource> selfResource)
      throws SettingsException {
    Settings.Export export = settings.export();
    log = export.anything() ? new SdkLog() : null;
    ConfigProperties config = DefaultConfigProperties.createFromMap(export.otel());
    List<String> errors = new ArrayList<>();
    resource = resource(config, errors);
    self = export.anything() ? selfResource.apply(resource) : resource;
    outlets = new Outlets(settings, config, self, this::triesOnce, notices, errors);
    spans = new SpanIntake(outlets.spans());
    logs = outlets.logs().isEmpty() ? null : new LogIntake(outlets.logs());
    warnings = log == null ? List.of() : log.warnings();
    if (!errors.isEmpty()) {
      close();
      throw new SettingsException(errors);
    }
  }

  /**
   * Opens every place that the settings name; nothing is sent before there is something.
   *
   * @param notices gets a line when telemetry begins to fail to reach a place, and when it arrives
   *     there again; called from the threads that send
   * @param selfResource makes Lifespan's own Resource of what the settings say of Resources
   * @throws SettingsException if a setting cannot be used or the directory cannot be written
   */
  public static Telemetry open(
      Settings settings, Consumer<String> notices, UnaryOperator<Resource> selfResource)
      throws SettingsException {
    return new Telemetry(settings, notices, selfResource);
  }

  /** As {@link #open(Settings, Consumer, UnaryOperator)}, with nothing more to say of itself. */
  public static Telemetry open(Settings settings, Consumer<String> notices)
      throws SettingsException {
    return open(settings, notices, configured -> configured);
  }

  /**
   * As {@link #open(Settings, Consumer)}, for a caller that asks for the {@link #report()} only.
   */
  public static Telemetry open(Settings settings) throws SettingsException {
    return open(settings, line -> {});
  }

  /** Takes ended spans by {@code onEnd}, from any thread. */
  public SpanProcessor spans() {
    return spans;
  }

  /** Takes log events by {@code onEmit}, from any thread; null if they go nowhere. */
  public @Nullable LogRecordProcessor logs() {
    return logs;
  }

  /** Measures; null if metrics go nowhere. */
  public @Nullable ResourceMeters meters() {
    return outlets.meters();
  }

  /** True if anything goes anywhere. */
  public boolean active() {
    return !outlets.all().isEmpty();
  }

  /**
   * What {@code OTEL_SERVICE_NAME} and {@code OTEL_RESOURCE_ATTRIBUTES} say; empty if they say
   * nothing.
   */
  public Resource resource() {
    return resource;
  }

  /** Lifespan's own Resource. */
  public Resource self() {
    return self;
  }

  /**
   * For the line at the start: what goes where and how, for example {@code spans, metrics and logs
   * to OTLP/gRPC http://localhost:4317}.
   */
  public String describe() {
    return outlets.describe();
  }

  /** What OpenTelemetry found odd about its settings, one line each. */
  public List<String> warnings() {
    return warnings;
  }

  /** What became of the telemetry up to now. */
  public DeliveryReport report() {
    return new DeliveryReport(outlets.all().stream().map(Outlet::report).toList());
  }

  /**
   * What did not arrive at the last try, and why, one line each; empty if nothing had to be sent
   * yet.
   */
  public List<String> failing() {
    return outlets.all().stream().map(Outlet::failing).filter(Objects::nonNull).toList();
  }

  /**
   * Sends an empty request of each signal to each place, once.
   *
   * @param limit how long this may take in all
   * @return what did not arrive and why, one line each; empty if all was taken
   */
  public List<String> probe(Duration limit) {
    probing = true;
    List<CompletableResultCode> sent = outlets.all().stream().map(Outlet::probe).toList();
    CompletableResultCode.ofAll(sent).join(limit.toNanos(), TimeUnit.NANOSECONDS);
    probing = false;
    List<String> failing = new ArrayList<>(failing());
    boolean unanswered = sent.stream().anyMatch(each -> !each.isDone());
    if (failing.isEmpty() && unanswered) {
      failing.add("no answer within %d s".formatted(limit.toSeconds()));
    }
    return failing;
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
          CompletableResultCode.ofAll(outlets.all().stream().map(Outlet::shutdown).toList());
      if (!sent.join(limit.toNanos() - grace, TimeUnit.NANOSECONDS).isDone()) {
        outlets.all().forEach(Outlet::cutOff);
        sent.join(grace, TimeUnit.NANOSECONDS);
      }
      if (log != null) {
        log.close();
      }
    }
    return report();
  }

  /** True while what fails is not to be tried again. */
  private boolean triesOnce() {
    return closing.get() || probing;
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
}
