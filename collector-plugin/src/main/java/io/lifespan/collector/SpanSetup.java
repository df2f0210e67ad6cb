package io.lifespan.collector;

import com.google.inject.Inject;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.otel.ArgumentsMode;
import io.lifespan.otel.ProcessResources;
import io.lifespan.otel.ProcessSpans;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.SpanOptions;
import io.lifespan.otel.SpanRules;
import io.lifespan.otel.TraceIdentity;
import io.lifespan.otel.TraceScope;
import io.lifespan.otel.UserNames;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.semconv.ServiceAttributes;

/** Makes the mapping from processes to spans as the settings have it. */
final class SpanSetup {

  private final Settings settings;
  private final TraceIdentity identity;
  private final Redactor redactor;
  private final UserNames users;

  @Inject
  SpanSetup(Settings settings, TraceIdentity identity, Redactor redactor, UserNames users) {
    this.settings = settings;
    this.identity = identity;
    this.redactor = redactor;
    this.users = users;
  }

  /**
   * @param service the service.name of processes that neither themselves nor the settings name
   */
  ProcessSpans spans(TraceScope scope, String service, Telemetry telemetry) {
    return spans(scope, service, telemetry.resource(), telemetry.spans());
  }

  /**
   * The same without a telemetry of Lifespan's own.
   *
   * @param configured what is known of the Resource beside the host
   * @param processor takes the spans
   */
  ProcessSpans spans(
      TraceScope scope, String service, Resource configured, SpanProcessor processor) {
    String configuredService = configured.getAttribute(ServiceAttributes.SERVICE_NAME);
    SpanOptions options =
        new SpanOptions(
            scope,
            settings.trace().longLivedAfter(),
            ArgumentsMode.valueOf(settings.arguments().name()),
            settings.trace().maxSpans(),
            configuredService == null ? service : configuredService,
            settings.trace().sampler(),
            rules());
    Resource base = HostResource.read().merge(configured);
    return new ProcessSpans(
        options, identity, new ProcessResources(base, options), redactor, users, processor);
  }

  /** Where only failed exits are seen, what vanished is not known to have failed. */
  private SpanRules rules() {
    SpanRules rules = settings.trace().rules();
    return settings.events().failedExitsOnly() && !rules.records()
        ? new SpanRules(
            true, rules.minDuration(), rules.record(), rules.maxRecorded(), rules.kernelThreads())
        : rules;
  }
}
