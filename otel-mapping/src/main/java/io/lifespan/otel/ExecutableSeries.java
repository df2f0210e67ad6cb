package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.CpuIncubatingAttributes.CPU_MODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;

import io.lifespan.event.ResourceUsage;
import io.lifespan.libc.Signal;
import io.lifespan.process.Observed;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.incubating.CpuIncubatingAttributes.CpuModeIncubatingValues;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The series of one executable in one Resource, its attributes made once. Owned by the process
 * table's thread, but for {@link #alive()}.
 */
final class ExecutableSeries {

  /** Failures of an executable that are told apart by error.type; the others share one. */
  static final int MAX_ERROR_TYPES = 16;

  /** What the conventions call an error.type that is not listed. */
  private static final String OTHER_ERROR = "_OTHER";

  private static final double NANOS_PER_SECOND = 1e9;

  private final ResourceSeries owner;
  private final String name;
  private final Attributes attributes;
  private final Attributes userAttributes;
  private final Attributes systemAttributes;
  private final Map<Integer, Attributes> failures = new HashMap<>();
  private volatile long alive;
  private long counted;
  private long usedNanos;

  ExecutableSeries(ResourceSeries owner, String name, long nowNanos) {
    this.owner = owner;
    this.name = name;
    this.attributes = Attributes.of(PROCESS_EXECUTABLE_NAME, name);
    this.userAttributes =
        attributes.toBuilder().put(CPU_MODE, CpuModeIncubatingValues.USER).build();
    this.systemAttributes =
        attributes.toBuilder().put(CPU_MODE, CpuModeIncubatingValues.SYSTEM).build();
    this.usedNanos = nowNanos;
  }

  ResourceSeries owner() {
    return owner;
  }

  String name() {
    return name;
  }

  Attributes attributes() {
    return attributes;
  }

  /** Processes alive when they were last counted; from any thread. */
  long alive() {
    return alive;
  }

  /**
   * True if nothing has been measured since a time, and nothing can be until it is looked up again.
   */
  boolean isIdleSince(long nanos) {
    return alive == 0 && usedNanos - nanos < 0;
  }

  /** Counts a process alive; {@link #publish} tells the sum. */
  void count() {
    counted++;
  }

  void publish(long nowNanos) {
    alive = counted;
    if (counted > 0) {
      usedNanos = nowNanos;
    }
    counted = 0;
  }

  void forked(long nowNanos) {
    usedNanos = nowNanos;
    owner.forks.add(1, attributes, Context.root());
  }

  void executed(long nowNanos) {
    usedNanos = nowNanos;
    owner.execs.add(1, attributes, Context.root());
  }

  /**
   * Counts an end whose status is known.
   *
   * @param span what an exemplar leads to; null if there is none
   */
  void ended(TrackedProcess process, WaitStatus status, @Nullable SpanContext span, long nowNanos) {
    usedNanos = nowNanos;
    Attributes outcome = status.success() ? attributes : failure(status);
    owner.exits.add(1, outcome, Context.root());
    if (status.coreDumped()) {
      owner.coreDumps.add(1, attributes, Context.root());
    }
    ResourceUsage usage = process.usage();
    if (usage != null) {
      owner.cpuTime.add(usage.userNanos() / NANOS_PER_SECOND, userAttributes, Context.root());
      owner.cpuTime.add(usage.systemNanos() / NANOS_PER_SECOND, systemAttributes, Context.root());
    }
    if (process.startObserved() != Observed.INFERRED) {
      double seconds = (process.endNanos() - process.startNanos()) / NANOS_PER_SECOND;
      owner.duration.record(seconds, outcome, context(span));
    }
  }

  private static Context context(@Nullable SpanContext span) {
    return span == null ? Context.root() : Context.root().with(Span.wrap(span));
  }

  private Attributes failure(WaitStatus status) {
    Integer code = status.exitCode();
    Attributes known = failures.get(code);
    if (known != null) {
      return known;
    }
    boolean room = failures.size() < MAX_ERROR_TYPES;
    String type = room ? errorType(status) : OTHER_ERROR;
    Attributes made = attributes.toBuilder().put(ErrorAttributes.ERROR_TYPE, type).build();
    if (room) {
      failures.put(code, made);
    }
    return made;
  }

  /** As a span says it: the signal's name, else the exit code. */
  static String errorType(WaitStatus status) {
    return status.signaled() ? Signal.name(status.signal()) : Integer.toString(status.exitCode());
  }
}
