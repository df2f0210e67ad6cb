package io.lifespan.collector;

import io.lifespan.collector.config.Suggestion;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line: every error, one line each. */
final class CommandLineErrors {

  private CommandLineErrors() {}

  /** The errors that parsing found, with the nearest option for one that is unknown. */
  static List<String> of(CommandLine.ParseResult parsed) {
    List<String> lines = new ArrayList<>();
    for (Exception error : parsed.errors()) {
      if (error instanceof UnmatchedArgumentException unmatched) {
        for (String argument : unmatched.getUnmatched()) {
          lines.add(unmatched(argument, parsed.commandSpec()));
        }
      } else {
        lines.add(String.valueOf(error.getMessage()));
      }
    }
    return lines;
  }

  private static String unmatched(String argument, CommandSpec spec) {
    if (!argument.startsWith("-")) {
      return "\"" + argument + "\" is one argument too many";
    }
    List<String> known = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      known.addAll(List.of(option.names()));
    }
    int value = argument.indexOf('=');
    String name = value < 0 ? argument : argument.substring(0, value);
    return name + ": unknown option" + Suggestion.text(name, known);
  }
}
