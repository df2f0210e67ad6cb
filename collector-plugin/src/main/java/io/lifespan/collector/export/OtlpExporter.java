package io.lifespan.collector.export;

import io.lifespan.collector.config.SettingsException;
import io.lifespan.collector.config.Signal;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.autoconfigure.spi.logs.ConfigurableLogRecordExporterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.metrics.ConfigurableMetricExporterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import io.opentelemetry.sdk.common.InternalTelemetryVersion;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exporters that OpenTelemetry's own settings describe, made by the SDK's own providers:
 * endpoint, protocol, headers, compression, TLS, timeout, retries. Each connects at its first
 * export.
 */
final class OtlpExporter {
  private static final String PREFIX = "otel.exporter.otlp.";

  private final ConfigProperties config;
  private final Predicate<IOException> keepTrying;
  private final Consumer<PartialSuccess> rejections;
  private final @Nullable Supplier<MeterProvider> meters;

  /**
   * @param keepTrying told of each attempt that failed without an answer; whether to try again, if
   *     such a failure may pass at all
   * @param rejections told of what a receiver did not take of a request, before that is complete
   * @param meters what the exporters measure themselves with; null for nothing
   */
  OtlpExporter(
      ConfigProperties config,
      Predicate<IOException> keepTrying,
      Consumer<PartialSuccess> rejections,
      @Nullable Supplier<MeterProvider> meters) {
    this.config = config;
    this.keepTrying = keepTrying;
    this.rejections = rejections;
    this.meters = meters;
  }

  SpanExporter spans() throws SettingsException {
    return checked(
        () -> {
          SpanExporter plain =
              provider(
                      ConfigurableSpanExporterProvider.class,
                      ConfigurableSpanExporterProvider::getName)
                  .createExporter(config);
          SpanExporter made = plain;
          if (plain instanceof OtlpGrpcSpanExporter grpc) {
            var builder = grpc.toBuilder();
            adapt(
                builder::setRetryPolicy,
                builder::setMeterProvider,
                builder::setInternalTelemetryVersion,
                builder::setComponentLoader);
            made = builder.build();
            plain.shutdown();
          } else if (plain instanceof OtlpHttpSpanExporter http) {
            var builder = http.toBuilder();
            adapt(
                builder::setRetryPolicy,
                builder::setMeterProvider,
                builder::setInternalTelemetryVersion,
                builder::setComponentLoader);
            made = builder.build();
            plain.shutdown();
          }
          return made;
        });
  }

  MetricExporter metrics() throws SettingsException {
    return checked(
        () -> {
          MetricExporter plain =
              provider(
                      ConfigurableMetricExporterProvider.class,
                      ConfigurableMetricExporterProvider::getName)
                  .createExporter(config);
          MetricExporter made = plain;
          if (plain instanceof OtlpGrpcMetricExporter grpc) {
            var builder = grpc.toBuilder();
            adapt(
                builder::setRetryPolicy,
                builder::setMeterProvider,
                builder::setInternalTelemetryVersion,
                builder::setComponentLoader);
            made = builder.build();
            plain.shutdown();
          } else if (plain instanceof OtlpHttpMetricExporter http) {
            var builder = http.toBuilder();
            adapt(
                builder::setRetryPolicy,
                builder::setMeterProvider,
                builder::setInternalTelemetryVersion,
                builder::setComponentLoader);
            made = builder.build();
            plain.shutdown();
          }
          return made;
        });
  }

  LogRecordExporter logs() throws SettingsException {
    return checked(
        () -> {
          LogRecordExporter plain =
              provider(
                      ConfigurableLogRecordExporterProvider.class,
                      ConfigurableLogRecordExporterProvider::getName)
                  .createExporter(config);
          LogRecordExporter made = plain;
          if (plain instanceof OtlpGrpcLogRecordExporter grpc) {
            var builder = grpc.toBuilder();
            adapt(
                builder::setRetryPolicy,
                builder::setMeterProvider,
                builder::setInternalTelemetryVersion,
                builder::setComponentLoader);
            made = builder.build();
            plain.shutdown();
          } else if (plain instanceof OtlpHttpLogRecordExporter http) {
            var builder = http.toBuilder();
            adapt(
                builder::setRetryPolicy,
                builder::setMeterProvider,
                builder::setInternalTelemetryVersion,
                builder::setComponentLoader);
            made = builder.build();
            plain.shutdown();
          }
          return made;
        });
  }

  /** How and where to, for people: {@code OTLP/gRPC http://localhost:4317}. */
  static String describe(ConfigProperties config, Signal signal) {
    boolean http = "http/protobuf".equals(setting(config, signal, "protocol"));
    String own = config.getString(PREFIX + signal.settingName() + ".endpoint");
    String common = config.getString(PREFIX + "endpoint");
    String path = "v1/" + signal.settingName();
    String endpoint;
    if (own != null) {
      endpoint = own;
    } else if (common != null) {
      endpoint = http ? common + (common.endsWith("/") ? "" : "/") + path : common;
    } else {
      endpoint = http ? "http://localhost:4318/" + path : "http://localhost:4317";
    }
    return (http ? "OTLP/HTTP " : "OTLP/gRPC ") + withoutSecrets(endpoint);
  }

  private static <T> T checked(Supplier<T> make) throws SettingsException {
    try {
      return make.get();
    } catch (ConfigurationException | IllegalArgumentException | IllegalStateException refused) {
      throw new SettingsException(List.of("OpenTelemetry's settings: " + refused.getMessage()));
    }
  }

  private static <P> P provider(Class<P> type, Function<P, String> name) {
    for (P provider : ServiceLoader.load(type, OtlpExporter.class.getClassLoader())) {
      if (name.apply(provider).equals("otlp")) {
        return provider;
      }
    }
    throw new ConfigurationException("the OTLP exporter is missing from the class path");
  }

  /** What the SDK's settings cannot say. Every exporter's builder has these, and no common type. */
  private void adapt(
      Consumer<@Nullable RetryPolicy> retries,
      Consumer<Supplier<MeterProvider>> meterProvider,
      Consumer<InternalTelemetryVersion> version,
      Consumer<ComponentLoader> senders) {
    senders.accept(new AnswerReader(rejections));
    retries.accept(retryPolicy());
    if (meters != null) {
      meterProvider.accept(meters);
      version.accept(InternalTelemetryVersion.LATEST);
    }
  }

  /** Null for none: said again, since a builder made of an exporter begins with the default one. */
  private @Nullable RetryPolicy retryPolicy() {
    if (Boolean.TRUE.equals(config.getBoolean("otel.java.exporter.otlp.retry.disabled"))) {
      return null;
    }
    return RetryPolicy.builder()
        .setRetryExceptionPredicate(thrown -> keepTrying.test(thrown) && mayPass(thrown))
        .build();
  }

  /** What the SDK itself takes for a passing failure. */
  private static boolean mayPass(IOException thrown) {
    return thrown instanceof SocketTimeoutException
        || thrown instanceof SocketException
        || thrown instanceof UnknownHostException;
  }

  private static @Nullable String setting(ConfigProperties config, Signal signal, String name) {
    String own = config.getString(PREFIX + signal.settingName() + "." + name);
    return own == null ? config.getString(PREFIX + name) : own;
  }

  private static String withoutSecrets(String endpoint) {
    String user = URI.create(endpoint).getRawUserInfo();
    return user == null ? endpoint : endpoint.replace(user + "@", "");
  }
}
