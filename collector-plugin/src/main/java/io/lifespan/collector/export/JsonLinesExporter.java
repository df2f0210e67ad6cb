package io.lifespan.collector.export;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Appends spans to {@code traces.jsonl}: OTLP JSON, one request a line, the file format of the
 * specification "OpenTelemetry Protocol File Exporter". A file that is there already is never cut:
 * each line stands for itself, and two commands may write to the same one. The only class that uses
 * the SDK's (internal) JSON marshaler.
 */
final class JsonLinesExporter implements SpanExporter {
  private static final String FILE = "traces.jsonl";

  private final FileChannel channel;
  private boolean torn;

  private JsonLinesExporter(FileChannel channel) {
    this.channel = channel;
  }

  /** Opens the file in a directory, which is made if it is not there. */
  static JsonLinesExporter open(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new JsonLinesExporter(
        FileChannel.open(
            directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  static Failure explain(@Nullable Throwable thrown) {
    String cause =
        thrown == null || thrown.getMessage() == null ? "the write failed" : thrown.getMessage();
    return new Failure(cause, "make room or name another directory with --otlp-dir");
  }

  @Override
  public synchronized CompletableResultCode export(Collection<SpanData> spans) {
    try {
      ByteArrayOutputStream line = new ByteArrayOutputStream(spans.size() * 1024);
      if (torn) {
        line.write('\n');
      }
      TraceRequestMarshaler.create(spans).writeJsonTo(line);
      line.write('\n');
      append(ByteBuffer.wrap(line.toByteArray()));
      return CompletableResultCode.ofSuccess();
    } catch (IOException failed) {
      return CompletableResultCode.ofExceptionalFailure(failed);
    }
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public synchronized CompletableResultCode shutdown() {
    try {
      channel.close();
      return CompletableResultCode.ofSuccess();
    } catch (IOException failed) {
      return CompletableResultCode.ofExceptionalFailure(failed);
    }
  }

  /** A line of which only a part could be written is ended before the next one. */
  private void append(ByteBuffer line) throws IOException {
    int length = line.remaining();
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
      torn = false;
    } finally {
      torn |= line.hasRemaining() && line.remaining() < length;
    }
  }
}
