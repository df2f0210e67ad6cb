package io.lifespan.event.capture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.AnotherJvm;
import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.CgroupFile;
import io.lifespan.procfs.Cmdline;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads children of this test, each in an odd state, from the real /proc. */
class ProcFsReaderIT {

  /** Says that it is there, and stays until its standard input ends. */
  private static final String STAY = "$|=1; print qq(here\\n); <STDIN>;";

  private final ProcFsReader reader = new ProcFsReader();
  private final List<Process> started = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void endChildren() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void readsAllOfAProcess() throws Exception {
    Process child = start(Map.of(), "perl", "-e", STAY, "a b");
    int pid = (int) child.pid();
    ProcCapture capture = reader.read(pid);

    assertThat(arguments(capture)).isEqualTo(texts("perl", "-e", STAY, "a b"));
    assertThat(capture.get(ProcFile.EXE))
        .isEqualTo(Bytes.of(Path.of("/usr/bin/perl").toRealPath().toString()));
    assertThat(capture.get(ProcFile.CWD)).isEqualTo(Bytes.of(directory.toString()));
    ProcStat stat = ProcStat.parse(capture.get(ProcFile.STAT));
    assertThat(stat.pid()).isEqualTo(pid);
    assertThat(stat.comm()).isEqualTo(Bytes.of("perl"));
    assertThat(stat.parentPid()).isEqualTo((int) ProcessHandle.current().pid());
    assertThat(stat.exitStatus()).isNull();
    ProcStatus status = ProcStatus.parse(capture.get(ProcFile.STATUS));
    assertThat(status.realUid())
        .isEqualTo(((Integer) Files.getAttribute(directory, "unix:uid")).longValue());
    assertThat(status.namespacePids()).isNull();
    assertThat(CgroupFile.parse(capture.get(ProcFile.CGROUP)).entries()).isNotEmpty();
    for (ProcFile file : ProcFile.values()) {
      assertThat(capture.reason(file)).isNull();
      assertThat(capture.truncated(file)).isFalse();
    }
  }

  @Test
  void readsArgumentsOfAnyBytesAndEmptyOnes() throws Exception {
    String exec = "exec {'perl'} qq(odd\\xff), '-e', $ARGV[0], '', qq(\\xfe\\x80b\\n), ''";
    Process child = start(Map.of(), "perl", "-e", exec, STAY);
    assertThat(arguments(read(child)))
        .isEqualTo(texts("odd\u00ff", "-e", STAY, "", "\u00fe\u0080b\n", ""));
  }

  @Test
  void readsLongArgumentsWhole() throws Exception {
    Process child = start(Map.of(), "perl", "-e", STAY, "x".repeat(100_000));
    ProcCapture capture = read(child);
    assertThat(capture.truncated(ProcFile.CMDLINE)).isFalse();
    assertThat(arguments(capture)).isEqualTo(texts("perl", "-e", STAY, "x".repeat(100_000)));
  }

  @Test
  void cutsArgumentsBeyondTheBoundAndSaysSo() throws Exception {
    String[] command = new String[43];
    java.util.Arrays.fill(command, "y".repeat(9_999));
    command[0] = "perl";
    command[1] = "-e";
    command[2] = STAY;
    ProcCapture capture = read(start(Map.of(), command));
    assertThat(capture.truncated(ProcFile.CMDLINE)).isTrue();
    assertThat(capture.get(ProcFile.CMDLINE).length()).isEqualTo(ProcFsReader.MAX_CONTENT);
    assertThat(arguments(capture)).startsWith(texts(command).subList(0, 4).toArray(Bytes[]::new));
  }

  @Test
  void knowsATitleThatAProcessGaveItself() throws Exception {
    Process child = start(Map.of(), "perl", "-e", "$0 = 'worker: idle'; " + STAY);
    Cmdline cmdline = Cmdline.parse(read(child).get(ProcFile.CMDLINE), false);
    assertThat(cmdline.title()).isTrue();
    assertThat(cmdline.arguments()).containsExactly(Bytes.of("worker: idle"));
  }

  @Test
  void readsTheNameOfADeletedExecutable() throws Exception {
    Path copy = directory.resolve("copy of perl");
    Files.copy(Path.of("/usr/bin/perl").toRealPath(), copy);
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
    Process child = start(Map.of(), copy.toString(), "-e", STAY);
    Files.delete(copy);
    assertThat(read(child).get(ProcFile.EXE)).isEqualTo(Bytes.of(copy + " (deleted)"));
  }

  @Test
  void readsTheNameOfAnExecutableInMemory() throws Exception {
    String number = System.getProperty("os.arch").equals("aarch64") ? "279" : "319";
    String exec =
        "my $name = 'prog'; my $fd = syscall("
            + number
            + ", $name, 0); open my $out, '>&=', $fd; open my $in, '<', '/usr/bin/perl';"
            + " local $/; print $out scalar <$in>; $out->flush; $^F = 1000;"
            + " exec {qq(/proc/$$/fd/$fd)} 'in memory', '-e', $ARGV[0]";
    ProcCapture capture = read(start(Map.of(), "perl", "-MIO::Handle", "-e", exec, STAY));
    assertThat(capture.get(ProcFile.EXE)).isEqualTo(Bytes.of("/memfd:prog (deleted)"));
    assertThat(arguments(capture)).startsWith(Bytes.of("in memory"));
  }

  @Test
  void keepsNothingOfTheEnvironmentButTheAllowList() throws Exception {
    Process child =
        start(
            Map.of(
                "PASSWORD", "hunter2",
                "TRACEPARENT", "00-abc-01",
                "XTRACESTATE", "hunter2",
                "LONG", "hunter2".repeat(15_000),
                "OTEL_SERVICE_NAME", "shop",
                "OTEL_EXPORTER_OTLP_HEADERS", "hunter2"),
            "perl",
            "-e",
            STAY);
    ProcCapture capture = read(child);
    assertThat(Cmdline.split(capture.get(ProcFile.ENVIRON)))
        .containsExactlyInAnyOrder(
            Bytes.of("TRACEPARENT=00-abc-01"), Bytes.of("OTEL_SERVICE_NAME=shop"));
    for (ProcFile file : ProcFile.values()) {
      assertThat(new String(capture.get(file).array(), ISO_8859_1)).doesNotContain("hunter2");
    }
  }

  @Test
  void findsNothingInAnEnvironmentWithoutAllowedVariables() throws Exception {
    ProcCapture capture = read(start(Map.of("A", "b"), "perl", "-e", STAY));
    assertThat(capture.get(ProcFile.ENVIRON)).isEqualTo(Bytes.EMPTY);
    assertThat(capture.reason(ProcFile.ENVIRON)).isNull();
  }

  @Test
  void takesAnEmptyEnvironmentForWhatItIs() throws Exception {
    ProcCapture capture = read(start(Map.of(), "env", "-i", "perl", "-e", STAY));
    assertThat(capture.get(ProcFile.ENVIRON)).isEqualTo(Bytes.EMPTY);
    assertThat(capture.reason(ProcFile.ENVIRON)).isNull();
  }

  @Test
  void saysWhatAZombieShowsAndWhatItDoesNot() throws Exception {
    String fork = "$|=1; my $pid = fork // die; exit 9 unless $pid; print qq($pid\\n); <STDIN>;";
    Process parent = launch(Map.of(), "perl", "-e", fork);
    int zombie = Integer.parseInt(parent.inputReader().readLine());
    ProcCapture exit = reader.readExit(zombie);
    while (!ProcStat.parse(exit.get(ProcFile.STAT)).isDead()) {
      exit = reader.readExit(zombie);
    }
    ProcCapture all = reader.read(zombie);

    for (ProcCapture capture : List.of(exit, all)) {
      ProcStat stat = ProcStat.parse(capture.get(ProcFile.STAT));
      assertThat(stat.state()).isEqualTo('Z');
      assertThat(stat.exitStatus()).isEqualTo(9 << 8);
      assertThat(stat.parentPid()).isEqualTo((int) parent.pid());
      assertThat(ProcStatus.parse(capture.get(ProcFile.STATUS)).realUid()).isNotNull();
      assertThat(capture.get(ProcFile.CGROUP)).isNotNull();
      assertThat(capture.get(ProcFile.CMDLINE)).isNull();
    }
    assertThat(exit.reason(ProcFile.CMDLINE)).isNull();
    assertThat(all.reason(ProcFile.CMDLINE)).isEqualTo(ProcCapture.GONE);
    assertThat(all.reason(ProcFile.ENVIRON)).isEqualTo(ProcCapture.GONE);
    assertThat(all.get(ProcFile.ENVIRON)).isNull();
    assertThat(all.reason(ProcFile.EXE)).isEqualTo(Errno.ENOENT);
    assertThat(all.reason(ProcFile.CWD)).isEqualTo(Errno.ENOENT);
  }

  @Test
  void saysOfAProcessThatIsGoneThatEveryFileIs() throws Exception {
    Process child = new ProcessBuilder("true").start();
    child.waitFor();
    ProcCapture capture = read(child);
    assertThat(capture.isEmpty()).isTrue();
    for (ProcFile file : ProcFile.values()) {
      assertThat(capture.reason(file)).isEqualTo(Errno.ENOENT);
    }
    assertThat(reader.readStat((int) child.pid()).isEmpty()).isTrue();
    assertThat(reader.readExit((int) child.pid()).isEmpty()).isTrue();
  }

  @Test
  void takesThreadsOfTheKernelForAlive() {
    reader.list(
        pid -> {
          ProcCapture capture = reader.read(pid);
          ProcStat stat = capture.isEmpty() ? null : ProcStat.parse(capture.get(ProcFile.STAT));
          if (stat != null && stat.isKernelThread()) {
            assertThat(capture.get(ProcFile.ENVIRON)).isEqualTo(Bytes.EMPTY);
            assertThat(capture.reason(ProcFile.CMDLINE)).isEqualTo(ProcCapture.GONE);
          }
        });
  }

  @Test
  void saysWhatMayNotBeReadOfAnotherUsersProcess() throws Exception {
    int pid = (int) start(Map.of(), "perl", "-e", STAY).pid();
    List<String> command = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--clear-groups"));
    command.addAll(
        AnotherJvm.command(readableClassPath(), PrintCapture.class, Integer.toString(pid)));
    Process other = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(other);
    assertThat(new String(other.getInputStream().readAllBytes(), ISO_8859_1).lines())
        .containsExactly(
            "CMDLINE=read",
            "EXE=EACCES",
            "ENVIRON=EACCES",
            "CWD=EACCES",
            "STAT=read",
            "CGROUP=read",
            "STATUS=read");
  }

  @Test
  void listsEveryProcessOnce() throws Exception {
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      expected.add((int) start(Map.of(), "perl", "-e", STAY).pid());
    }
    List<Integer> listed = new ArrayList<>();
    reader.list(listed::add);
    assertThat(listed).containsAll(expected).contains(1).doesNotHaveDuplicates();
  }

  @Test
  void readsAnotherProcFileSystemThanTheUsual() throws Exception {
    Path process = Files.createDirectories(directory.resolve("7"));
    Files.createDirectories(directory.resolve("self"));
    Files.writeString(process.resolve("stat"), "7 (x) S");
    ProcFsReader other = new ProcFsReader(directory.toString());
    List<Integer> listed = new ArrayList<>();
    other.list(listed::add);
    assertThat(listed).containsExactly(7);
    assertThat(other.readStat(7).get(ProcFile.STAT)).isEqualTo(Bytes.of("7 (x) S"));
    assertThat(other.read(7).reason(ProcFile.CMDLINE)).isEqualTo(Errno.ENOENT);
  }

  @Test
  void leavesNoDescriptorOpen() throws Exception {
    int pid = (int) start(Map.of(), "perl", "-e", STAY).pid();
    reader.read(pid);
    List<String> before = openBelowProc();
    for (int i = 0; i < 100; i++) {
      reader.read(pid);
      reader.readExit(Integer.MAX_VALUE);
      reader.list(any -> {});
    }
    assertThat(openBelowProc()).isEqualTo(before);
  }

  /**
   * What this JVM holds open of /proc and of other processes; its other descriptors come and go by
   * themselves.
   */
  private static List<String> openBelowProc() {
    String own = "/proc/" + ProcessHandle.current().pid();
    List<String> open = new ArrayList<>();
    for (File descriptor : new File("/proc/self/fd").listFiles()) {
      try {
        String target = Files.readSymbolicLink(descriptor.toPath()).toString();
        if (target.matches("/proc(/.*)?") && !target.startsWith(own)) {
          open.add(target);
        }
      } catch (IOException closedMeanwhile) {
        // it is not open any more
      }
    }
    Collections.sort(open);
    return open;
  }

  private ProcCapture read(Process child) {
    return reader.read((int) child.pid());
  }

  private Process start(Map<String, String> environment, String... command) throws IOException {
    Process child = launch(environment, command);
    assertThat(child.inputReader().readLine()).isEqualTo("here");
    return child;
  }

  private Process launch(Map<String, String> environment, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().putAll(environment);
    Process child = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(child);
    return child;
  }

  private static List<Bytes> arguments(ProcCapture capture) {
    return Cmdline.parse(capture.get(ProcFile.CMDLINE), capture.truncated(ProcFile.CMDLINE))
        .arguments();
  }

  private static List<Bytes> texts(String... texts) {
    return java.util.Arrays.stream(texts)
        .map(text -> new Bytes(text.getBytes(ISO_8859_1)))
        .toList();
  }

  /** Copies of what is needed, where another user may read it. */
  private String readableClassPath() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> copies = new ArrayList<>();
    for (String entry : AnotherJvm.classPath().split(File.pathSeparator, -1)) {
      Path source = Path.of(entry);
      Path copy = directory.resolve(copies.size() + "-" + source.getFileName());
      if (Files.isDirectory(source)) {
        copyTree(source, copy);
        copies.add(copy.toString());
      } else if (source.toString().matches(".*/(lifespan-|jnr-|jffi-|asm).*[.]jar")) {
        Files.copy(source, copy);
        copies.add(copy.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void copyTree(Path source, Path copy) throws IOException {
    try (var files = Files.walk(source)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, copy.resolve(source.relativize(file)));
      }
    }
  }
}
