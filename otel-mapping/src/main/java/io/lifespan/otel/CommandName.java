package io.lifespan.otel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.lifespan.procfs.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names a command as a person would: the script for an interpreter that runs one, the applet for a
 * multi-call binary, else the program under the name it was executed by, in full where the kernel's
 * own name ends after 15 bytes.
 *
 * <p>The kernel's name (comm) is the best witness right after an exec: the base name of the file
 * executed, that is of a script, or of the link that was followed ({@code awk}, {@code cc}). It
 * picks among argument 0, the executable and the arguments. Parts of a name that differ from run to
 * run (six digits or more, UUIDs, the ends of temporary names) become {@code *}, so that names are
 * few.
 */
public final class CommandName {

  /** The name of a process of which nothing is known. */
  public static final String UNKNOWN = "process";

  private static final int COMM_BYTES = 15;
  private static final int MAX_BYTES = 80;
  private static final int FARTHEST_SCRIPT = 4;
  private static final String DELETED = " (deleted)";
  private static final String MEMFD = "/memfd:";

  private static final Set<String> MULTI_CALL =
      Set.of("busybox", "toybox", "coreutils", "sbase-box", "ubase-box");

  private static final String APPLET_OPTION = "--coreutils-prog=";

  private static final Pattern PLAUSIBLE =
      Pattern.compile("[A-Za-z0-9_.\\[][A-Za-z0-9_.+@~\\[-]{0,79}");

  private static final Pattern VARYING =
      Pattern.compile(
          "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
              + "|[0-9]{6,}+"
              + "|(?<=^tmp[._-]?)[A-Za-z0-9_]{6,}+");

  private CommandName() {}

  /**
   * The name of a command; never empty, not redacted.
   *
   * @param arguments argument 0 first; empty if unknown or none
   * @param executable the target of /proc/PID/exe; null if unknown or none
   * @param comm the kernel's name; null if unknown
   */
  public static String of(List<Bytes> arguments, @Nullable Bytes executable, @Nullable Bytes comm) {
    // Latin-1 maps bytes to characters one to one, so that nothing is lost on the way.
    List<String> texts = new ArrayList<>(arguments.size());
    for (Bytes argument : arguments) {
      texts.add(latin1(argument));
    }
    String name =
        choose(
            texts,
            executable == null ? null : program(latin1(executable)),
            comm == null || comm.length() == 0 ? null : latin1(comm));
    if (name == null || name.isEmpty()) {
      return UNKNOWN;
    }
    String text = Text.of(new Bytes(name.getBytes(ISO_8859_1)), MAX_BYTES);
    return VARYING.matcher(text).replaceAll("*");
  }

  /**
   * The target of /proc/PID/exe without what the kernel adds when the file has no name any more.
   */
  static String withoutDeleted(String executable) {
    return executable.endsWith(DELETED)
        ? executable.substring(0, executable.length() - DELETED.length())
        : executable;
  }

  private static @Nullable String choose(
      List<String> arguments, @Nullable String program, @Nullable String comm) {
    String argument0 = arguments.isEmpty() ? null : baseName(withoutLoginMark(arguments.get(0)));
    if (argument0 == null || argument0.isEmpty()) {
      return withoutArguments(program, comm);
    }
    String typed = null;
    if (comm != null) {
      typed =
          isNamed(argument0, comm)
              ? argument0
              : program != null && isNamed(program, comm) ? program : null;
      if (typed == null) {
        String script = scriptNamed(arguments, comm);
        if (script != null) {
          return script;
        }
      }
    }
    if (typed == null) {
      typed = PLAUSIBLE.matcher(argument0).matches() ? argument0 : program != null ? program : comm;
    }
    return whatItRuns(typed == null ? argument0 : typed, arguments, program);
  }

  private static @Nullable String withoutArguments(
      @Nullable String program, @Nullable String comm) {
    if (program == null) {
      // a kernel thread: kworker/0:1-events, ksoftirqd/3
      return comm == null || comm.indexOf('/') <= 0 ? comm : comm.substring(0, comm.indexOf('/'));
    }
    return comm == null || isNamed(program, comm) || isNumber(comm) ? program : comm;
  }

  private static String whatItRuns(String typed, List<String> arguments, @Nullable String program) {
    String name = typed;
    List<String> rest = arguments;
    if (MULTI_CALL.contains(typed) && arguments.size() > 1) {
      String first = arguments.get(1);
      if (first.startsWith(APPLET_OPTION)) {
        return baseName(first.substring(APPLET_OPTION.length()));
      }
      if (!first.isEmpty() && first.charAt(0) != '-') {
        name = baseName(first);
        rest = arguments.subList(1, arguments.size());
      }
    }
    Interpreter interpreter = Interpreter.named(name);
    if (interpreter == null && program != null && rest == arguments) {
      interpreter = Interpreter.named(program);
    }
    String script = interpreter == null ? null : interpreter.script(rest);
    if (script == null || isDescriptor(script)) {
      return name;
    }
    String base = baseName(script);
    return base.isEmpty() ? name : base;
  }

  /** A script that was executed by its own name stands among the first arguments. */
  private static @Nullable String scriptNamed(List<String> arguments, String comm) {
    for (int i = 1; i < arguments.size() && i <= FARTHEST_SCRIPT; i++) {
      String base = baseName(arguments.get(i));
      if (isNamed(base, comm)) {
        return base;
      }
    }
    return null;
  }

  /** True if the kernel would call a file of this base name by this name. */
  private static boolean isNamed(String base, String comm) {
    return base.length() <= COMM_BYTES
        ? base.equals(comm)
        : comm.length() == COMM_BYTES && base.startsWith(comm);
  }

  private static boolean isDescriptor(String path) {
    return path.startsWith("/dev/fd/")
        || path.startsWith("/proc/self/fd/")
        || path.equals("/dev/stdin");
  }

  /** A program executed by its descriptor (fexecve) has its number for a name on older kernels. */
  private static boolean isNumber(String comm) {
    for (int i = 0; i < comm.length(); i++) {
      if (comm.charAt(i) < '0' || comm.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String program(String executable) {
    String path = withoutDeleted(executable);
    String name = path.startsWith(MEMFD) ? path.substring(MEMFD.length()) : baseName(path);
    return name.isEmpty() ? null : name;
  }

  private static String withoutLoginMark(String argument0) {
    return argument0.startsWith("-") ? argument0.substring(1) : argument0;
  }

  private static String baseName(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  private static String latin1(Bytes bytes) {
    return new String(bytes.array(), ISO_8859_1);
  }
}
