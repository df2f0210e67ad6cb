package io.lifespan.otel;

import io.lifespan.process.LifecycleListener;
import io.lifespan.process.Observed;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.Environ;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each process that ends, and hands it to a span processor.
 *
 * <p>While a process lives, only its place in its trace is kept, attached to the tracked process;
 * there is no live span. A span is made even of a process that is alive when the watch ends, and
 * says so. Nothing a process does makes this throw: what cannot be mapped is counted.
 *
 * <p>To be called on the process table's thread only; {@link #stats()} on any.
 */
public final class ProcessSpans implements LifecycleListener {

  private final SpanPlacer placer;
  private final CommandReader commands;
  private final SpanMapper mapper;
  private final ProcessResources resources;
  private final Redactor redactor;
  private final SpanProcessor processor;
  private final SpanRules rules;
  private final FlightRecorder recorder;
  private final AtomicLong leftOut = new AtomicLong();
  private final AtomicLong kernelThreads = new AtomicLong();
  private final AtomicLong exported = new AtomicLong();
  private final AtomicLong unsampled = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /**
   * @param processor takes the spans, by its onEnd alone; whoever made it flushes and closes it
   */
  public ProcessSpans(
      SpanOptions options,
      TraceIdentity identity,
      ProcessResources resources,
      Redactor redactor,
      UserNames users,
      SpanProcessor processor) {
    this.placer = new SpanPlacer(identity, options);
    this.commands = new CommandReader(options.arguments(), resources, redactor);
    this.mapper = new SpanMapper(commands, redactor, users);
    this.resources = resources;
    this.redactor = redactor;
    this.processor = processor;
    this.rules = options.rules();
    this.recorder = new FlightRecorder(rules, this::export);
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    try {
      SpanState parentState = parent == null ? null : stateOf(parent);
      SpanPlace place =
          placer.place(process, parent, parentState == null ? null : parentState.place());
      if (place == null) {
        return;
      }
      UserIds user =
          parent == null || parentState == null ? null : mapper.user(parent, parentState);
      SpanState state = new SpanState(place, process.image(), parentState, user);
      process.attach(state);
      if (process.startObserved() != Observed.EVENT) {
        state.setKernelThread(isKernelThread(process.image().capture()));
        followTraceparent(process, state);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  @Override
  public void executed(TrackedProcess process) {
    try {
      SpanState state = stateOf(process);
      if (state != null) {
        state.setKernelThread(false);
        followTraceparent(process, state);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  @Override
  public void ended(TrackedProcess process) {
    try {
      SpanState state = stateOf(process);
      if (state == null) {
        return;
      }
      if (process.endObserved() == Observed.EVENT) {
        state.life().end(process.endNanos());
      }
      if (state.isKernelThread() && !rules.kernelThreads()) {
        kernelThreads.incrementAndGet();
      } else if (isLeftOut(process)) {
        leftOut.incrementAndGet();
      } else if (!state.place().context().isSampled()) {
        unsampled.incrementAndGet();
      } else if (rules.records()) {
        recorder.ended(process, state);
      } else {
        export(process, state);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  /** The ids of a process's span, known from its start on; null if it gets none. */
  public @Nullable SpanContext spanContext(TrackedProcess process) {
    SpanState state = stateOf(process);
    return state == null ? null : state.place().context();
  }

  /** The ids of the span of a process that has ended; null if none is exported. */
  @Nullable SpanContext exportedContext(TrackedProcess process) {
    SpanState state = stateOf(process);
    WaitStatus status = process.status();
    boolean failed = status != null && !status.success();
    if (state == null || isLeftOut(process) || (rules.records() && !failed)) {
      return null;
    }
    SpanContext context = state.place().context();
    return context.isSampled() ? context : null;
  }

  /** What a process runs; null if it is not followed, and for the kernel's own threads. */
  @Nullable LazyCommand lazyCommand(TrackedProcess process) {
    SpanState state = stateOf(process);
    return state == null || (state.isKernelThread() && !rules.kernelThreads())
        ? null
        : state.command(process.image());
  }

  /** As {@link #lazyCommand}, decoded. */
  @Nullable Command command(TrackedProcess process) {
    LazyCommand command = lazyCommand(process);
    return command == null ? null : command.get(commands);
  }

  /** The name of a process's span. */
  String name(TrackedProcess process, Command command) {
    return mapper.name(process, command);
  }

  /** True the first time it is asked of a process that gets a span. */
  boolean tellsStartNow(TrackedProcess process) {
    SpanState state = stateOf(process);
    return state != null && state.tellStart();
  }

  /**
   * Notes something observed of a process that lives, as an event of its span. Said again of the
   * same time with the same name, it replaces what was said before.
   */
  void note(TrackedProcess process, long timeNanos, String name, Attributes attributes) {
    SpanState state = stateOf(process);
    if (state != null) {
      state.makeNotes().put(process.epochNanos(timeNanos), name, attributes);
    }
  }

  /** True if this was noted of a process. */
  boolean noted(TrackedProcess process, long timeNanos, String name) {
    SpanState state = stateOf(process);
    SpanNotes notes = state == null ? null : state.notes();
    return notes != null && notes.has(process.epochNanos(timeNanos), name);
  }

  /** What a command belongs to. */
  Resource resource(LazyCommand command) {
    return command.resource(resources);
  }

  /** What processes belong to that say nothing of themselves. */
  public Resource commonResource() {
    return resources.of(null);
  }

  /** What masks secrets. */
  public Redactor redactor() {
    return redactor;
  }

  /** Counters since this was made. */
  public SpanStats stats() {
    return new SpanStats(
        exported.get(),
        unsampled.get(),
        leftOut.get(),
        kernelThreads.get(),
        recorder.recorded(),
        recorder.expired(),
        recorder.evicted(),
        failed.get(),
        placer.tracesSplit(),
        commands.argumentsCut(),
        redactor.redactions());
  }

  private void export(TrackedProcess process, SpanState state) {
    try {
      processor.onEnd(mapper.span(process, state));
      exported.incrementAndGet();
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  private boolean isLeftOut(TrackedProcess process) {
    WaitStatus status = process.status();
    if (rules.records() && status != null && !status.success()) {
      return false;
    }
    return (rules.onlyFailed() && (status == null || status.success()))
        || process.endNanos() - process.startNanos() < rules.minDuration().toNanos();
  }

  private static boolean isKernelThread(@Nullable ProcCapture capture) {
    Bytes text = capture == null ? null : capture.get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    return stat != null && stat.isKernelThread();
  }

  /** Moves a process below the span that its environment names, if that is news. */
  private void followTraceparent(TrackedProcess process, SpanState state) {
    ProcCapture capture = process.image().capture();
    Bytes environment = capture == null ? null : capture.get(ProcFile.ENVIRON);
    if (capture == null || environment == null) {
      return;
    }
    SpanContext given =
        TraceContext.parse(
            variable(environment, TraceContext.TRACEPARENT),
            variable(environment, TraceContext.TRACESTATE));
    if (given != null && !isSame(given, state.given()) && !isSame(given, state.givenToParent())) {
      state.move(placer.placeByTraceparent(process, state.place(), given, state.givenToParent()));
    }
    if (given != null || !capture.truncated(ProcFile.ENVIRON)) {
      state.setGiven(given);
    }
  }

  private static @Nullable String variable(Bytes environment, String name) {
    Bytes value = Environ.get(environment, name);
    return value == null ? null : Text.of(value);
  }

  private static boolean isSame(SpanContext context, @Nullable SpanContext other) {
    return other != null
        && context.getSpanId().equals(other.getSpanId())
        && context.getTraceId().equals(other.getTraceId());
  }

  private static @Nullable SpanState stateOf(TrackedProcess process) {
    return process.attachment() instanceof SpanState state ? state : null;
  }
}
