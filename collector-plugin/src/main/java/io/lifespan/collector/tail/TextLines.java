package io.lifespan.collector.tail;

import io.lifespan.collector.tree.CommandText;
import io.lifespan.libc.Signal;
import io.lifespan.process.WaitStatus;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Events for people: time, kind, process, its parent, command, and how it ended. */
final class TextLines implements Function<EventView, String> {

  private final DateTimeFormatter time;

  /**
   * @param zone of the times shown
   */
  TextLines(ZoneId zone) {
    time = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT).withZone(zone);
  }

  @Override
  public String apply(EventView event) {
    StringBuilder line = new StringBuilder(100);
    line.append(time.format(JsonLines.instant(event.epochNanos()))).append(' ');
    line.append(event.kind()).append(" ".repeat(Math.max(1, 8 - event.kind().length())));
    number(line, event.pid());
    number(line, event.parentPid());
    CommandText command = event.command();
    line.append("  ").append(command == null ? CommandText.UNKNOWN.name() : command.name());
    if (command != null && event.kind().equals("exec") && !command.arguments().isEmpty()) {
      line.append(' ').append(command.arguments());
    }
    if (event.thread() != null) {
      line.append("  thread ").append(event.thread());
    }
    WaitStatus status = event.status();
    if (status != null) {
      line.append("  ").append(text(status));
    }
    for (Map.Entry<String, Long> detail : event.details().entrySet()) {
      line.append("  ").append(detail.getKey().replace('_', ' ')).append(' ');
      line.append(detail.getValue());
    }
    return line.toString();
  }

  private static String text(WaitStatus status) {
    return status.signaled()
        ? Signal.name(status.signal()) + (status.coreDumped() ? ", core dumped" : "")
        : "exit " + status.exitCode();
  }

  private static void number(StringBuilder line, @Nullable Integer number) {
    String text = number == null ? "-" : number.toString();
    line.append(" ".repeat(Math.max(1, 9 - text.length()))).append(text);
  }
}
