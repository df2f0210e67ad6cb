package io.lifespan.libc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs a main class of the tests in a virtual machine of its own, as the real program would run.
 */
public final class AnotherJvm {

  private AnotherJvm() {}

  /** The command line. */
  public static List<String> command(Class<?> main, String... arguments) {
    return command(classPath(), main, arguments);
  }

  /** The command line with another class path. */
  public static List<String> command(String classPath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:-MaxFDLimit");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    Collections.addAll(command, arguments);
    return command;
  }

  /** The class path of the tests. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
