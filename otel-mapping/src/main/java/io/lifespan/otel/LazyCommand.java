package io.lifespan.otel;

import io.lifespan.process.Image;
import io.opentelemetry.sdk.resources.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A command that is decoded when it is first asked for, once for all processes that share its
 * image.
 */
final class LazyCommand {

  private final Image image;
  private @Nullable Command command;
  private @Nullable ExecutableSeries series;

  LazyCommand(Image image) {
    this.image = image;
  }

  boolean isOf(Image other) {
    return image.equals(other);
  }

  /** Where those who run it are counted; null until it is looked up. */
  @Nullable ExecutableSeries series() {
    return series;
  }

  void setSeries(ExecutableSeries found) {
    series = found;
  }

  /** What it belongs to, for less than decoding all of it. */
  Resource resource(ProcessResources resources) {
    return command == null ? resources.of(image.capture()) : command.resource();
  }

  Command get(CommandReader reader) {
    if (command == null) {
      command = reader.read(image);
    }
    return command;
  }
}
