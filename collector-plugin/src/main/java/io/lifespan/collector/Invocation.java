package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.lifespan.collector.config.Suggestion;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** One call of the program: finds the command, reads options and settings, and does it. */
final class Invocation {

  private static final String DEFAULT_COMMAND = "agent";

  private final Map<String, Supplier<Subcommand>> commands = new LinkedHashMap<>();
  private final PrintStream out;
  private final PrintStream err;

  /**
   * @param commands by name, in the order in which help tells them
   */
  Invocation(Map<String, Supplier<Subcommand>> commands, PrintStream out, PrintStream err) {
    this.commands.putAll(commands);
    this.out = out;
    this.err = err;
  }

  /** Does what the arguments say and returns the exit code. */
  int execute(String[] arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    switch (first) {
      case "-h", "--help", "help" -> {
        out.print(Help.text());
        return ExitCodes.OK;
      }
      case "-V", "--version" -> {
        out.println(Help.version());
        return ExitCodes.OK;
      }
      default -> {}
    }
    boolean named = !first.isEmpty() && !first.startsWith("-");
    Supplier<Subcommand> command = commands.get(named ? first : DEFAULT_COMMAND);
    if (command == null) {
      String known = String.join(", ", commands.keySet());
      return refuse(
          List.of(
              "\""
                  + first
                  + "\" is not a command"
                  + Suggestion.text(first, commands.keySet())
                  + " Commands: "
                  + known),
          "lifespan --help");
    }
    String[] options =
        named ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments.clone();
    return execute(command.get(), "lifespan " + (named ? first : DEFAULT_COMMAND), options);
  }

  private int execute(Subcommand command, String name, String[] options) {
    List<String> errors = new ArrayList<>();
    if (!command.takesOperands(Arrays.asList(options))) {
      CommandLine line = commandLine(command);
      errors.addAll(CommandLineErrors.of(line.parseArgs(options)));
      if (command.common().help()) {
        line.usage(out);
        return ExitCodes.OK;
      }
    }
    errors.addAll(command.errors());
    String help = name + " --help";
    try {
      Settings settings = Settings.load(command.profile(), command.common().settings());
      return errors.isEmpty() ? command.run(settings) : refuse(errors, help);
    } catch (SettingsException e) {
      errors.addAll(e.errors());
      return refuse(errors, help);
    } catch (CannotStartException e) {
      e.lines().forEach(text -> err.println("lifespan: " + text));
      return e.exitCode();
    }
  }

  private static CommandLine commandLine(Subcommand command) {
    CommandLine line =
        new CommandLine(command)
            .setStopAtPositional(true)
            .setExpandAtFiles(false)
            .setTrimQuotes(false)
            .setUsageHelpAutoWidth(false)
            .setUsageHelpWidth(100);
    line.getCommandSpec().parser().collectErrors(true);
    return line;
  }

  private int refuse(List<String> errors, String help) {
    errors.forEach(text -> err.println("lifespan: " + text));
    err.println("lifespan: nothing was started; " + help + " tells what can be given");
    return ExitCodes.USAGE;
  }
}
