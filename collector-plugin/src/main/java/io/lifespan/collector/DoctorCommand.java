package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.collector.tail.JsonObject;
import io.lifespan.event.EventSource;
import io.lifespan.event.Unavailable;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lifespan doctor}: what works here, what does not, why, and what to do about it. */
@CommandLine.Command(
    name = "lifespan doctor",
    description =
        "Tries what Lifespan needs and says what works, what does not, why, and what to do.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:processes are seen, but something will be missing: the last line says what",
      "2:processes cannot be seen here, or an option or setting is wrong"
    })
final class DoctorCommand implements Subcommand {

  @Mixin private CommonOptions common = new CommonOptions();

  private static final Duration EXPORT_LIMIT = Duration.ofSeconds(4);

  @Option(
      names = "--json",
      description =
          "Print one JSON object a line: subject, status (info, ok, degraded, broken), text.")
  private boolean json;

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
    Starting<Telemetry> starting = TelemetryStart.with(settings, line -> {});
    Injector injector = CollectorModule.injector(settings);
    List<Finding> findings = new ArrayList<>(Surroundings.here());
    Watch watch = injector.getInstance(Watch.class);
    for (EventSource source : watch.sources()) {
      Optional<Unavailable> unavailable = source.probe();
      String text = unavailable.map(u -> "unavailable: " + u).orElse(works(source));
      findings.add(Finding.info(source.name(), text));
    }
    findings.add(Finding.info("buffers", Buffers.text(settings)));
    findings.addAll(events(settings, watch));
    findings.add(Finding.info("arguments", arguments(settings)));
    if (settings.blocking().enabled()) {
      findings.addAll(MountReport.of(settings.blocking()));
    }
    findings.addAll(exporter(starting.get()));
    findings.forEach(this::print);
    Finding verdict = verdict(findings);
    print(verdict);
    return switch (verdict.status()) {
      case INFO, OK -> ExitCodes.OK;
      case DEGRADED -> ExitCodes.FAILED;
      case BROKEN -> ExitCodes.USAGE;
    };
  }

  /**
   * An agent refuses to start with events of which no spans can be made: nothing is to be proved.
   */
  private static List<Finding> events(Settings settings, Watch watch) {
    List<String> problems =
        SpanEvents.problems(settings.events(), settings.trace().rules().records());
    if (!problems.isEmpty()) {
      return problems.stream().map(text -> Finding.broken("events", text)).toList();
    }
    return List.of(Proof.by(watch), Finding.info("events", settings.events().toString()));
  }

  private static String works(EventSource source) {
    return source.limits().isEmpty() ? "works" : "works; " + source.limits();
  }

  private static String arguments(Settings settings) {
    return switch (settings.arguments()) {
      case OFF -> "not exported";
      case COUNT -> "only how many there were is exported";
      case REDACTED -> "exported, with what looks like a secret masked";
    };
  }

  private static List<Finding> exporter(Telemetry telemetry) {
    List<Finding> findings = new ArrayList<>();
    telemetry.warnings().forEach(text -> findings.add(Finding.degraded("exporter", text)));
    if (!telemetry.active()) {
      findings.add(Finding.info("exporter", telemetry.describe()));
      return findings;
    }
    List<String> failing = telemetry.probe(EXPORT_LIMIT);
    telemetry.shutdown(Duration.ofMillis(500));
    if (failing.isEmpty()) {
      findings.add(Finding.ok("exporter", telemetry.describe() + ": an empty request is answered"));
    } else {
      findings.add(Finding.info("exporter", telemetry.describe()));
      failing.forEach(text -> findings.add(Finding.degraded("exporter", text)));
    }
    return findings;
  }

  /** The worst of what was found. */
  private static Finding verdict(List<Finding> findings) {
    Finding.Status worst =
        findings.stream().map(Finding::status).max(Comparator.naturalOrder()).orElseThrow();
    if (worst.compareTo(Finding.Status.OK) <= 0) {
      return Finding.ok("verdict", "all is well");
    }
    List<String> subjects =
        findings.stream()
            .filter(finding -> finding.status().compareTo(Finding.Status.OK) > 0)
            .map(Finding::subject)
            .distinct()
            .toList();
    return new Finding(
        "verdict",
        worst,
        (worst == Finding.Status.BROKEN ? "cannot work here, see " : "something is missing, see ")
            + String.join(", ", subjects));
  }

  private void print(Finding finding) {
    if (json) {
      JsonObject object = new JsonObject();
      object.put("subject", finding.subject());
      object.put("status", finding.status().toString());
      object.put("text", finding.text());
      out.println(object);
    } else {
      String padded = String.format(Locale.ROOT, "%-12s", finding.subject() + ":");
      out.println(padded + finding.text());
    }
  }
}
