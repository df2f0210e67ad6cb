package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_ARGS_COUNT;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_COMMAND;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_COMMAND_ARGS;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_CREATION_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_PATH;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_CODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_INTERACTIVE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_OWNER;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PARENT_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_REAL_USER_ID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_TITLE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_USER_ID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_VPID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_WORKING_DIRECTORY;

import io.lifespan.event.EventKind;
import io.lifespan.libc.Signal;
import io.lifespan.process.LifeEvent;
import io.lifespan.process.Observed;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.lifespan.procfs.Bytes;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.semconv.ContainerAttributes;
import io.opentelemetry.semconv.ErrorAttributes;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes the span of a process that has ended, or that was alive when the watch ended.
 *
 * <p>The convention for CLI programs asks for error.type if and only if the exit code is not 0, of
 * low cardinality, and leaves its values open. Here it is the name of the signal that ended the
 * process ({@code SIGKILL}), else the exit code ({@code 2}).
 */
final class SpanMapper {

  private final CommandReader commands;
  private final LifeEventMapper lifeEvents;
  private final Redactor redactor;
  private final UserNames users;
  private final IsoTime times = new IsoTime();

  SpanMapper(CommandReader commands, Redactor redactor, UserNames users) {
    this.commands = commands;
    this.lifeEvents = new LifeEventMapper(redactor);
    this.redactor = redactor;
    this.users = users;
  }

  ProcessSpan span(TrackedProcess process, SpanState state) {
    Command command = state.command(process.image()).get(commands);
    WaitStatus status = process.status();
    AttributesBuilder attributes = Attributes.builder();
    putStart(attributes, process);
    putCommand(attributes, command);
    putOwn(attributes, process, command, user(process, state));
    putEnd(attributes, process, status);
    putSeen(attributes, process, Semconv.EXEC_GENERATION, process.execGeneration());
    putSeen(attributes, process, Semconv.FORKS, process.forks());
    attributes.put(Semconv.DEPTH, state.place().depth());
    UsageAttributes.put(attributes, process);
    return new ProcessSpan(
        name(process, command),
        state.place(),
        process.startEpochNanos(),
        process.endEpochNanos(),
        status != null && !status.success(),
        attributes.build(),
        SpanNotes.merged(lifeEvents.events(process, state.parentEndNanos()), state.notes()),
        process.lifeEventsDropped() + SpanNotes.dropped(state.notes()),
        command.resource());
  }

  /** Who a process runs as now: what the last event said, else its own capture, else its parent. */
  @Nullable UserIds user(TrackedProcess process, SpanState state) {
    List<LifeEvent> events = process.lifeEvents();
    if (process.lifeEventsDropped() > 0) {
      return null;
    }
    for (int i = events.size() - 1; i >= 0; i--) {
      LifeEvent event = events.get(i);
      if (event.kind() == EventKind.UID) {
        return new UserIds(
            Integer.toUnsignedLong(event.first()), Integer.toUnsignedLong(event.second()));
      }
    }
    Command command = state.command(process.image()).get(commands);
    return isOwn(process, command) && command.user() != null ? command.user() : state.userAtStart();
  }

  /** The command's name; of a process that shares an image nobody captured, its own kernel name. */
  String name(TrackedProcess process, Command command) {
    Bytes comm = process.comm();
    return comm == null || !command.name().equals(CommandName.UNKNOWN)
        ? command.name()
        : redactor.text(CommandName.of(List.of(), null, comm));
  }

  private void putStart(AttributesBuilder attributes, TrackedProcess process) {
    attributes.put(PROCESS_PID, process.key().pid());
    put(attributes, PROCESS_PARENT_PID, process.parentPid());
    if (process.startObserved() != Observed.INFERRED) {
      attributes.put(PROCESS_CREATION_TIME, times.of(process.startEpochNanos()));
    }
    attributes.put(Semconv.START_OBSERVED, word(process.startObserved()));
    if (process.affectedByLoss()) {
      attributes.put(Semconv.AFFECTED_BY_LOSS, true);
    }
  }

  /** None seen of a process whose start was not seen does not mean that there were none. */
  private static void putSeen(
      AttributesBuilder attributes, TrackedProcess process, AttributeKey<Long> key, long count) {
    if (count > 0 || process.startObserved() == Observed.EVENT) {
      attributes.put(key, count);
    }
  }

  private static void putCommand(AttributesBuilder attributes, Command command) {
    attributes.put(PROCESS_EXECUTABLE_NAME, command.executableName());
    attributes.put(PROCESS_EXECUTABLE_PATH, command.executablePath());
    if (command.executableDeleted()) {
      attributes.put(Semconv.EXECUTABLE_DELETED, true);
    }
    attributes.put(PROCESS_COMMAND, command.argument0());
    put(attributes, PROCESS_ARGS_COUNT, command.argumentsCount());
    if (!command.arguments().isEmpty()) {
      attributes.put(PROCESS_COMMAND_ARGS, command.arguments());
    }
    attributes.put(Semconv.ARGUMENTS_STATE, command.argumentsState().value());
  }

  /** What is this process's own, and not that of the ancestor whose image it shares. */
  private void putOwn(
      AttributesBuilder attributes,
      TrackedProcess process,
      Command command,
      @Nullable UserIds user) {
    if (user != null) {
      attributes.put(PROCESS_REAL_USER_ID, user.real());
      attributes.put(PROCESS_USER_ID, user.effective());
      if (!isInContainer(command)) {
        attributes.put(PROCESS_OWNER, users.of(user.effective()));
      }
    }
    attributes.put(PROCESS_TITLE, title(process, command));
    if (isOwn(process, command)) {
      attributes.put(PROCESS_WORKING_DIRECTORY, command.workingDirectory());
      put(attributes, PROCESS_VPID, command.innermostPid());
      if (command.interactive() != null) {
        attributes.put(PROCESS_INTERACTIVE, command.interactive());
      }
    }
  }

  /** There, a number may be the user of another name. */
  private static boolean isInContainer(Command command) {
    return command.innermostPid() != null
        || command.resource().getAttribute(ContainerAttributes.CONTAINER_ID) != null;
  }

  private @Nullable String title(TrackedProcess process, Command command) {
    if (command.title() != null) {
      return command.title();
    }
    for (LifeEvent event : process.lifeEvents()) {
      if (event.kind() == EventKind.COMM && process.comm() != null) {
        return redactor.text(Text.of(process.comm()));
      }
    }
    return null;
  }

  private void putEnd(
      AttributesBuilder attributes, TrackedProcess process, @Nullable WaitStatus status) {
    Observed observed = process.endObserved();
    if (observed != null) {
      attributes.put(Semconv.END_OBSERVED, word(observed));
    }
    if (observed == Observed.EVENT) {
      attributes.put(PROCESS_EXIT_TIME, times.of(process.endEpochNanos()));
    }
    put(attributes, Semconv.ADOPTED_BY, process.adoptedByPid());
    if (status != null && status.coreDumped()) {
      attributes.put(Semconv.CORE_DUMP, true);
    }
    if (status == null) {
      return;
    }
    attributes.put(PROCESS_EXIT_CODE, status.exitCode());
    if (status.signaled()) {
      String signal = Signal.name(status.signal());
      attributes.put(Semconv.EXIT_SIGNAL, status.signal());
      attributes.put(Semconv.EXIT_SIGNAL_NAME, signal);
      attributes.put(ErrorAttributes.ERROR_TYPE, signal);
    } else if (!status.success()) {
      attributes.put(ErrorAttributes.ERROR_TYPE, Integer.toString(status.exitCode()));
    }
  }

  private static boolean isOwn(TrackedProcess process, Command command) {
    Integer pid = command.pid();
    return pid == null ? process.execGeneration() > 0 : pid == process.key().pid();
  }

  private static void put(
      AttributesBuilder attributes, AttributeKey<Long> key, @Nullable Integer value) {
    if (value != null) {
      attributes.put(key, value.longValue());
    }
  }

  private static String word(Observed observed) {
    return observed.name().toLowerCase(Locale.ROOT);
  }
}
