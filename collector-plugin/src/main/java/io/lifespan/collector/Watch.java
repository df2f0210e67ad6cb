package io.lifespan.collector;

import com.google.inject.Inject;
import com.google.inject.Provider;
import io.lifespan.collector.config.Settings;
import io.lifespan.event.EventSource;
import io.lifespan.event.UnavailableException;
import io.lifespan.process.KernelClock;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The way from the sources to the process table. The sources are opened here; the pipeline that
 * reads them closes them.
 */
final class Watch {

  private final Settings settings;
  private final Set<EventSource> sources;
  private final Provider<ProcReader> readers;
  private final Provider<KernelClock> clocks;

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
   * Opens every source. From its return on no event is missed unnoticed.
   *
   * @param exitCode of the program if a source cannot be opened
   */
  void open(int exitCode) throws CannotStartException {
    List<EventSource> opened = new ArrayList<>();
    for (EventSource source : sources) {
      try {
        source.open();
        opened.add(source);
      } catch (UnavailableException e) {
        opened.forEach(EventSource::close);
        throw new CannotStartException(exitCode, List.of(source.name() + ": " + e.unavailable()));
      }
    }
  }

  /**
   * Starts to read the open sources.
   *
   * @param onFailure is told on any thread when a source can give no more events
   */
  Pipeline read(Runnable onFailure) {
    Pipeline pipeline = new Pipeline(sources, settings.queueSize(), onFailure);
    pipeline.read();
    return pipeline;
  }

  /** A table that tells these listeners. */
  ProcessTable table(TableOptions.Scope scope, List<LifecycleListener> listeners) {
    TableOptions options = TableOptions.of(scope).withWholeLives(settings.events().tracksLives());
    return new ProcessTable(options, readers.get(), clocks::get, listeners);
  }

  /** For the line at the start: each source with its filter. */
  String describe() {
    return sources.stream()
        .map(source -> source.name() + " (" + source.stats().filter() + ")")
        .collect(Collectors.joining(", "));
  }
}
