package io.lifespan.otel;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.CgroupFile;
import io.lifespan.procfs.Environ;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.resources.ResourceBuilder;
import io.opentelemetry.semconv.ContainerAttributes;
import io.opentelemetry.semconv.K8sAttributes;
import io.opentelemetry.semconv.ServiceAttributes;
import io.opentelemetry.semconv.incubating.ContainerIncubatingAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The Resource of a process: the service, container or unit that it belongs to, and the host.
 * Processes of one group share one object, since exporters group spans by it.
 *
 * <p>service.name is the first that is there of: the process's own OTEL_SERVICE_NAME, service.name
 * in its own OTEL_RESOURCE_ATTRIBUTES, its systemd unit or its container's name (of a whole node
 * only), the default.
 *
 * <p>Owned by the process table's thread; {@link #malformed()} may be called from any.
 */
public final class ProcessResources {

  /**
   * More groups than these are not remembered: the one used longest ago is made anew when it comes
   * again.
   */
  private static final int MAX_GROUPS = 1_000;

  /** A power of two. */
  private static final int SLOTS = 64;

  private static final int MAX_TEXT = 1_024;
  private static final int MAX_PATH = 4_096;
  private static final int MAX_ATTRIBUTES = 8_192;

  /** Stands for attributes that are too long to be read. */
  private static final String MALFORMED = "=";

  private final Resource base;
  private final String defaultServiceName;
  private final boolean wholeNode;
  private final @Nullable Recent[] recent = new Recent[SLOTS];
  private final Map<Group, Resource> groups = new LinkedHashMap<>(16, 0.75f, true);
  private final AtomicLong malformed = new AtomicLong();

  /** What was read lately, found again by its bytes: cheaper than to decode them once more. */
  private record Recent(@Nullable Bytes environment, @Nullable Bytes cgroup, Resource resource) {}

  /** What tells one group of processes from another. */
  private record Group(
      @Nullable String serviceName, @Nullable String attributes, CgroupOwner owner) {}

  /**
   * @param base what all processes have in common: host.name, host.id, os.type and what the user
   *     has set
   * @param options tells the service name of processes that nothing else names
   */
  public ProcessResources(Resource base, SpanOptions options) {
    this.base = base;
    this.defaultServiceName = options.defaultServiceName();
    this.wholeNode = options.scope() instanceof TraceScope.Node;
  }

  /** How many times a group's OTEL_RESOURCE_ATTRIBUTES could not be read and was discarded. */
  public long malformed() {
    return malformed.get();
  }

  /** The Resource of the process that this was captured of. */
  Resource of(@Nullable ProcCapture capture) {
    Bytes environment = capture == null ? null : capture.get(ProcFile.ENVIRON);
    Bytes cgroup = capture == null ? null : capture.get(ProcFile.CGROUP);
    int slot = (31 * Objects.hashCode(environment) + Objects.hashCode(cgroup)) & (SLOTS - 1);
    Recent last = recent[slot];
    if (last != null
        && Objects.equals(last.environment, environment)
        && Objects.equals(last.cgroup, cgroup)) {
      return last.resource;
    }
    Resource found = find(capture);
    recent[slot] = new Recent(environment, cgroup, found);
    return found;
  }

  private Resource find(@Nullable ProcCapture capture) {
    Group group = group(capture);
    Resource known = groups.get(group);
    if (known != null) {
      return known;
    }
    Resource made = make(group);
    groups.put(group, made);
    if (groups.size() > MAX_GROUPS) {
      groups.remove(groups.keySet().iterator().next());
    }
    return made;
  }

  private Group group(@Nullable ProcCapture capture) {
    if (capture == null) {
      return new Group(null, null, CgroupOwner.NONE);
    }
    Bytes environment = capture.get(ProcFile.ENVIRON);
    return new Group(
        variable(environment, "OTEL_SERVICE_NAME"),
        attributes(environment),
        wholeNode ? owner(capture.get(ProcFile.CGROUP)) : CgroupOwner.NONE);
  }

  private Resource make(Group group) {
    ResourceBuilder resource = base.toBuilder();
    String ownerName = group.owner.serviceName();
    resource.put(
        ServiceAttributes.SERVICE_NAME, ownerName == null ? defaultServiceName : ownerName);
    put(resource, ContainerAttributes.CONTAINER_ID, group.owner.containerId());
    put(resource, ContainerIncubatingAttributes.CONTAINER_NAME, group.owner.containerName());
    put(resource, K8sAttributes.K8S_POD_UID, group.owner.podUid());
    put(resource, Semconv.SYSTEMD_UNIT, group.owner.unit());
    if (group.attributes != null) {
      Attributes attributes = ResourceAttributes.parse(group.attributes);
      if (attributes == null) {
        malformed.incrementAndGet();
      } else {
        resource.putAll(attributes);
      }
    }
    if (group.serviceName != null) {
      resource.put(ServiceAttributes.SERVICE_NAME, group.serviceName);
    }
    return resource.build();
  }

  private static void put(
      ResourceBuilder resource, AttributeKey<String> key, @Nullable String value) {
    if (value != null) {
      resource.put(key, value);
    }
  }

  private static @Nullable String variable(@Nullable Bytes environment, String name) {
    Bytes value = environment == null ? null : Environ.get(environment, name);
    return value == null || value.length() == 0 ? null : Text.of(value, MAX_TEXT);
  }

  private static @Nullable String attributes(@Nullable Bytes environment) {
    Bytes value = environment == null ? null : Environ.get(environment, "OTEL_RESOURCE_ATTRIBUTES");
    if (value == null || value.length() == 0) {
      return null;
    }
    return value.length() > MAX_ATTRIBUTES ? MALFORMED : Text.of(value);
  }

  /**
   * Where some hierarchies are v1 and one is v2, container runtimes may move a process in the
   * former only.
   */
  private static CgroupOwner owner(@Nullable Bytes content) {
    CgroupOwner first = CgroupOwner.NONE;
    if (content == null) {
      return first;
    }
    for (Bytes path : CgroupFile.parse(content).tellingPaths()) {
      CgroupOwner owner = CgroupOwner.of(Text.of(path, MAX_PATH));
      if (owner.isContained()) {
        return owner;
      }
      first = first.equals(CgroupOwner.NONE) ? owner : first;
    }
    return first;
  }
}
