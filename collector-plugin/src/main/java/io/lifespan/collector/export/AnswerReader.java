package io.lifespan.collector.export;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives an exporter the SDK's senders, and reads over their shoulder: the SDK does not look at what
 * a receiver says in an answer of success.
 */
final class AnswerReader implements ComponentLoader {
  private static final int OK = 200;

  private final ComponentLoader senders =
      ComponentLoader.forClassLoader(AnswerReader.class.getClassLoader());
  private final Consumer<PartialSuccess> answers;

  /**
   * @param answers told on the threads that send, before the export is complete
   */
  AnswerReader(Consumer<PartialSuccess> answers) {
    this.answers = answers;
  }

  @Override
  public <T> Iterable<T> load(Class<T> type) {
    List<T> found = new ArrayList<>();
    for (T provider : senders.load(type)) {
      found.add(type.cast(reading(provider)));
    }
    return found;
  }

  private Object reading(Object provider) {
    if (provider instanceof HttpSenderProvider http) {
      return (HttpSenderProvider) config -> new ReadHttp(http.createSender(config));
    }
    if (provider instanceof GrpcSenderProvider grpc) {
      return (GrpcSenderProvider) config -> new ReadGrpc(grpc.createSender(config));
    }
    return provider;
  }

  private void read(byte[] body) {
    PartialSuccess partial = PartialSuccess.parse(body);
    if (partial != null) {
      answers.accept(partial);
    }
  }

  private final class ReadHttp implements HttpSender {
    private final HttpSender sender;

    ReadHttp(HttpSender sender) {
      this.sender = sender;
    }

    @Override
    public void send(
        MessageWriter message, Consumer<HttpResponse> onResponse, Consumer<Throwable> onError) {
      sender.send(
          message,
          response -> {
            if (response.getStatusCode() == OK) {
              read(response.getResponseBody());
            }
            onResponse.accept(response);
          },
          onError);
    }

    @Override
    public CompletableResultCode shutdown() {
      return sender.shutdown();
    }
  }

  private final class ReadGrpc implements GrpcSender {
    private final GrpcSender sender;

    ReadGrpc(GrpcSender sender) {
      this.sender = sender;
    }

    @Override
    public void send(
        MessageWriter message, Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
      sender.send(
          message,
          response -> {
            if (response.getStatusCode() == GrpcStatusCode.OK) {
              read(response.getResponseMessage());
            }
            onResponse.accept(response);
          },
          onError);
    }

    @Override
    public CompletableResultCode shutdown() {
      return sender.shutdown();
    }
  }
}
