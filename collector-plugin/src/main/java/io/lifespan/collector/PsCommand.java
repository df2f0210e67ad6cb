package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Arguments;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.tree.CommandTexts;
import io.lifespan.collector.tree.SnapshotLines;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.otel.Redactor;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lifespan ps}: the processes alive now, as the process table finds them. */
@CommandLine.Command(
    name = "lifespan ps",
    description = {
      "Prints the processes alive now, as the agent would find them when it starts: pid, parent, threads,"
          + " start, command. Needs no privilege."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:printed", "2:an option or setting is wrong"})
final class PsCommand implements Subcommand {

  private final PrintStream out;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--tree", description = "Print children below their parents.")
  private boolean tree;

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
  public int run(Settings settings) {
    Injector injector = CollectorModule.injector(settings);
    ProcessTable table =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.NODE),
            injector.getInstance(ProcReader.class),
            SystemClock::measure,
            List.of());
    table.populate(System.nanoTime());
    CommandTexts commands =
        new CommandTexts(
            injector.getInstance(Redactor.class), settings.arguments() == Arguments.REDACTED);
    new SnapshotLines(commands, tree).of(table.snapshot()).forEach(out::println);
    return ExitCodes.OK;
  }
}
