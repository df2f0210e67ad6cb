package io.lifespan.otel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that well-known tools take by their place among the operands, that is the arguments that
 * are neither options nor values of options: {@code htpasswd -b FILE USER PASSWORD}.
 */
final class OperandSecrets {

  /**
   * Where a tool takes one.
   *
   * @param place the number of the operand, from 0
   * @param part which part of it is the secret
   * @param with the first operand that this holds for, or a letter of an option that must be there,
   *     with its dash; empty if it always holds
   * @param earlier a letter of an option that takes one operand away before; 0 for none
   */
  private record Place(int place, SecretPart part, String with, char earlier) {}

  /**
   * What is known of a tool.
   *
   * @param valued options whose value is the next argument
   */
  private record Tool(Set<String> valued, List<Place> places) {}

  private static final Map<String, Tool> TOOLS = new HashMap<>();

  static {
    add(Set.of("-C", "-r"), List.of(new Place(2, SecretPart.WHOLE, "-b", 'n')), "htpasswd");
    add(Set.of(), List.of(new Place(3, SecretPart.WHOLE, "-b", 'n')), "htdbm");
    add(
        Set.of("-C", "-M", "-R"),
        List.of(new Place(0, SecretPart.SLASH_TO_AT, "", (char) 0)),
        "sqlplus",
        "sqlldr",
        "expdp",
        "impdp",
        "exp",
        "imp");
    add(Set.of(), List.of(always(1)), "wpa_passphrase");
    add(Set.of(), List.of(always(2)), "isql");
    add(Set.of(), List.of(always(1), always(4)), "radtest");
    add(Set.of("-salt", "-in"), List.of(after("passwd", 1)), "openssl");
    add(Set.of(), List.of(after("alias", 4), after("alias", 5), after("config", 6)), "mc");
    add(
        Set.of("-u", "-h", "-P", "-S", "--user", "--host", "--port", "--socket"),
        List.of(after("password", 1), after("flush-privileges", 2)),
        "mysqladmin",
        "mariadb-admin");
    add(
        Set.of("-U", "-W", "-I", "-p", "-n", "-t", "-m", "-D", "-c", "-A", "-s", "-O", "-T"),
        List.of(always(1)),
        "smbclient");
  }

  private final Tool tool;
  private final StringBuilder letters = new StringBuilder();
  private String first = "";
  private int operands;
  private boolean value;

  private OperandSecrets(Tool tool) {
    this.tool = tool;
  }

  /** The reader of one command's arguments, by the base name of its program; null if none. */
  static @Nullable OperandSecrets of(String program) {
    Tool tool = TOOLS.get(program);
    return tool == null ? null : new OperandSecrets(tool);
  }

  /** Which part of the next argument is a secret; null if none is. */
  @Nullable SecretPart next(String argument) {
    if (value) {
      value = false;
      return null;
    }
    if (argument.length() > 1 && argument.charAt(0) == '-') {
      value = tool.valued.contains(argument);
      if (argument.charAt(1) != '-') {
        letters.append(argument, 1, argument.length());
        value |=
            argument.length() > 2
                && tool.valued.contains("-" + argument.charAt(argument.length() - 1));
      }
      return null;
    }
    if (operands == 0) {
      first = argument;
    }
    int place = operands++;
    for (Place secret : tool.places) {
      int earlier = secret.earlier != 0 && has(secret.earlier) ? 1 : 0;
      if (place == secret.place - earlier && holds(secret.with)) {
        return secret.part;
      }
    }
    return null;
  }

  private boolean holds(String with) {
    return with.isEmpty() || (with.charAt(0) == '-' ? has(with.charAt(1)) : with.equals(first));
  }

  private boolean has(char letter) {
    return letters.indexOf(String.valueOf(letter)) >= 0;
  }

  private static Place always(int place) {
    return new Place(place, SecretPart.WHOLE, "", (char) 0);
  }

  private static Place after(String word, int place) {
    return new Place(place, SecretPart.WHOLE, word, (char) 0);
  }

  private static void add(Set<String> valued, List<Place> places, String... names) {
    for (String name : names) {
      TOOLS.put(name, new Tool(valued, places));
    }
  }
}
