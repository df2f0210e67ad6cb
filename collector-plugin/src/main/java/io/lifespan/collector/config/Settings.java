package io.lifespan.collector.config;

import io.lifespan.event.EventSelection;
import io.lifespan.event.blocking.ProberOptions;
import io.lifespan.event.blocking.SamplerOptions;
import io.lifespan.otel.LogEvent;
import io.lifespan.otel.MetricOptions;
import io.lifespan.otel.RedactionRules;
import io.lifespan.otel.SpanRules;
import io.lifespan.otel.TraceSampler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set, checked and with its defaults filled in.
 *
 * @param events which events are wanted from the source ({@code lifespan.events}, all nine kinds)
 * @param queueSize how many events may wait between a source and the process table ({@code
 *     lifespan.queue.size}, 65536)
 * @param arguments what of a command's arguments is told ({@code lifespan.arguments}, redacted for
 *     one command, count for a node)
 * @param redaction what is taken for a secret, and what it is replaced by ({@code
 *     lifespan.redaction.*})
 * @param metrics what bounds metrics ({@code lifespan.metrics.*})
 * @param logEvents what log events are made of ({@code lifespan.logs.events}, failed exits, core
 *     dumps, losses and starts of the long-lived)
 * @param health where an agent answers questions about its health ({@code lifespan.health.port});
 *     null for nowhere
 */
public record Settings(
    EventSelection events,
    Sources sources,
    Connector connector,
    Ebpf ebpf,
    Poll poll,
    Blocking blocking,
    int queueSize,
    Arguments arguments,
    RedactionRules redaction,
    Trace trace,
    MetricOptions metrics,
    Set<LogEvent> logEvents,
    Export export,
    @Nullable Health health) {

  public Settings {
    logEvents = Set.copyOf(logEvents);
  }

  /**
   * Where events come from ({@code lifespan.sources}, auto).
   *
   * @param names of the sources in the order in which they are tried; the first that works is used
   * @param automatic whether the order is Lifespan's own choice
   */
  public record Sources(List<String> names, boolean automatic) {
    public Sources {
      names = List.copyOf(names);
    }
  }

  /**
   * The proc connector.
   *
   * @param receiveBufferBytes the socket's receive buffer ({@code
   *     lifespan.connector.receive-buffer}, 16m)
   * @param threads whether the events of single threads reach the source; if not, the kernel drops
   *     them ({@code lifespan.connector.threads}, true)
   */
  public record Connector(int receiveBufferBytes, boolean threads) {}

  /**
   * Capture in the kernel.
   *
   * @param ringBytes how much the kernel may hold for this process to read, a power of two ({@code
   *     lifespan.ebpf.ring-buffer}, 4m)
   */
  public record Ebpf(int ringBytes) {}

  /**
   * Looking into /proc.
   *
   * @param interval between two looks while nothing happens ({@code lifespan.poll.interval}, 1s)
   * @param share how much of one processor it may take ({@code lifespan.poll.cpu-percent}, 5)
   */
  public record Poll(Duration interval, double share) {}

  /**
   * The watch for what blocks.
   *
   * @param enabled whether an agent keeps it ({@code lifespan.blocking.enabled}, true)
   * @param prober how mounts are probed ({@code lifespan.blocking.probe-interval}, 10s; {@code
   *     slow-after}, 100ms; {@code stuck-after}, 2s; {@code mounts.include} and {@code
   *     mounts.exclude}, none)
   * @param hostMounts whether the mounts of the first process are probed instead of one's own
   *     ({@code lifespan.blocking.host-mounts}, false)
   * @param sampler how other processes are looked at ({@code lifespan.blocking.cpu-percent}, 1;
   *     {@code sample-interval}, 2s; {@code report-after}, 1s)
   */
  public record Blocking(
      boolean enabled, ProberOptions prober, boolean hostMounts, SamplerOptions sampler) {}

  /**
   * How traces are made.
   *
   * @param longLivedAfter a parent older than this is not the root of its children's trace ({@code
   *     lifespan.trace.long-lived-after}, 60s)
   * @param maxSpans how many spans a trace may have before it is split ({@code
   *     lifespan.trace.max-spans}, 10000)
   * @param sampler which traces are exported ({@code otel.traces.sampler}, {@code
   *     otel.traces.sampler.arg}; parentbased_always_on)
   * @param rules which of their processes get a span ({@code lifespan.traces.*}, {@code
   *     lifespan.kernel-threads}; all but the kernel's threads)
   */
  public record Trace(
      Duration longLivedAfter, int maxSpans, TraceSampler sampler, SpanRules rules) {}

  /**
   * Where telemetry goes.
   *
   * @param toEndpoint what is sent to an OTLP endpoint: not what OpenTelemetry is told not to
   *     ({@code otel.traces.exporter=none}, {@code otel.sdk.disabled=true}), and for one command
   *     nothing unless an endpoint is configured
   * @param otlpDir the directory for OTLP JSON lines ({@code lifespan.otlp.dir}); null for none
   * @param otel all {@code otel.*} settings that were given, by name in lower case with dots only
   * @param warnings what of the environment was passed over, since it seems meant for the command
   *     that is traced; one line each
   */
  public record Export(
      Set<Signal> toEndpoint,
      @Nullable Path otlpDir,
      Map<String, String> otel,
      List<String> warnings) {
    public Export {
      toEndpoint = Set.copyOf(toEndpoint);
      otel = Map.copyOf(otel);
      warnings = List.copyOf(warnings);
    }

    /** Whether a signal goes anywhere. */
    public boolean exports(Signal signal) {
      return otlpDir != null || toEndpoint.contains(signal);
    }

    /** Whether any signal goes anywhere. */
    public boolean anything() {
      return otlpDir != null || !toEndpoint.isEmpty();
    }

    /** Whether a setting names this signal; else it goes out by default. */
    public boolean asked(Signal signal) {
      String own = "otel.exporter.otlp." + signal.settingName() + ".";
      return otel.containsKey("otel." + signal.settingName() + ".exporter")
          || otel.keySet().stream().anyMatch(name -> name.startsWith(own));
    }
  }

  /**
   * Where an agent says how it is.
   *
   * @param host a name or address of this machine ({@code lifespan.health.host}, 127.0.0.1)
   * @param port a TCP port ({@code lifespan.health.port})
   */
  public record Health(String host, int port) {}

  /**
   * Reads the settings of this process.
   *
   * @param options what the command line sets, by the setting's name ({@code lifespan.otlp.dir}
   *     ...); it wins
   * @throws SettingsException with every error in any layer
   */
  public static Settings load(Profile profile, Map<String, String> options)
      throws SettingsException {
    return read(profile, SettingSources.ofProcess(options));
  }

  /** As {@link #load}, from the given sources. */
  public static Settings read(Profile profile, SettingSources sources) throws SettingsException {
    return new SettingsReader(profile, sources).read();
  }
}
