package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.DeliveryReport;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.collector.health.HealthServer;
import io.lifespan.otel.TraceScope;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.process.TableStats;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** {@code lifespan agent}: every process of the node, until it is told to stop. */
@CommandLine.Command(
    name = "lifespan agent",
    description = {
      "Exports a span of every process of this node until SIGTERM or SIGINT, then delivers what waits"
          + " within 5 s."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:stopped by a signal",
      "1:no events can be had here, or no more",
      "2:an option or setting is wrong"
    })
final class AgentCommand implements Subcommand {

  private static final Duration FLUSH_LIMIT = Duration.ofMillis(4_500);
  private static final String SERVICE = "unknown_service";

  @Mixin private CommonOptions common = new CommonOptions();

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
    List<String> problems =
        SpanEvents.problems(settings.events(), settings.trace().rules().records());
    if (!problems.isEmpty()) {
      throw new CannotStartException(ExitCodes.USAGE, problems);
    }
    Starting<Telemetry> starting = TelemetryStart.with(settings, AgentCommand::tell);
    HealthServer health = bind(settings.health());
    Injector injector = CollectorModule.injector(settings);
    Watch watch = injector.getInstance(Watch.class);
    Telemetry telemetry = starting.get();
    watch.open(ExitCodes.FAILED);
    StopRequest stop = StopRequest.onSignals();
    TraceScope scope = new TraceScope.Node(System.nanoTime());
    Pipeline pipeline = watch.read(stop::ask);
    Mapping mapping =
        injector.getInstance(MappingSetup.class).mapping(scope, SERVICE, telemetry, pipeline);
    List<LifecycleListener> listeners = mapping.listeners();
    listeners.add(new LossTeller(settings, AgentCommand::tell));
    ProcessTable table = watch.table(TableOptions.Scope.NODE, listeners);
    table.populate(System.nanoTime());
    pipeline.consume(new TableConsumer(table, now -> mapping.tick(table, now)));
    telemetry.warnings().forEach(AgentCommand::tell);
    watch.passedOver().forEach(AgentCommand::tell);
    BlockingWatch blocking =
        new BlockingOutput(settings, mapping, telemetry.meters())
            .start(
                new BlockingTeller(AgentCommand::tell),
                task -> pipeline.later(() -> task.accept(table)));
    tell(
        String.format(
            Locale.ROOT,
            "watching %,d processes by %s; %s",
            table.alive(),
            watch.describe(),
            telemetry.describe()));
    if (health != null) {
      health.start(new AgentHealth(pipeline, telemetry));
    }
    stop.await();
    if (health != null) {
      health.close();
    }
    blocking.close();
    return stop.finish(end(pipeline, table, mapping, telemetry));
  }

  /** Before anything is watched: a port that is taken stops the start. */
  private static @Nullable HealthServer bind(Settings.@Nullable Health where)
      throws CannotStartException {
    if (where == null) {
      return null;
    }
    try {
      return HealthServer.bind(where.host(), where.port());
    } catch (IOException refused) {
      throw new CannotStartException(
          ExitCodes.FAILED,
          List.of(
              "lifespan.health.port: cannot listen on %s port %d: %s; set another, or lifespan.health.host"
                  .formatted(where.host(), where.port(), refused.getMessage())));
    }
  }

  private static int end(
      Pipeline pipeline, ProcessTable table, Mapping mapping, Telemetry telemetry) {
    long start = System.nanoTime();
    pipeline.close();
    table.settleAll();
    mapping.end(table);
    IOException failure = pipeline.failure();
    if (failure != null) {
      tell("no more events: " + failure.getMessage());
    }
    Duration spent = Duration.ofNanos(System.nanoTime() - start);
    DeliveryReport report = telemetry.shutdown(FLUSH_LIMIT.minus(spent));
    report.problems().forEach(AgentCommand::tell);
    String without = SpanLedger.text(mapping.spans().stats());
    if (!without.isEmpty()) {
      tell(without);
    }
    tell(ledger(table.stats()));
    return failure == null ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private static String ledger(TableStats stats) {
    return String.format(
        Locale.ROOT,
        "stopped; %,d processes known = %,d ended + %,d alive + %,d vanished unseen; %,d events lost",
        stats.started(),
        stats.ended(),
        stats.alive(),
        stats.lost(),
        stats.eventsLost());
  }

  private static void tell(String line) {
    System.err.println("lifespan: " + line);
  }
}
