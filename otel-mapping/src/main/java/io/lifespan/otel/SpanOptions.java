package io.lifespan.otel;

import java.time.Duration;

/**
 * How spans are made of processes.
 *
 * @param scope which processes, and where their traces begin
 * @param longLivedAfter a process older than this is long-lived: what it starts begins a trace of
 *     its own
 * @param arguments what of the arguments is exported
 * @param maxSpansInTrace how many processes a trace may hold; what is started past it begins a
 *     linked trace
 * @param defaultServiceName service.name of processes that nothing else names
 * @param sampler which traces are exported
 * @param rules which of their processes get a span
 */
public record SpanOptions(
    TraceScope scope,
    Duration longLivedAfter,
    ArgumentsMode arguments,
    int maxSpansInTrace,
    String defaultServiceName,
    TraceSampler sampler,
    SpanRules rules) {

  public static final Duration DEFAULT_LONG_LIVED_AFTER = Duration.ofSeconds(60);
  public static final int DEFAULT_MAX_SPANS_IN_TRACE = 10_000;

  public SpanOptions {
    if (longLivedAfter.isNegative()) {
      throw new IllegalArgumentException(
          "negative time after which a process is long-lived: " + longLivedAfter);
    }
    if (maxSpansInTrace < 1) {
      throw new IllegalArgumentException(
          "a trace must hold at least one span, not " + maxSpansInTrace);
    }
    if (defaultServiceName.isBlank()) {
      throw new IllegalArgumentException("no default service name");
    }
  }

  /** Options with OpenTelemetry's default sampler and a span for every process. */
  public SpanOptions(
      TraceScope scope,
      Duration longLivedAfter,
      ArgumentsMode arguments,
      int maxSpansInTrace,
      String defaultServiceName) {
    this(
        scope,
        longLivedAfter,
        arguments,
        maxSpansInTrace,
        defaultServiceName,
        TraceSampler.DEFAULT,
        SpanRules.ALL);
  }

  /** Options for a whole node with their defaults: arguments are only counted. */
  public static SpanOptions node(long watchedSinceNanos, String defaultServiceName) {
    return new SpanOptions(
        new TraceScope.Node(watchedSinceNanos),
        DEFAULT_LONG_LIVED_AFTER,
        ArgumentsMode.COUNT,
        DEFAULT_MAX_SPANS_IN_TRACE,
        defaultServiceName);
  }

  /** Options for one command and its descendants with their defaults: arguments are redacted. */
  public static SpanOptions subtree(TraceScope.Subtree subtree, String defaultServiceName) {
    return new SpanOptions(
        subtree,
        DEFAULT_LONG_LIVED_AFTER,
        ArgumentsMode.REDACTED,
        DEFAULT_MAX_SPANS_IN_TRACE,
        defaultServiceName);
  }

  /** The same with another sampler. */
  public SpanOptions withSampler(TraceSampler other) {
    return new SpanOptions(
        scope, longLivedAfter, arguments, maxSpansInTrace, defaultServiceName, other, rules);
  }

  /** The same with other rules. */
  public SpanOptions withRules(SpanRules other) {
    return new SpanOptions(
        scope, longLivedAfter, arguments, maxSpansInTrace, defaultServiceName, sampler, other);
  }
}
