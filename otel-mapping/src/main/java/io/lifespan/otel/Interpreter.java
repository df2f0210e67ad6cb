package io.lifespan.otel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the command line of an interpreter is read up to the script that it runs. Letters are those
 * of options with one dash, which may stand together ({@code -lane}); words are whole arguments.
 *
 * @param code letters and words after which the program itself stands in the arguments: there is no
 *     script
 * @param module letters and words followed by the name of a module, which is what a person would
 *     name
 * @param file letters and words followed by the script
 * @param value letters and words followed by a value; that of a letter may be attached
 * @param attached letters whose value, if any, is the rest of their argument
 */
record Interpreter(
    Set<String> code, Set<String> module, Set<String> file, Set<String> value, String attached) {

  private static final Interpreter SHELL =
      new Interpreter(
          Set.of("c", "s", "--command"),
          Set.of(),
          Set.of(),
          Set.of("o", "O", "--rcfile", "--init-file"),
          "");

  private static final Interpreter PYTHON =
      new Interpreter(
          Set.of("c"), Set.of("m"), Set.of(), Set.of("W", "X", "Q", "--check-hash-based-pycs"), "");

  private static final Interpreter PERL =
      new Interpreter(Set.of("e", "E"), Set.of(), Set.of(), Set.of("I"), "MmCDFixV");

  private static final Interpreter RUBY =
      new Interpreter(
          Set.of("e"), Set.of(), Set.of(), Set.of("I", "r", "C", "E", "--encoding"), "xFiKTW");

  private static final Interpreter NODE =
      new Interpreter(
          Set.of("e", "p", "--eval", "--print"),
          Set.of(),
          Set.of(),
          Set.of(
              "r",
              "C",
              "--require",
              "--import",
              "--loader",
              "--experimental-loader",
              "--conditions",
              "--env-file"),
          "");

  private static final Interpreter PHP =
      new Interpreter(
          Set.of("r", "B", "R", "E", "S", "--run", "--server"),
          Set.of(),
          Set.of("f", "F", "--file"),
          Set.of("c", "d", "z", "t", "--php-ini", "--define", "--docroot"),
          "");

  private static final Interpreter LUA =
      new Interpreter(Set.of(), Set.of(), Set.of(), Set.of("e", "l"), "");

  private static final Interpreter R =
      new Interpreter(Set.of("e"), Set.of(), Set.of("f"), Set.of("g", "d", "--gui"), "");

  private static final Interpreter TCL =
      new Interpreter(Set.of("c"), Set.of(), Set.of("f"), Set.of(), "");

  private static final Interpreter JAVA =
      new Interpreter(
          Set.of(),
          Set.of("-m", "--module"),
          Set.of("-jar"),
          Set.of(
              "-cp",
              "-classpath",
              "--class-path",
              "-p",
              "--module-path",
              "--add-modules",
              "--add-reads",
              "--add-exports",
              "--add-opens",
              "--limit-modules",
              "--patch-module",
              "--upgrade-module-path",
              "--source",
              "--enable-native-access"),
          // not letters: any other argument with a dash is one option by itself
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

  private static final Map<String, Interpreter> BY_NAME =
      Map.ofEntries(
          Map.entry("sh", SHELL),
          Map.entry("bash", SHELL),
          Map.entry("rbash", SHELL),
          Map.entry("dash", SHELL),
          Map.entry("ash", SHELL),
          Map.entry("ksh", SHELL),
          Map.entry("mksh", SHELL),
          Map.entry("yash", SHELL),
          Map.entry("zsh", SHELL),
          Map.entry("fish", SHELL),
          Map.entry("python", PYTHON),
          Map.entry("pypy", PYTHON),
          Map.entry("perl", PERL),
          Map.entry("ruby", RUBY),
          Map.entry("jruby", RUBY),
          Map.entry("node", NODE),
          Map.entry("nodejs", NODE),
          Map.entry("ts-node", NODE),
          Map.entry("php", PHP),
          Map.entry("php-cgi", PHP),
          Map.entry("lua", LUA),
          Map.entry("luajit", LUA),
          Map.entry("Rscript", R),
          Map.entry("R", R),
          Map.entry("tclsh", TCL),
          Map.entry("wish", TCL),
          Map.entry("expect", TCL),
          Map.entry("java", JAVA));

  /** A version at the end of a name: {@code python3.11}, {@code perl5.36.0}, {@code pypy3}. */
  private static final Pattern VERSION = Pattern.compile("[-]?[0-9][0-9.]*$");

  /** The interpreter that a program's base name stands for, whatever its version; null if none. */
  static @Nullable Interpreter named(String program) {
    Interpreter exact = BY_NAME.get(program);
    return exact != null ? exact : BY_NAME.get(VERSION.matcher(program).replaceFirst(""));
  }

  /**
   * What the interpreter was told to run: the path of a script, or the name of a module or class.
   * Null if that is not in the arguments, or is the text of a program.
   *
   * @param arguments the interpreter's, argument 0 first
   */
  @Nullable String script(List<String> arguments) {
    for (int i = 1; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      String next = i + 1 < arguments.size() ? arguments.get(i + 1) : null;
      if (argument.equals("--")) {
        return next;
      }
      if (!isOption(argument)) {
        return argument.equals("-") || argument.startsWith("@") ? null : argument;
      }
      if (code.contains(argument)) {
        return null;
      }
      if (module.contains(argument) || file.contains(argument)) {
        return next;
      }
      if (value.contains(argument)) {
        i++;
      } else if (argument.charAt(1) != '-') {
        int letter = decidingLetter(argument);
        if (letter > 0) {
          String name = argument.substring(letter, letter + 1);
          if (code.contains(name)) {
            return null;
          }
          String rest = argument.substring(letter + 1);
          if (!value.contains(name)) {
            return rest.isEmpty() ? next : rest;
          }
          i += rest.isEmpty() ? 1 : 0;
        }
      }
    }
    return null;
  }

  private static boolean isOption(String argument) {
    return argument.length() > 1 && (argument.charAt(0) == '-' || argument.charAt(0) == '+');
  }

  /** Where in an argument of letters the first one stands that has a meaning here; 0 if none. */
  private int decidingLetter(String argument) {
    for (int i = 1; i < argument.length(); i++) {
      if (attached.indexOf(argument.charAt(i)) >= 0) {
        return 0;
      }
      String name = argument.substring(i, i + 1);
      if (code.contains(name)
          || module.contains(name)
          || file.contains(name)
          || value.contains(name)) {
        return i;
      }
    }
    return 0;
  }
}
