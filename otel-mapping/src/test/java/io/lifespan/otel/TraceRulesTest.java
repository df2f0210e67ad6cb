package io.lifespan.otel;

import static io.lifespan.otel.Watch.BEGIN;
import static io.lifespan.otel.Watch.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.process.ProcessKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.trace.data.LinkData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To which trace a process belongs, and below which span. */
class TraceRulesTest {

  private static final String REMOTE_TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String REMOTE_SPAN = "b7ad6b7169203331";
  private static final String TRACEPARENT =
      "TRACEPARENT=00-" + REMOTE_TRACE + "-" + REMOTE_SPAN + "-01";

  private final Watch watch = new Watch(Watch.node());

  @Test
  void idsAreThoseOfTheProcesses() {
    watch.finds(9, 1, 0, "sshd").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "sh");
    watch.fork(BEGIN + 20, 20, 21).exec(BEGIN + 21, 21, "make");
    watch.exit(BEGIN + 30, 21, 0).exit(BEGIN + 40, 20, 0);

    ProcessKey shell = key(20, BEGIN + 10);
    assertThat(watch.span(20).getTraceId()).isEqualTo(watch.identity.traceId(shell));
    assertThat(watch.span(20).getSpanId()).isEqualTo(watch.identity.spanId(shell));
    assertThat(watch.span(21).getTraceId()).isEqualTo(watch.identity.traceId(shell));
    assertThat(watch.span(21).getSpanId()).isEqualTo(watch.identity.spanId(key(21, BEGIN + 20)));
    assertThat(watch.span(21).getParentSpanId()).isEqualTo(watch.identity.spanId(shell));
    assertThat(watch.span(21).getLinks()).isEmpty();
    assertThat(watch.span(21).getAttribute(Semconv.DEPTH)).isEqualTo(1);
  }

  @Test
  void aChildMayBeExportedBeforeItsParent() {
    watch.finds(9, 1, 0, "sshd").begin();
    watch.fork(BEGIN + 10, 9, 20).fork(BEGIN + 20, 20, 21).exit(BEGIN + 30, 21, 0);
    watch.table.settleAll();
    assertThat(watch.spans).hasSize(1);
    watch.exit(BEGIN + 500, 20, 0);
    assertThat(watch.span(21).getParentSpanId()).isEqualTo(watch.span(20).getSpanId());
  }

  @Test
  void aChildOfAProcessFromBeforeTheWatchBeginsALinkedTrace() {
    watch.finds(9, 1, BEGIN - 100, "sshd").begin();
    watch.fork(BEGIN + 10, 9, 20).exit(BEGIN + 30, 20, 0);

    ProcessSpan span = watch.span(20);
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getAttribute(Semconv.DEPTH)).isZero();
    ProcessKey daemon = key(9, BEGIN - 100);
    assertLink(
        span, "long_lived_parent", watch.identity.traceId(daemon), watch.identity.spanId(daemon));
  }

  @Test
  void aChildOfInitBeginsALinkedTraceHoweverYoungInitIs() {
    Watch container = new Watch(SpanOptions.node(0, "node"));
    container.fork(BEGIN, 0, 1).fork(BEGIN + 10, 1, 20).exit(BEGIN + 30, 20, 0);
    assertLink(
        container.span(20),
        "long_lived_parent",
        container.identity.traceId(key(1, BEGIN)),
        container.identity.spanId(key(1, BEGIN)));
  }

  @Test
  void aParentIsLongLivedFromItsSixtiethSecondOn() {
    watch.finds(9, 1, 0, "sshd").begin();
    watch.fork(BEGIN + 10, 9, 20);
    watch.fork(BEGIN + 60_009, 20, 21).exit(BEGIN + 60_020, 21, 0);
    watch.fork(BEGIN + 60_010, 20, 22).exit(BEGIN + 60_030, 22, 0);
    assertThat(watch.span(21).getParentSpanId())
        .isEqualTo(watch.identity.spanId(key(20, BEGIN + 10)));
    assertThat(watch.span(22).getParentSpanContext().isValid()).isFalse();
    assertThat(watch.span(22).getTraceId())
        .isEqualTo(watch.identity.traceId(key(22, BEGIN + 60_010)));
    assertThat(watch.span(22).getLinks()).hasSize(1);
  }

  @Test
  void aProcessWhoseParentIsUnknownBeginsATrace() {
    watch.fork(BEGIN + 10, 99, 20).exit(BEGIN + 20, 20, 0);
    assertThat(watch.span(20).getTraceId()).isEqualTo(watch.identity.traceId(key(20, BEGIN + 10)));
    assertThat(watch.span(20).getLinks()).isEmpty();
  }

  @Test
  void aFreshTraceparentIsJoined() {
    watch.finds(9, 1, 0, "server").begin();
    watch.fork(BEGIN + 10, 9, 20);
    watch.exec(BEGIN + 11, 20, "convert", TRACEPARENT, "TRACESTATE=vendor=x");
    watch.fork(BEGIN + 20, 20, 21).exec(BEGIN + 21, 21, "gs", TRACEPARENT);
    watch.exit(BEGIN + 30, 21, 0).exit(BEGIN + 40, 20, 0);

    ProcessSpan joined = watch.span(20);
    assertThat(joined.getTraceId()).isEqualTo(REMOTE_TRACE);
    assertThat(joined.getParentSpanId()).isEqualTo(REMOTE_SPAN);
    assertThat(joined.getParentSpanContext().isRemote()).isTrue();
    assertThat(joined.getSpanContext().getTraceState().get("vendor")).isEqualTo("x");
    assertThat(joined.getAttribute(Semconv.DEPTH)).isZero();
    ProcessSpan below = watch.span(21);
    assertThat(below.getTraceId()).isEqualTo(REMOTE_TRACE);
    assertThat(below.getParentSpanId()).isEqualTo(joined.getSpanId());
    assertThat(below.getSpanContext().getTraceState().get("vendor")).isEqualTo("x");
  }

  @Test
  void whoJoinsKeepsALinkToTheProcessThatMadeIt() {
    watch.finds(9, 1, 0, "sshd").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "sh");
    watch.fork(BEGIN + 20, 20, 21).exec(BEGIN + 21, 21, "curl", TRACEPARENT);
    watch.exit(BEGIN + 30, 21, 0);
    ProcessKey shell = key(20, BEGIN + 10);
    assertLink(
        watch.span(21),
        "process_parent",
        watch.identity.traceId(shell),
        watch.identity.spanId(shell));
  }

  @Test
  void anInheritedTraceparentChangesNothing() {
    watch.finds(9, 1, 0, "server", TRACEPARENT).begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "sh", TRACEPARENT);
    watch.exit(BEGIN + 40, 20, 0);
    assertThat(watch.span(20).getTraceId()).isEqualTo(watch.identity.traceId(key(20, BEGIN + 10)));
  }

  @Test
  void aTraceparentIsInheritedThroughAProcessWhoseEnvironmentWasNotSeen() {
    watch.finds(9, 1, 0, "server").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "sh", TRACEPARENT);
    watch.fork(BEGIN + 20, 20, 21).exec(BEGIN + 21, 21, Captured.nothingBut(21, "x"));
    watch.fork(BEGIN + 30, 21, 22).exec(BEGIN + 31, 22, "y", TRACEPARENT);
    watch.exit(BEGIN + 40, 22, 0).exit(BEGIN + 41, 21, 0).exit(BEGIN + 42, 20, 0);
    assertThat(watch.span(22).getParentSpanId()).isEqualTo(watch.span(21).getSpanId());
    assertThat(watch.span(21).getParentSpanId()).isEqualTo(watch.span(20).getSpanId());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRACEPARENT=",
        "TRACEPARENT=nonsense",
        "TRACEPARENT=00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "TRACEPARENT=00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "OTEL_SERVICE_NAME=x"
      })
  void anInvalidTraceparentChangesNothing(String variable) {
    watch.finds(9, 1, 0, "server").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "sh", variable).exit(BEGIN + 20, 20, 0);
    assertThat(watch.span(20).getTraceId()).isEqualTo(watch.identity.traceId(key(20, BEGIN + 10)));
    assertThat(watch.span(20).getLinks()).hasSize(1);
  }

  @Test
  void aTraceparentOfAnInstrumentedParentPutsTheChildBelowItsSpan() {
    String inner = "TRACEPARENT=00-" + REMOTE_TRACE + "-1111111111111111-01";
    watch.finds(9, 1, 0, "server").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "app", TRACEPARENT);
    watch.fork(BEGIN + 20, 20, 21).exec(BEGIN + 21, 21, "tool", inner);
    watch.exit(BEGIN + 30, 21, 0);
    assertThat(watch.span(21).getTraceId()).isEqualTo(REMOTE_TRACE);
    assertThat(watch.span(21).getParentSpanId()).isEqualTo("1111111111111111");
    assertThat(watch.span(21).getLinks()).isEmpty();
  }

  @Test
  void aTraceparentThatComesAfterTheFirstChildIsOnlyALink() {
    watch.finds(9, 1, 0, "sshd").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "sh").fork(BEGIN + 12, 20, 21);
    watch.exec(BEGIN + 13, 20, "app", TRACEPARENT);
    watch.exit(BEGIN + 30, 21, 0).exit(BEGIN + 31, 20, 0);
    assertThat(watch.span(21).getTraceId()).isEqualTo(watch.span(20).getTraceId());
    assertLink(watch.span(20), "late_traceparent", REMOTE_TRACE, REMOTE_SPAN);
  }

  @Test
  void aTraceThatIsNotSampledIsNotExportedButCounted() {
    watch.finds(9, 1, 0, "server").begin();
    watch.fork(BEGIN + 10, 9, 20);
    watch.exec(BEGIN + 11, 20, "x", "TRACEPARENT=00-" + REMOTE_TRACE + "-" + REMOTE_SPAN + "-00");
    watch.fork(BEGIN + 12, 20, 21).exit(BEGIN + 20, 21, 0).exit(BEGIN + 30, 20, 0);
    watch.table.settleAll();
    assertThat(watch.spans).isEmpty();
    assertThat(watch.listener.stats().unsampled()).isEqualTo(2);
  }

  @Test
  void aFullTraceGoesOnInLinkedTraces() {
    Watch small = new Watch(withMaxSpans(3));
    small.fork(BEGIN, 99, 20);
    for (int pid = 21; pid < 25; pid++) {
      small.fork(BEGIN + pid, 20, pid).exit(BEGIN + 100 + pid, pid, 0);
    }
    small.fork(BEGIN + 50, 24, 30).exit(BEGIN + 200, 30, 0);
    String trace = small.identity.traceId(key(20, BEGIN));
    assertThat(small.span(22).getTraceId()).isEqualTo(trace);
    assertThat(small.span(23).getTraceId()).isEqualTo(small.identity.traceId(key(23, BEGIN + 23)));
    assertThat(small.span(23).getParentSpanContext().isValid()).isFalse();
    assertLink(small.span(23), "trace_full", trace, small.identity.spanId(key(20, BEGIN)));
    assertThat(small.span(30).getTraceId()).isEqualTo(small.span(24).getTraceId());
    assertThat(small.span(30).getParentSpanId()).isEqualTo(small.span(24).getSpanId());
    assertThat(small.listener.stats().tracesSplit()).isEqualTo(2);
  }

  @Test
  void theBoundHoldsForTracesBegunElsewhere() {
    Watch small = new Watch(withMaxSpans(1));
    for (int pid = 20; pid < 22; pid++) {
      small.fork(BEGIN + pid, 99, pid).exec(BEGIN + pid, pid, "x", TRACEPARENT);
      small.exit(BEGIN + 100 + pid, pid, 0);
    }
    assertThat(small.span(20).getTraceId()).isEqualTo(REMOTE_TRACE);
    assertLink(small.span(21), "trace_full", REMOTE_TRACE, REMOTE_SPAN);
  }

  @Test
  void aCommandAndItsDescendantsAreOneTraceHoweverLongItLives() {
    ProcessKey root = key(50, BEGIN);
    Watch run = new Watch(SpanOptions.subtree(new TraceScope.Subtree(root, null), "make"));
    run.table.adoptRoot(50, root.startTicks(), 40, null);
    run.exec(BEGIN + 1, 50, "make", handed(run, root, run.identity.traceId(root)));
    run.fork(BEGIN + 300_000, 50, 51);
    run.exec(BEGIN + 300_001, 51, "cc", handed(run, root, run.identity.traceId(root)));
    run.exit(BEGIN + 300_010, 51, 0).exit(BEGIN + 300_020, 50, 0);

    assertThat(run.span(50).getTraceId()).isEqualTo(run.identity.traceId(root));
    assertThat(run.span(50).getParentSpanContext().isValid()).isFalse();
    assertThat(run.span(50).getLinks()).isEmpty();
    assertThat(run.span(51).getTraceId()).isEqualTo(run.identity.traceId(root));
    assertThat(run.span(51).getParentSpanId()).isEqualTo(run.span(50).getSpanId());
  }

  @Test
  void whatAServiceStartsBeginsATraceOrJoinsTheOneItIsGivenAndTheServiceGetsNoSpan() {
    ProcessKey service = key(50, BEGIN);
    SpanOptions options = SpanOptions.node(0, "shop");
    Watch within =
        new Watch(
            new SpanOptions(
                new TraceScope.Descendants(service),
                options.longLivedAfter(),
                options.arguments(),
                options.maxSpansInTrace(),
                options.defaultServiceName()));
    within.table.adoptRoot(50, service.startTicks(), 40, null);
    within.fork(BEGIN + 10, 40, 49);
    within.fork(BEGIN + 100_000, 50, 51).exec(BEGIN + 100_001, 51, "sh");
    within.fork(BEGIN + 100_002, 51, 52).exec(BEGIN + 100_003, 52, "ls");
    within.fork(BEGIN + 100_010, 50, 53).exec(BEGIN + 100_011, 53, "jspawnhelper");
    within.exec(BEGIN + 100_012, 53, "sh", TRACEPARENT);
    within.fork(BEGIN + 100_013, 53, 54).exec(BEGIN + 100_014, 54, "ls", TRACEPARENT);
    within.exit(BEGIN + 100_020, 52, 0).exit(BEGIN + 100_021, 51, 0);
    within.exit(BEGIN + 100_022, 54, 0).exit(BEGIN + 100_023, 53, 0);
    within.exit(BEGIN + 100_024, 50, 0);

    assertThat(within.span(51).getParentSpanContext().isValid()).isFalse();
    assertThat(within.span(51).getTraceId())
        .isEqualTo(within.identity.traceId(key(51, BEGIN + 100_000)));
    assertThat(within.span(51).getLinks()).isEmpty();
    assertThat(within.span(52).getParentSpanId()).isEqualTo(within.span(51).getSpanId());
    assertThat(within.span(53).getTraceId()).isEqualTo(REMOTE_TRACE);
    assertThat(within.span(53).getParentSpanId()).isEqualTo(REMOTE_SPAN);
    assertThat(within.span(54).getParentSpanId()).isEqualTo(within.span(53).getSpanId());
    assertThat(within.spans).hasSize(4);
  }

  @Test
  void aCommandStandsBelowTheSpanThatRunWasGiven() {
    ProcessKey root = key(50, BEGIN);
    SpanContext given =
        SpanContext.createFromRemoteParent(
            REMOTE_TRACE,
            REMOTE_SPAN,
            TraceFlags.getSampled(),
            TraceState.builder().put("vendor", "x").build());
    Watch run = new Watch(SpanOptions.subtree(new TraceScope.Subtree(root, given), "make"));
    run.table.adoptRoot(50, root.startTicks(), 40, null);
    run.exec(BEGIN + 1, 50, "make", handed(run, root, REMOTE_TRACE));
    run.exit(BEGIN + 20, 50, 0);
    assertThat(run.span(50).getTraceId()).isEqualTo(REMOTE_TRACE);
    assertThat(run.span(50).getParentSpanContext()).isEqualTo(given);
    assertThat(run.span(50).getSpanContext().getTraceState().get("vendor")).isEqualTo("x");
  }

  @Test
  void aDescendantSeenFirstWithTheContextOfTheCommandStaysBelowItsOwnParent() {
    ProcessKey root = key(50, BEGIN);
    Watch run = new Watch(SpanOptions.subtree(new TraceScope.Subtree(root, null), "make"));
    run.table.adoptRoot(50, root.startTicks(), 40, null);
    run.exec(BEGIN + 1, 50, Captured.nothingBut(50, "make"));
    run.fork(BEGIN + 2, 50, 51).fork(BEGIN + 3, 51, 52);
    run.exec(BEGIN + 4, 52, "cc", handed(run, root, run.identity.traceId(root)));
    run.exit(BEGIN + 5, 52, 0).exit(BEGIN + 6, 51, 0);
    assertThat(run.span(52).getParentSpanId()).isEqualTo(run.span(51).getSpanId());
  }

  @Test
  void anAgentGivesTheCommandOfRunTheIdsThatRunGivesIt() {
    watch.finds(40, 9, 0, "lifespan", TRACEPARENT).begin();
    ProcessKey command = key(50, BEGIN + 10);
    watch.fork(BEGIN + 10, 40, 50);
    watch.exec(BEGIN + 11, 50, "make", handed(watch, command, REMOTE_TRACE));
    watch.fork(BEGIN + 20, 50, 51).exit(BEGIN + 21, 51, 0).exit(BEGIN + 30, 50, 0);
    assertThat(watch.span(50).getTraceId()).isEqualTo(REMOTE_TRACE);
    assertThat(watch.span(50).getSpanId()).isEqualTo(watch.identity.spanId(command));
    assertThat(watch.span(50).getParentSpanId()).isEqualTo(REMOTE_SPAN);
    assertThat(watch.span(51).getParentSpanId()).isEqualTo(watch.span(50).getSpanId());
  }

  @Test
  void aCommandOfRunWithoutARemoteParentIsTheTopOfItsTraceForAnAgentToo() {
    watch.finds(40, 9, 0, "lifespan").begin();
    ProcessKey command = key(50, BEGIN + 10);
    watch.fork(BEGIN + 10, 40, 50);
    watch.exec(BEGIN + 11, 50, "make", handed(watch, command, watch.identity.traceId(command)));
    watch.exit(BEGIN + 30, 50, 0);
    assertThat(watch.span(50).getTraceId()).isEqualTo(watch.identity.traceId(command));
    assertThat(watch.span(50).getParentSpanContext().isValid()).isFalse();
  }

  private static String handed(Watch watch, ProcessKey root, String traceId) {
    return "TRACEPARENT=00-" + traceId + "-" + watch.identity.spanId(root) + "-01";
  }

  private static SpanOptions withMaxSpans(int max) {
    SpanOptions options = SpanOptions.node(0, "node");
    return new SpanOptions(
        options.scope(),
        options.longLivedAfter(),
        options.arguments(),
        max,
        options.defaultServiceName());
  }

  private static void assertLink(ProcessSpan span, String reason, String traceId, String spanId) {
    assertThat(span.getLinks()).hasSize(1);
    LinkData link = span.getLinks().get(0);
    assertThat(link.getAttributes().get(Semconv.LINK_REASON)).isEqualTo(reason);
    assertThat(link.getSpanContext().getTraceId()).isEqualTo(traceId);
    assertThat(link.getSpanContext().getSpanId()).isEqualTo(spanId);
  }
}
