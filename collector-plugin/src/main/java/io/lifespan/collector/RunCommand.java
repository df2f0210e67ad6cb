package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.libc.Command;
import io.lifespan.libc.InheritedDescriptors;
import io.lifespan.libc.NativeCalls;
import io.lifespan.libc.OwnProcess;
import io.lifespan.libc.SignalGate;
import io.lifespan.libc.SignalSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lifespan run}: a command, its process tree, and its trace. */
@CommandLine.Command(
    name = "lifespan run",
    customSynopsis = "lifespan run [OPTIONS] -- COMMAND [ARG...]",
    description = {
      "Runs a command as if it was started without Lifespan, prints the tree of its processes on standard"
          + " error when it has ended, and exports each process as a span of one trace.",
      "The command is handed TRACEPARENT, so that what it traces itself joins in; a TRACEPARENT that"
          + " Lifespan was given is the parent of the whole. Nothing is sent anywhere unless an"
          + " endpoint is configured (OTEL_EXPORTER_OTLP_ENDPOINT)."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "N:the command's own, 128 + N if signal N ended it",
      "2:an option or setting is wrong; the command was not started",
      "125:the command cannot be watched here; it was not started",
      "126:the command cannot be executed",
      "127:there is no such command"
    })
final class RunCommand implements Subcommand {

  private final InheritedDescriptors descriptors;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--wait",
      description = {
        "Follow descendants that outlive the command until the last one ends, or a signal comes."
      })
  private boolean wait;

  @Option(names = "--no-tree", description = "Do not print the tree of processes.")
  private boolean noTree;

  @Parameters(paramLabel = "COMMAND", hidden = true)
  private final List<String> command = new ArrayList<>();

  /** To be made before the program opens anything. */
  RunCommand() {
    try {
      descriptors = InheritedDescriptors.take();
    } catch (IOException e) {
      throw new IllegalStateException("needs /proc: " + e.getMessage(), e);
    }
    NativeCalls.prepare();
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
  public boolean takesOperands(List<String> given) {
    if (given.isEmpty()) {
      return true;
    }
    String first = given.get(0);
    boolean ended = first.equals("--");
    if (!ended && first.startsWith("-")) {
      return false;
    }
    command.addAll(given.subList(ended ? 1 : 0, given.size()));
    return true;
  }

  @Override
  public List<String> errors() {
    return command.isEmpty()
        ? List.of("no command to run: lifespan run [OPTIONS] -- COMMAND")
        : List.of();
  }

  @Override
  public int run(Settings settings) throws CannotStartException {
    if (!settings.events().tracksLives()) {
      throw new CannotStartException(
          ExitCodes.USAGE,
          List.of("lifespan.events: run needs fork, exec and exit; add them, or leave events out"));
    }
    Starting<Injector> wiring =
        Starting.begin("lifespan-wiring", () -> CollectorModule.injector(settings));
    try {
      Relaunch.unlessSignalsAreBlocked(descriptors);
      UserEnvironment environment = UserEnvironment.of(OwnProcess.environment());
      List<byte[]> arguments = OwnProcess.arguments();
      SignalSet blocked = SignalGate.blockedAtStart().minus(SignalSet.FORWARDED);
      Command command =
          new Command(
              arguments.subList(arguments.size() - this.command.size(), arguments.size()),
              environment.entries(),
              blocked,
              SignalGate.ignored(),
              descriptors);
      Starting<Telemetry> telemetry = TelemetryStart.with(settings, line -> {});
      Starting<Watch> watch = Starting.begin("lifespan-source-start", () -> open(wiring.get()));
      return wiring
          .get()
          .getInstance(CommandRun.class)
          .run(command, environment.variables(), telemetry, watch, wait, !noTree);
    } catch (IOException e) {
      throw new CannotStartException(ExitCodes.RUN_FAILED, List.of(String.valueOf(e.getMessage())));
    }
  }

  private static Watch open(Injector injector) throws CannotStartException {
    Watch watch = injector.getInstance(Watch.class);
    watch.openForCommand(ExitCodes.RUN_FAILED);
    return watch;
  }
}
