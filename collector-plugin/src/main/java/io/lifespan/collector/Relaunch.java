package io.lifespan.collector;

import io.lifespan.libc.InheritedDescriptors;
import io.lifespan.libc.OwnProcess;
import io.lifespan.libc.Signal;
import io.lifespan.libc.SignalGate;
import io.lifespan.libc.SignalSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Starts this program anew in the same process, if it was not started by the launcher, so that the
 * signals that {@code run} passes on are blocked before the JVM starts and left alone by it.
 */
final class Relaunch {

  /** Set in the second start: there is no third. */
  private static final String DONE = "io.lifespan.relaunched";

  private static final String LEAVE_SIGNALS_ALONE = "-Xrs";

  /**
   * What keeps the JVM from changing what a command inherits: a socket that {@code -Xrs} opens at
   * the start, the limit of open files, and what is in a core dump.
   */
  private static final List<String> CHANGE_NOTHING =
      List.of(
          "-XX:+DisableAttachMechanism",
          "-XX:-MaxFDLimit",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-DumpPrivateMappingsInCore",
          "-XX:-DumpSharedMappingsInCore");

  /** The signal that the JVM uses for itself, else SIGUSR2, and a free one. */
  private static final String OWN_SIGNAL = "_JAVA_SR_SIGNUM";

  private static final String FREE_SIGNAL = "50";

  private Relaunch() {}

  /** Returns if the signals are blocked already; else does not return. */
  static void unlessSignalsAreBlocked(InheritedDescriptors descriptors)
      throws IOException, CannotStartException {
    List<byte[]> arguments = OwnProcess.arguments();
    boolean leftAlone =
        arguments.stream().anyMatch(a -> Arrays.equals(a, bytes(LEAVE_SIGNALS_ALONE)));
    SignalSet blocked = SignalGate.blockedAtStart();
    SignalSet wanted = SignalSet.FORWARDED.minus(SignalSet.of(Signal.WINCH));
    if (leftAlone && blocked.containsAll(wanted)) {
      return;
    }
    if (System.getProperty(DONE) != null) {
      throw new CannotStartException(
          ExitCodes.RUN_FAILED,
          List.of("signals cannot be blocked in this JVM; start Lifespan by its launcher"));
    }
    List<byte[]> again = new ArrayList<>(arguments);
    again.add(1, bytes("-D" + DONE + "=true"));
    again.add(1, bytes(LEAVE_SIGNALS_ALONE));
    again.addAll(1, CHANGE_NOTHING.stream().map(Relaunch::bytes).toList());
    OwnProcess.restart(again, environment(), blocked.plus(wanted), descriptors);
  }

  /** What the launcher would have made of this environment. */
  private static List<byte[]> environment() throws IOException {
    List<byte[]> environment = new ArrayList<>();
    String added = UserEnvironment.ADDED + "," + OWN_SIGNAL;
    for (byte[] entry : OwnProcess.environment()) {
      String text = new String(entry, StandardCharsets.ISO_8859_1);
      if (text.startsWith(OWN_SIGNAL + "=")) {
        environment.add((UserEnvironment.SET_ASIDE + text).getBytes(StandardCharsets.ISO_8859_1));
      } else if (text.startsWith(UserEnvironment.ADDED + "=")) {
        added += "," + text.substring(text.indexOf('=') + 1);
      } else {
        environment.add(entry);
      }
    }
    environment.add(bytes(OWN_SIGNAL + "=" + FREE_SIGNAL));
    environment.add(bytes(UserEnvironment.ADDED + "=" + added));
    return environment;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
