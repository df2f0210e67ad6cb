package io.lifespan.collector.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file to which lines are appended. One that is there already is never cut: each line stands for
 * itself, and two commands may write to the same one.
 */
final class JsonLinesFile {
  private static final int FIRST_SIZE = 4_096;

  private final FileChannel channel;
  private boolean torn;

  private JsonLinesFile(FileChannel channel) {
    this.channel = channel;
  }

  /** Opens the file in a directory, which is made if it is not there. */
  static JsonLinesFile open(Path directory, String name) throws IOException {
    Files.createDirectories(directory);
    return new JsonLinesFile(
        FileChannel.open(
            directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /** Writes the content of a line. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  synchronized CompletableResultCode append(Content content) {
    try {
      ByteArrayOutputStream line = new ByteArrayOutputStream(FIRST_SIZE);
      if (torn) {
        line.write('\n');
      }
      content.writeTo(line);
      line.write('\n');
      append(ByteBuffer.wrap(line.toByteArray()));
      return CompletableResultCode.ofSuccess();
    } catch (IOException failed) {
      return CompletableResultCode.ofExceptionalFailure(failed);
    }
  }

  synchronized CompletableResultCode close() {
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
