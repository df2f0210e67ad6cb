package io.lifespan.otel;

import io.lifespan.procfs.ProcCapture;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ServiceAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The Resource of a process: the service, container or unit that it belongs to, and the host.
 * Processes of one service group share one object, since exporters group spans by it.
 */
public final class ProcessResources {

  private final Resource fallback;

  /**
   * @param base what all processes have in common: host.name, host.id, os.type and what the user
   *     has set
   * @param options tells the service name of processes that nothing else names
   */
  public ProcessResources(Resource base, SpanOptions options) {
    this.fallback =
        base.toBuilder().put(ServiceAttributes.SERVICE_NAME, options.defaultServiceName()).build();
  }

  /** The Resource of the process that this was captured of. */
  Resource of(@Nullable ProcCapture capture) {
    return fallback;
  }
}
