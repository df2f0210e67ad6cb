package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChildProcessIT {

  private static final ChildProcess.Held ANY =
      (pid, startTicks) -> RunCommand.TRACEPARENT.getBytes(US_ASCII);

  private static final InheritedDescriptors DESCRIPTORS;

  static {
    try {
      DESCRIPTORS = InheritedDescriptors.take();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"exit 0,0", "exit 9,0x900", "kill -9 $$,0x9", "kill -TERM $$,0xf", "exit 255,0xff00"})
  void tellsHowItEnded(String script, String status) throws Exception {
    ChildProcess child = start(ANY, "sh", "-c", script);
    assertThat(child.waitForChange())
        .isEqualTo(new ChildProcess.Change.Ended(Integer.decode(status)));
  }

  @Test
  void tellsWhenItIsStoppedAndContinued() throws Exception {
    ChildProcess child = start(ANY, "sh", "-c", "kill -STOP $$; exit 3");
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Stopped(Signal.STOP));
    SignalGate.send(child.pid(), Signal.CONT);
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Continued());
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Ended(0x300));
  }

  @Test
  void knowsItsPidAndStartBeforeItExecutes() throws Exception {
    AtomicReference<String> heldStat = new AtomicReference<>();
    AtomicReference<String> heldExe = new AtomicReference<>();
    Path out = directory.resolve("out");
    ChildProcess child =
        start(
            (pid, startTicks) -> {
              heldStat.set(readStat(pid));
              heldExe.set(readLink("/proc/" + pid + "/exe"));
              return traceparent(pid, startTicks);
            },
            "sh",
            "-c",
            "echo $TRACEPARENT > \"$0\"; cat /proc/$$/stat >> \"$0\"",
            out.toString());
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Ended(0));

    List<String> lines = Files.readAllLines(out);
    String[] held = heldStat.get().split(" ", -1);
    String[] executed = lines.get(1).split(" ", -1);
    assertThat(lines.get(0))
        .isEqualTo(new String(traceparent(child.pid(), child.startTicks()), US_ASCII));
    assertThat(held[1]).isNotEqualTo("(sh)");
    assertThat(heldExe.get()).isEqualTo(readLink("/proc/self/exe"));
    assertThat(executed[0]).isEqualTo(held[0]).isEqualTo(Integer.toString(child.pid()));
    assertThat(executed[1]).isEqualTo("(sh)");
    assertThat(executed[21]).isEqualTo(held[21]).isEqualTo(Long.toString(child.startTicks()));
  }

  @Test
  void tellsItFromOtherChildrenMadeAtTheSameTime() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<Boolean>> results =
          IntStream.range(0, 30).mapToObj(i -> threads.submit(() -> startsAsItself(i))).toList();
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private boolean startsAsItself(int number) throws Exception {
    if (number % 2 == 0) {
      return new ProcessBuilder("true").start().waitFor() == 0;
    }
    Path out = directory.resolve("out" + number);
    ChildProcess child =
        start(ChildProcessIT::traceparent, "sh", "-c", "echo $$ $TRACEPARENT > $0", out.toString());
    child.waitForChange();
    String expected =
        child.pid() + " " + new String(traceparent(child.pid(), child.startTicks()), US_ASCII);
    return Files.readString(out).strip().equals(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "no-such-command,ENOENT",
    "./no-such-file,ENOENT",
    "/etc/passwd,EACCES",
    "/etc,EACCES",
    "'',ENOENT",
    "/etc/passwd/x,ENOENT"
  })
  void saysWhyACommandCannotBeExecuted(String command, String errno) {
    assertThatThrownBy(() -> start(ANY, command))
        .isInstanceOfSatisfying(
            SystemCallException.class, e -> assertThat(e.errno().symbol()).isEqualTo(errno))
        .hasMessageContaining("exec(" + command + ")");
  }

  @Test
  void saysThatAScriptsInterpreterIsMissing() throws Exception {
    Path script = script("bad", "#!/no/such/interpreter\n");
    assertThatThrownBy(() -> start(ANY, script.toString()))
        .isInstanceOfSatisfying(
            SystemCallException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
  }

  @Test
  void givesAScriptWithoutAnInterpreterToTheShell() throws Exception {
    Path script = script("plain", "test \"$0 $1\" = \"" + directory + "/plain a b\" && exit 5\n");
    ChildProcess child = start(ANY, script.toString(), "a b");
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Ended(0x500));
  }

  @Test
  void searchesThePathOfTheCommandsOwnEnvironment() throws Exception {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    Files.createDirectory(first.resolve("tool"));
    script("second/tool", "#!/bin/sh\nexit 6\n");
    String path = "PATH=/no/such/directory:/etc/passwd:" + first + ":" + second;
    ChildProcess child = start(ANY, List.of(path), "tool");
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Ended(0x600));
  }

  @Test
  void remembersThatACommandInThePathWasNotExecutable() throws Exception {
    Files.writeString(directory.resolve("tool"), "");
    assertThatThrownBy(() -> start(ANY, List.of("PATH=" + directory + ":/no/such"), "tool"))
        .isInstanceOfSatisfying(
            SystemCallException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EACCES));
  }

  @Test
  void executesNothingWhenTheTraceparentCannotBeMade() {
    Path out = directory.resolve("out");
    assertThatThrownBy(
            () ->
                start(
                    (pid, startTicks) -> {
                      throw new IllegalStateException("no ids today");
                    },
                    "touch",
                    out.toString()))
        .isInstanceOf(IOException.class)
        .hasMessage("the command was not started: no ids today");
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 54, 56})
  void executesNothingWhenTheTraceparentIsOfAWrongLength(int length) {
    Path out = directory.resolve("out");
    assertThatThrownBy(() -> start((pid, startTicks) -> new byte[length], "touch", out.toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("55 bytes");
    assertThat(out).doesNotExist();
  }

  @Test
  void takesLongArguments() throws Exception {
    String argument = "x".repeat(100_000);
    ChildProcess child =
        start(
            ANY,
            "sh",
            "-c",
            "test ${#1} = 100000 && test ${#3} = 100000",
            "sh",
            argument,
            "",
            argument);
    assertThat(child.waitForChange()).isEqualTo(new ChildProcess.Change.Ended(0));
  }

  @Test
  void leavesNoDescriptorOpen() throws Exception {
    start(ANY, "true").waitForChange();
    int before = InheritedDescriptors.open().size();
    for (int i = 0; i < 10; i++) {
      start(ANY, "true").waitForChange();
      assertThatThrownBy(() -> start(ANY, "no-such-command")).isInstanceOf(IOException.class);
    }
    assertThat(InheritedDescriptors.open().size()).isEqualTo(before);
  }

  private Path script(String name, String content) throws IOException {
    Path script = Files.writeString(directory.resolve(name), content);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static ChildProcess start(ChildProcess.Held callback, String... arguments)
      throws IOException {
    return start(callback, List.of("PATH=" + System.getenv("PATH")), arguments);
  }

  private static ChildProcess start(
      ChildProcess.Held callback, List<String> environment, String... arguments)
      throws IOException {
    return ChildProcess.start(
        new Command(
            bytes(Arrays.asList(arguments)),
            bytes(environment),
            SignalGate.blockedAtStart(),
            SignalSet.NONE,
            DESCRIPTORS),
        callback);
  }

  private static List<byte[]> bytes(List<String> texts) {
    return texts.stream().map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  private static byte[] traceparent(int pid, long startTicks) {
    return String.format("00-%032x-%016x-01", startTicks, pid).getBytes(US_ASCII);
  }

  private static String readStat(int pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/stat"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String readLink(String path) {
    try {
      return Files.readSymbolicLink(Path.of(path)).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
