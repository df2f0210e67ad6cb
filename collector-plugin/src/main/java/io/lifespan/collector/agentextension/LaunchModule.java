package io.lifespan.collector.agentextension;

import io.opentelemetry.javaagent.extension.instrumentation.InstrumentationModule;
import io.opentelemetry.javaagent.extension.instrumentation.TypeInstrumentation;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.List;

/** Lets the agent change how this JVM starts processes: they are handed the trace. */
public final class LaunchModule extends InstrumentationModule {

  public LaunchModule() {
    super("lifespan-launch");
  }

  @Override
  public boolean defaultEnabled(ConfigProperties config) {
    return ExtensionSettings.propagates(config);
  }

  @Override
  public List<TypeInstrumentation> typeInstrumentations() {
    return List.of(new LaunchInstrumentation());
  }
}
