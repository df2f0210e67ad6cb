package io.lifespan.collector.export;

import io.lifespan.collector.config.Signal;
import io.opentelemetry.exporter.internal.FailedExportException.GrpcExportException;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why telemetry did not reach an OTLP endpoint, as a person would say it. The only class that knows
 * the SDK's (internal) exceptions.
 *
 * @param cause what went wrong, without a full stop
 * @param remedy what the reader can do about it, without a full stop
 * @param notTaken whether the receiver answered that it does not take this signal at all
 */
record Failure(String cause, String remedy, boolean notTaken) {
  private static final String CHECK_RECEIVER =
      "check that an OTLP receiver listens there, or set OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String CHECK_PROTOCOL =
      "check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_PROTOCOL (grpc is usually port 4317, http/protobuf 4318)";
  private static final String CHECK_HEADERS = "check OTEL_EXPORTER_OTLP_HEADERS";

  /** Nothing has failed yet, and the time was up. */
  static final Failure NOT_IN_TIME = new Failure("no answer in time", CHECK_RECEIVER);

  /** More came than could be sent. */
  static Failure queueFull(Signal signal) {
    String setting = signal == Signal.LOGS ? "OTEL_BLRP_MAX_QUEUE_SIZE" : "OTEL_BSP_MAX_QUEUE_SIZE";
    return new Failure("the queue was full", "raise " + setting + " or use a faster receiver");
  }

  private Failure(String cause, String remedy) {
    this(cause, remedy, false);
  }

  /** The receiver took a request and said that it did not take all that was in it. */
  static Failure rejected(String message) {
    return new Failure(
        "rejected by the receiver" + (message.isBlank() ? "" : ": " + message.strip()),
        "look at the receiver's own log and limits");
  }

  /**
   * True if a receiver answered that the request made no sense to it, as some say of an empty one.
   */
  boolean badRequest() {
    return cause.startsWith("HTTP status 400 ");
  }

  /** The failure that an exporter's result carries; it may carry none. */
  static Failure of(@Nullable Throwable thrown) {
    if (thrown instanceof HttpExportException http && http.getResponse() != null) {
      return ofResponse(http.getResponse());
    }
    if (thrown instanceof GrpcExportException grpc && grpc.getResponse() != null) {
      return ofResponse(grpc.getResponse());
    }
    Throwable root = thrown;
    while (root != null && root.getCause() != null && !(root instanceof SSLException)) {
      root = root.getCause();
    }
    return root == null ? new Failure("the exporter gave no reason", CHECK_RECEIVER) : ofRoot(root);
  }

  private static Failure ofRoot(Throwable root) {
    String message =
        root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    if (root instanceof ConnectException || root instanceof NoRouteToHostException) {
      return new Failure(message.toLowerCase(Locale.ROOT), CHECK_RECEIVER);
    }
    if (root instanceof UnknownHostException) {
      return new Failure("unknown host (" + message + ")", "check OTEL_EXPORTER_OTLP_ENDPOINT");
    }
    if (root instanceof InterruptedIOException) {
      return NOT_IN_TIME;
    }
    if (root instanceof SSLException) {
      return new Failure(
          "TLS: " + message,
          "check OTEL_EXPORTER_OTLP_CERTIFICATE and that the endpoint speaks TLS");
    }
    if (message.contains("exceeded limit")) {
      return new Failure(message, "lower OTEL_BSP_MAX_EXPORT_BATCH_SIZE");
    }
    return new Failure("connection broken: " + message, CHECK_PROTOCOL);
  }

  private static Failure ofResponse(HttpResponse response) {
    int code = response.getStatusCode();
    String cause = ("HTTP status " + code + " " + response.getStatusMessage()).strip();
    return new Failure(
        cause,
        switch (code) {
          case 401, 403 -> CHECK_HEADERS;
          case 404, 405, 415 -> CHECK_PROTOCOL;
          case 413 -> "lower OTEL_BSP_MAX_EXPORT_BATCH_SIZE";
          default -> "look at the receiver's own log";
        },
        code == 404 || code == 405);
  }

  private static Failure ofResponse(GrpcResponse response) {
    GrpcStatusCode code = response.getStatusCode();
    String description = response.getStatusDescription();
    String cause =
        "gRPC status "
            + code
            + (description == null || description.isEmpty() ? "" : ": " + description);
    return new Failure(
        cause,
        switch (code) {
          case UNAUTHENTICATED, PERMISSION_DENIED -> CHECK_HEADERS;
          case UNIMPLEMENTED, UNKNOWN -> CHECK_PROTOCOL;
          case RESOURCE_EXHAUSTED -> "lower OTEL_BSP_MAX_EXPORT_BATCH_SIZE";
          default -> "look at the receiver's own log";
        },
        code == GrpcStatusCode.UNIMPLEMENTED);
  }
}
