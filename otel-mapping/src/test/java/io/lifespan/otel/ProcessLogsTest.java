package io.lifespan.otel;

import static io.lifespan.otel.Watch.BEGIN;
import static io.lifespan.otel.Watch.EPOCH_NANOS;
import static io.lifespan.otel.Watch.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.ReadWriteLogRecord;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ServiceAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which log events there are, and what they say. */
class ProcessLogsTest {

  private static final Resource SELF = Resource.builder().put("service.name", "lifespan").build();

  private final List<LogRecordData> told = new ArrayList<>();
  private ProcessLogs logs;

  @ParameterizedTest
  @CsvSource({
    "0x200, WARN, 'make exited with code 2 after 1.500 s', 2, 2",
    "0x9, ERROR, 'make was ended by SIGKILL after 1.500 s', 137, SIGKILL",
    "0xf, WARN, 'make was ended by SIGTERM after 1.500 s', 143, SIGTERM"
  })
  void aFailedExitIsToldWithTheIdsOfTheSpan(
      String status, Severity severity, String body, long code, String error) {
    Watch watch = watch(LogOptions.DEFAULT_EVENTS);
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "make", "OTEL_SERVICE_NAME=shop");
    watch.exit(BEGIN + 1_500, 20, Integer.decode(status));
    watch.table.settleAll();

    assertThat(told)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getEventName()).isEqualTo("lifespan.process.exit");
              assertThat(event.getSeverity()).isEqualTo(severity);
              assertThat(event.getSeverityText()).isEqualTo(severity.name());
              assertThat(event.getBodyValue().asString()).isEqualTo(body);
              assertThat(event.getTimestampEpochNanos())
                  .isEqualTo(EPOCH_NANOS + nanos(BEGIN + 1_500));
              assertThat(event.getObservedTimestampEpochNanos()).isEqualTo(7);
              assertThat(event.getSpanContext()).isEqualTo(watch.span(20).getSpanContext());
              assertThat(event.getResource().getAttribute(ServiceAttributes.SERVICE_NAME))
                  .isEqualTo("shop");
              assertThat(event.getInstrumentationScopeInfo().getName()).isEqualTo("io.lifespan");
              assertThat(attribute(event, "process.pid")).isEqualTo(20L);
              assertThat(attribute(event, "process.parent_pid")).isEqualTo(99L);
              assertThat(attribute(event, "process.executable.name")).isEqualTo("make");
              assertThat(attribute(event, "process.exit.code")).isEqualTo(code);
              assertThat(attribute(event, "error.type")).isEqualTo(error);
            });
  }

  @Test
  void aSuccessIsToldOnlyWhereEveryExitIsWanted() {
    Watch quiet = watch(LogOptions.DEFAULT_EVENTS);
    quiet.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, 0);
    quiet.table.settleAll();
    assertThat(told).isEmpty();

    Watch all = watch(EnumSet.of(LogEvent.EXIT));
    all.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, 0);
    all.table.settleAll();
    assertThat(told)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getSeverity()).isEqualTo(Severity.INFO);
              assertThat(attribute(event, "error.type")).isNull();
            });
  }

  @Test
  void aCoreDumpIsToldBesideTheExit() {
    Watch watch = watch(LogOptions.DEFAULT_EVENTS);
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "crash").exit(BEGIN + 2, 20, 0x8b);
    watch.table.settleAll();

    assertThat(told)
        .extracting(LogRecordData::getEventName)
        .containsExactly("lifespan.process.coredump", "lifespan.process.exit");
    assertThat(told.get(0).getSeverity()).isEqualTo(Severity.ERROR);
    assertThat(told.get(0).getBodyValue().asString()).isEqualTo("crash dumped core on SIGSEGV");
    assertThat(attribute(told.get(0), "lifespan.core_dump")).isEqualTo(true);
  }

  @Test
  void anExecAndAChangeOfIdsAreToldAtOnceWhereTheyAreWanted() {
    Watch watch = watch(EnumSet.of(LogEvent.EXEC, LogEvent.CREDENTIALS));
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "su");
    watch.apply(new ProcessEvent.Uid(nanos(BEGIN + 2), 20, 20, 1000, 0));
    watch.apply(new ProcessEvent.Gid(nanos(BEGIN + 3), 20, 20, 100, 50));

    assertThat(told)
        .extracting(event -> event.getBodyValue().asString())
        .containsExactly(
            "su executed /bin/su",
            "su runs as user 0 now, for user 1000",
            "su runs as group 50 now, for group 100");
    assertThat(told)
        .extracting(LogRecordData::getSeverity)
        .containsExactly(Severity.INFO, Severity.WARN, Severity.INFO);
    assertThat(attribute(told.get(1), "process.user.id")).isEqualTo(0L);
    assertThat(attribute(told.get(1), "process.real_user.id")).isEqualTo(1000L);
    assertThat(attribute(told.get(2), "lifespan.group.id")).isEqualTo(50L);
    assertThat(told.get(1).getTimestampEpochNanos()).isEqualTo(EPOCH_NANOS + nanos(BEGIN + 2));
  }

  @Test
  void aLongLivedProcessIsToldOnceBeforeItsSpanWithTheSameIds() {
    Watch watch = watch(LogOptions.DEFAULT_EVENTS);
    watch.findsKernelThread(2, "kthreadd").begin();
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "server");
    logs.tick(watch.table, nanos(BEGIN + 59_999));
    assertThat(told).isEmpty();

    logs.tick(watch.table, nanos(BEGIN + 61_000));
    logs.tick(watch.table, nanos(BEGIN + 120_000));

    assertThat(told)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getEventName()).isEqualTo("lifespan.process.start");
              assertThat(event.getBodyValue().asString())
                  .isEqualTo("server has run for more than 60 s: its span comes when it ends");
              assertThat(event.getTimestampEpochNanos()).isEqualTo(EPOCH_NANOS + nanos(BEGIN));
            });
    watch.exit(BEGIN + 130_000, 20, 0);
    assertThat(told.get(0).getSpanContext()).isEqualTo(watch.span(20).getSpanContext());
  }

  @Test
  void aLossNamesTheSettingThatWouldHavePreventedItAndItsValue() {
    Watch watch = watch(LogOptions.DEFAULT_EVENTS);
    watch.apply(loss(BEGIN, 1_234));

    assertThat(told)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getEventName()).isEqualTo("lifespan.events.lost");
              assertThat(event.getSeverity()).isEqualTo(Severity.ERROR);
              assertThat(event.getBodyValue().asString())
                  .isEqualTo(
                      "1,234 events were lost: it was full; raise the.setting, now 64 bytes");
              assertThat(event.getResource()).isEqualTo(SELF);
              assertThat(event.getSpanContext().isValid()).isFalse();
              assertThat(attribute(event, "lifespan.loss.count")).isEqualTo(1_234L);
              assertThat(attribute(event, "lifespan.loss.place")).isEqualTo("queue");
              assertThat(attribute(event, "lifespan.setting.name")).isEqualTo("the.setting");
              assertThat(attribute(event, "lifespan.setting.value")).isEqualTo("64");
            });
  }

  @Test
  void lossesAreToldEveryTenSecondsAtMostAndNoneIsLeftOut() {
    Watch watch = watch(LogOptions.DEFAULT_EVENTS);
    for (int i = 0; i < 100; i++) {
      watch.apply(loss(BEGIN + i, 10));
    }
    assertThat(told).hasSize(1);

    logs.tick(watch.table, nanos(BEGIN + 10_001));

    assertThat(told)
        .extracting(event -> attribute(event, "lifespan.loss.count"))
        .containsExactly(10L, 990L);
  }

  @Test
  void aReceiverThatThrowsDoesNotReachTheTable() {
    Watch watch =
        watch(
            LogOptions.DEFAULT_EVENTS,
            (context, event) -> {
              throw new IllegalStateException("refused");
            });
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, 1 << 8);
    watch.apply(loss(BEGIN + 2, 1));
    watch.table.settleAll();

    assertThat(logs.failed()).isEqualTo(2);
  }

  private static ProcessEvent.Loss loss(long millis, long count) {
    return new ProcessEvent.Loss(nanos(millis), count, ProcessEvent.Loss.Where.QUEUE);
  }

  private Watch watch(Set<LogEvent> events) {
    return watch(events, (context, event) -> told.add(event.toLogRecordData()));
  }

  private Watch watch(Set<LogEvent> events, Sink sink) {
    return new Watch(
        Watch.node(),
        spans -> {
          logs =
              new ProcessLogs(
                  new LogOptions(events, Duration.ofSeconds(60)),
                  spans,
                  new EventLog(sink, () -> 7),
                  SELF,
                  where -> new LossCause("it was full", "the.setting", 64, " bytes"),
                  () -> 7);
          return List.of(logs);
        });
  }

  /** A processor in one method. */
  private interface Sink extends LogRecordProcessor {
    @Override
    void onEmit(Context context, ReadWriteLogRecord event);
  }

  private static Object attribute(LogRecordData event, String name) {
    for (var entry : event.getAttributes().asMap().entrySet()) {
      AttributeKey<?> key = entry.getKey();
      if (key.getKey().equals(name)) {
        return entry.getValue();
      }
    }
    return null;
  }
}
