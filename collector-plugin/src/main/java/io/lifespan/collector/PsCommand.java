package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Arguments;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Quantities;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.tree.CommandTexts;
import io.lifespan.collector.tree.ForkLines;
import io.lifespan.collector.tree.SnapshotLines;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.otel.Redactor;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lifespan ps}: the processes alive now, as the process table finds them. */
@CommandLine.Command(
    name = "lifespan ps",
    description = {
      "Prints the processes alive now, as the agent would find them when it starts: pid, parent, threads,"
          + " start, command. Needs no privilege.",
      "With --forks also what processes make: forks (not threads), forks a second, children alive, how deep"
          + " below their ancestors they are, how many programs they executed. Needs what the agent needs."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:printed",
      "1:with --forks: no events can be had here, or no more",
      "2:an option or setting is wrong"
    })
final class PsCommand implements Subcommand {

  private final PrintStream out;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--tree", description = "Print children below their parents.")
  private boolean tree;

  @Option(
      names = "--forks",
      paramLabel = "DURATION",
      description = {
        "Watch for so long (10s), then print what each process made meanwhile, those that made most"
            + " first, and the totals by executable. SIGINT ends the watch sooner."
      })
  private @Nullable String forks;

  PsCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public Profile profile() {
    return Profile.RUN;
  }

  @Override
  public List<String> errors() {
    return forks == null || duration(forks) != null
        ? List.of()
        : List.of("--forks: \"" + forks + "\" is not a duration above 0, such as 10s or 500ms");
  }

  @Override
  public int run(Settings settings) throws CannotStartException {
    Injector injector = CollectorModule.injector(settings);
    CommandTexts commands =
        new CommandTexts(
            injector.getInstance(Redactor.class), settings.arguments() == Arguments.REDACTED);
    Duration watch = forks == null ? null : duration(forks);
    if (watch != null) {
      return watch(watch, commands, injector, settings);
    }
    ProcessTable table =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.NODE),
            injector.getInstance(ProcReader.class),
            SystemClock::measure,
            List.of());
    table.populate(System.nanoTime());
    new SnapshotLines(commands, tree, null).of(table.snapshot()).forEach(out::println);
    return ExitCodes.OK;
  }

  private int watch(Duration duration, CommandTexts commands, Injector injector, Settings settings)
      throws CannotStartException {
    if (!settings.events().tracksLives()) {
      throw new CannotStartException(
          ExitCodes.USAGE,
          List.of("lifespan.events: --forks needs fork, exec and exit, not " + settings.events()));
    }
    StopRequest stop = StopRequest.onSignals();
    ForkWatch watch = ForkWatch.of(injector, stop, duration);
    new SnapshotLines(commands, tree, watch.lasted()).of(watch.alive()).forEach(out::println);
    out.println();
    new ForkLines(injector.getInstance(Redactor.class), watch.lasted())
        .of(watch.totals())
        .forEach(out::println);
    out.flush();
    if (watch.eventsLost() > 0) {
      System.err.println(
          "lifespan: " + watch.eventsLost() + " events were lost, so more was made than is shown");
    }
    IOException failure = watch.failure();
    if (failure != null) {
      System.err.println("lifespan: no more events: " + failure.getMessage());
    }
    return stop.finish(failure == null ? ExitCodes.OK : ExitCodes.FAILED);
  }

  private static @Nullable Duration duration(String text) {
    Duration duration = Quantities.duration(text);
    return duration == null || duration.isZero() ? null : duration;
  }
}
