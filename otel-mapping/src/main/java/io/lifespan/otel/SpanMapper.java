package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_CREATION_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_CODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PARENT_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PID;

import io.lifespan.process.Observed;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.lifespan.procfs.Bytes;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.semconv.ErrorAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Makes the span of a process that has ended, or that was alive when the watch ended. */
final class SpanMapper {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final ProcessResources resources;
  private final AtomicLong argumentsCut = new AtomicLong();

  SpanMapper(SpanOptions options, ProcessResources resources, Redactor redactor) {
    this.resources = resources;
  }

  ProcessSpan span(TrackedProcess process, SpanState state) {
    WaitStatus status = process.status();
    Bytes comm = process.comm();
    return new ProcessSpan(
        comm == null ? "process" : Text.of(comm),
        state.place(),
        process.startEpochNanos(),
        process.endEpochNanos(),
        status != null && !status.success(),
        attributes(process, state.place(), status),
        List.of(),
        process.lifeEventsDropped(),
        resources.of(process.image().capture()));
  }

  long argumentsCut() {
    return argumentsCut.get();
  }

  private static Attributes attributes(
      TrackedProcess process, SpanPlace place, @Nullable WaitStatus status) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(PROCESS_PID, process.key().pid());
    Integer parentPid = process.parentPid();
    if (parentPid != null) {
      attributes.put(PROCESS_PARENT_PID, parentPid);
    }
    attributes.put(PROCESS_CREATION_TIME, time(process.startEpochNanos()));
    attributes.put(Semconv.START_OBSERVED, word(process.startObserved()));
    putEnd(attributes, process, status);
    attributes.put(Semconv.EXEC_GENERATION, process.execGeneration());
    attributes.put(Semconv.FORKS, process.forks());
    attributes.put(Semconv.DEPTH, place.depth());
    Integer adoptedBy = process.adoptedByPid();
    if (adoptedBy != null) {
      attributes.put(Semconv.ADOPTED_BY, adoptedBy);
    }
    if (process.affectedByLoss()) {
      attributes.put(Semconv.AFFECTED_BY_LOSS, true);
    }
    return attributes.build();
  }

  private static void putEnd(
      AttributesBuilder attributes, TrackedProcess process, @Nullable WaitStatus status) {
    Observed observed = process.endObserved();
    if (observed != null) {
      attributes.put(Semconv.END_OBSERVED, word(observed));
    }
    if (observed == Observed.EVENT) {
      attributes.put(PROCESS_EXIT_TIME, time(process.endEpochNanos()));
    }
    if (process.coreDumped()) {
      attributes.put(Semconv.CORE_DUMP, true);
    }
    if (status == null) {
      return;
    }
    attributes.put(PROCESS_EXIT_CODE, status.exitCode());
    if (!status.success()) {
      attributes.put(ErrorAttributes.ERROR_TYPE, Integer.toString(status.exitCode()));
    }
    if (status.signaled()) {
      attributes.put(Semconv.EXIT_SIGNAL, status.signal());
    }
  }

  /** A date and time in ISO 8601. */
  static String time(long epochNanos) {
    return Instant.ofEpochSecond(
            Math.floorDiv(epochNanos, NANOS_PER_SECOND),
            Math.floorMod(epochNanos, NANOS_PER_SECOND))
        .toString();
  }

  private static String word(Observed observed) {
    return observed.name().toLowerCase(Locale.ROOT);
  }
}
