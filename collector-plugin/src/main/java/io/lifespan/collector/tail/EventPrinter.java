package io.lifespan.collector.tail;

import io.lifespan.collector.tree.CommandText;
import io.lifespan.event.ProcessEvent;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TrackedProcess;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.function.Function;

/**
 * Prints events, one a line, until the reader goes away or enough were printed. Belongs to the
 * table's thread.
 */
public final class EventPrinter {

  private static final int BUFFER_BYTES = 1 << 16;

  private final ProcessTable table;
  private final EventViews views;
  private final Function<EventView, String> lines;
  private final OutputStream out;
  private final Runnable onEnd;
  private long remaining;
  private boolean unflushed;

  /**
   * @param json whether to print JSON objects
   * @param count how many lines are wanted
   * @param onEnd is told when no more will be printed
   */
  public EventPrinter(
      ProcessTable table,
      KernelClock clock,
      Function<TrackedProcess, CommandText> commands,
      boolean json,
      long count,
      OutputStream out,
      Runnable onEnd) {
    this.table = table;
    this.views = new EventViews(table, clock, commands);
    this.lines = json ? new JsonLines() : new TextLines(ZoneId.systemDefault());
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    this.remaining = count;
    this.onEnd = onEnd;
  }

  /**
   * Hands an event to the table and prints it: an exit with what the table knew before it, any
   * other with what the table has learnt from it.
   */
  public void take(ProcessEvent event) {
    if (event instanceof ProcessEvent.Exit || event instanceof ProcessEvent.Gone) {
      print(event);
      table.apply(event);
    } else {
      table.apply(event);
      print(event);
    }
  }

  /** Lets the reader have what was printed. */
  public void flush() {
    if (!unflushed) {
      return;
    }
    unflushed = false;
    try {
      out.flush();
    } catch (IOException readerGone) {
      end();
    }
  }

  private void print(ProcessEvent event) {
    if (remaining == 0) {
      return;
    }
    try {
      out.write((lines.apply(views.of(event)) + "\n").getBytes(StandardCharsets.UTF_8));
      unflushed = true;
      remaining--;
      if (remaining == 0) {
        flush();
        onEnd.run();
      }
    } catch (IOException readerGone) {
      end();
    }
  }

  private void end() {
    remaining = 0;
    unflushed = false;
    onEnd.run();
  }
}
