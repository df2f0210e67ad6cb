package io.lifespan.collector.tree;

import io.lifespan.otel.Redactor;
import io.lifespan.otel.Text;
import io.lifespan.process.TrackedProcess;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.Cmdline;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows the command of a process: its name, and its arguments with secrets masked. */
public final class CommandTexts implements Function<TrackedProcess, CommandText> {

  private static final int MAX_CHARACTERS = 400;

  private final Redactor redactor;
  private final boolean arguments;

  /**
   * @param arguments whether arguments are shown at all
   */
  public CommandTexts(Redactor redactor, boolean arguments) {
    this.redactor = redactor;
    this.arguments = arguments;
  }

  @Override
  public CommandText apply(TrackedProcess process) {
    Bytes comm = process.comm();
    String name = comm == null ? CommandText.UNKNOWN.name() : Text.of(comm);
    return new CommandText(name, arguments ? arguments(process.image().capture()) : "");
  }

  private String arguments(@Nullable ProcCapture capture) {
    Bytes content = capture == null ? null : capture.get(ProcFile.CMDLINE);
    if (capture == null || content == null) {
      return "";
    }
    Cmdline cmdline = Cmdline.parse(content, capture.truncated(ProcFile.CMDLINE));
    List<String> shown =
        redactor.arguments(
            cmdline.arguments().stream()
                .limit(MAX_CHARACTERS)
                .map(argument -> Text.of(argument, MAX_CHARACTERS))
                .toList());
    Stream<String> rest = shown.stream().skip(cmdline.title() ? 0 : 1);
    String text = rest.map(CommandTexts::quoted).collect(Collectors.joining(" "));
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
  }

  /** As one would have to type it, where it would else read as several. */
  private static String quoted(String argument) {
    return argument.isEmpty() || argument.indexOf(' ') >= 0 ? "'" + argument + "'" : argument;
  }
}
