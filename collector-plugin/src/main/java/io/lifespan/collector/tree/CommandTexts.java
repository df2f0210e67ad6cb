package io.lifespan.collector.tree;

import io.lifespan.otel.CommandName;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.Text;
import io.lifespan.process.TrackedProcess;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.Cmdline;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows the command of a process: its name as in its span, and its arguments with secrets masked.
 */
public final class CommandTexts implements Function<TrackedProcess, CommandText> {

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_@%+=:,./~*^\\\\\\[\\]{}-]+");
  private static final int MAX_ARGUMENTS = 64;
  private static final int MAX_BYTES = 4_096;
  private static final int MAX_CHARACTERS = 400;

  /** The script is named among the first arguments of its interpreter. */
  private static final int FARTHEST_SCRIPT = 4;

  private final Redactor redactor;
  private final boolean showArguments;

  /**
   * @param showArguments whether arguments are shown at all
   */
  public CommandTexts(Redactor redactor, boolean showArguments) {
    this.redactor = redactor;
    this.showArguments = showArguments;
  }

  @Override
  public CommandText apply(TrackedProcess process) {
    return of(process.image().capture(), process.comm());
  }

  /** The command of a process of which this is known. */
  public CommandText of(@Nullable ProcCapture capture, @Nullable Bytes comm) {
    Cmdline cmdline = cmdline(capture);
    List<Bytes> given = cmdline == null || cmdline.title() ? List.of() : cmdline.arguments();
    Bytes executable = capture == null ? null : capture.get(ProcFile.EXE);
    String name = redactor.text(CommandName.of(given, executable, comm));
    return new CommandText(name, showArguments && cmdline != null ? arguments(cmdline, name) : "");
  }

  private String arguments(Cmdline cmdline, String name) {
    List<Bytes> read = cmdline.arguments();
    List<String> shown =
        redactor.arguments(
            read.subList(0, Math.min(read.size(), MAX_ARGUMENTS)).stream()
                .map(argument -> Text.of(argument, MAX_BYTES))
                .toList());
    String text =
        shown.stream()
            .skip(cmdline.title() ? 0 : told(shown, name))
            .map(CommandTexts::quoted)
            .collect(Collectors.joining(" "));
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
  }

  /** How many arguments the name tells already: argument 0, or all up to the script's name. */
  private static int told(List<String> arguments, String name) {
    for (int i = 0; i < Math.min(arguments.size(), FARTHEST_SCRIPT); i++) {
      String argument = arguments.get(i);
      if (argument.substring(argument.lastIndexOf('/') + 1).equals(name)) {
        return i + 1;
      }
    }
    return 1;
  }

  /** As one would have to type it for a shell. */
  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  private static @Nullable Cmdline cmdline(@Nullable ProcCapture capture) {
    Bytes content = capture == null ? null : capture.get(ProcFile.CMDLINE);
    return capture == null || content == null
        ? null
        : Cmdline.parse(content, capture.truncated(ProcFile.CMDLINE));
  }
}
