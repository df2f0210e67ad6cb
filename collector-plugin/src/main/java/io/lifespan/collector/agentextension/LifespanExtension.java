package io.lifespan.collector.agentextension;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.AutoConfigureListener;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Takes part when an SDK configures itself, in the OpenTelemetry Java agent or elsewhere: sends the
 * spans of processes through the SDK's own span processors, with its own Resource, and begins to
 * watch when it is complete. Does nothing unless {@code otel.lifespan.enabled=true}.
 */
public final class LifespanExtension
    implements AutoConfigurationCustomizerProvider, AutoConfigureListener {

  private static final String QUEUE_SIZE = "otel.bsp.max.queue.size";

  /** The SDK's 2,048 would let processes that come in a burst drive out each other's spans. */
  private static final String ROOM_FOR_BURSTS = "65536";

  private final List<SpanProcessor> processors = new CopyOnWriteArrayList<>();
  private final WatchInBackground watch = new WatchInBackground();
  private volatile @Nullable ConfigProperties config;
  private volatile Resource resource = Resource.empty();

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    sdk.addPropertiesCustomizer(LifespanExtension::properties)
        .addResourceCustomizer(this::resource)
        .addSpanProcessorCustomizer(this::share);
  }

  /** Last, so that others' changes of the Resource are known. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void afterAutoConfigure(OpenTelemetrySdk sdk) {
    ConfigProperties settings = config;
    if (settings != null) {
      watch.start(settings::getString, resource, List.copyOf(processors));
    }
  }

  private static Map<String, String> properties(ConfigProperties config) {
    return ExtensionSettings.enabled(config) && config.getString(QUEUE_SIZE) == null
        ? Map.of(QUEUE_SIZE, ROOM_FOR_BURSTS)
        : Map.of();
  }

  private Resource resource(Resource configured, ConfigProperties settings) {
    if (ExtensionSettings.enabled(settings)) {
      config = settings;
      resource = configured;
    }
    return configured;
  }

  private SpanProcessor share(SpanProcessor processor, ConfigProperties settings) {
    if (!ExtensionSettings.enabled(settings)) {
      return processor;
    }
    processors.add(processor);
    return new SharedSpanProcessor(processor, watch::stop);
  }
}
