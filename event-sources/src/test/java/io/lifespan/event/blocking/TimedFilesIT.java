package io.lifespan.event.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.AnotherJvm;
import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountPoint;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with a deadline, to a file system that hangs when told to. */
class TimedFilesIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final Told told = new Told();
  @TempDir Path directory;
  private SlowFs slow;
  private TimedFiles files;

  @BeforeEach
  void open() throws Exception {
    slow = SlowFs.start(directory);
    files =
        TimedFiles.open(
            slow.mounts(TimedFilesOptions.DEFAULTS.withDeadline(LONG))
                .withThresholds(Duration.ofMillis(100), Duration.ofMillis(300))
                .withListener(told));
  }

  @AfterEach
  void close() {
    slow.close();
    files.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void every_call_says_what_the_file_system_says(boolean strict) throws Exception {
    TimedFiles mine = strict ? files.strict() : files.adaptive();
    Path file = Files.writeString(directory.resolve("a file"), "text");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    BasicFileAttributes java = Files.readAttributes(file, BasicFileAttributes.class);

    FileStatus status = mine.stat(FilePath.of(link)).orNull();
    assertThat(status.size()).isEqualTo(4);
    assertThat(status.isRegularFile()).isTrue();
    assertThat(status.lastModifiedTime()).isEqualTo(java.lastModifiedTime());
    assertThat(status.inode())
        .isEqualTo(((Number) Files.getAttribute(file, "unix:ino")).longValue());
    assertThat(mine.lstat(FilePath.of(link)).orNull().isSymbolicLink()).isTrue();
    assertThat(mine.readAttributes(FilePath.of(file)).orNull().creationTime())
        .isEqualTo(java.creationTime());
    assertThat(mine.readLink(FilePath.of(link)).orNull()).isEqualTo(Bytes.of(file.toString()));
    assertThat(mine.exists(FilePath.of(file)).orNull()).isTrue();
    assertThat(mine.exists(FilePath.of(directory.resolve("nothing"))).orNull()).isFalse();
    assertThat(mine.access(FilePath.of(file), EnumSet.of(AccessMode.READ)).orNull()).isTrue();
    assertThat(mine.access(FilePath.of(file), EnumSet.of(AccessMode.EXECUTE)).orNull()).isFalse();
    assertThat(mine.statfs(FilePath.of(file)).orNull().blocks()).isPositive();
    assertThat(mine.statfs(slow.path("")).orNull().blocks()).isEqualTo(100);
  }

  @Test
  void odd_paths_are_answered_with_the_kernels_errors() throws Exception {
    Path loop = Files.createSymbolicLink(directory.resolve("loop"), directory.resolve("loop"));

    assertThat(errno(files.stat(FilePath.of(loop)))).isEqualTo("ELOOP");
    assertThat(errno(files.stat(FilePath.of("/" + "x/".repeat(2048))))).isEqualTo("ENAMETOOLONG");
    assertThat(errno(files.stat(FilePath.of("/" + "x".repeat(300))))).isEqualTo("ENAMETOOLONG");
    assertThat(errno(files.stat(FilePath.of("")))).isEqualTo("ENOENT");
    assertThat(errno(files.stat(FilePath.of("/etc/passwd/x")))).isEqualTo("ENOTDIR");
    byte[] latin = (directory + "/caf_").getBytes(java.nio.charset.StandardCharsets.UTF_8);
    latin[latin.length - 1] = (byte) 0xe9;
    assertThat(files.exists(FilePath.of(new Bytes(latin))).orNull()).isFalse();
    int made =
        new ProcessBuilder("perl", "-e", "open F, '>', shift.qq(/caf\\xe9)", directory.toString())
            .start()
            .waitFor();
    assertThat(made).isZero();
    assertThat(files.exists(FilePath.of(new Bytes(latin))).orNull()).isTrue();
  }

  @Test
  void a_call_that_hangs_is_given_up_at_the_deadline_and_shown_while_it_hangs() throws Exception {
    slow.hang();
    long before = System.nanoTime();

    Timed<FileStatus> answer = files.within(SHORT).stat(slow.path("/file"));

    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(SHORT.toNanos());
    BlockedCall call = ((Timed.Blocked<FileStatus>) answer).outstanding();
    assertThat(call.call()).isEqualTo("stat");
    assertThat(call.path()).isEqualTo(slow.path("/file").bytes());
    assertThat(call.mount().path()).isEqualTo(Bytes.of(slow.mountPoint().toString()));
    assertThat(call.mount().type()).isEqualTo("fuse.slowfs");
    assertThat(call.sinceNanos()).isBetween(before, System.nanoTime());
    assertThat(files.blocked(Duration.ZERO)).containsExactly(call);
    assertThat(files.expired()).isEqualTo(1);
    awaitUntil(() -> told.blocked.size() >= 2);
    assertThat(told.blocked).containsOnly(call);
    assertThat(told.returned).isEmpty();

    slow.go();

    awaitUntil(() -> !told.returned.isEmpty());
    assertThat(told.returned).containsExactly(call);
    assertThat(files.blocked(Duration.ZERO)).isEmpty();
    assertThat(files.stat(slow.path("/file")).orNull().isRegularFile()).isTrue();
  }

  @Test
  void garbage_is_collected_while_a_call_hangs() throws Exception {
    slow.hang();
    files.within(SHORT).stat(slow.path("/file"));
    java.lang.ref.WeakReference<Object> garbage = new java.lang.ref.WeakReference<>(new Object());

    awaitUntil(
        () -> {
          System.gc();
          return garbage.get() == null;
        });

    assertThat(files.blocked(SHORT)).hasSize(1);
  }

  @Test
  void a_thousand_askers_of_a_dead_mount_cost_one_thread_and_all_get_their_answer()
      throws Exception {
    TimedFiles other = files.within(SHORT);
    assertThat(other.exists(FilePath.of(directory)).orNull()).isTrue();
    slow.stop();
    other.exists(slow.path("/first"));
    int before = files.threads();
    List<Timed<?>> answers = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(1_000);
    for (int i = 0; i < 1_000; i++) {
      FilePath path = slow.path("/d/" + i % 100);
      Thread asker =
          new Thread(
              () -> {
                answers.add(other.stat(path));
                done.countDown();
              });
      asker.setDaemon(true);
      asker.start();
    }

    assertThat(done.await(2, TimeUnit.MINUTES)).isTrue();
    assertThat(answers).hasSize(1_000).allMatch(Timed::isBlocked);
    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(((Timed.Blocked<?>) answer).outstanding().path())
                    .isEqualTo(slow.path("/first").bytes()));
    assertThat(files.threads()).isLessThanOrEqualTo(before).isLessThanOrEqualTo(2);
    assertThat(other.exists(FilePath.of(directory)).orNull()).as("another mount").isTrue();
    slow.resume();
    awaitUntil(() -> files.blocked(Duration.ZERO).isEmpty());
    assertThat(statCalls()).as("calls that nobody waited for were not made").isLessThan(10);
  }

  private long statCalls() {
    return files.statistics().stream()
        .filter(s -> s.kind() == CallKind.STAT && s.mount().type().equals("fuse.slowfs"))
        .mapToLong(s -> s.latencies().count())
        .sum();
  }

  @Test
  void who_waits_behind_a_call_goes_on_when_it_returns() throws Exception {
    slow.hang();
    files.within(SHORT).stat(slow.path("/file"));
    List<Timed<?>> answers = new CopyOnWriteArrayList<>();
    List<Thread> askers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      FilePath path = slow.path(i < 10 ? "/file" : "/nothing" + i);
      Thread asker = new Thread(() -> answers.add(files.stat(path)));
      asker.start();
      askers.add(asker);
    }
    awaitUntil(
        () -> askers.stream().allMatch(asker -> asker.getState() == Thread.State.TIMED_WAITING));

    slow.go();

    for (Thread asker : askers) {
      asker.join(LONG.toMillis());
    }
    assertThat(answers).hasSize(20);
    assertThat(answers).filteredOn(Timed.Value.class::isInstance).hasSize(10);
    assertThat(answers).filteredOn(a -> "ENOENT".equals(errno(a))).hasSize(10);
    assertThat(statCalls()).as("ten asked the same and shared a call").isEqualTo(12);
  }

  @Test
  void adaptive_calls_stay_on_the_callers_thread_while_the_mount_is_quick() throws Exception {
    TimedFiles adaptive = files.adaptive().within(SHORT);
    awaitUntil(
        () -> {
          adaptive.exists(slow.path("/file"));
          return files.desk().places().of(slow.path("/file")).lane().trusted(System.nanoTime());
        });
    slow.delay(150);
    awaitUntil(() -> adaptive.exists(slow.path("/file")).orNull() != null);
    assertThat(files.desk().places().of(slow.path("/file")).lane().trusted(System.nanoTime()))
        .as("after a slow answer")
        .isFalse();

    slow.hang();

    assertThat(adaptive.exists(slow.path("/file")).isBlocked()).isTrue();
  }

  @Test
  void a_caller_caught_when_the_mount_dies_is_shown_and_others_are_not_caught() throws Exception {
    FilePath path = slow.path("/file");
    TimedFiles adaptive = files.adaptive().within(SHORT);
    slow.delay(1);
    Thread caught =
        new Thread(
            () -> {
              while (adaptive.exists(path).orNull() != null) {
                // until it is caught: then the call returns only with an error
              }
            });
    caught.setDaemon(true);
    caught.start();
    awaitUntil(() -> files.desk().places().of(path).lane().trusted(System.nanoTime()));
    slow.hang();
    awaitUntil(() -> !files.blocked(Duration.ofMillis(500)).isEmpty());

    BlockedCall call = files.blocked(Duration.ofMillis(500)).get(0);
    assertThat(call.call()).isEqualTo("access");
    assertThat(call.path()).isEqualTo(path.bytes());
    for (int i = 0; i < 3; i++) {
      assertThat(adaptive.stat(slow.path("/d/other")).isBlocked()).isTrue();
    }
    awaitUntil(() -> told.blocked.contains(call));
  }

  @Test
  void a_virtual_machine_ends_though_a_call_hangs() throws Exception {
    slow.stop();
    Process jvm =
        new ProcessBuilder(AnotherJvm.command(AskOnce.class, slow.pid() + ""))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(jvm.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(jvm.exitValue()).isZero();
      assertThat(jvm.inputReader().readLine()).isEqualTo("blocked: true");
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** Asks about a path on a dead mount, says so, and returns from main. */
  static final class AskOnce {
    public static void main(String[] arguments) {
      TimedFiles files =
          TimedFiles.open(
              TimedFilesOptions.DEFAULTS
                  .withMountsOf(Long.parseLong(arguments[0]))
                  .withDeadline(SHORT));
      MountPoint mount =
          files.mounts().reachable().stream()
              .filter(any -> any.type().equals("fuse.slowfs"))
              .findAny()
              .orElseThrow();
      FilePath path = files.desk().places().path(mount);
      System.out.println("blocked: " + files.stat(path).isBlocked());
    }
  }

  @Test
  void a_server_that_dies_ends_the_hang_with_an_error() throws Exception {
    slow.hang();
    List<Timed<?>> answers = new CopyOnWriteArrayList<>();
    Thread asker = new Thread(() -> answers.add(files.stat(slow.path("/file"))));
    asker.start();
    awaitUntil(() -> !files.blocked(Duration.ZERO).isEmpty());

    slow.close();

    asker.join(LONG.toMillis());
    assertThat(errno(answers.get(0))).isIn("ECONNABORTED", "ENOTCONN");
  }

  @Test
  void mounts_that_come_and_go_are_followed() throws Exception {
    assertThat(mounts()).contains(slow.mountPoint().toString());
    Path below = Files.createDirectories(directory.resolve("new mount"));

    inNamespace("mount", "-t", "tmpfs", "tmpfs", below.toString());
    awaitUntil(() -> mounts().contains(below.toString()));
    inNamespace("umount", below.toString());
    awaitUntil(() -> !mounts().contains(below.toString()));
    assertThat(mounts()).contains(slow.mountPoint().toString());
  }

  @Test
  void a_mount_unmounted_lazily_while_a_call_hangs_in_it_holds_nobody_else() throws Exception {
    slow.hang();
    files.within(SHORT).stat(slow.path("/file"));

    inNamespace("umount", "-l", slow.mountPoint().toString());

    awaitUntil(() -> !mounts().contains(slow.mountPoint().toString()));
    assertThat(files.blocked(Duration.ZERO)).hasSize(1);
    assertThat(errno(files.stat(slow.path("/file")))).isEqualTo("ENOENT");
    slow.go();
    awaitUntil(() -> files.blocked(Duration.ZERO).isEmpty());
  }

  private List<String> mounts() {
    return files.mounts().all().stream()
        .map(m -> new String(m.path().array(), java.nio.charset.StandardCharsets.UTF_8))
        .toList();
  }

  private void inNamespace(String... command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(List.of("nsenter", "-t", slow.pid() + "", "-m"));
    whole.addAll(List.of(command));
    assertThat(new ProcessBuilder(whole).inheritIO().start().waitFor()).isZero();
  }

  private static String errno(Timed<?> answer) {
    Errno errno = FileCall.errno(answer);
    return errno == null ? null : errno.symbol();
  }

  private static void awaitUntil(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
      Thread.sleep(5);
    }
  }

  private static final class Told implements BlockingListener {
    private final List<BlockedCall> blocked = new CopyOnWriteArrayList<>();
    private final List<BlockedCall> returned = new CopyOnWriteArrayList<>();

    @Override
    public void callBlocked(BlockedCall call, long nowNanos) {
      blocked.add(call);
    }

    @Override
    public void callReturned(BlockedCall call, long nowNanos) {
      returned.add(call);
    }
  }
}
