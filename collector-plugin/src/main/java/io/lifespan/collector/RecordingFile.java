package io.lifespan.collector;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.replay.EventRecorder;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that events are recorded in. A failure to write ends the recording and is told at the end,
 * not thrown.
 */
final class RecordingFile {

  private final EventRecorder recorder;
  private @Nullable IOException failure;

  /** Makes the file, readable for its owner only, and writes down who is alive. */
  RecordingFile(Path file, KernelClock clock, ProcReader alive) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    BufferedWriter writer =
        new BufferedWriter(
            new OutputStreamWriter(
                Channels.newOutputStream(
                    Files.newByteChannel(
                        file,
                        options,
                        PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")))),
                StandardCharsets.US_ASCII));
    try {
      recorder = new EventRecorder(writer, clock, alive);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  void take(ProcessEvent event) {
    if (failure != null) {
      return;
    }
    try {
      recorder.accept(event);
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    }
  }

  /**
   * Closes the file; returns why it is not complete, or null. To be called when no more events
   * come.
   */
  @Nullable IOException finish() {
    try {
      recorder.close();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    return failure;
  }
}
