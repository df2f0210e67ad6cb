package io.lifespan.collector;

import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import java.util.List;

/** One of the program's commands: its options, read by picocli, and what it does. */
interface Subcommand {

  /** The options that it shares with the others. */
  CommonOptions common();

  /** Which defaults hold for it. */
  Profile profile();

  /**
   * Takes what was given if there is no option in it, which spares the start the reader of options.
   *
   * @return false if options have to be read
   */
  default boolean takesOperands(List<String> given) {
    return given.isEmpty();
  }

  /** What is wrong with its own options, beside what their types say; one line each. */
  default List<String> errors() {
    return List.of();
  }

  /**
   * Does it.
   *
   * @return the exit code of the program
   * @throws CannotStartException with what a person has to be told
   */
  int run(Settings settings) throws CannotStartException;
}
