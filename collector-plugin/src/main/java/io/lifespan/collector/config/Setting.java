package io.lifespan.collector.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Every setting that Lifespan knows, by its name in a properties file. */
enum Setting {
  CONFIG("lifespan.config"),
  EVENTS("lifespan.events"),
  SOURCES("lifespan.sources"),
  RING_BUFFER("lifespan.ebpf.ring-buffer"),
  RECEIVE_BUFFER("lifespan.connector.receive-buffer"),
  THREADS("lifespan.connector.threads"),
  POLL_INTERVAL("lifespan.poll.interval"),
  POLL_CPU("lifespan.poll.cpu-percent"),
  BLOCKING("lifespan.blocking.enabled"),
  PROBE_INTERVAL("lifespan.blocking.probe-interval"),
  SLOW_AFTER("lifespan.blocking.slow-after"),
  STUCK_AFTER("lifespan.blocking.stuck-after"),
  INCLUDED_MOUNTS("lifespan.blocking.mounts.include"),
  EXCLUDED_MOUNTS("lifespan.blocking.mounts.exclude"),
  HOST_MOUNTS("lifespan.blocking.host-mounts"),
  SAMPLE_INTERVAL("lifespan.blocking.sample-interval"),
  SAMPLE_CPU("lifespan.blocking.cpu-percent"),
  REPORT_AFTER("lifespan.blocking.report-after"),
  QUEUE_SIZE("lifespan.queue.size"),
  ARGUMENTS("lifespan.arguments"),
  REDACTION_MASK("lifespan.redaction.mask"),
  REDACTION_PATTERNS("lifespan.redaction.patterns"),
  REDACTION_ALLOW("lifespan.redaction.allow"),
  LONG_LIVED_AFTER("lifespan.trace.long-lived-after"),
  MAX_SPANS("lifespan.trace.max-spans"),
  ONLY_FAILED("lifespan.traces.only-failed"),
  MIN_DURATION("lifespan.traces.min-duration"),
  RECORD("lifespan.traces.record"),
  MAX_RECORDED("lifespan.traces.max-recorded"),
  KERNEL_THREADS("lifespan.kernel-threads"),
  MAX_EXECUTABLES("lifespan.metrics.max-executables"),
  MAX_RESOURCES("lifespan.metrics.max-resources"),
  TOP_PROCESSES("lifespan.metrics.top-processes"),
  LOG_EVENTS("lifespan.logs.events"),
  OTLP_DIR("lifespan.otlp.dir"),
  HEALTH_PORT("lifespan.health.port"),
  HEALTH_HOST("lifespan.health.host");

  /** What the launcher script reads, and nothing else. */
  private static final Set<String> LAUNCHER = Set.of("lifespan.java.home", "lifespan.java.options");

  private final String settingName;

  Setting(String settingName) {
    this.settingName = settingName;
  }

  String settingName() {
    return settingName;
  }

  /**
   * The form in which names from all layers are compared, OpenTelemetry's: lower case, only dots.
   */
  String key() {
    return keyOf(settingName);
  }

  static String keyOf(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '.').replace('_', '.');
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Setting::settingName).toList();
  }

  static boolean isKnown(String key) {
    return LAUNCHER.contains(key)
        || Arrays.stream(values()).anyMatch(setting -> setting.key().equals(key));
  }
}
