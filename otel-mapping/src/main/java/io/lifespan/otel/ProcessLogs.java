package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_CREATION_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_PATH;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_CODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PARENT_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_REAL_USER_ID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_USER_ID;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.Signal;
import io.lifespan.process.LifeEvent;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.Observed;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ErrorAttributes;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Makes log events of what must be seen before a span comes, or beside it: each carries the ids of
 * the process's span. To be told after {@link ProcessSpans}, whose knowledge of a process it
 * shares.
 *
 * <p>To be called on the process table's thread only.
 */
public final class ProcessLogs implements LifecycleListener {

  /** How often the living are looked through for those that have become long-lived. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LogOptions options;
  private final Set<LogEvent> wanted;
  private final ProcessSpans spans;
  private final EventLog log;
  private final LossLog losses;
  private final LongSupplier epochClock;
  private final IsoTime times = new IsoTime();
  private final AtomicLong failed = new AtomicLong();
  private long nextLookNanos = Long.MIN_VALUE;

  /**
   * @param self Lifespan's own Resource, which losses belong to
   * @param causes says why events were lost
   * @param epochClock tells nanoseconds since the epoch
   */
  public ProcessLogs(
      LogOptions options,
      ProcessSpans spans,
      EventLog log,
      Resource self,
      Function<ProcessEvent.Loss.Where, LossCause> causes,
      LongSupplier epochClock) {
    this.options = options;
    this.wanted = options.events();
    this.spans = spans;
    this.log = log;
    this.losses = new LossLog(log, self, causes, epochClock);
    this.epochClock = epochClock;
  }

  @Override
  public void executed(TrackedProcess process) {
    if (wanted.contains(LogEvent.EXEC)) {
      tell(process, this::exec);
    }
  }

  @Override
  public void changed(TrackedProcess process, LifeEvent event) {
    boolean ids = event.kind() == EventKind.UID || event.kind() == EventKind.GID;
    if (ids && wanted.contains(LogEvent.CREDENTIALS)) {
      tell(process, (of, command) -> credentials(of, command, event));
    }
  }

  @Override
  public void ended(TrackedProcess process) {
    WaitStatus status = process.status();
    if (status == null || process.endObserved() == Observed.NOT_YET) {
      return;
    }
    if (status.coreDumped() && wanted.contains(LogEvent.CORE_DUMP)) {
      tell(process, (of, command) -> coreDump(of, command, status));
    }
    if (wanted.contains(LogEvent.EXIT)
        || (!status.success() && wanted.contains(LogEvent.FAILED_EXIT))) {
      tell(process, (of, command) -> exit(of, command, status));
    }
  }

  @Override
  public void eventsLost(ProcessEvent.Loss loss) {
    if (wanted.contains(LogEvent.LOSS)) {
      guarded(() -> losses.add(loss));
    }
  }

  /**
   * Tells what is due: losses that gathered, and processes that have become long-lived. To be
   * called on the table's thread, as often as is convenient.
   */
  public void tick(ProcessTable table, long nowNanos) {
    guarded(() -> losses.tellIfDue(nowNanos));
    if (wanted.contains(LogEvent.START)
        && (nextLookNanos == Long.MIN_VALUE || nowNanos - nextLookNanos >= 0)) {
      nextLookNanos = nowNanos + LOOK_NANOS;
      table.forEachAlive(process -> tellIfLongLived(process, nowNanos));
    }
  }

  /** How many events could not be told: a fault of ours. */
  public long failed() {
    return failed.get();
  }

  private interface Teller {
    void tell(TrackedProcess process, Command command);
  }

  private void tell(TrackedProcess process, Teller teller) {
    guarded(
        () -> {
          Command command = spans.command(process);
          if (command != null) {
            teller.tell(process, command);
          }
        });
  }

  private void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  private void exec(TrackedProcess process, Command command) {
    String what = command.executablePath() == null ? "a program" : command.executablePath();
    emit(
        Semconv.EVENT_EXEC,
        epochClock.getAsLong(),
        Severity.INFO,
        spans.name(process, command) + " executed " + what,
        about(process, command).build(),
        process,
        command);
  }

  private void credentials(TrackedProcess process, Command command, LifeEvent event) {
    boolean user = event.kind() == EventKind.UID;
    long real = Integer.toUnsignedLong(event.first());
    long effective = Integer.toUnsignedLong(event.second());
    AttributesBuilder attributes = about(process, command);
    attributes.put(user ? PROCESS_REAL_USER_ID : Semconv.REAL_GROUP_ID, real);
    attributes.put(user ? PROCESS_USER_ID : Semconv.GROUP_ID, effective);
    boolean toRoot = user && effective == 0;
    emit(
        Semconv.EVENT_CREDENTIALS,
        process.epochNanos(event.timeNanos()),
        toRoot ? Severity.WARN : Severity.INFO,
        "%s runs as %s %d now, for %s %d"
            .formatted(
                spans.name(process, command),
                user ? "user" : "group",
                effective,
                user ? "user" : "group",
                real),
        attributes.build(),
        process,
        command);
  }

  private void coreDump(TrackedProcess process, Command command, WaitStatus status) {
    emit(
        Semconv.EVENT_COREDUMP,
        process.endEpochNanos(),
        Severity.ERROR,
        spans.name(process, command) + " dumped core on " + Signal.name(status.signal()),
        outcome(process, command, status),
        process,
        command);
  }

  private void exit(TrackedProcess process, Command command, WaitStatus status) {
    emit(
        Semconv.EVENT_EXIT,
        process.endEpochNanos(),
        ExitWords.severity(status),
        spans.name(process, command)
            + ExitWords.how(status)
            + " after "
            + ExitWords.lifetime(process),
        outcome(process, command, status),
        process,
        command);
  }

  private void tellIfLongLived(TrackedProcess process, long nowNanos) {
    if (nowNanos - process.startNanos() >= options.longLivedAfter().toNanos()
        && spans.tellsStartNow(process)) {
      tell(process, this::start);
    }
  }

  private void start(TrackedProcess process, Command command) {
    AttributesBuilder attributes = about(process, command);
    attributes.put(PROCESS_CREATION_TIME, times.of(process.startEpochNanos()));
    emit(
        Semconv.EVENT_START,
        process.startEpochNanos(),
        Severity.INFO,
        "%s has run for more than %d s: its span comes when it ends"
            .formatted(spans.name(process, command), options.longLivedAfter().toSeconds()),
        attributes.build(),
        process,
        command);
  }

  private void emit(
      String name,
      long epochNanos,
      Severity severity,
      String body,
      Attributes attributes,
      TrackedProcess process,
      Command command) {
    SpanContext span = spans.spanContext(process);
    log.emit(
        name,
        epochNanos,
        severity,
        body,
        attributes,
        span == null ? SpanContext.getInvalid() : span,
        command.resource());
  }

  /** What is said of a process in every event. */
  static AttributesBuilder about(TrackedProcess process, Command command) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(PROCESS_PID, process.key().pid());
    if (process.parentPid() != null) {
      attributes.put(PROCESS_PARENT_PID, process.parentPid().longValue());
    }
    attributes.put(PROCESS_EXECUTABLE_NAME, command.executableName());
    attributes.put(PROCESS_EXECUTABLE_PATH, command.executablePath());
    return attributes;
  }

  private static Attributes outcome(TrackedProcess process, Command command, WaitStatus status) {
    AttributesBuilder attributes = about(process, command);
    attributes.put(PROCESS_EXIT_CODE, status.exitCode());
    if (!status.success()) {
      attributes.put(ErrorAttributes.ERROR_TYPE, ExecutableSeries.errorType(status));
    }
    if (status.coreDumped()) {
      attributes.put(Semconv.CORE_DUMP, true);
    }
    return attributes.build();
  }
}
