package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_CODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_REAL_USER_ID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_USER_ID;

import io.lifespan.process.LifeEvent;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.lifespan.procfs.Bytes;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.EventData;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes span events of what happened in the life of a process, at the kernel's times. */
final class LifeEventMapper {

  private final Redactor redactor;

  LifeEventMapper(Redactor redactor) {
    this.redactor = redactor;
  }

  /**
   * @param parentEndNanos when the process that made it ended, in nanoseconds of CLOCK_MONOTONIC;
   *     null if that is not known
   */
  List<EventData> events(TrackedProcess process, @Nullable Long parentEndNanos) {
    List<LifeEvent> lifeEvents = process.lifeEvents();
    Integer adopter = process.adoptedByPid();
    Long adoptedNanos = adopter == null ? null : parentEndNanos;
    if (lifeEvents.isEmpty() && adoptedNanos == null) {
      return List.of();
    }
    List<EventData> events = new ArrayList<>(lifeEvents.size() + 1);
    for (LifeEvent event : lifeEvents) {
      if (adoptedNanos != null && adopter != null && adoptedNanos < event.timeNanos()) {
        events.add(adoption(process, adoptedNanos, adopter));
        adoptedNanos = null;
      }
      events.add(
          EventData.create(process.epochNanos(event.timeNanos()), name(event), attributes(event)));
    }
    if (adoptedNanos != null && adopter != null) {
      events.add(adoption(process, adoptedNanos, adopter));
    }
    return events;
  }

  /** The kernel gives a child to another at the moment its parent ends, and tells nothing of it. */
  private static EventData adoption(TrackedProcess process, long nanos, int adopter) {
    return EventData.create(
        process.epochNanos(nanos),
        Semconv.EVENT_ADOPTION,
        Attributes.of(Semconv.ADOPTED_BY, (long) adopter));
  }

  private static String name(LifeEvent event) {
    return switch (event.kind()) {
      case FORK -> throw new IllegalArgumentException("a fork is not an event in a life");
      case EXEC -> Semconv.EVENT_EXEC;
      case UID, GID -> Semconv.EVENT_CREDENTIALS;
      case SID -> Semconv.EVENT_SESSION;
      case PTRACE -> Semconv.EVENT_PTRACE;
      case COMM -> Semconv.EVENT_RENAME;
      case COREDUMP -> Semconv.EVENT_COREDUMP;
      case EXIT -> Semconv.EVENT_LEADER_EXIT;
    };
  }

  private Attributes attributes(LifeEvent event) {
    return switch (event.kind()) {
      case FORK, SID, COREDUMP -> Attributes.empty();
      case EXEC, COMM -> formerName(event.formerName());
      case UID ->
          Attributes.of(
              PROCESS_REAL_USER_ID, Integer.toUnsignedLong(event.first()),
              PROCESS_USER_ID, Integer.toUnsignedLong(event.second()));
      case GID ->
          Attributes.of(
              Semconv.REAL_GROUP_ID, Integer.toUnsignedLong(event.first()),
              Semconv.GROUP_ID, Integer.toUnsignedLong(event.second()));
      case PTRACE ->
          event.first() == 0
              ? Attributes.empty()
              : Attributes.of(Semconv.TRACER_PID, (long) event.first());
      case EXIT ->
          Attributes.of(PROCESS_EXIT_CODE, (long) new WaitStatus(event.first()).exitCode());
    };
  }

  private Attributes formerName(@Nullable Bytes name) {
    return name == null
        ? Attributes.empty()
        : Attributes.of(Semconv.FORMER_NAME, redactor.text(Text.of(name)));
  }
}
