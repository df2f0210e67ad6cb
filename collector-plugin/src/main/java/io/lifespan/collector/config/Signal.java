package io.lifespan.collector.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The three kinds of telemetry. */
public enum Signal {
  TRACES("traces", "spans"),
  METRICS("metrics", "data points"),
  LOGS("logs", "log events");

  private final String settingName;
  private final String items;

  Signal(String settingName, String items) {
    this.settingName = settingName;
    this.items = items;
  }

  /** The word in OpenTelemetry's settings, and in the paths of OTLP over HTTP. */
  public String settingName() {
    return settingName;
  }

  /** What is counted, for people. */
  public String items() {
    return items;
  }

  /** Some signals in words, in the order of this list. */
  public static String describe(Collection<Signal> signals) {
    List<String> words = new ArrayList<>();
    for (Signal signal : values()) {
      if (signals.contains(signal)) {
        words.add(signal == TRACES ? signal.items : signal.settingName);
      }
    }
    int last = words.size() - 1;
    return last < 1
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }
}
