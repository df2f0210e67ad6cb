package io.lifespan.event.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.procfs.Cmdline;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real processes, looked for. */
class PollSourceIT {

  private static final long PATIENCE_SECONDS = 120;

  private final List<ProcessEvent> events = new ArrayList<>();
  private PollSource source;

  @BeforeEach
  void open() throws Exception {
    source =
        new PollSource(
            PollOptions.defaults(EventSelection.ALL, SystemClock.measure()), new ProcFsReader());
    assertThat(source.probe()).isEmpty();
    source.open();
  }

  @AfterEach
  void close() {
    source.close();
  }

  @Test
  void aProcessIsFoundWithItsParentAndItsEndWithItsStatus() throws Exception {
    Process child = start("sh", "-c", "read line; exit 5");
    until(() -> runs(child, "sh -c read line; exit 5"));
    child.getOutputStream().close();
    until(() -> gone(child) != null);

    ProcStat stat = ProcStat.parse(found(child).capture().get(ProcFile.STAT));
    assertThat(stat.parentPid()).isEqualTo((int) ProcessHandle.current().pid());
    assertThat(gone(child).status()).isEqualTo(0x500);
    assertThat(gone(child).exact()).isTrue();
  }

  @Test
  void whatItExecutesLaterIsSeen() throws Exception {
    Process child = start("sh", "-c", "read line; exec sleep 1000");
    until(() -> found(child) != null);
    child.getOutputStream().close();
    until(() -> runs(child, "sleep 1000"));

    child.destroyForcibly();
    until(() -> gone(child) != null);
    assertThat(gone(child).status()).isEqualTo(9);
  }

  @Test
  void aSignalWithACoreIsInTheStatus() throws Exception {
    Process child = start("sh", "-c", "read line; kill -SEGV $$");
    until(() -> found(child) != null);
    child.getOutputStream().close();
    until(() -> gone(child) != null);

    assertThat(gone(child).status() & 0x7f).isEqualTo(11);
  }

  @Test
  void aZombieThatNobodyReapsHasEnded() throws Exception {
    Process parent =
        start("sh", "-c", "sh -c 'read line <&3; exit 3' 3<&0 & echo $!; exec sleep 1000");
    int pid = Integer.parseInt(parent.inputReader().readLine());
    until(() -> events.stream().anyMatch(e -> e instanceof ProcessEvent.Found f && f.pid() == pid));
    parent.getOutputStream().close();
    until(() -> gone(pid) != null);

    assertThat(gone(pid).status()).isEqualTo(0x300);
    assertThat(Files.exists(Path.of("/proc/" + pid))).isTrue();
    parent.destroyForcibly();
    until(() -> gone(parent) != null);
    assertThat(events.stream().filter(e -> e instanceof ProcessEvent.Gone g && g.pid() == pid))
        .hasSize(1);
  }

  @Test
  void whatWasAliveBeforeIsNotFoundButItsEndIsTold() throws Exception {
    source.close();
    Process child = start("sleep", "1000");
    open();
    Process later = start("sleep", "1000");
    until(() -> found(later) != null);
    child.destroy();
    later.destroy();
    until(() -> gone(child) != null && gone(later) != null);

    assertThat(found(child)).isNull();
    assertThat(gone(child).status()).isEqualTo(15);
  }

  @Test
  void statisticsSayHowOftenItLooks() throws Exception {
    assertThat(source.stats().filter())
        .startsWith("fork,exec,exit; looks every ")
        .containsPattern("when one of [1-9]\\d* files is opened");
  }

  @Test
  void aWakeupEndsAWait() throws Exception {
    source.wakeup();
    source.poll(events::add, Integer.MAX_VALUE);
  }

  private Process start(String... command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void until(BooleanSupplier condition) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(() -> events + " " + source.stats()).isLessThan(deadline);
      source.poll(events::add, 100);
    }
  }

  private ProcessEvent.Found found(Process process) {
    for (ProcessEvent event : events) {
      if (event instanceof ProcessEvent.Found found && found.pid() == process.pid()) {
        return found;
      }
    }
    return null;
  }

  private ProcessEvent.Gone gone(Process process) {
    return gone((int) process.pid());
  }

  private ProcessEvent.Gone gone(int pid) {
    for (ProcessEvent event : events) {
      if (event instanceof ProcessEvent.Gone gone && gone.pid() == pid) {
        return gone;
      }
    }
    return null;
  }

  /** True if the last that was told of a process shows this command line. */
  private boolean runs(Process process, String command) {
    String last = null;
    for (ProcessEvent event : events) {
      if (event instanceof ProcessEvent.Found found && found.pid() == process.pid()) {
        last = command(found.capture());
      } else if (event instanceof ProcessEvent.Exec exec && exec.pid() == process.pid()) {
        last = command(exec.capture());
      }
    }
    return command.equals(last);
  }

  private static String command(ProcCapture capture) {
    return capture.get(ProcFile.CMDLINE) == null
        ? null
        : String.join(
            " ",
            Cmdline.parse(capture.get(ProcFile.CMDLINE), false).arguments().stream()
                .map(Object::toString)
                .toList());
  }
}
