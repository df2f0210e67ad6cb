package io.lifespan.event.ebpf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ResourceUsage;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel says at the exit, beside what wait4(2) says afterwards. */
class ResourceUsageIT {

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** What the kernel adds up between the last look and the end: a tick, and some calls. */
  private static final Offset<Long> LAST_TICK = within(TimeUnit.MILLISECONDS.toNanos(20));

  private static final Offset<Long> LAST_CALLS = within(64L);

  @TempDir static Path directory;
  private static String uses;

  @BeforeAll
  static void compile() throws Exception {
    uses = directory.resolve("uses").toString();
    assertThat(run("gcc", "-O1", "-pthread", "-o", uses, "src/test/c/uses.c")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void isWhatWaitSays(int threads) throws Exception {
    List<ProcessEvent.Exit> exits = new ArrayList<>();
    EventSelection exit = EventSelection.of(List.of("exit")).orElseThrow();
    try (EbpfSource source =
        new EbpfSource(
            EbpfOptions.defaults(exit, SystemClock.measure()).withRingBytes(16 << 20),
            new ProcFsReader())) {
      source.open();
      String file = directory.resolve("written").toString();
      String[] said = run(uses, "64", "50", file, Integer.toString(threads)).trim().split(" ", -1);
      long[] waited = new long[said.length];
      for (int i = 0; i < said.length; i++) {
        waited[i] = Long.parseLong(said[i]);
      }
      ResourceUsage usage = usage(source, exits, (int) waited[0]);

      assertThat(usage.userNanos() + usage.systemNanos())
          .isCloseTo((waited[1] + waited[2]) * 1_000, LAST_TICK)
          .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(40L * (threads + 1)));
      assertThat(usage.userNanos()).isCloseTo(waited[1] * 1_000, LAST_TICK);
      assertThat(usage.peakBytes()).isEqualTo(waited[3] << 10).isGreaterThan(64 << 20);
      assertThat(usage.minorFaults()).isCloseTo(waited[4], LAST_CALLS);
      assertThat(usage.majorFaults()).isEqualTo(waited[5]);
      assertThat(usage.voluntarySwitches()).isCloseTo(waited[6], LAST_CALLS);
      assertThat(usage.involuntarySwitches()).isCloseTo(waited[7], LAST_CALLS);
      assertThat(usage.readBytes()).isEqualTo(waited[8] * 512);
      assertThat(usage.writtenBytes()).isEqualTo(waited[9] * 512);
      ResourceUsage ofParent = usage(source, exits, (int) waited[10]);
      assertThat(ofParent.writtenBytes()).as("its child's is not its own").isLessThan(1 << 20);
      assertThat(ofParent.userNanos()).isLessThan(usage.userNanos());
      if (threads == 0) {
        assertThat(usage.runDelayNanos()).isNotNegative();
      } else {
        assertThat(usage.runDelayNanos()).isNull();
      }
    }
  }

  private static ResourceUsage usage(EbpfSource source, List<ProcessEvent.Exit> exits, int pid)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < deadline) {
      for (ProcessEvent.Exit exit : exits) {
        if (exit.tgid() == pid && exit.usage() != null) {
          return exit.usage();
        }
      }
      source.poll(
          event -> {
            if (event instanceof ProcessEvent.Exit exit) {
              exits.add(exit);
            }
          },
          50);
    }
    throw new AssertionError("no end of " + pid);
  }

  private static String run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return output;
  }
}
