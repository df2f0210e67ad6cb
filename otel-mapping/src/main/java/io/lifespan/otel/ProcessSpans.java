package io.lifespan.otel;

import io.lifespan.process.LifecycleListener;
import io.lifespan.process.TrackedProcess;
import io.opentelemetry.api.trace.SpanContext;
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
  private final SpanMapper mapper;
  private final Redactor redactor;
  private final SpanProcessor processor;
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
      SpanProcessor processor) {
    this.placer = new SpanPlacer(identity, options);
    this.mapper = new SpanMapper(options, resources, redactor);
    this.redactor = redactor;
    this.processor = processor;
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    try {
      SpanState parentState = parent == null ? null : stateOf(parent);
      SpanPlace place =
          placer.place(process, parent, parentState == null ? null : parentState.place());
      if (place != null) {
        process.attach(new SpanState(place));
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  @Override
  public void executed(TrackedProcess process) {}

  @Override
  public void ended(TrackedProcess process) {
    try {
      SpanState state = stateOf(process);
      if (state == null) {
        return;
      }
      if (!state.place().context().isSampled()) {
        unsampled.incrementAndGet();
        return;
      }
      processor.onEnd(mapper.span(process, state));
      exported.incrementAndGet();
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  /** The ids of a process's span, known from its start on; null if it gets none. */
  public @Nullable SpanContext spanContext(TrackedProcess process) {
    SpanState state = stateOf(process);
    return state == null ? null : state.place().context();
  }

  /** Counters since this was made. */
  public SpanStats stats() {
    return new SpanStats(
        exported.get(),
        unsampled.get(),
        failed.get(),
        placer.tracesSplit(),
        mapper.argumentsCut(),
        redactor.redactions());
  }

  private static @Nullable SpanState stateOf(TrackedProcess process) {
    return process.attachment() instanceof SpanState state ? state : null;
  }
}
