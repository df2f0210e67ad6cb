package io.lifespan.collector.export;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.lifespan.collector.config.Signal;
import io.lifespan.otel.MetricOptions;
import io.lifespan.otel.ResourceMeters;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens, for each signal, every place that the settings name for it. Of a signal that goes nowhere
 * not a class of the SDK is loaded.
 */
final class Outlets {
  private final Settings.Export export;
  private final ConfigProperties config;
  private final BooleanSupplier closing;
  private final Consumer<String> notices;
  private final List<String> errors;
  private final Map<String, List<Signal>> places = new LinkedHashMap<>();
  private final List<SpanOutlet> spans = new ArrayList<>();
  private final List<LogOutlet> logs = new ArrayList<>();
  private final List<Outlet> all = new ArrayList<>();
  private @Nullable ResourceMeters meters;

  /**
   * @param self Lifespan's own Resource: what the exporters measure of themselves belongs to it
   * @param closing true once nothing is to be tried again
   * @param errors gets what cannot be opened, one line each
   */
  Outlets(
      Settings settings,
      ConfigProperties config,
      Resource self,
      BooleanSupplier closing,
      Consumer<String> notices,
      List<String> errors) {
    this.export = settings.export();
    this.config = config;
    this.closing = closing;
    this.notices = notices;
    this.errors = errors;
    if (export.exports(Signal.METRICS)) {
      openMetrics(settings.metrics(), self);
    }
    ResourceMeters made = meters;
    Supplier<MeterProvider> health = made == null ? null : () -> made.provider(self);
    if (export.exports(Signal.TRACES)) {
      openSpans(health);
    }
    if (export.exports(Signal.LOGS)) {
      openLogs(health);
    }
  }

  List<SpanOutlet> spans() {
    return spans;
  }

  List<LogOutlet> logs() {
    return logs;
  }

  List<Outlet> all() {
    return all;
  }

  @Nullable ResourceMeters meters() {
    return meters;
  }

  /** Which signals go where, for people. */
  String describe() {
    if (places.isEmpty()) {
      return "nothing exported";
    }
    Map<List<Signal>, List<String>> bySignals = new LinkedHashMap<>();
    places.forEach(
        (place, signals) ->
            bySignals.computeIfAbsent(signals, missing -> new ArrayList<>()).add(place));
    List<String> parts = new ArrayList<>();
    bySignals.forEach(
        (signals, where) ->
            parts.add(Signal.describe(signals) + " to " + String.join(", ", where)));
    return String.join("; ", parts);
  }

  private void openSpans(@Nullable Supplier<MeterProvider> health) {
    open(
        Signal.TRACES,
        failures -> exporter(failures, health).spans(),
        JsonLines::spans,
        (SpanExporter exporter, DeliveryCounter counter) ->
            spans.add(new SpanOutlet(new CountedSpans(exporter, counter), config, health)));
    all.addAll(0, spans);
  }

  private void openLogs(@Nullable Supplier<MeterProvider> health) {
    open(
        Signal.LOGS,
        failures -> exporter(failures, health).logs(),
        JsonLines::logs,
        (LogRecordExporter exporter, DeliveryCounter counter) ->
            logs.add(new LogOutlet(new CountedLogs(exporter, counter), config, health)));
    all.addAll(logs);
  }

  /** What measures is made of all exporters' wishes, and what collects is made of what measures. */
  private void openMetrics(MetricOptions options, Resource self) {
    List<CountedMetrics> exporters = new ArrayList<>();
    Supplier<MeterProvider> health = () -> provider(self);
    open(
        Signal.METRICS,
        failures -> exporter(failures, health).metrics(),
        directory -> JsonLines.metrics(directory, config),
        (MetricExporter exporter, DeliveryCounter counter) ->
            exporters.add(new CountedMetrics(exporter, counter)));
    ResourceMeters made = new ResourceMeters(exporters, options);
    for (int i = 0; i < exporters.size(); i++) {
      all.add(new MetricOutlet(exporters.get(i), config, made.producer(i), self));
    }
    meters = made;
  }

  private MeterProvider provider(Resource self) {
    ResourceMeters made = meters;
    return made == null ? MeterProvider.noop() : made.provider(self);
  }

  /** Makes an exporter of the settings. */
  private interface FromSettings<E> {
    E make(FailureMemory failures) throws SettingsException;
  }

  /** Makes an exporter into a directory. */
  private interface IntoDirectory<E> {
    E make(Path directory) throws IOException;
  }

  /** Takes an exporter with what counts its deliveries. */
  private interface Taker<E> {
    void take(E exporter, DeliveryCounter counter);
  }

  private <E> void open(
      Signal signal, FromSettings<E> fromSettings, IntoDirectory<E> intoDirectory, Taker<E> taker) {
    if (export.toEndpoint().contains(signal)) {
      String place = OtlpExporter.describe(config, signal);
      FailureMemory failures = new FailureMemory(Failure::of);
      try {
        E exporter = fromSettings.make(failures);
        taker.take(exporter, counter(place, signal, export.asked(signal), failures));
        note(place, signal);
      } catch (SettingsException refused) {
        refused.errors().stream().filter(error -> !errors.contains(error)).forEach(errors::add);
      }
    }
    Path directory = export.otlpDir();
    if (directory != null) {
      try {
        String place = "JSON lines in " + directory;
        FailureMemory failures = new FailureMemory(JsonLines::explain);
        taker.take(intoDirectory.make(directory), counter(place, signal, true, failures));
        note(place, signal);
      } catch (IOException refused) {
        String error =
            "lifespan.otlp.dir: cannot write to \"%s\": %s; name a directory that can be written"
                .formatted(directory, refused);
        if (!errors.contains(error)) {
          errors.add(error);
        }
      } catch (ConfigurationException refused) {
        errors.add("OpenTelemetry's settings: " + refused.getMessage());
      }
    }
  }

  private DeliveryCounter counter(
      String place, Signal signal, boolean asked, FailureMemory failures) {
    return new DeliveryCounter(place, signal, asked, failures, notices);
  }

  private OtlpExporter exporter(FailureMemory failures, @Nullable Supplier<MeterProvider> health) {
    return new OtlpExporter(
        config,
        thrown -> {
          failures.failed(thrown);
          return !closing.getAsBoolean();
        },
        failures::rejected,
        health);
  }

  /** Places are told by their base, however many signals have paths of their own below it. */
  private void note(String place, Signal signal) {
    String suffix = "/v1/" + signal.settingName();
    String base =
        place.endsWith(suffix) ? place.substring(0, place.length() - suffix.length()) : place;
    places.computeIfAbsent(base, missing -> new ArrayList<>()).add(signal);
  }
}
