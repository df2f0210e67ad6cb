package io.lifespan.otel;

import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Keeps processes that ended back until one of their trace fails. Then all of that trace goes out:
 * what ended within the time kept, the one that failed, and, once they end, those that were alive
 * at that moment: the whole line of its ancestors, and its siblings.
 *
 * <p>Owned by the process table's thread; the counters may be read from any.
 */
final class FlightRecorder {

  private final long keptNanos;
  private final int maxHeld;
  private final BiConsumer<TrackedProcess, SpanState> out;

  /** In the order of their ends. */
  private final Set<Held> held = new LinkedHashSet<>();

  private final AtomicLong holding = new AtomicLong();
  private final AtomicLong expired = new AtomicLong();
  private final AtomicLong evicted = new AtomicLong();

  /**
   * @param out takes those that get a span
   */
  FlightRecorder(SpanRules rules, BiConsumer<TrackedProcess, SpanState> out) {
    this.keptNanos = rules.record().toNanos();
    this.maxHeld = rules.maxRecorded();
    this.out = out;
  }

  void ended(TrackedProcess process, SpanState state) {
    expire(process.endNanos());
    Trace trace = state.place().trace();
    WaitStatus status = process.status();
    if (status != null && !status.success()) {
      trace.failed(process.endNanos());
      release(trace);
      out.accept(process, state);
    } else if (trace.hadFailedSince(process.startNanos())) {
      out.accept(process, state);
    } else {
      hold(new Held(process, state));
    }
    holding.set(held.size());
  }

  /** How many are kept back. */
  long recorded() {
    return holding.get();
  }

  /** How many were let go since nothing of their trace failed in time. */
  long expired() {
    return expired.get();
  }

  /** How many were let go since there were too many. */
  long evicted() {
    return evicted.get();
  }

  private void release(Trace trace) {
    for (Held one = trace.held().poll(); one != null; one = trace.held().poll()) {
      held.remove(one);
      out.accept(one.process, one.state);
    }
  }

  private void hold(Held one) {
    if (held.size() >= maxHeld) {
      drop(held.iterator().next());
      evicted.incrementAndGet();
    }
    held.add(one);
    one.state.place().trace().held().add(one);
  }

  private void expire(long nowNanos) {
    while (!held.isEmpty()) {
      Held oldest = held.iterator().next();
      if (nowNanos - oldest.process.endNanos() <= keptNanos) {
        return;
      }
      drop(oldest);
      expired.incrementAndGet();
    }
  }

  /** A trace keeps its own in the same order, so the oldest of all is the first there too. */
  private void drop(Held oldest) {
    held.remove(oldest);
    oldest.state.place().trace().held().remove(oldest);
  }

  /** One that is kept back; equal to itself only. */
  static final class Held {
    private final TrackedProcess process;
    private final SpanState state;

    Held(TrackedProcess process, SpanState state) {
      this.process = process;
      this.state = state;
    }
  }
}
