package io.lifespan.collector.config;

import java.util.Locale;

/** A place that settings come from; the first one that has a setting wins. */
enum Layer {
  OPTION("command line"),
  PROPERTY("system property"),
  ENVIRONMENT("environment variable"),
  FILE("settings file");

  private final String title;

  Layer(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The name of a setting as this layer spells it. */
  String spell(String name) {
    return this == ENVIRONMENT
        ? name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_')
        : name;
  }
}
