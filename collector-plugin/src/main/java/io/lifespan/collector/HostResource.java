package io.lifespan.collector;

import io.lifespan.otel.Semconv;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ServiceAttributes;
import io.opentelemetry.semconv.incubating.HostIncubatingAttributes;
import io.opentelemetry.semconv.incubating.OsIncubatingAttributes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The machine that the processes run on, as OpenTelemetry names it. */
final class HostResource {

  private static final Path NAME = Path.of("/proc/sys/kernel/hostname");
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path ID = Path.of("/etc/machine-id");
  private static final Path FORMER_ID = Path.of("/var/lib/dbus/machine-id");

  private HostResource() {}

  /** host.name, host.id if the machine has one, which boot of it this is, and os.type. */
  static Resource read() {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(
        OsIncubatingAttributes.OS_TYPE, OsIncubatingAttributes.OsTypeIncubatingValues.LINUX);
    String name = line(NAME);
    if (name != null) {
      attributes.put(HostIncubatingAttributes.HOST_NAME, name);
    }
    String id = machineId(ID);
    if (id == null) {
      id = machineId(FORMER_ID);
    }
    if (id != null) {
      attributes.put(HostIncubatingAttributes.HOST_ID, id);
    }
    String bootId = line(BOOT_ID);
    if (bootId != null) {
      attributes.put(Semconv.HOST_BOOT_ID, bootId);
    }
    return Resource.create(attributes.build());
  }

  /**
   * Lifespan's own Resource: the machine, what the settings say of Resources, and which program
   * this is.
   */
  static Resource ofLifespan(Resource configured) {
    ProcessHandle process = ProcessHandle.current();
    String instance =
        line(BOOT_ID) + " " + process.pid() + " " + process.info().startInstant().orElse(null);
    AttributesBuilder own = Attributes.builder();
    own.put(ServiceAttributes.SERVICE_NAME, "lifespan");
    own.put(
        ServiceAttributes.SERVICE_INSTANCE_ID,
        UUID.nameUUIDFromBytes(instance.getBytes(StandardCharsets.UTF_8)).toString());
    String version = HostResource.class.getPackage().getImplementationVersion();
    if (version != null) {
      own.put(ServiceAttributes.SERVICE_VERSION, version);
    }
    return read().merge(configured).merge(Resource.create(own.build()));
  }

  /** See machine-id(5): another text than an id stands there while there is none. */
  private static @Nullable String machineId(Path file) {
    String line = line(file);
    return line != null && line.matches("[0-9a-f]{32}") ? line : null;
  }

  private static @Nullable String line(Path file) {
    try {
      String line = Files.readString(file).strip();
      return line.isEmpty() ? null : line;
    } catch (IOException e) {
      return null;
    }
  }
}
