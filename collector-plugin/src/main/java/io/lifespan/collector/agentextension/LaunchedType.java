package io.lifespan.collector.agentextension;

import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesBuilder;
import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesConfigurer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;

/** The agent leaves the JDK's own classes alone unless it is told otherwise. */
public final class LaunchedType implements IgnoredTypesConfigurer {

  @Override
  public void configure(IgnoredTypesBuilder builder, ConfigProperties config) {
    if (ExtensionSettings.propagates(config)) {
      builder.allowClass(LaunchInstrumentation.LAUNCHER);
    }
  }
}
