package io.lifespan.event.replay;

import io.lifespan.event.EventSink;
import io.lifespan.event.ProcessEvent;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.lifespan.procfs.ProcCapture;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Writes events to a file as they pass, one a line, with what was captured: {@link Recording} reads
 * them again.
 *
 * <p>A first line tells the clocks; then a line {@code proc} for each process that was alive at the
 * start; then the events. Captures hold command lines as they were: treat a recording like the
 * command lines themselves.
 */
public final class EventRecorder implements EventSink, Closeable {

  static final String HEADER = "lifespan-recording-1";
  static final String PROC = "proc";

  private final Writer writer;

  /**
   * Begins a recording.
   *
   * @param alive tells the processes alive
   */
  public EventRecorder(Writer writer, KernelClock clock, ProcReader alive) throws IOException {
    this.writer = writer;
    writer.write(
        HEADER
            + " to_epoch="
            + clock.monotonicToEpochNanos()
            + " to_boot="
            + clock.monotonicToBootNanos()
            + " ticks="
            + clock.ticksPerSecond()
            + "\n");
    alive.list(pid -> writeAlive(pid, alive.read(pid)));
  }

  /**
   * Writes one event.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  @Override
  public void accept(ProcessEvent event) {
    write(EventLine.write(event));
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private void writeAlive(int pid, ProcCapture capture) {
    if (!capture.isEmpty()) {
      StringBuilder line = new StringBuilder(PROC).append(" pid=").append(pid);
      Fields.append(line, capture);
      write(line.toString());
    }
  }

  private void write(String line) {
    try {
      writer.write(line);
      writer.write('\n');
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
