package io.lifespan.otel;

/**
 * Counters of {@link ProcessSpans} since it was made.
 *
 * @param exported spans handed to the span processor
 * @param unsampled processes without a span, since the trace they joined is not sampled
 * @param failed processes whose mapping failed: a fault of ours, never of theirs
 * @param tracesSplit traces begun since another one was full
 * @param argumentsCut processes whose arguments were cut or not all exported
 * @param redactions secrets masked
 */
public record SpanStats(
    long exported,
    long unsampled,
    long failed,
    long tracesSplit,
    long argumentsCut,
    long redactions) {}
