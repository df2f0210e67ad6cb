package io.lifespan.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Signals sent to a virtual machine that restarted itself to take them. */
class SignalGateIT {

  private static final List<String> COMMAND = AnotherJvm.command(TakeSignals.class);

  private Process process;

  @AfterEach
  void end() throws Exception {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void takesEverySignalThatIsForwardedWithItsSender() throws Exception {
    int sender = (int) ProcessHandle.current().pid();
    process = new ProcessBuilder(COMMAND).redirectErrorStream(true).start();
    BufferedReader output = process.inputReader();
    int pid = awaitReady(output);
    assertThat(pid).isEqualTo((int) process.pid());
    for (int signal = 1; signal < 32; signal++) {
      if (SignalSet.FORWARDED.contains(signal) && signal != Signal.TERM) {
        SignalGate.send(pid, signal);
        assertThat(output.readLine()).isEqualTo(Signal.name(signal) + " from " + sender);
      }
    }
    SignalGate.send(pid, Signal.TERM);
    assertThat(output.readLine()).isEqualTo("SIGTERM from " + sender);
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void blocksThemInEveryThreadOfTheVirtualMachine() throws Exception {
    process = new ProcessBuilder(COMMAND).redirectErrorStream(true).start();
    int pid = awaitReady(process.inputReader());
    List<String> others = new ArrayList<>();
    try (var threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : (Iterable<Path>) threads::iterator) {
        if (!blocked(thread).containsAll(SignalSet.FORWARDED)) {
          others.add(Files.readString(thread.resolve("comm")).strip());
        }
      }
    }
    // The kernel unblocks them in the thread that waits for them, which has the launcher's name.
    assertThat(others).isSubsetOf("java");
  }

  @Test
  void keepsOnlyTheInheritedDescriptorsOverTheRestart() throws Exception {
    process = new ProcessBuilder(COMMAND).redirectErrorStream(true).start();
    BufferedReader output = process.inputReader();
    assertThat(output.readLine()).isEqualTo("inherited [0, 1, 2]");
    awaitReady(output);
    try (var open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      List<String> jars =
          open.map(SignalGateIT::target).filter(target -> target.endsWith(".jar")).toList();
      assertThat(jars).isNotEmpty().doesNotHaveDuplicates();
    }
  }

  @Test
  void tellsAKeyAtTheTerminalFromAnotherProcess() throws Exception {
    process =
        new ProcessBuilder("script", "-qec", String.join(" ", COMMAND), "/dev/null")
            .redirectErrorStream(true)
            .start();
    BufferedReader output = process.inputReader();
    int pid = awaitReady(output);
    OutputStream keys = process.getOutputStream();
    keys.write(3);
    keys.flush();
    assertThat(output.readLine()).endsWith("SIGINT from the kernel");
    keys.write(26);
    keys.flush();
    assertThat(output.readLine()).endsWith("SIGTSTP from the kernel");
    SignalGate.send(pid, Signal.INT);
    assertThat(output.readLine()).endsWith("SIGINT from " + ProcessHandle.current().pid());
    SignalGate.send(pid, Signal.TERM);
    process.waitFor();
  }

  @Test
  void waitsNoLongerThanAsked() throws Exception {
    assertThat(new SignalGate(SignalSet.of(Signal.WINCH)).await(1)).isNull();
  }

  @Test
  void saysWhatASignalCouldNotBeSentTo() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    assertThatThrownBy(() -> SignalGate.send((int) gone.pid(), Signal.USR1))
        .isInstanceOf(SystemCallException.class)
        .hasMessage("kill(" + gone.pid() + ", SIGUSR1): ESRCH (no such process)");
  }

  private static int awaitReady(BufferedReader output) throws IOException {
    String line = "";
    while (!line.startsWith("ready ")) {
      line = output.readLine();
      assertThat(line).isNotNull();
    }
    return Integer.parseInt(line.substring("ready ".length()).strip());
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closed) {
      return "";
    }
  }

  private static SignalSet blocked(Path thread) throws IOException {
    for (String line : Files.readAllLines(thread.resolve("status"))) {
      if (line.startsWith("SigBlk:")) {
        return new SignalSet(Long.parseUnsignedLong(line.substring(7).strip(), 16));
      }
    }
    throw new IOException("no SigBlk in " + thread);
  }
}
