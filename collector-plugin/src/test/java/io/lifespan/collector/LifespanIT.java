package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.semconv.ServiceAttributes;
import io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The library, within this JVM, on the running kernel. */
class LifespanIT {

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

  @Test
  void whatThisJvmStartsBecomesSpansAndTheJvmDoesNot() throws Exception {
    Resource resource =
        Resource.builder()
            .put(ServiceAttributes.SERVICE_NAME, "shop")
            .put(ProcessIncubatingAttributes.PROCESS_PID, 4711L)
            .build();
    Process process;
    Lifespan lifespan =
        Lifespan.builder(SimpleSpanProcessor.create(exporter)).resource(resource).start();
    try {
      process = new ProcessBuilder("sh", "-c", "/bin/true; exit 3").start();
      process.waitFor();
    } finally {
      closeAfterItsEndIsSeen(lifespan);
    }
    lifespan.close();

    SpanData shell = spanOf(process.pid());
    assertThat(shell.getAttributes().get(ProcessIncubatingAttributes.PROCESS_EXIT_CODE))
        .isEqualTo(3);
    assertThat(shell.getResource().getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo("shop");
    assertThat(shell.getResource().getAttribute(ProcessIncubatingAttributes.PROCESS_PID)).isNull();
    assertThat(shell.getParentSpanContext().isValid()).isFalse();
    assertThat(exporter.getFinishedSpanItems())
        .filteredOn(span -> span.getTraceId().equals(shell.getTraceId()))
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("sh", "true");
    long self = ProcessHandle.current().pid();
    assertThat(exporter.getFinishedSpanItems()).noneMatch(span -> pid(span) == self);
  }

  @Test
  void aWrongSettingIsToldAtTheStart() {
    assertThatThrownBy(() -> Lifespan.builder(exporter).set("lifespan.arguments", "some").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lifespan.arguments");
  }

  @Test
  void whereNothingCanBeWatchedTheStartSaysWhy() {
    assertThatThrownBy(() -> Lifespan.builder(exporter).set("lifespan.sources", "ptrace").start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ptrace: follows only a command that is started by it");
  }

  /** The kernel tells of an end a moment after the parent has learnt of it. */
  private void closeAfterItsEndIsSeen(Lifespan lifespan) throws InterruptedException {
    long end = System.nanoTime() + 60_000_000_000L;
    while (exporter.getFinishedSpanItems().size() < 2 && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    lifespan.close();
  }

  private SpanData spanOf(long pid) {
    List<SpanData> spans = exporter.getFinishedSpanItems();
    return spans.stream()
        .filter(span -> pid(span) == pid)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no span of " + pid + " in " + spans));
  }

  private static long pid(SpanData span) {
    Long pid = span.getAttributes().get(ProcessIncubatingAttributes.PROCESS_PID);
    return pid == null ? 0 : pid;
  }
}
