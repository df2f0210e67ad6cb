package io.lifespan.otel;

import static io.lifespan.otel.Watch.BEGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which processes get a span, and which wait for one that fails. */
class SpanRulesTest {

  private static final int FAILED = 1 << 8;
  private static final int KILLED = 9;

  @Test
  void onlyFailedProcessesAreExportedWhereThatIsTheRule() {
    Watch watch = new Watch(Watch.node().withRules(rules(true, 0, 0, 100)));
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, 0);
    watch.fork(BEGIN + 2, 99, 21).exit(BEGIN + 3, 21, FAILED);
    watch.fork(BEGIN + 4, 99, 22).exit(BEGIN + 5, 22, KILLED);
    watch.table.settleAll();

    assertThat(watch.spans).hasSize(2);
    assertThat(watch.span(21).getStatus().getStatusCode().name()).isEqualTo("ERROR");
    assertThat(watch.span(22).getAttribute(Semconv.EXIT_SIGNAL_NAME)).isEqualTo("SIGKILL");
    assertThat(watch.listener.stats().leftOut()).isEqualTo(1);
  }

  @Test
  void shorterProcessesThanTheRuleSaysAreLeftOutAndCounted() {
    Watch watch = new Watch(Watch.node().withRules(rules(false, 100, 0, 100)));
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 99, 20, 0);
    watch.fork(BEGIN, 99, 21).exit(BEGIN + 100, 21, 0);
    watch.table.settleAll();

    assertThat(watch.spans).hasSize(1);
    assertThat(watch.span(21).getLatencyNanos()).isEqualTo(Watch.nanos(100));
    assertThat(watch.listener.stats().leftOut()).isEqualTo(1);
  }

  @Test
  void theKernelsOwnThreadsGetNoSpanUnlessThatIsWanted() {
    assertThat(kernelThreads(false).spans).isEmpty();
    assertThat(kernelThreads(false).listener.stats().kernelThreads()).isEqualTo(2);
    assertThat(kernelThreads(true).spans).hasSize(2);
    assertThat(kernelThreads(true).listener.stats().kernelThreads()).isZero();
  }

  private static Watch kernelThreads(boolean wanted) {
    SpanRules all = SpanRules.ALL;
    Watch watch =
        new Watch(
            Watch.node()
                .withRules(
                    new SpanRules(
                        false, all.minDuration(), all.record(), all.maxRecorded(), wanted)));
    watch.findsKernelThread(2, "kthreadd").begin();
    watch.fork(BEGIN + 1, 2, 20).exit(BEGIN + 2, 20, 0);
    watch.fork(BEGIN + 3, 2, 21).exit(BEGIN + 4, 21, 0);
    watch.table.settleAll();
    return watch;
  }

  @Test
  void aProgramThatTheKernelStartsIsNoThreadOfItsOwn() {
    Watch watch = new Watch(Watch.node());
    watch.findsKernelThread(2, "kthreadd").begin().fork(BEGIN + 1, 2, 20);
    watch.exec(BEGIN + 2, 20, "modprobe").exit(BEGIN + 3, 20, 0);

    assertThat(watch.span(20).getName()).isEqualTo("modprobe");
  }

  @Test
  void nothingIsExportedWhileNothingFails() {
    Watch watch = recording(60_000, 100);
    watch.fork(BEGIN, 99, 20).fork(BEGIN + 1, 20, 21).exit(BEGIN + 2, 21, 0);
    watch.exit(BEGIN + 3, 20, 0).table.settleAll();

    assertThat(watch.spans).isEmpty();
    assertThat(watch.listener.stats().recorded()).isEqualTo(2);
  }

  @Test
  void aFailureBringsItsSiblingsAndItsWholeAncestryAsOneTrace() {
    Watch watch = recording(60_000, 100);
    watch.fork(BEGIN, 99, 20).fork(BEGIN + 1, 20, 21);
    watch.fork(BEGIN + 2, 21, 30).fork(BEGIN + 3, 21, 31).fork(BEGIN + 4, 21, 32);
    watch.exit(BEGIN + 5, 30, 0).exit(BEGIN + 6, 31, KILLED).exit(BEGIN + 7, 32, 0);
    watch.table.settleAll();
    assertThat(watch.spans)
        .as("the older sibling, the one that was killed, the sibling alive then")
        .extracting(span -> span.getAttribute(ProcessIncubatingAttributes.PROCESS_PID))
        .containsExactly(30L, 31L, 32L);
    watch.exit(BEGIN + 8, 21, 0).exit(BEGIN + 9, 20, 0).table.settleAll();

    assertThat(watch.spans).hasSize(5);
    assertThat(watch.spans).extracting(ProcessSpan::getTraceId).containsOnly(traceOf(watch, 20));
    assertThat(watch.span(31).getParentSpanId()).isEqualTo(watch.span(21).getSpanId());
    assertThat(watch.span(21).getParentSpanId()).isEqualTo(watch.span(20).getSpanId());
    assertThat(watch.listener.stats().recorded()).isZero();
  }

  @Test
  void whatStartsAfterTheFailureWaitsForTheNextOne() {
    Watch watch = recording(60_000, 100);
    watch.fork(BEGIN, 99, 20).fork(BEGIN + 1, 20, 21).exit(BEGIN + 2, 21, FAILED);
    watch.fork(BEGIN + 3, 20, 22).exit(BEGIN + 4, 22, 0).table.settleAll();
    assertThat(watch.spans).hasSize(1);
    watch.fork(BEGIN + 5, 20, 23).exit(BEGIN + 6, 23, FAILED).table.settleAll();

    assertThat(watch.spans).hasSize(3);
  }

  @Test
  void anotherTraceIsNotTouchedByAFailure() {
    Watch watch = recording(60_000, 100);
    watch.finds(9, 1, 0, "bash").finds(10, 1, 0, "cron").begin();
    watch.fork(BEGIN + 1, 9, 20).exit(BEGIN + 2, 20, 0);
    watch.fork(BEGIN + 3, 10, 21).exit(BEGIN + 4, 21, FAILED).table.settleAll();

    assertThat(watch.spans).hasSize(1);
    assertThat(watch.listener.stats().recorded()).isEqualTo(1);
  }

  @Test
  void whatEndedLongerAgoThanIsRecordedIsGone() {
    Watch watch = recording(1_000, 100);
    watch.fork(BEGIN, 99, 20).fork(BEGIN + 1, 20, 21).fork(BEGIN + 2, 20, 22);
    watch.exit(BEGIN + 3, 21, 0).exit(BEGIN + 1_500, 22, 0).fork(BEGIN + 1_600, 20, 23);
    watch.exit(BEGIN + 1_700, 23, FAILED).table.settleAll();

    assertThat(watch.spans).hasSize(2);
    assertThat(watch.listener.stats().expired()).isEqualTo(1);
  }

  @Test
  void theRecorderIsBoundedAndCountsWhatMakesRoom() {
    Watch watch = recording(60_000, 10);
    watch.fork(BEGIN, 99, 20);
    for (int i = 0; i < 30; i++) {
      watch.fork(BEGIN + 1 + 2L * i, 20, 100 + i).exit(BEGIN + 2 + 2L * i, 100 + i, 0);
    }
    watch.table.settleAll();
    assertThat(watch.listener.stats().recorded()).isEqualTo(10);
    assertThat(watch.listener.stats().evicted()).isEqualTo(20);
    watch.exit(BEGIN + 100, 20, FAILED).table.settleAll();

    assertThat(watch.spans).hasSize(11);
    assertThat(watch.listener.stats().recorded()).isZero();
  }

  @Test
  void aQuickFailureIsNotLeftOutOfARecording() {
    Watch watch = new Watch(Watch.node().withRules(rules(false, 100, 60_000, 100)));
    watch.fork(BEGIN, 99, 20).fork(BEGIN + 1, 20, 21).exit(BEGIN + 2, 21, FAILED);
    watch.exit(BEGIN + 200, 20, 0).table.settleAll();

    assertThat(watch.spans).hasSize(2);
  }

  @Test
  void rulesThatContradictEachOtherAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> rules(true, 0, 1_000, 100));
  }

  @Test
  void aTraceThatIsNotSampledIsNotRecordedEither() {
    Watch watch =
        new Watch(
            Watch.node().withSampler(new TraceSampler(true, 0)).withRules(rules(false, 0, 1, 9)));
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, FAILED).table.settleAll();

    assertThat(watch.spans).isEmpty();
    assertThat(watch.listener.stats().unsampled()).isEqualTo(1);
  }

  private static Watch recording(long millis, int most) {
    return new Watch(Watch.node().withRules(rules(false, 0, millis, most)));
  }

  private static SpanRules rules(
      boolean onlyFailed, long minMillis, long recordMillis, int maxRecorded) {
    return new SpanRules(
        onlyFailed,
        Duration.ofMillis(minMillis),
        Duration.ofMillis(recordMillis),
        maxRecorded,
        false);
  }

  private static String traceOf(Watch watch, int pid) {
    return watch.span(pid).getTraceId();
  }
}
