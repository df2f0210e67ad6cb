package io.lifespan.collector.tree;

/**
 * A command as it is shown: already text, without control characters, redacted.
 *
 * @param name the command as a person would name it
 * @param arguments its arguments, separated by blanks; empty if there are none or they are not to
 *     be shown
 */
public record CommandText(String name, String arguments) {

  /** A command of which not even the name is known. */
  public static final CommandText UNKNOWN = new CommandText("?", "");
}
