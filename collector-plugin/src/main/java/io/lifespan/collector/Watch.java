package io.lifespan.collector;

import com.google.inject.Inject;
import com.google.inject.Provider;
import io.lifespan.collector.config.Settings;
import io.lifespan.event.CommandSource;
import io.lifespan.event.EventSource;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.ebpf.EbpfSource;
import io.lifespan.process.KernelClock;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way from the sources to the process table. The sources are opened here; the pipeline that
 * reads them closes them.
 */
final class Watch {

  private static final Unavailable ONLY_COMMANDS =
      new Unavailable(
          "ptrace",
          null,
          "follows only a command that is started by it",
          "use it with lifespan run, or name another source");

  private final Settings settings;
  private final Set<EventSource> sources;
  private final Provider<ProcReader> readers;
  private final Provider<KernelClock> clocks;
  private final List<Refusal> refusals = new ArrayList<>();
  private @Nullable EventSource opened;

  private record Refusal(String source, Unavailable cause) {}

  @Inject
  Watch(
      Settings settings,
      Set<EventSource> sources,
      Provider<ProcReader> readers,
      Provider<KernelClock> clocks) {
    this.settings = settings;
    this.sources = sources;
    this.readers = readers;
    this.clocks = clocks;
  }

  /** Every source, open or not. */
  Set<EventSource> sources() {
    return sources;
  }

  /**
   * Opens the first source that works, in the order of {@code lifespan.sources}. From its return on
   * no event is missed unnoticed.
   *
   * @param exitCode of the program if none can be opened
   */
  void open(int exitCode) throws CannotStartException {
    open(exitCode, false);
  }

  /** The same for one command that this process is about to start. */
  void openForCommand(int exitCode) throws CannotStartException {
    open(exitCode, true);
  }

  private void open(int exitCode, boolean command) throws CannotStartException {
    for (EventSource source : inOrder()) {
      if (source instanceof CommandSource && !command) {
        if (!settings.sources().automatic()) {
          refusals.add(new Refusal(source.name(), ONLY_COMMANDS));
        }
        continue;
      }
      try {
        source.open();
        opened = source;
        return;
      } catch (UnavailableException e) {
        refusals.add(new Refusal(source.name(), e.unavailable()));
      }
    }
    throw new CannotStartException(exitCode, passedOver());
  }

  /** The open source if it follows one command; null if it watches the machine. */
  @Nullable CommandSource commandSource() {
    return opened() instanceof CommandSource source ? source : null;
  }

  /** What the open source leaves out, in a few words; empty if nothing. */
  String limits() {
    return opened().limits();
  }

  /** Closes what was opened, unless a pipeline reads it. */
  void close() {
    opened().close();
  }

  /** Why sources were passed over that were to be tried before the one that is open. */
  List<String> passedOver() {
    return refusals.stream().map(each -> each.source + ": " + each.cause).toList();
  }

  /**
   * As {@link #passedOver()} if those sources were asked for by name. Else a line if it came to a
   * source that sees less than the machine's own events, with what kept the better ones away.
   */
  List<String> passedOverByName() {
    if (!settings.sources().automatic()) {
      return passedOver();
    }
    if (refusals.isEmpty() || opened().limits().isEmpty()) {
      return List.of();
    }
    return List.of(
        "watching by "
            + opened().name()
            + ", since "
            + refusals.stream()
                .map(each -> each.source + ": " + each.cause.cause())
                .collect(Collectors.joining("; "))
            + " (lifespan doctor tells more)");
  }

  /**
   * Starts to read the open source.
   *
   * @param onFailure is told on any thread when a source can give no more events
   */
  Pipeline read(Runnable onFailure) {
    Pipeline pipeline = new Pipeline(List.of(opened()), settings.queueSize(), onFailure);
    pipeline.read();
    return pipeline;
  }

  /** A table that tells these listeners. */
  ProcessTable table(TableOptions.Scope scope, List<LifecycleListener> listeners) {
    TableOptions options = TableOptions.of(scope).withWholeLives(settings.events().tracksLives());
    return new ProcessTable(options, readers.get(), clocks::get, listeners);
  }

  /** For the line at the start: the source with its filter. */
  String describe() {
    return opened().name() + " (" + opened().stats().filter() + ")";
  }

  private List<EventSource> inOrder() {
    List<EventSource> ordered = new ArrayList<>();
    for (String name : settings.sources().names()) {
      sources.stream().filter(source -> isWanted(source, name)).forEach(ordered::add);
    }
    return ordered;
  }

  /** By itself, capture in the kernel is not chosen for events that it leaves to the connector. */
  private boolean isWanted(EventSource source, String name) {
    return source.name().equals(name)
        && !(settings.sources().automatic()
            && source instanceof EbpfSource
            && Collections.disjoint(settings.events().kinds(), EbpfSource.CAPTURED));
  }

  private EventSource opened() {
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    return opened;
  }
}
