package io.lifespan.collector.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A first look at those of OpenTelemetry's own settings that decide where telemetry goes, so that a
 * mistake in them is told beside all others instead of by the SDK, one at a time. The SDK itself
 * stays the one that reads them.
 */
final class OtelSettings {
  private static final String DISABLED = "otel.sdk.disabled";
  private static final String OTLP = "otel.exporter.otlp.";
  private static final Set<String> TEMPORALITIES = Set.of("cumulative", "delta", "lowmemory");
  private static final Set<String> HISTOGRAMS =
      Set.of("explicit_bucket_histogram", "base2_exponential_bucket_histogram");
  private static final Set<String> PROTOCOLS = Set.of("grpc", "http/protobuf");
  private static final List<String> OTLP_NAMES =
      List.of(
          "endpoint",
          "protocol",
          "headers",
          "compression",
          "timeout",
          "certificate",
          "client.key",
          "client.certificate",
          "insecure",
          "metrics.temporality.preference",
          "metrics.default.histogram.aggregation");
  private static final List<String> KNOWN = knownOtlpSettings();

  private final SettingSources sources;
  private final Profile profile;
  private final Set<Signal> toEndpoint = EnumSet.noneOf(Signal.class);
  private final Set<String> errors = new LinkedHashSet<>();
  private final List<String> warnings = new ArrayList<>();

  OtelSettings(SettingSources sources, Profile profile) {
    this.sources = sources;
    this.profile = profile;
    boolean disabled = disabled();
    for (Signal signal : Signal.values()) {
      if (!disabled && exports(signal)) {
        toEndpoint.add(signal);
      }
    }
    sources.all().forEach(this::checkName);
    check(
        "otel.config.file",
        raw -> errors.add(raw.error("Lifespan has no configuration by such files; use settings")));
    check("otel.resource.attributes", this::checkPairs);
    toEndpoint.forEach(this::checkExporter);
    if (!toEndpoint.isEmpty()) {
      checkBatches("otel.bsp.");
      checkBatches("otel.blrp.");
    }
    checkMetrics();
  }

  /** What is to be sent to an OTLP endpoint. */
  Set<Signal> toEndpoint() {
    return toEndpoint;
  }

  List<String> errors() {
    return List.copyOf(errors);
  }

  /** What was passed over as not meant for this program. */
  List<String> warnings() {
    return warnings;
  }

  private boolean disabled() {
    RawSetting raw = sources.find(DISABLED);
    if (raw != null
        && !raw.value().equalsIgnoreCase("true")
        && !raw.value().equalsIgnoreCase("false")) {
      errors.add(raw.badValue("true or false"));
    }
    return raw != null && raw.value().equalsIgnoreCase("true");
  }

  private boolean exports(Signal signal) {
    RawSetting raw = sources.find("otel." + signal.settingName() + ".exporter");
    if (raw == null) {
      return profile == Profile.AGENT || forSignal(signal, "endpoint") != null;
    }
    if (raw.value().equals("otlp") || raw.value().equals("none")) {
      return raw.value().equals("otlp");
    }
    if (profile == Profile.RUN && raw.layer() == Layer.ENVIRONMENT) {
      return exportsBesideOthers(signal, raw);
    }
    errors.add(raw.badValue("otlp or none, the exporters that are built in"));
    return false;
  }

  /** The variable is the command's too, and the command may have more exporters than these. */
  private boolean exportsBesideOthers(Signal signal, RawSetting raw) {
    boolean otlp =
        Arrays.stream(raw.value().split(",", -1)).map(String::strip).anyMatch("otlp"::equals);
    if (!otlp && signal == Signal.TRACES) {
      warnings.add(
          raw.badValue(
              "an exporter that is built in here (otlp): nothing is sent; the command has it as it"
                  + " is"));
    }
    return otlp;
  }

  private void checkExporter(Signal signal) {
    RawSetting protocol = forSignal(signal, "protocol");
    if (protocol != null && !PROTOCOLS.contains(protocol.value())) {
      errors.add(protocol.badValue("grpc or http/protobuf"));
    }
    RawSetting endpoint = forSignal(signal, "endpoint");
    if (endpoint != null) {
      checkEndpoint(endpoint, protocol == null || protocol.value().equals("grpc"));
    }
    RawSetting compression = forSignal(signal, "compression");
    if (compression != null && !Set.of("gzip", "none").contains(compression.value())) {
      errors.add(compression.badValue("gzip or none"));
    }
    RawSetting headers = forSignal(signal, "headers");
    if (headers != null) {
      checkPairs(headers);
    }
    checkDuration(forSignal(signal, "timeout"));
    for (String file : List.of("certificate", "client.key", "client.certificate")) {
      checkFile(forSignal(signal, file));
    }
    checkClientKey(signal);
  }

  private void checkEndpoint(RawSetting raw, boolean grpc) {
    URI uri;
    try {
      uri = new URI(raw.value());
    } catch (URISyntaxException malformed) {
      errors.add(raw.badValue("a URL such as http://localhost:4317: " + malformed.getReason()));
      return;
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      errors.add(
          raw.badValue(
              "a URL that begins with http:// or https://, such as http://localhost:4317"));
    } else if (uri.getHost() == null) {
      errors.add(raw.badValue("a URL with a host and, if any, a port from 1 to 65535"));
    } else if (uri.getPort() > 65_535 || uri.getPort() == 0) {
      errors.add(raw.badValue("a URL with a port from 1 to 65535"));
    } else if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      errors.add(raw.badValue("a URL without ? and #"));
    } else if (grpc && !Set.of("", "/").contains(uri.getRawPath())) {
      errors.add(
          raw.badValue(
              "a URL without a path, as gRPC needs it; for OTLP over HTTP set "
                  + OTLP
                  + "protocol=http/protobuf"));
    }
  }

  private void checkBatches(String prefix) {
    for (String name : List.of("max.queue.size", "max.export.batch.size")) {
      check(
          prefix + name,
          raw -> {
            if (!raw.value().matches("[1-9]\\d{0,7}")) {
              errors.add(raw.badValue("a whole number from 1 to 99999999"));
            }
          });
    }
    checkDuration(sources.find(prefix + "schedule.delay"));
    checkDuration(sources.find(prefix + "export.timeout"));
  }

  private void checkMetrics() {
    checkDuration(sources.find("otel.metric.export.interval"));
    checkDuration(sources.find("otel.metric.export.timeout"));
    checkWord(
        OTLP + "metrics.temporality.preference", TEMPORALITIES, "cumulative, delta or lowmemory");
    checkWord(
        OTLP + "metrics.default.histogram.aggregation",
        HISTOGRAMS,
        "explicit_bucket_histogram or base2_exponential_bucket_histogram");
  }

  private void checkWord(String name, Set<String> words, String expected) {
    check(
        name,
        raw -> {
          if (!words.contains(raw.value().toLowerCase(Locale.ROOT))) {
            errors.add(raw.badValue(expected));
          }
        });
  }

  /** Shows neither the value nor a part of it: it may be a secret. */
  private void checkPairs(RawSetting raw) {
    for (String pair : raw.value().split(",", -1)) {
      if (!pair.isBlank() && pair.indexOf('=') < 1) {
        errors.add(raw.error("the value is not a list of name=value, separated by commas"));
        return;
      }
    }
  }

  private void checkDuration(@Nullable RawSetting raw) {
    if (raw != null && Quantities.duration(raw.value()) == null) {
      errors.add(raw.badValue("a duration, for example 10s or 10000 (milliseconds)"));
    }
  }

  private void checkFile(@Nullable RawSetting raw) {
    if (raw == null) {
      return;
    }
    try {
      Path path = Path.of(raw.value());
      if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
        errors.add(raw.badValue("a file that can be read"));
      }
    } catch (InvalidPathException invalid) {
      errors.add(raw.badValue("a path"));
    }
  }

  private void checkClientKey(Signal signal) {
    RawSetting key = forSignal(signal, "client.key");
    RawSetting certificate = forSignal(signal, "client.certificate");
    RawSetting alone = key == null ? certificate : certificate == null ? key : null;
    if (alone != null) {
      errors.add(
          alone.error("a client's key and its certificate are only of use together; set both"));
    }
  }

  private void checkName(RawSetting raw) {
    String key = Setting.keyOf(raw.name());
    if (!key.startsWith(OTLP) || KNOWN.contains(key)) {
      return;
    }
    for (String known : KNOWN) {
      if (Suggestion.distance(key, known) <= 2) {
        errors.add(raw.error("unknown setting; did you mean " + raw.layer().spell(known) + "?"));
        return;
      }
    }
  }

  private void check(String name, Consumer<RawSetting> check) {
    RawSetting raw = sources.find(name);
    if (raw != null) {
      check.accept(raw);
    }
  }

  private @Nullable RawSetting forSignal(Signal signal, String name) {
    RawSetting own = sources.find(OTLP + signal.settingName() + "." + name);
    return own == null ? sources.find(OTLP + name) : own;
  }

  private static List<String> knownOtlpSettings() {
    return OTLP_NAMES.stream()
        .flatMap(
            name ->
                Arrays.asList("", "traces.", "metrics.", "logs.").stream()
                    .map(signal -> OTLP + signal + name))
        .toList();
  }
}
