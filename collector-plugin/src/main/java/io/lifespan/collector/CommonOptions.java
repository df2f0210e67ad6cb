package io.lifespan.collector;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every command has. Each is a setting too; given here it wins. */
final class CommonOptions {

  @Option(
      names = "--events",
      paramLabel = "KIND[,KIND...]",
      description = {
        "Which events are wanted: fork, exec, uid, gid, sid, ptrace, comm, coredump, exit,"
            + " nonzero_exit. All by default. (lifespan.events)"
      })
  private @Nullable String events;

  @Option(
      names = "--otlp-dir",
      paramLabel = "DIR",
      description = {
        "Write telemetry as OTLP JSON lines into this directory too. (lifespan.otlp.dir)"
      })
  private @Nullable String otlpDir;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Read settings from this properties file. (lifespan.config)")
  private @Nullable String config;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "Set any lifespan.* or otel.* setting, for example -D lifespan.arguments=off")
  private final Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  /** What was given, by the setting's name. */
  Map<String, String> settings() {
    Map<String, String> given = new LinkedHashMap<>(settings);
    put(given, "lifespan.events", events);
    put(given, "lifespan.otlp.dir", otlpDir);
    put(given, "lifespan.config", config);
    return given;
  }

  boolean help() {
    return help;
  }

  private static void put(Map<String, String> given, String name, @Nullable String value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
