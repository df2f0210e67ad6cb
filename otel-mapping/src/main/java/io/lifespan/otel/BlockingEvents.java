package io.lifespan.otel;

import io.lifespan.event.blocking.BlockedTask;
import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.MountChange;
import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountState;
import io.lifespan.event.blocking.Stall;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TrackedProcess;
import io.lifespan.procfs.MountPoint;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes log events of what blocks, while it does, and notes it on the spans of the processes. To be
 * told from any thread; what concerns a process is done on the process table's.
 */
public final class BlockingEvents implements BlockingListener {

  private final Set<LogEvent> wanted;
  private final ProcessSpans spans;
  private final @Nullable EventLog log;
  private final Consumer<Consumer<ProcessTable>> onTable;
  private final LongSupplier epochClock;
  private final BlockingAttributes attributes;
  private final AtomicLong failed = new AtomicLong();

  /**
   * @param wanted which log events are made
   * @param log takes them; null if they go nowhere
   * @param onTable runs something on the thread that owns the process table, soon
   * @param epochClock tells nanoseconds since the epoch
   */
  public BlockingEvents(
      Set<LogEvent> wanted,
      ProcessSpans spans,
      @Nullable EventLog log,
      Consumer<Consumer<ProcessTable>> onTable,
      LongSupplier epochClock) {
    this.wanted = Set.copyOf(wanted);
    this.spans = spans;
    this.log = log;
    this.onTable = onTable;
    this.epochClock = epochClock;
    this.attributes = new BlockingAttributes(spans.redactor());
  }

  @Override
  public void mountChanged(MountChange change) {
    MountHealth health = change.to();
    boolean firstAnswer = change.from() == MountState.UNKNOWN;
    if (firstAnswer && health.state() == MountState.HEALTHY) {
      return;
    }
    Severity severity =
        switch (health.state()) {
          case UNKNOWN, HEALTHY -> Severity.INFO;
          case SLOW -> Severity.WARN;
          case STUCK, FAILING -> Severity.ERROR;
        };
    String text =
        change.isRecovery()
            ? " answers again, after " + seconds(change.lostNanos())
            : switch (health.state()) {
              case UNKNOWN, HEALTHY -> " answers quickly";
              case SLOW -> " answers slowly";
              case STUCK ->
                  " does not answer, since " + seconds(change.nowNanos() - health.sinceNanos());
              case FAILING -> " fails with " + health.errno();
            };
    Long lasted = change.isRecovery() ? (Long) change.lostNanos() : null;
    tellMount(health, health.state().stateName(), severity, text, lasted, change.nowNanos());
  }

  @Override
  public void mountGone(MountHealth last, boolean hidden) {
    if (last.state() != MountState.HEALTHY && last.state() != MountState.UNKNOWN) {
      long now = System.nanoTime();
      tellMount(
          last,
          hidden ? "hidden" : "gone",
          Severity.INFO,
          (hidden ? " is hidden by another; it was " : " is gone; it was ")
              + last.state().stateName(),
          now - last.sinceNanos(),
          now);
    }
  }

  @Override
  public void taskBlocked(BlockedTask task, long nowNanos) {
    onTable.accept(table -> blocked(table, task, nowNanos));
  }

  @Override
  public void taskReleased(BlockedTask task, long nowNanos) {
    onTable.accept(table -> released(table, task, nowNanos));
  }

  @Override
  public void stalled(Stall stall, long nowNanos) {
    if (wanted.contains(LogEvent.STALL)) {
      onTable.accept(table -> stalled(table, stall, nowNanos));
    }
  }

  /** How many events could not be told: a fault of ours. */
  public long failed() {
    return failed.get();
  }

  private void tellMount(
      MountHealth health,
      String state,
      Severity severity,
      String text,
      @Nullable Long lastedNanos,
      long nowNanos) {
    EventLog to = log;
    if (to == null || !wanted.contains(LogEvent.MOUNT)) {
      return;
    }
    MountPoint mount = health.mount();
    AttributesBuilder about = Attributes.builder();
    attributes.putMount(about, mount);
    attributes.putSource(about, mount);
    about.put(Semconv.MOUNT_STATE, state);
    if (lastedNanos != null) {
      about.put(Semconv.LASTED, BlockingAttributes.seconds(lastedNanos));
    }
    if (health.lostNanos() > 0) {
      about.put(Semconv.MOUNT_LOST, BlockingAttributes.seconds(health.lostNanos()));
    }
    if (health.errno() != null) {
      about.put(ErrorAttributes.ERROR_TYPE, health.errno().symbol());
    }
    to.emit(
        Semconv.EVENT_MOUNT,
        epochNanos(nowNanos),
        severity,
        "mount " + attributes.text(mount.path()) + " (" + mount.type() + ")" + text,
        about.build(),
        SpanContext.getInvalid(),
        spans.commonResource());
  }

  private void blocked(ProcessTable table, BlockedTask task, long nowNanos) {
    try {
      TrackedProcess process = find(table, task);
      if (process != null) {
        note(process, task, null);
      }
      if (wanted.contains(LogEvent.BLOCKED)) {
        AttributesBuilder about = about(process, task);
        about.put(Semconv.LASTED, BlockingAttributes.seconds(task.ageNanos(nowNanos)));
        emit(
            Semconv.EVENT_BLOCKED,
            nowNanos,
            name(process, task)
                + " has been blocked "
                + where(task)
                + " for "
                + seconds(task.ageNanos(nowNanos)),
            about.build(),
            process);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  private void released(ProcessTable table, BlockedTask task, long nowNanos) {
    try {
      TrackedProcess process = find(table, task);
      if (process != null && spans.noted(process, task.sinceNanos(), Semconv.EVENT_BLOCKED)) {
        note(process, task, task.ageNanos(nowNanos));
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  private void stalled(ProcessTable table, Stall stall, long nowNanos) {
    try {
      BlockedTask task = stall.blocked();
      TrackedProcess process = find(table, task);
      AttributesBuilder about = about(process, task);
      about.put(Semconv.STALL_WAITERS, stall.waiters());
      about.put(Semconv.LASTED, BlockingAttributes.seconds(nowNanos - stall.sinceNanos()));
      emit(
          Semconv.EVENT_STALL,
          nowNanos,
          String.format(
              Locale.ROOT,
              "%s has stalled: one thread is blocked %s for %s, %,d wait",
              name(process, task),
              where(task),
              seconds(task.ageNanos(nowNanos)),
              stall.waiters()),
          about.build(),
          process);
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  private void note(TrackedProcess process, BlockedTask task, @Nullable Long lastedNanos) {
    AttributesBuilder about = Attributes.builder();
    attributes.putBlock(about, task);
    if (lastedNanos != null) {
      about.put(Semconv.LASTED, BlockingAttributes.seconds(lastedNanos));
    }
    spans.note(process, task.sinceNanos(), Semconv.EVENT_BLOCKED, about.build());
  }

  private AttributesBuilder about(@Nullable TrackedProcess process, BlockedTask task) {
    Command command = process == null ? null : spans.command(process);
    AttributesBuilder about =
        process == null || command == null
            ? Attributes.builder().put(ProcessIncubatingAttributes.PROCESS_PID, task.pid())
            : ProcessLogs.about(process, command);
    attributes.putBlock(about, task);
    return about;
  }

  private void emit(
      String name, long nowNanos, String body, Attributes about, @Nullable TrackedProcess process) {
    EventLog to = log;
    if (to == null) {
      return;
    }
    SpanContext span = process == null ? null : spans.spanContext(process);
    Command command = process == null ? null : spans.command(process);
    Resource resource = command == null ? spans.commonResource() : command.resource();
    to.emit(
        name,
        epochNanos(nowNanos),
        Severity.WARN,
        body,
        about,
        span == null ? SpanContext.getInvalid() : span,
        resource);
  }

  private static @Nullable TrackedProcess find(ProcessTable table, BlockedTask task) {
    TrackedProcess process = table.find(task.pid());
    boolean same = process != null && Math.abs(process.key().startTicks() - task.startTicks()) <= 1;
    return same ? process : null;
  }

  private String name(@Nullable TrackedProcess process, BlockedTask task) {
    Command command = process == null ? null : spans.command(process);
    return process == null || command == null
        ? attributes.text(task.comm())
        : spans.name(process, command);
  }

  private String where(BlockedTask task) {
    String path = attributes.path(task);
    String call = task.call();
    return (call == null ? "in the kernel" : "in " + call) + (path == null ? "" : " of " + path);
  }

  private long epochNanos(long nanos) {
    return epochClock.getAsLong() - (System.nanoTime() - nanos);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", BlockingAttributes.seconds(nanos));
  }
}
