package io.lifespan.event.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts of another mount namespace, probed while one of them hangs, recovers, goes and comes. */
class MountProberIT {

  private static final ProberOptions FAST =
      new ProberOptions(
          Duration.ofMillis(200),
          Duration.ofMillis(300),
          Duration.ofSeconds(1),
          new MountFilter(List.of("fuse.slowfs", "tmpfs", "ext4", "overlay"), List.of("/dev/*")));

  private final Told told = new Told();
  @TempDir Path directory;
  private SlowFs slow;
  private TimedFiles files;
  private MountProber prober;

  @BeforeEach
  void open() throws Exception {
    slow = SlowFs.start(directory);
    files = TimedFiles.open(slow.mounts(TimedFilesOptions.DEFAULTS));
    prober = new MountProber(files, FAST, told);
    prober.start();
    awaitUntil(() -> state(slow.mountPoint()) == MountState.HEALTHY);
  }

  @AfterEach
  void close() {
    prober.close();
    slow.close();
    files.close();
  }

  @Test
  void a_mount_that_stops_answering_is_slow_then_stuck_then_recovers_with_the_time_lost()
      throws Exception {
    told.changes.clear();
    long stopped = System.nanoTime();
    slow.stop();
    awaitUntil(() -> state(slow.mountPoint()) == MountState.STUCK);
    MountHealth stuck = health(slow.mountPoint());
    assertThat(stuck.sinceNanos()).isGreaterThanOrEqualTo(stopped - 1_000_000_000L);
    slow.resume();
    awaitUntil(() -> state(slow.mountPoint()) == MountState.HEALTHY);

    List<MountChange> changes = told.changes.stream().filter(c -> isSlow(c.to().mount())).toList();
    assertThat(changes)
        .extracting(change -> change.to().state())
        .startsWith(MountState.SLOW, MountState.STUCK);
    MountChange recovery = changes.stream().filter(MountChange::isRecovery).findFirst().get();
    assertThat(recovery.lostNanos())
        .isGreaterThanOrEqualTo(1_000_000_000L)
        .isEqualTo(recovery.nowNanos() - stuck.sinceNanos());
    assertThat(recovery.to().lostNanos()).isEqualTo(recovery.lostNanos());
    assertThat(told.changes)
        .as("other mounts")
        .filteredOn(c -> !isSlow(c.to().mount()))
        .noneMatch(change -> change.to().state() == MountState.STUCK);
  }

  @Test
  void a_mount_that_answers_late_is_slow() throws Exception {
    slow.delay(300);
    awaitUntil(() -> state(slow.mountPoint()) == MountState.SLOW);
    awaitUntil(
        () -> {
          Long last = health(slow.mountPoint()).lastProbeNanos();
          return last != null && last >= 300_000_000L;
        });
    slow.go();
    awaitUntil(() -> state(slow.mountPoint()) == MountState.HEALTHY);
  }

  @Test
  void a_mount_that_appears_is_probed_until_it_is_gone() throws Exception {
    Path more = Files.createDirectories(directory.resolve("more\tmounts"));

    inNamespace("mount", "-t", "tmpfs", "tmpfs", more.toString());
    awaitUntil(() -> state(more) == MountState.HEALTHY);
    assertThat(told.appeared).contains(bytes(more));
    inNamespace("umount", more.toString());
    awaitUntil(() -> health(more) == null);
    assertThat(told.gone).contains(bytes(more));
    assertThat(told.hidden).isEmpty();
  }

  @Test
  void a_stuck_mount_that_another_is_put_over_is_left_alone_until_it_comes_back() throws Exception {
    slow.hang();
    awaitUntil(() -> state(slow.mountPoint()) == MountState.STUCK);

    inNamespace("mount", "-t", "tmpfs", "tmpfs", slow.mountPoint().toString());
    awaitUntil(() -> told.hidden.contains(bytes(slow.mountPoint())));
    awaitUntil(() -> state(slow.mountPoint()) == MountState.HEALTHY);
    assertThat(health(slow.mountPoint()).mount().type()).isEqualTo("tmpfs");

    inNamespace("umount", slow.mountPoint().toString());
    awaitUntil(() -> state(slow.mountPoint()) == MountState.STUCK);
  }

  @Test
  void a_stuck_mount_that_is_unmounted_lazily_is_gone() throws Exception {
    slow.hang();
    awaitUntil(() -> state(slow.mountPoint()) == MountState.STUCK);

    inNamespace("umount", "-l", slow.mountPoint().toString());

    awaitUntil(() -> told.gone.contains(bytes(slow.mountPoint())));
    assertThat(health(slow.mountPoint())).isNull();
    assertThat(files.blocked(Duration.ZERO)).hasSize(1);
  }

  @Test
  void a_mount_whose_server_is_gone_fails_with_the_error() throws Exception {
    Path shared = Files.createDirectories(directory.resolve("shared"));
    Process server =
        new ProcessBuilder(
                "nsenter",
                "-t",
                slow.pid() + "",
                "-m",
                SlowFs.program(directory).toString(),
                "-s",
                shared.toString())
            .start();
    try {
      awaitUntil(() -> state(shared) == MountState.HEALTHY);
    } finally {
      server.destroyForcibly().waitFor();
    }

    awaitUntil(() -> state(shared) == MountState.FAILING);
    assertThat(health(shared).errno().symbol()).isEqualTo("ENOTCONN");
  }

  @Test
  void a_thousand_mounts_are_probed_with_a_few_threads_also_when_they_are_all_of_one_dead_server()
      throws Exception {
    Path many = Files.createDirectories(directory.resolve("many"));
    String script =
        """
        my ($mount, $many, $slow) = @ARGV; $mount += 0;
        my ($tmpfs, $none) = ("tmpfs", "none");
        for my $i (0 .. 499) {
          mkdir "$many/t$i" or die; mkdir "$many/b$i" or die;
          syscall($mount, $tmpfs, "$many/t$i", $tmpfs, 0, 0) and die $!;
          syscall($mount, $slow, "$many/b$i", $none, 4096, 0) and die $!;
        }
        """;
    String mountNumber = System.getProperty("os.arch").equals("amd64") ? "165" : "40";
    inNamespace("perl", "-e", script, mountNumber, many.toString(), slow.mountPoint().toString());

    awaitUntil(() -> count(MountState.HEALTHY) > 1_000);
    assertThat(files.threads()).isLessThan(30);
    slow.hang();
    awaitUntil(() -> count(MountState.STUCK) == 501);

    assertThat(files.blocked(Duration.ofMillis(500))).hasSize(1);
    assertThat(count(MountState.HEALTHY)).isGreaterThanOrEqualTo(500);
    slow.go();
    awaitUntil(() -> count(MountState.HEALTHY) > 1_000);
  }

  private long count(MountState state) {
    return prober.healths().stream().filter(health -> health.state() == state).count();
  }

  private MountState state(Path mountPoint) {
    MountHealth health = health(mountPoint);
    return health == null ? null : health.state();
  }

  private MountHealth health(Path mountPoint) {
    return prober.healths().stream()
        .filter(health -> health.mount().path().equals(bytes(mountPoint)))
        .findAny()
        .orElse(null);
  }

  private static boolean isSlow(MountPoint mount) {
    return mount.type().equals("fuse.slowfs");
  }

  private static Bytes bytes(Path path) {
    return new Bytes(path.toString().getBytes(UTF_8));
  }

  private void inNamespace(String... command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(List.of("nsenter", "-t", slow.pid() + "", "-m"));
    whole.addAll(List.of(command));
    assertThat(new ProcessBuilder(whole).inheritIO().start().waitFor()).isZero();
  }

  private static void awaitUntil(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
      Thread.sleep(5);
    }
  }

  private static final class Told implements BlockingListener {
    private final List<Bytes> appeared = new CopyOnWriteArrayList<>();
    private final List<Bytes> gone = new CopyOnWriteArrayList<>();
    private final List<Bytes> hidden = new CopyOnWriteArrayList<>();
    private final List<MountChange> changes = new CopyOnWriteArrayList<>();

    @Override
    public void mountAppeared(MountPoint mount) {
      appeared.add(mount.path());
    }

    @Override
    public void mountGone(MountHealth last, boolean isHidden) {
      (isHidden ? hidden : gone).add(last.mount().path());
    }

    @Override
    public void mountChanged(MountChange change) {
      changes.add(change);
    }
  }
}
