package io.lifespan.collector.export;

import io.lifespan.collector.config.SettingsException;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The exporter that OpenTelemetry's own settings describe, made by the SDK's own provider:
 * endpoint, protocol, headers, compression, TLS, timeout, retries.
 */
final class OtlpExporter {
  private static final String PREFIX = "otel.exporter.otlp.";

  private OtlpExporter() {}

  /**
   * Makes the exporter; it connects at its first export.
   *
   * @param keepTrying told of each attempt that failed without an answer; whether to try again, if
   *     such a failure may pass at all
   */
  static SpanExporter create(ConfigProperties config, Predicate<IOException> keepTrying)
      throws SettingsException {
    try {
      SpanExporter exporter = provider().createExporter(config);
      if (Objects.requireNonNullElse(
          config.getBoolean("otel.java.exporter.otlp.retry.disabled"), false)) {
        return exporter;
      }
      RetryPolicy retries =
          RetryPolicy.builder()
              .setRetryExceptionPredicate(thrown -> keepTrying.test(thrown) && mayPass(thrown))
              .build();
      return withRetries(exporter, retries);
    } catch (ConfigurationException | IllegalArgumentException | IllegalStateException refused) {
      throw new SettingsException(List.of("OpenTelemetry's settings: " + refused.getMessage()));
    }
  }

  /** How and where to, for people: {@code OTLP/gRPC http://localhost:4317}. */
  static String describe(ConfigProperties config) {
    boolean http = "http/protobuf".equals(forTraces(config, "protocol"));
    String own = config.getString(PREFIX + "traces.endpoint");
    String common = config.getString(PREFIX + "endpoint");
    String endpoint;
    if (own != null) {
      endpoint = own;
    } else if (common != null) {
      endpoint = http ? common + (common.endsWith("/") ? "" : "/") + "v1/traces" : common;
    } else {
      endpoint = http ? "http://localhost:4318/v1/traces" : "http://localhost:4317";
    }
    return (http ? "OTLP/HTTP " : "OTLP/gRPC ") + withoutSecrets(endpoint);
  }

  private static ConfigurableSpanExporterProvider provider() {
    for (ConfigurableSpanExporterProvider provider :
        ServiceLoader.load(
            ConfigurableSpanExporterProvider.class, OtlpExporter.class.getClassLoader())) {
      if (provider.getName().equals("otlp")) {
        return provider;
      }
    }
    throw new ConfigurationException("the OTLP exporter is missing from the class path");
  }

  private static SpanExporter withRetries(SpanExporter exporter, RetryPolicy retries) {
    SpanExporter retrying;
    if (exporter instanceof OtlpGrpcSpanExporter grpc) {
      retrying = grpc.toBuilder().setRetryPolicy(retries).build();
    } else if (exporter instanceof OtlpHttpSpanExporter http) {
      retrying = http.toBuilder().setRetryPolicy(retries).build();
    } else {
      return exporter;
    }
    exporter.shutdown();
    return retrying;
  }

  /** What the SDK itself takes for a passing failure. */
  private static boolean mayPass(IOException thrown) {
    return thrown instanceof SocketTimeoutException
        || thrown instanceof SocketException
        || thrown instanceof UnknownHostException;
  }

  private static @Nullable String forTraces(ConfigProperties config, String name) {
    String own = config.getString(PREFIX + "traces." + name);
    return own == null ? config.getString(PREFIX + name) : own;
  }

  private static String withoutSecrets(String endpoint) {
    String user = URI.create(endpoint).getRawUserInfo();
    return user == null ? endpoint : endpoint.replace(user + "@", "");
  }
}
