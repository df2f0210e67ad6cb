package io.lifespan.otel;

import io.lifespan.event.ProcessEvent;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.resources.Resource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Losses of events as log events: gathered, so that a storm of losses is not one of log events too.
 */
final class LossLog {

  /** Losses are told at most so often, each time the sum since the last. */
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final EventLog log;
  private final Resource self;
  private final Function<ProcessEvent.Loss.Where, LossCause> causes;
  private final LongSupplier epochClock;
  private final Map<ProcessEvent.Loss.Where, Long> lost =
      new EnumMap<>(ProcessEvent.Loss.Where.class);
  private long nextNanos = Long.MIN_VALUE;

  /**
   * @param self Lifespan's own Resource
   * @param causes says why events were lost
   * @param epochClock tells nanoseconds since the epoch
   */
  LossLog(
      EventLog log,
      Resource self,
      Function<ProcessEvent.Loss.Where, LossCause> causes,
      LongSupplier epochClock) {
    this.log = log;
    this.self = self;
    this.causes = causes;
    this.epochClock = epochClock;
  }

  /** Takes a loss, and tells of it if that is due. */
  void add(ProcessEvent.Loss loss) {
    lost.merge(loss.where(), loss.count(), Long::sum);
    tellIfDue(loss.timeNanos());
  }

  /** Tells of what has gathered, if that is due. */
  void tellIfDue(long nowNanos) {
    if (lost.isEmpty() || (nextNanos != Long.MIN_VALUE && nowNanos - nextNanos < 0)) {
      return;
    }
    nextNanos = nowNanos + INTERVAL_NANOS;
    Map<ProcessEvent.Loss.Where, Long> due = new EnumMap<>(lost);
    lost.clear();
    due.forEach(this::tell);
  }

  private void tell(ProcessEvent.Loss.Where where, long count) {
    LossCause cause = causes.apply(where);
    log.emit(
        Semconv.EVENT_LOSS,
        epochClock.getAsLong(),
        Severity.ERROR,
        String.format(
            Locale.ROOT,
            "%,d events were lost: %s; raise %s, now %,d%s",
            count,
            cause.text(),
            cause.setting(),
            cause.value(),
            cause.unit()),
        Attributes.of(
            Semconv.LOSS_COUNT, count,
            Semconv.LOSS_PLACE, HealthMetrics.word(where),
            Semconv.SETTING_NAME, cause.setting(),
            Semconv.SETTING_VALUE, Long.toString(cause.value())),
        SpanContext.getInvalid(),
        self);
  }
}
