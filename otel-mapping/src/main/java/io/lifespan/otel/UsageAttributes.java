package io.lifespan.otel;

import io.lifespan.event.ResourceUsage;
import io.lifespan.process.TrackedProcess;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.AttributesBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What a process used, as attributes of its span; of what it can do without, only if it used any.
 */
final class UsageAttributes {

  private static final double NANOS_PER_SECOND = 1e9;

  private UsageAttributes() {}

  static void put(AttributesBuilder attributes, TrackedProcess process) {
    ResourceUsage usage = process.usage();
    if (usage == null) {
      return;
    }
    attributes.put(Semconv.CPU_USER_TIME, usage.userNanos() / NANOS_PER_SECOND);
    attributes.put(Semconv.CPU_SYSTEM_TIME, usage.systemNanos() / NANOS_PER_SECOND);
    Long runDelay = usage.runDelayNanos();
    if (runDelay != null) {
      attributes.put(Semconv.CPU_WAIT_TIME, runDelay / NANOS_PER_SECOND);
    }
    Long peak = process.peakBytes();
    if (peak != null) {
      attributes.put(Semconv.MEMORY_PEAK, peak.longValue());
    }
    putAny(attributes, Semconv.DISK_READ, usage.readBytes());
    putAny(attributes, Semconv.DISK_WRITTEN, usage.writtenBytes());
    putAny(attributes, Semconv.MAJOR_FAULTS, usage.majorFaults());
    Long blockDelay = usage.blockDelayNanos();
    if (blockDelay != null && blockDelay > 0) {
      attributes.put(Semconv.DISK_WAIT_TIME, blockDelay / NANOS_PER_SECOND);
    }
  }

  private static void putAny(
      AttributesBuilder attributes, AttributeKey<Long> key, @Nullable Long amount) {
    if (amount != null && amount > 0) {
      attributes.put(key, amount.longValue());
    }
  }
}
