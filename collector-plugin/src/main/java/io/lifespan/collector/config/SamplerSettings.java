package io.lifespan.collector.config;

import io.lifespan.otel.TraceSampler;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry's settings of a sampler. A variable of the environment that names one which is not
 * built in is meant for the command that {@code run} traces, as a rule, and stops nothing there;
 * nor does one in a service, whose SDK may know more.
 */
final class SamplerSettings {
  static final String NAME = "otel.traces.sampler";
  private static final String ARGUMENT = "otel.traces.sampler.arg";
  private static final String RATIO = "traceidratio";

  private final SettingSources sources;
  private final Profile profile;
  private final List<String> errors;

  /**
   * @param errors gets what is wrong
   */
  SamplerSettings(SettingSources sources, Profile profile, List<String> errors) {
    this.sources = sources;
    this.profile = profile;
    this.errors = errors;
  }

  TraceSampler sampler() {
    RawSetting raw = sources.find(NAME);
    if (raw == null) {
      return TraceSampler.DEFAULT;
    }
    String name = raw.value().toLowerCase(Locale.ROOT);
    Double share = name.endsWith(RATIO) ? share(sources.find(ARGUMENT)) : (Double) 1.0;
    TraceSampler sampler = share == null ? null : TraceSampler.of(name, share);
    if (sampler == null && share != null && !isForTheCommand(raw)) {
      errors.add(
          raw.badValue("a sampler that is built in: " + String.join(", ", TraceSampler.names())));
    }
    return sampler == null ? TraceSampler.DEFAULT : sampler;
  }

  private boolean isForTheCommand(RawSetting raw) {
    return profile == Profile.SERVICE
        || (profile == Profile.RUN && raw.layer() == Layer.ENVIRONMENT);
  }

  /** The share of traces, 1 unless it is set; null if it is wrong. */
  private @Nullable Double share(@Nullable RawSetting raw) {
    if (raw == null) {
      return 1.0;
    }
    try {
      double share = Double.parseDouble(raw.value());
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    errors.add(raw.badValue("a share of all traces, from 0 to 1, for example 0.1"));
    return null;
  }
}
