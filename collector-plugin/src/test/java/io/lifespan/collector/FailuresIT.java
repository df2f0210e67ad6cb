package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.Program;
import io.lifespan.collector.testing.ReceivedSpan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real receiver gets where only what failed is wanted. */
class FailuresIT {

  private MockOtlpServer receiver;

  @TempDir Path directory;

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = MockOtlpServer.start();
  }

  @AfterEach
  void stopReceiver() {
    receiver.close();
  }

  @Test
  void theKernelTellsOfFailedExitsOnlyAndEachIsNamedAsFarAsCanBeKnown() throws Exception {
    Process server = new ProcessBuilder("sh", "-c", "read line; exit 9").start();
    try (Program agent = agent("lifespan.events=nonzero_exit")) {
      run("sh", "-c", "exit 0");
      Process short1 = run("sh", "-c", "sleep 0; exit 7");
      Process killed = run("sh", "-c", "kill -9 $$");
      server.getOutputStream().close();
      server.waitFor();
      ReceivedSpan inFull = await(server);
      ReceivedSpan byName = await(short1);
      ReceivedSpan bySignal = await(killed);
      Program.Result result = stop(agent);

      assertThat(result.err())
          .containsPattern(
              "watching [0-9,]+ processes by (ebpf|connector) \\(kernel: nonzero_exit\\)");
      assertThat(inFull.name()).isEqualTo("sh");
      assertThat(inFull.attributes())
          .containsEntry("process.exit.code", "9")
          .containsEntry("process.args_count", "3")
          .containsEntry("process.executable.name", shell())
          .containsEntry("lifespan.start.observed", "proc");
      assertThat(byName.name()).isIn("sh", "process");
      assertThat(byName.attributes())
          .containsEntry("process.exit.code", "7")
          .containsEntry("error.type", "7")
          .containsEntry("process.parent_pid", Long.toString(ProcessHandle.current().pid()))
          .doesNotContainKeys("process.args_count", "lifespan.forks");
      assertThat(bySignal.attributes())
          .containsEntry("error.type", "SIGKILL")
          .containsEntry("process.exit.code", "137");
    }
    assertThat(receiver.awaitSpans(0, Program.BOUND))
        .filteredOn(span -> "0".equals(span.attributes().get("process.exit.code")))
        .isEmpty();
  }

  @Test
  void theRecorderSendsNothingUntilSomethingFailsAndThenItsWholeFamily() throws Exception {
    try (Program agent = agent("lifespan.traces.record=60s")) {
      Process fine = run("sh", "-c", "sleep 0.1; sleep 0.1; exit 0");
      Process broken =
          run("sh", "-c", "sleep 0.1; sh -c 'sleep 0.2; sh -c \"exit 3\"; true'; true");
      ReceivedSpan root = await(broken);
      List<ReceivedSpan> trace =
          received(span -> span.traceId().equals(root.traceId()) && !span.name().isEmpty(), 5);
      Program.Result result = stop(agent);

      assertThat(trace)
          .extracting(span -> span.attributes().get("process.exit.code"))
          .containsExactlyInAnyOrder("0", "0", "0", "0", "3");
      assertThat(trace).extracting(ReceivedSpan::name).contains("sleep", "sh");
      ReceivedSpan failed =
          trace.stream()
              .filter(s -> "3".equals(s.attributes().get("process.exit.code")))
              .findAny()
              .orElseThrow();
      ReceivedSpan parent =
          trace.stream()
              .filter(s -> s.spanId().equals(failed.parentSpanId()))
              .findAny()
              .orElseThrow();
      assertThat(parent.parentSpanId()).isEqualTo(root.spanId());
      assertThat(root.parentSpanId()).isEmpty();
      assertThat(receiver.awaitSpans(0, Program.BOUND)).noneMatch(span -> isOf(span, fine.pid()));
      assertThat(result.err()).contains(" spans; without: ").contains(" still recorded");
    }
  }

  @Test
  void aSampledShareOfTheTracesIsWhatArrives() throws Exception {
    try (Program agent = agent("otel.traces.sampler=always_off")) {
      run("sh", "-c", "exit 5");
      Program.Result result = stop(agent);

      assertThat(result.err()).containsPattern("lifespan: 0 spans; without: [0-9,]+ not sampled");
    }
  }

  private Program agent(String setting) throws Exception {
    Program agent =
        Program.start(
            directory,
            Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                receiver.grpcEndpoint(),
                "OTEL_BSP_SCHEDULE_DELAY",
                "100"),
            "agent",
            "-D",
            setting);
    try {
      agent.awaitErr("lifespan: watching ");
      return agent;
    } catch (AssertionError silent) {
      agent.close();
      throw silent;
    }
  }

  private static Program.Result stop(Program agent) throws Exception {
    agent.signal("TERM");
    Program.Result result = agent.await();
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result;
  }

  private static Process run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).start();
    process.waitFor();
    return process;
  }

  private ReceivedSpan await(Process process) throws InterruptedException {
    return received(span -> isOf(span, process.pid()), 1).get(0);
  }

  private List<ReceivedSpan> received(Predicate<ReceivedSpan> wanted, int count)
      throws InterruptedException {
    List<ReceivedSpan> all =
        receiver.awaitSpans(spans -> spans.stream().filter(wanted).count() >= count, Program.BOUND);
    List<ReceivedSpan> found = new ArrayList<>(all.stream().filter(wanted).toList());
    assertThat(found).hasSize(count);
    return found;
  }

  private static boolean isOf(ReceivedSpan span, long pid) {
    return Long.toString(pid).equals(span.attributes().get("process.pid"));
  }

  private static String shell() throws IOException {
    return Objects.toString(Path.of("/bin/sh").toRealPath().getFileName());
  }
}
