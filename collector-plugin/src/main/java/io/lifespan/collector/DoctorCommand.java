package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.event.EventSource;
import io.lifespan.event.Unavailable;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** {@code lifespan doctor}: what works here, what does not, why, and what to do about it. */
@CommandLine.Command(
    name = "lifespan doctor",
    description =
        "Tries what Lifespan needs and says what works, what does not, why, and what to do.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:processes can be watched",
      "1:no source of events works here",
      "2:an option or setting is wrong"
    })
final class DoctorCommand implements Subcommand {

  @Mixin private CommonOptions common = new CommonOptions();

  private final PrintStream out;

  DoctorCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public Profile profile() {
    return Profile.AGENT;
  }

  @Override
  public int run(Settings settings) throws CannotStartException {
    Starting<Telemetry> starting = TelemetryStart.with(settings, line -> tell("exporter", line));
    Injector injector = CollectorModule.injector(settings);
    tell("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    tell("java", System.getProperty("java.version") + ", " + System.getProperty("os.arch"));
    boolean works = false;
    for (EventSource source : injector.getInstance(Watch.class).sources()) {
      Optional<Unavailable> unavailable = source.probe();
      tell(source.name(), unavailable.map(u -> "unavailable: " + u).orElse(works(source)));
      works |= unavailable.isEmpty();
    }
    for (String line : MountReport.lines(settings.blocking())) {
      tell("mount", line);
    }
    Telemetry telemetry = starting.get();
    tell("exporter", telemetry.describe());
    telemetry.warnings().forEach(warning -> tell("exporter", "warning: " + warning));
    telemetry.shutdown(Duration.ofSeconds(1));
    return works ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private static String works(EventSource source) {
    return source.limits().isEmpty() ? "works" : "works; " + source.limits();
  }

  private void tell(String what, String line) {
    out.println(what + ":" + " ".repeat(Math.max(1, 11 - what.length())) + line);
  }
}
