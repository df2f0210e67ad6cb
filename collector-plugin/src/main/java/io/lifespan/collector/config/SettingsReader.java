package io.lifespan.collector.config;

import io.lifespan.event.EventSelection;
import io.lifespan.event.blocking.MountFilter;
import io.lifespan.event.blocking.ProberOptions;
import io.lifespan.event.blocking.SamplerOptions;
import io.lifespan.event.poll.PollOptions;
import io.lifespan.otel.LogEvent;
import io.lifespan.otel.LogOptions;
import io.lifespan.otel.MetricOptions;
import io.lifespan.otel.RedactionRules;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.SpanRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns what was given into {@link Settings}, and goes on after an error to find the others. */
final class SettingsReader {
  private static final int MIB = 1 << 20;
  private static final List<String> SOURCE_NAMES = List.of("ebpf", "connector", "ptrace", "poll");
  private static final Settings.Sources AUTOMATIC = new Settings.Sources(SOURCE_NAMES, true);

  private final Profile profile;
  private final SettingSources sources;
  private final List<String> errors = new ArrayList<>();
  private final ValueReader values = new ValueReader(errors);

  SettingsReader(Profile profile, SettingSources sources) {
    this.profile = profile;
    this.sources = sources;
  }

  Settings read() throws SettingsException {
    errors.addAll(sources.errors());
    sources.all().forEach(this::checkName);
    Arguments arguments = profile == Profile.RUN ? Arguments.REDACTED : Arguments.COUNT;
    Settings settings =
        new Settings(
            value(Setting.EVENTS, EventSelection.ALL, this::events),
            value(Setting.SOURCES, AUTOMATIC, this::sources),
            new Settings.Connector(
                value(Setting.RECEIVE_BUFFER, 16 * MIB, values::bufferSize),
                value(Setting.THREADS, true, values::flag)),
            new Settings.Ebpf(value(Setting.RING_BUFFER, 4 * MIB, values::ringSize)),
            new Settings.Poll(
                value(Setting.POLL_INTERVAL, PollOptions.DEFAULT_INTERVAL, values::duration),
                value(Setting.POLL_CPU, 5, raw -> values.count(raw, 1, 100)) / 100.0),
            blocking(),
            value(Setting.QUEUE_SIZE, 65_536, raw -> values.count(raw, 64, 16 * MIB)),
            value(Setting.ARGUMENTS, arguments, values::arguments),
            redaction(),
            new Settings.Trace(
                value(Setting.LONG_LIVED_AFTER, Duration.ofSeconds(60), values::duration),
                value(Setting.MAX_SPANS, 10_000, raw -> values.count(raw, 1, 10_000_000)),
                new SamplerSettings(sources, profile, errors).sampler(),
                rules()),
            metrics(),
            value(Setting.LOG_EVENTS, LogOptions.DEFAULT_EVENTS, this::logEvents),
            export(),
            health());
    if (!errors.isEmpty()) {
      throw new SettingsException(errors);
    }
    return settings;
  }

  private Settings.Blocking blocking() {
    ProberOptions prober = ProberOptions.DEFAULTS;
    SamplerOptions sampler = SamplerOptions.DEFAULTS;
    Duration slowAfter = value(Setting.SLOW_AFTER, prober.slowAfter(), values::duration);
    Duration stuckAfter = value(Setting.STUCK_AFTER, prober.stuckAfter(), values::duration);
    if (stuckAfter.compareTo(slowAfter) < 0) {
      errors.add(
          Setting.STUCK_AFTER.settingName()
              + ": a mount is slow before it is stuck; set it above "
              + Setting.SLOW_AFTER.settingName());
    }
    return new Settings.Blocking(
        value(Setting.BLOCKING, true, values::flag),
        new ProberOptions(
            value(Setting.PROBE_INTERVAL, prober.interval(), values::duration),
            slowAfter,
            stuckAfter,
            new MountFilter(
                value(Setting.INCLUDED_MOUNTS, List.of(), SettingsReader::list),
                value(Setting.EXCLUDED_MOUNTS, List.of(), SettingsReader::list))),
        value(Setting.HOST_MOUNTS, false, values::flag),
        new SamplerOptions(
            value(Setting.SAMPLE_CPU, 1, raw -> values.count(raw, 1, 100)) / 100.0,
            value(Setting.SAMPLE_INTERVAL, sampler.interval(), values::duration),
            value(Setting.REPORT_AFTER, sampler.reportAfter(), values::duration)));
  }

  private static List<String> list(RawSetting raw) {
    return Arrays.stream(raw.value().split(",", -1))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private RedactionRules redaction() {
    return new RedactionRules(
        value(Setting.REDACTION_MASK, Redactor.DEFAULT_MASK, RawSetting::value),
        value(Setting.REDACTION_PATTERNS, List.of(), this::patterns),
        value(Setting.REDACTION_ALLOW, Set.of(), SettingsReader::names));
  }

  /** Regular expressions, blanks between. */
  private List<Pattern> patterns(RawSetting raw) {
    List<Pattern> patterns = new ArrayList<>();
    for (String text : raw.value().split("\\s+", -1)) {
      try {
        patterns.add(Pattern.compile(text));
      } catch (PatternSyntaxException malformed) {
        errors.add(
            raw.error(
                "\"" + text + "\" is not a regular expression: " + malformed.getDescription()));
      }
    }
    return patterns;
  }

  private static Set<String> names(RawSetting raw) {
    return Arrays.stream(raw.value().split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  private SpanRules rules() {
    Duration record = value(Setting.RECORD, Duration.ZERO, values::duration);
    boolean onlyFailed = value(Setting.ONLY_FAILED, false, values::flag);
    if (onlyFailed && !record.isZero()) {
      errors.add(
          Setting.ONLY_FAILED.settingName()
              + ": leaves out what "
              + Setting.RECORD.settingName()
              + " keeps for the moment of a failure; set one of the two");
    }
    return new SpanRules(
        onlyFailed && record.isZero(),
        value(Setting.MIN_DURATION, Duration.ZERO, values::duration),
        record,
        value(
            Setting.MAX_RECORDED,
            SpanRules.DEFAULT_MAX_RECORDED,
            raw -> values.count(raw, 1, 10_000_000)),
        value(Setting.KERNEL_THREADS, false, values::flag));
  }

  private MetricOptions metrics() {
    RawSetting buckets = sources.find("otel.exporter.otlp.metrics.default.histogram.aggregation");
    return new MetricOptions(
        value(
            Setting.MAX_EXECUTABLES,
            MetricOptions.DEFAULT_MAX_EXECUTABLES,
            raw -> values.count(raw, 0, 100_000)),
        value(
            Setting.MAX_RESOURCES,
            MetricOptions.DEFAULT_MAX_RESOURCES,
            raw -> values.count(raw, 0, 100_000)),
        value(
            Setting.TOP_PROCESSES,
            MetricOptions.DEFAULT_TOP_PROCESSES,
            raw -> values.count(raw, 0, 10_000)),
        buckets != null && buckets.value().equalsIgnoreCase("explicit_bucket_histogram"));
  }

  private Settings.Export export() {
    Map<String, String> otel = sources.otel();
    if (profile == Profile.SERVICE) {
      return new Settings.Export(Set.of(), null, otel, List.of());
    }
    OtelSettings checked = new OtelSettings(sources, profile);
    errors.addAll(checked.errors());
    RawSetting dir = sources.find(Setting.OTLP_DIR.settingName());
    return new Settings.Export(
        checked.toEndpoint(), dir == null ? null : values.path(dir), otel, checked.warnings());
  }

  private Settings.@Nullable Health health() {
    RawSetting given = sources.find(Setting.HEALTH_PORT.settingName());
    Integer port = given == null ? null : values.count(given, 1, 65_535);
    String host = value(Setting.HEALTH_HOST, "127.0.0.1", RawSetting::value);
    return port == null ? null : new Settings.Health(host, port);
  }

  private void checkName(RawSetting raw) {
    String key = Setting.keyOf(raw.name());
    if (key.startsWith("otel.") || Setting.isKnown(key)) {
      return;
    }
    List<String> names = Setting.names().stream().map(raw.layer()::spell).toList();
    errors.add(raw.error("unknown setting" + Suggestion.text(raw.name(), names)));
  }

  private <T> T value(Setting setting, T byDefault, Function<RawSetting, @Nullable T> parser) {
    RawSetting raw = sources.find(setting.settingName());
    T parsed = raw == null ? null : parser.apply(raw);
    return parsed == null ? byDefault : parsed;
  }

  private Settings.@Nullable Sources sources(RawSetting raw) {
    if (raw.value().strip().equalsIgnoreCase("auto")) {
      return AUTOMATIC;
    }
    List<String> names = values.names(raw, "source", SOURCE_NAMES);
    return names == null ? null : new Settings.Sources(names.stream().distinct().toList(), false);
  }

  private @Nullable EventSelection events(RawSetting raw) {
    List<String> names = values.names(raw, "event", EventSelection.names());
    return names == null ? null : EventSelection.of(names).orElse(null);
  }

  private @Nullable Set<LogEvent> logEvents(RawSetting raw) {
    if (raw.value().equalsIgnoreCase("none")) {
      return Set.of();
    }
    List<String> names = values.names(raw, "log event", LogEvent.names());
    if (names == null) {
      return null;
    }
    Set<LogEvent> events = EnumSet.noneOf(LogEvent.class);
    for (String name : names) {
      LogEvent event = LogEvent.of(name);
      if (event != null) {
        events.add(event);
      }
    }
    return events;
  }
}
