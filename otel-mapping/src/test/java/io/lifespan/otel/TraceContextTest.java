package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  @Test
  void aValidTraceparentIsRead() {
    SpanContext context =
        TraceContext.parse("00-" + TRACE + "-" + SPAN + "-01", "vendor=x,other=y");
    assertThat(context).isNotNull();
    assertThat(context.getTraceId()).isEqualTo(TRACE);
    assertThat(context.getSpanId()).isEqualTo(SPAN);
    assertThat(context.isSampled()).isTrue();
    assertThat(context.isRemote()).isTrue();
    assertThat(context.getTraceState().get("vendor")).isEqualTo("x");
    assertThat(context.getTraceState().get("other")).isEqualTo("y");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff",
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-brings"
      })
  void flagsAndFutureVersionsAreAccepted(String traceparent) {
    SpanContext context = TraceContext.parse(traceparent, null);
    assertThat(context).isNotNull();
    assertThat(context.getSpanId()).isEqualTo(SPAN);
    assertThat(context.isSampled()).isEqualTo(!traceparent.endsWith("-00"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "00",
        "garbage",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "0g-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-B7AD6B7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0X",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-011",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
        "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
        "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
        " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 "
      })
  void anInvalidTraceparentIsNone(String traceparent) {
    assertThat(TraceContext.parse(traceparent, null)).isNull();
  }

  @Test
  void noTraceparentIsNone() {
    assertThat(TraceContext.parse(null, "vendor=x")).isNull();
  }

  @Test
  void anInvalidTracestateIsLeftOut() {
    SpanContext context = TraceContext.parse("00-" + TRACE + "-" + SPAN + "-01", "=,broken");
    assertThat(context).isNotNull();
    assertThat(context.getTraceState().isEmpty()).isTrue();
  }

  @Test
  void whatIsHandedOnIsReadBack() {
    SpanContext context =
        SpanContext.createFromRemoteParent(
            TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault());
    assertThat(TraceContext.parse(TraceContext.traceparent(context), null)).isEqualTo(context);
  }
}
