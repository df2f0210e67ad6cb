package io.lifespan.collector.example;

import io.lifespan.collector.Lifespan;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;

/**
 * An example: runs a command and sends a span of each of its processes to OTLP/gRPC on this
 * machine.
 */
final class WatchedBuild {

  private WatchedBuild() {}

  public static void main(String[] command) throws IOException, InterruptedException {
    Resource resource =
        Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "builds"));
    try (Lifespan lifespan =
        Lifespan.builder(OtlpGrpcSpanExporter.getDefault())
            .resource(resource)
            .notices(System.err::println)
            .start()) {
      System.err.println("watching by " + lifespan.describe());
      new ProcessBuilder(command).inheritIO().start().waitFor();
    }
  }
}
