package io.lifespan.otel;

import io.lifespan.process.ProcessKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.data.LinkData;
import org.jspecify.annotations.Nullable;

/**
 * Where the span of a process stands. Of a process that begins a trace, the ids are computed when
 * they are first asked for: a node has many processes that do nothing while it is watched. Owned by
 * the process table's thread.
 */
final class SpanPlace {

  private final ProcessKey key;
  private final SpanPlacer placer;
  private final @Nullable SpanContext parent;
  private final @Nullable LinkData link;
  private final int depth;
  private @Nullable Trace trace;
  private @Nullable SpanContext context;
  private @Nullable LinkData linkToThis;

  private SpanPlace(
      ProcessKey key,
      SpanPlacer placer,
      @Nullable Trace trace,
      @Nullable SpanContext parent,
      int depth,
      @Nullable LinkData link) {
    this.key = key;
    this.placer = placer;
    this.trace = trace;
    this.parent = parent;
    this.depth = depth;
    this.link = link;
  }

  /** At the top of a trace that begins with the process. */
  static SpanPlace begin(ProcessKey key, SpanPlacer placer, @Nullable LinkData link) {
    return new SpanPlace(key, placer, null, null, 0, link);
  }

  /**
   * In a trace that others belong to, too.
   *
   * @param parent the span it is a child of; null if that is not known
   * @param depth how many processes are above it in this trace
   */
  static SpanPlace in(
      Trace trace,
      ProcessKey key,
      SpanPlacer placer,
      @Nullable SpanContext parent,
      int depth,
      @Nullable LinkData link) {
    trace.add();
    return new SpanPlace(key, placer, trace, parent, depth, link);
  }

  SpanPlace withLink(LinkData newLink) {
    return new SpanPlace(key, placer, trace(), parent, depth, newLink);
  }

  /** The trace it belongs to. */
  Trace trace() {
    Trace known = trace;
    if (known == null) {
      known = placer.beginTrace(key);
      trace = known;
    }
    return known;
  }

  /** Its own ids. */
  SpanContext context() {
    SpanContext known = context;
    if (known == null) {
      known = trace().context(placer.spanId(key));
      context = known;
    }
    return known;
  }

  /** The span it is a child of; null at the top of a trace. */
  @Nullable SpanContext parent() {
    return parent;
  }

  /** How many processes are above it in this trace. */
  int depth() {
    return depth;
  }

  /** The span that caused it without being its parent; null as a rule. */
  @Nullable LinkData link() {
    return link;
  }

  /** The link of every process that this one made when it was long-lived. */
  LinkData linkToThis() {
    LinkData known = linkToThis;
    if (known == null) {
      known = LinkReason.LONG_LIVED_PARENT.to(context());
      linkToThis = known;
    }
    return known;
  }
}
