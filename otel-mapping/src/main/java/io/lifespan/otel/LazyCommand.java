package io.lifespan.otel;

import io.lifespan.process.Image;
import org.jspecify.annotations.Nullable;

/**
 * A command that is decoded when it is first asked for, once for all processes that share its
 * image.
 */
final class LazyCommand {

  private final Image image;
  private @Nullable Command command;

  LazyCommand(Image image) {
    this.image = image;
  }

  boolean isOf(Image other) {
    return image.equals(other);
  }

  Command get(CommandReader reader) {
    if (command == null) {
      command = reader.read(image);
    }
    return command;
  }
}
