package io.lifespan.event.replay;

import io.lifespan.event.ResourceUsage;
import org.jspecify.annotations.Nullable;

/** What a process used, as fields of the line of its exit; a recording may have none. */
final class UsageFields {

  private UsageFields() {}

  static void append(StringBuilder line, @Nullable ResourceUsage usage) {
    if (usage == null) {
      return;
    }
    field(line, "user_ns", usage.userNanos());
    field(line, "system_ns", usage.systemNanos());
    field(line, "peak", usage.peakBytes());
    field(line, "minor_faults", usage.minorFaults());
    field(line, "major_faults", usage.majorFaults());
    field(line, "voluntary", usage.voluntarySwitches());
    field(line, "involuntary", usage.involuntarySwitches());
    field(line, "read", usage.readBytes());
    field(line, "written", usage.writtenBytes());
    field(line, "run_delay_ns", usage.runDelayNanos());
    field(line, "block_delay_ns", usage.blockDelayNanos());
  }

  static @Nullable ResourceUsage read(Fields fields) throws MalformedRecordingException {
    if (!fields.has("user_ns")) {
      return null;
    }
    return new ResourceUsage(
        fields.number("user_ns"),
        fields.number("system_ns"),
        fields.number("peak"),
        fields.number("minor_faults"),
        fields.number("major_faults"),
        fields.number("voluntary"),
        fields.number("involuntary"),
        optional(fields, "read"),
        optional(fields, "written"),
        optional(fields, "run_delay_ns"),
        optional(fields, "block_delay_ns"));
  }

  private static @Nullable Long optional(Fields fields, String name)
      throws MalformedRecordingException {
    return fields.has(name) ? (Long) fields.number(name) : null;
  }

  private static void field(StringBuilder line, String name, @Nullable Long value) {
    if (value != null) {
      line.append(' ').append(name).append('=').append(value.longValue());
    }
  }
}
