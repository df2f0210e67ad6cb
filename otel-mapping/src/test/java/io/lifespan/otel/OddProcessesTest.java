package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** One bad process never costs more than itself: whatever is captured of it, there is a span. */
class OddProcessesTest {

  @Property(tries = 500)
  void whateverWasCapturedThereIsASpan(@ForAll("captures") List<ProcCapture> captures) {
    Watch watch = new Watch(Watch.node());
    watch.fork(Watch.BEGIN, 99, 20);
    long millis = Watch.BEGIN;
    for (ProcCapture capture : captures) {
      watch.apply(new ProcessEvent.Exec(Watch.nanos(++millis), 20, 20, capture));
      watch.fork(++millis, 20, 100 + (int) (millis - Watch.BEGIN));
    }
    watch.exit(++millis, 20, 0);
    ProcessSpan span = watch.span(20);
    assertThat(span.getName()).isNotEmpty().hasSizeLessThan(400);
    assertThat(span.getSpanContext().isValid()).isTrue();
    span.getAttributes().forEach((key, value) -> assertThat(value).isNotNull());
    String all = span.getName() + span.getAttributes() + span.getResource().getAttributes();
    assertThat(new String(all.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(all)
        .doesNotContain("\n", "\u0000");
    assertThat(watch.listener.stats().failed()).isZero();
  }

  @Provide
  Arbitrary<List<ProcCapture>> captures() {
    Arbitrary<byte[]> content =
        Arbitraries.oneOf(
            Arbitraries.bytes().array(byte[].class).ofMaxSize(60),
            Arbitraries.of(
                    "sh",
                    "\0",
                    " ",
                    "-c",
                    "/",
                    "/bin/busybox",
                    " (deleted)",
                    "/memfd:",
                    "-----BEGIN",
                    "--password",
                    "=",
                    "\n",
                    "TRACEPARENT=00-",
                    "a".repeat(32),
                    "-",
                    "1".repeat(16),
                    "-01\0",
                    "OTEL_RESOURCE_ATTRIBUTES=a=%",
                    "0::/",
                    ".service",
                    "Uid:\t",
                    "1\t2",
                    "NSpid:\t",
                    "20 (",
                    ") R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21")
                .list()
                .ofMaxSize(10)
                .map(parts -> String.join("", parts).getBytes(StandardCharsets.UTF_8)));
    Arbitrary<ProcCapture> capture =
        Combinators.combine(
                content.list().ofSize(ProcFile.values().length),
                Arbitraries.integers().between(0, 3).list().ofSize(ProcFile.values().length))
            .as(OddProcessesTest::capture);
    return capture.list().ofMinSize(1).ofMaxSize(3);
  }

  private static ProcCapture capture(List<byte[]> contents, List<Integer> kinds) {
    ProcCapture capture = new ProcCapture();
    ProcFile[] files = ProcFile.values();
    for (int i = 0; i < files.length; i++) {
      ProcFile file = files[i];
      Bytes content = new Bytes(contents.get(i));
      switch (kinds.get(i)) {
        case 0 -> capture.without(file, Errno.EACCES);
        case 1 -> capture.withBeginning(file, content);
        default -> capture.with(file, content);
      }
    }
    return capture;
  }
}
