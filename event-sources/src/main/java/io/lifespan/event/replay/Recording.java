package io.lifespan.event.replay;

import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.Errno;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A recording, read: the events with their captures, the clocks of the machine, and the processes
 * that were alive at the start. As a {@link ProcReader} it shows those for ever; a table asks it
 * once, to populate itself.
 */
public final class Recording implements ProcReader {

  private final KernelClock clock;
  private final Map<Integer, ProcCapture> alive = new LinkedHashMap<>();
  private final List<ProcessEvent> events = new ArrayList<>();

  private Recording(KernelClock clock) {
    this.clock = clock;
  }

  /**
   * Reads a recording. Empty lines and lines that begin with # are passed over.
   *
   * @throws MalformedRecordingException with the number of the line that was not understood
   */
  public static Recording read(Reader text) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    Recording recording = null;
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        if (recording == null) {
          recording = new Recording(header(line));
        } else {
          recording.take(line);
        }
      } catch (MalformedRecordingException malformed) {
        throw new MalformedRecordingException("line " + number + ": " + malformed.getMessage());
      }
    }
    if (recording == null) {
      throw new MalformedRecordingException("empty: no line " + EventRecorder.HEADER);
    }
    return recording;
  }

  /** The clocks of the machine that it was made on. */
  public KernelClock clock() {
    return clock;
  }

  /** The events in the order in which they were read from the kernel. */
  public List<ProcessEvent> events() {
    return events;
  }

  @Override
  public ProcCapture read(int pid) {
    ProcCapture capture = alive.get(pid);
    return capture == null ? new ProcCapture().without(ProcFile.STAT, Errno.ENOENT) : capture;
  }

  @Override
  public ProcCapture readStat(int pid) {
    return read(pid);
  }

  @Override
  public void list(IntConsumer pids) {
    alive.keySet().forEach(pids::accept);
  }

  private void take(String line) throws MalformedRecordingException {
    if (line.startsWith(EventRecorder.PROC + " ")) {
      Fields fields = Fields.read(line);
      @Nullable ProcCapture capture = fields.capture();
      alive.put(fields.integer("pid"), capture == null ? new ProcCapture() : capture);
      return;
    }
    ProcessEvent event = EventLine.read(line);
    if (event == null) {
      throw new MalformedRecordingException("no such kind of line: " + line.split(" ", 2)[0]);
    }
    events.add(event);
  }

  private static KernelClock header(String line) throws MalformedRecordingException {
    if (!line.startsWith(EventRecorder.HEADER + " ")) {
      throw new MalformedRecordingException("does not begin with " + EventRecorder.HEADER);
    }
    Fields fields = Fields.read(line);
    return new KernelClock(
        fields.number("to_epoch"), fields.number("to_boot"), fields.number("ticks"));
  }
}
