package io.lifespan.collector.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All {@code lifespan.*} and {@code otel.*} settings that were given, layer above layer: command
 * line, system properties, environment variables, settings file. A blank value counts as not given,
 * as OpenTelemetry has it.
 */
public final class SettingSources {
  private static final List<String> PREFIXES = List.of("lifespan.", "otel.");

  private final Map<Layer, Map<String, RawSetting>> layers = new EnumMap<>(Layer.class);
  private final List<String> errors = new ArrayList<>();

  private SettingSources() {}

  /**
   * The settings of this process.
   *
   * @param options what the command line sets, by the setting's name
   */
  public static SettingSources ofProcess(Map<String, String> options) {
    Map<String, String> properties = new TreeMap<>();
    Properties system = System.getProperties();
    for (String name : system.stringPropertyNames()) {
      properties.put(name, system.getProperty(name, ""));
    }
    return of(options, properties, System.getenv());
  }

  /**
   * As {@link #ofProcess(Map)}, with what something else knows besides: a configuration file of
   * OpenTelemetry's, as a rule.
   *
   * @param known gives the value of a setting by its name, null if it has none; wins over the
   *     options
   */
  public static SettingSources ofProcess(
      Map<String, String> options, Function<String, @Nullable String> known) {
    Map<String, String> told = new TreeMap<>(options);
    for (String name : Setting.names()) {
      String value = known.apply(name);
      if (value != null) {
        told.put(name, value);
      }
    }
    return ofProcess(told);
  }

  /**
   * The settings in the given maps, and in the file that {@code lifespan.config} names in one of
   * them.
   */
  public static SettingSources of(
      Map<String, String> options,
      Map<String, String> properties,
      Map<String, String> environment) {
    SettingSources sources = new SettingSources();
    sources.add(Layer.OPTION, options);
    sources.add(Layer.PROPERTY, properties);
    sources.add(Layer.ENVIRONMENT, environment);
    RawSetting file = sources.find(Setting.CONFIG.settingName());
    if (file != null) {
      sources.add(Layer.FILE, sources.load(file));
    }
    return sources;
  }

  /** The strongest layer's value of a setting; null if none has it. */
  @Nullable RawSetting find(String name) {
    String key = Setting.keyOf(name);
    for (Map<String, RawSetting> layer : layers.values()) {
      RawSetting found = layer.get(key);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Everything given in any layer, also what a stronger layer hides. */
  List<RawSetting> all() {
    return layers.values().stream().map(Map::values).flatMap(Collection::stream).toList();
  }

  /** What {@link #find} would give for every {@code otel.*} setting, by key. */
  Map<String, String> otel() {
    Map<String, String> merged = new TreeMap<>();
    for (Map<String, RawSetting> layer : layers.values()) {
      layer.forEach(
          (key, setting) -> {
            if (key.startsWith("otel.")) {
              merged.putIfAbsent(key, setting.value());
            }
          });
    }
    return merged;
  }

  /** What went wrong while reading: a file that cannot be read. */
  List<String> errors() {
    return errors;
  }

  private void add(Layer layer, Map<String, String> values) {
    Map<String, RawSetting> kept = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          String key = Setting.keyOf(name);
          boolean ours =
              PREFIXES.stream().anyMatch(key::startsWith) && layer.spell(name).equals(name);
          if (!value.isBlank() && (ours || layer == Layer.FILE || layer == Layer.OPTION)) {
            kept.put(key, new RawSetting(layer, name, value.strip()));
          }
        });
    layers.put(layer, kept);
  }

  private Map<String, String> load(RawSetting file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file.value()))) {
      properties.load(reader);
    } catch (NoSuchFileException absent) {
      errors.add(file.error("there is no file \"" + file.value() + "\""));
    } catch (IOException | IllegalArgumentException unreadable) {
      errors.add(file.error("the file \"" + file.value() + "\" cannot be read: " + unreadable));
    }
    Map<String, String> values = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      values.put(name, properties.getProperty(name, ""));
    }
    return values;
  }
}
