package io.lifespan.collector;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.incubating.HostIncubatingAttributes;
import io.opentelemetry.semconv.incubating.OsIncubatingAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The machine that the processes run on, as OpenTelemetry names it. */
final class HostResource {

  private static final Path NAME = Path.of("/proc/sys/kernel/hostname");
  private static final Path ID = Path.of("/etc/machine-id");

  private HostResource() {}

  /** host.name, host.id if the machine has one, and os.type. */
  static Resource read() {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(
        OsIncubatingAttributes.OS_TYPE, OsIncubatingAttributes.OsTypeIncubatingValues.LINUX);
    String name = line(NAME);
    if (name != null) {
      attributes.put(HostIncubatingAttributes.HOST_NAME, name);
    }
    String id = line(ID);
    if (id != null) {
      attributes.put(HostIncubatingAttributes.HOST_ID, id);
    }
    return Resource.create(attributes.build());
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
