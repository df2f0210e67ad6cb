package io.lifespan.otel;

import io.lifespan.process.ProcessKey;
import io.lifespan.process.TrackedProcess;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.data.LinkData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a process gets its trace and its parent span. Owned by the process table's
 * thread.
 */
final class SpanPlacer {

  /** Of traces begun elsewhere, how many are remembered by the number of their processes. */
  private static final int MAX_JOINED_TRACES = 1_000;

  private static final int INIT_PID = 1;

  private final TraceIdentity identity;
  private final SpanOptions options;
  private final Map<String, Trace> joinedTraces = new LinkedHashMap<>(16, 0.75f, true);
  private final AtomicLong tracesSplit = new AtomicLong();

  SpanPlacer(TraceIdentity identity, SpanOptions options) {
    this.identity = identity;
    this.options = options;
  }

  /** The place of a process that just became known; null if it is outside of the scope. */
  @Nullable SpanPlace place(
      TrackedProcess process, @Nullable TrackedProcess parent, @Nullable SpanPlace parentPlace) {
    if (options.scope() instanceof TraceScope.Subtree subtree) {
      return placeInSubtree(process.key(), subtree, parentPlace);
    }
    if (options.scope() instanceof TraceScope.Descendants descendants && parentPlace == null) {
      boolean child = parent != null && parent.key().equals(descendants.root());
      return child ? begin(process.key(), null) : null;
    }
    if (parent == null || parentPlace == null) {
      return begin(process.key(), null);
    }
    if (isLongLived(parent, process.startNanos())) {
      return begin(process.key(), parentPlace.linkToThis());
    }
    return below(process.key(), parentPlace);
  }

  /**
   * The place of a process whose environment brought a TRACEPARENT that its parent did not have.
   *
   * @param given the span that it names
   * @param givenToParent the span that the parent's own TRACEPARENT names; null if it had none
   */
  SpanPlace placeByTraceparent(
      TrackedProcess process,
      SpanPlace place,
      SpanContext given,
      @Nullable SpanContext givenToParent) {
    boolean sameTrace = given.getTraceId().equals(place.trace().id());
    boolean ownSpan = given.getSpanId().equals(place.context().getSpanId());
    if (sameTrace && (ownSpan || place.trace().beginsWith(given) || isParent(place, given))) {
      return place;
    }
    if (process.forks() > 0) {
      return place.withLink(LinkReason.LATE_TRACEPARENT.to(given));
    }
    Trace trace = sameTrace ? place.trace() : joined(given, ownSpan);
    if (!sameTrace && isFull(trace)) {
      tracesSplit.incrementAndGet();
      return place.withLink(LinkReason.TRACE_FULL.to(given));
    }
    place.trace().remove();
    return SpanPlace.in(
        trace,
        process.key(),
        this,
        ownSpan ? ifInTrace(givenToParent, trace) : given,
        sameTrace ? place.depth() : 0,
        sameTrace || place.parent() == null
            ? place.link()
            : LinkReason.PROCESS_PARENT.to(place.parent()));
  }

  /** A trace that begins with this process, which belongs to it already. */
  Trace beginTrace(ProcessKey key) {
    String id = identity.traceId(key);
    Trace trace = Trace.begin(id, identity.spanId(key), options.sampler().begin(id));
    trace.add();
    return trace;
  }

  /** The id of this process's span. */
  String spanId(ProcessKey key) {
    return identity.spanId(key);
  }

  /** How many traces were begun since another one was full; from any thread. */
  long tracesSplit() {
    return tracesSplit.get();
  }

  private @Nullable SpanPlace placeInSubtree(
      ProcessKey key, TraceScope.Subtree subtree, @Nullable SpanPlace parentPlace) {
    if (key.equals(subtree.root())) {
      SpanContext parent = subtree.parent();
      if (parent == null) {
        return begin(key, null);
      }
      Trace trace = Trace.of(parent, identity.spanId(key), options.sampler().join(parent));
      return SpanPlace.in(trace, key, this, parent, 0, null);
    }
    return parentPlace == null ? null : below(key, parentPlace);
  }

  private SpanPlace below(ProcessKey key, SpanPlace parentPlace) {
    Trace trace = parentPlace.trace();
    if (isFull(trace)) {
      tracesSplit.incrementAndGet();
      return begin(key, LinkReason.TRACE_FULL.to(parentPlace.context()));
    }
    return SpanPlace.in(trace, key, this, parentPlace.context(), parentPlace.depth() + 1, null);
  }

  private SpanPlace begin(ProcessKey key, @Nullable LinkData link) {
    return SpanPlace.begin(key, this, link);
  }

  private boolean isLongLived(TrackedProcess parent, long atNanos) {
    return parent.key().pid() == INIT_PID
        || (options.scope() instanceof TraceScope.Node node
            && parent.startNanos() < node.watchedSinceNanos())
        || atNanos - parent.startNanos() >= options.longLivedAfter().toNanos();
  }

  private boolean isFull(Trace trace) {
    return trace.processes() >= options.maxSpansInTrace();
  }

  private Trace joined(SpanContext context, boolean beginsHere) {
    Trace known = joinedTraces.get(context.getTraceId());
    if (known != null) {
      return known;
    }
    Trace trace =
        Trace.of(context, beginsHere ? context.getSpanId() : null, options.sampler().join(context));
    joinedTraces.put(trace.id(), trace);
    if (joinedTraces.size() > MAX_JOINED_TRACES) {
      joinedTraces.remove(joinedTraces.keySet().iterator().next());
    }
    return trace;
  }

  private static boolean isParent(SpanPlace place, SpanContext context) {
    SpanContext parent = place.parent();
    return parent != null && parent.getSpanId().equals(context.getSpanId());
  }

  private static @Nullable SpanContext ifInTrace(@Nullable SpanContext context, Trace trace) {
    return context != null && context.getTraceId().equals(trace.id()) ? context : null;
  }
}
