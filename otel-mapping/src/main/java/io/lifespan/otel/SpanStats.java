package io.lifespan.otel;

/**
 * Counters of {@link ProcessSpans} since it was made. Each process that ended is in one of the
 * first eight.
 *
 * @param exported spans handed to the span processor
 * @param unsampled processes without a span, since their trace is not sampled
 * @param leftOut processes without a span by {@link SpanRules#onlyFailed} or {@link
 *     SpanRules#minDuration}
 * @param kernelThreads the kernel's own threads, without a span
 * @param recorded processes kept back now, until one of their trace fails
 * @param expired processes without a span, since they were kept back and nothing failed in time
 * @param evicted processes without a span, since too many were kept back
 * @param failed processes whose mapping failed: a fault of ours, never of theirs
 * @param tracesSplit traces begun since another one was full
 * @param argumentsCut processes whose arguments were cut or not all exported
 * @param redactions secrets masked
 */
public record SpanStats(
    long exported,
    long unsampled,
    long leftOut,
    long kernelThreads,
    long recorded,
    long expired,
    long evicted,
    long failed,
    long tracesSplit,
    long argumentsCut,
    long redactions) {}
