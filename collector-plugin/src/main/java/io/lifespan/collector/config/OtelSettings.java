package io.lifespan.collector.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A first look at those of OpenTelemetry's own settings that decide where spans go, so that a
 * mistake in them is told beside all others instead of by the SDK, one at a time. The SDK itself
 * stays the one that reads them.
 */
final class OtelSettings {
  private static final String EXPORTER = "otel.traces.exporter";
  private static final String DISABLED = "otel.sdk.disabled";
  private static final String OTLP = "otel.exporter.otlp.";
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
  private final boolean toEndpoint;
  private final List<String> errors = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  OtelSettings(SettingSources sources, Profile profile) {
    this.sources = sources;
    this.profile = profile;
    this.toEndpoint = !disabled() && exports();
    sources.all().forEach(this::checkName);
    check(
        "otel.config.file",
        raw -> errors.add(raw.error("Lifespan has no configuration by such files; use settings")));
    check("otel.resource.attributes", this::checkPairs);
    if (toEndpoint) {
      checkExporter();
      checkBatches();
    }
  }

  /** Whether spans are to be sent to an OTLP endpoint. */
  boolean toEndpoint() {
    return toEndpoint;
  }

  List<String> errors() {
    return errors;
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

  private boolean exports() {
    RawSetting raw = sources.find(EXPORTER);
    if (raw == null) {
      return profile == Profile.AGENT || forTraces("endpoint") != null;
    }
    if (raw.value().equals("otlp") || raw.value().equals("none")) {
      return raw.value().equals("otlp");
    }
    if (profile == Profile.RUN && raw.layer() == Layer.ENVIRONMENT) {
      return exportsBesideOthers(raw);
    }
    errors.add(raw.badValue("otlp or none, the exporters that are built in"));
    return false;
  }

  /** The variable is the command's too, and the command may have more exporters than these. */
  private boolean exportsBesideOthers(RawSetting raw) {
    boolean otlp =
        Arrays.stream(raw.value().split(",", -1)).map(String::strip).anyMatch("otlp"::equals);
    if (!otlp) {
      warnings.add(
          raw.badValue(
              "an exporter that is built in here (otlp): nothing is sent; the command has it as it"
                  + " is"));
    }
    return otlp;
  }

  private void checkExporter() {
    RawSetting protocol = forTraces("protocol");
    if (protocol != null && !PROTOCOLS.contains(protocol.value())) {
      errors.add(protocol.badValue("grpc or http/protobuf"));
    }
    RawSetting endpoint = forTraces("endpoint");
    if (endpoint != null) {
      checkEndpoint(endpoint, protocol == null || protocol.value().equals("grpc"));
    }
    RawSetting compression = forTraces("compression");
    if (compression != null && !Set.of("gzip", "none").contains(compression.value())) {
      errors.add(compression.badValue("gzip or none"));
    }
    RawSetting headers = forTraces("headers");
    if (headers != null) {
      checkPairs(headers);
    }
    checkDuration(forTraces("timeout"));
    for (String file : List.of("certificate", "client.key", "client.certificate")) {
      checkFile(forTraces(file));
    }
    checkClientKey();
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

  private void checkBatches() {
    for (String name : List.of("otel.bsp.max.queue.size", "otel.bsp.max.export.batch.size")) {
      check(
          name,
          raw -> {
            if (!raw.value().matches("[1-9]\\d{0,7}")) {
              errors.add(raw.badValue("a whole number from 1 to 99999999"));
            }
          });
    }
    checkDuration(sources.find("otel.bsp.schedule.delay"));
    checkDuration(sources.find("otel.bsp.export.timeout"));
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

  private void checkClientKey() {
    RawSetting key = forTraces("client.key");
    RawSetting certificate = forTraces("client.certificate");
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

  private @Nullable RawSetting forTraces(String name) {
    RawSetting own = sources.find(OTLP + "traces." + name);
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
