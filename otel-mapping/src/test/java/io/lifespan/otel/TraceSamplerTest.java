package io.lifespan.otel;

import static io.lifespan.otel.Watch.BEGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lifespan.process.ProcessKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceSamplerTest {

  private static final String HIGH = "00000000000000017fffffffffffffff";
  private static final String LOW = "00000000000000010000000000000001";

  /** The names of the specification; a given trace that is sampled, one that is not. */
  @ParameterizedTest
  @CsvSource({
    "always_on, true, true, true",
    "always_off, false, false, false",
    "traceidratio, false, false, false",
    "parentbased_always_on, true, true, false",
    "parentbased_always_off, false, true, false",
    "parentbased_traceidratio, false, true, false"
  })
  void theNameDecides(String name, boolean begun, boolean sampledGiven, boolean otherGiven) {
    TraceSampler sampler = Objects.requireNonNull(TraceSampler.of(name, 0.5));

    assertThat(sampler.begin(HIGH).isSampled()).isEqualTo(begun);
    assertThat(sampler.join(given(true)).isSampled()).isEqualTo(sampledGiven);
    assertThat(sampler.join(given(false)).isSampled()).isEqualTo(otherGiven);
    assertThat(TraceSampler.names()).contains(name);
  }

  @Test
  void theRatioFollowsTheTraceId() {
    TraceSampler sampler = new TraceSampler(true, 0.5);

    assertThat(sampler.begin(LOW).isSampled()).isTrue();
    assertThat(sampler.begin(HIGH).isSampled()).isFalse();
  }

  @Test
  void aboutTheShareAskedForIsExported() {
    TraceIdentity identity = new TraceIdentity("boot");
    TraceSampler sampler = new TraceSampler(true, 0.1);
    int sampled = 0;
    for (int pid = 1; pid <= 10_000; pid++) {
      sampled += sampler.begin(identity.traceId(new ProcessKey(pid, 5))).isSampled() ? 1 : 0;
    }
    assertThat(sampled).isCloseTo(1_000, within(200));
  }

  @Test
  void aTraceIsExportedWholeOrNotAtAll() {
    Watch watch = new Watch(Watch.node().withSampler(new TraceSampler(true, 0.5)));
    watch.finds(9, 1, 0, "bash").begin();
    for (int i = 0; i < 100; i++) {
      int parent = 1_000 + 2 * i;
      watch.fork(BEGIN + 10L * i, 9, parent).fork(BEGIN + 10L * i + 1, parent, parent + 1);
      watch.exit(BEGIN + 10L * i + 2, parent + 1, 0).exit(BEGIN + 10L * i + 3, parent, 0);
    }
    watch.table.settleAll();

    int exported = watch.spans.size();
    assertThat(exported).isBetween(20, 180).isEven();
    assertThat(watch.listener.stats().unsampled()).isEqualTo(200 - exported);
    assertThat(watch.spans).allMatch(span -> span.getSpanContext().isSampled());
  }

  @Test
  void aTraceparentThatIsNotSampledIsOverruledByAlwaysOn() {
    Watch watch = new Watch(Watch.node().withSampler(new TraceSampler(false, 1)));
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN, 9, 20);
    watch.exec(BEGIN + 1, 20, "make", "TRACEPARENT=00-" + LOW + "-00000000000000aa-00");
    watch.exit(BEGIN + 2, 20, 0);

    assertThat(watch.span(20).getTraceId()).isEqualTo(LOW);
    assertThat(watch.span(20).getSpanContext().isSampled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"xray", "parentbased_jaeger_remote", "", "parentbased_"})
  void anotherNameIsNone(String name) {
    assertThat(TraceSampler.of(name, 1)).isNull();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void aShareIsFromNoneToAll(double share) {
    assertThatIllegalArgumentException().isThrownBy(() -> new TraceSampler(true, share));
  }

  private static SpanContext given(boolean sampled) {
    return SpanContext.createFromRemoteParent(
        HIGH,
        "00000000000000aa",
        sampled ? TraceFlags.getSampled() : TraceFlags.getDefault(),
        TraceState.getDefault());
  }
}
