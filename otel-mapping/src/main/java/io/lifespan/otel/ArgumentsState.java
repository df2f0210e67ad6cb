package io.lifespan.otel;

import io.lifespan.libc.Errno;
import org.jspecify.annotations.Nullable;

/** What became of the arguments of a command: the value of {@code lifespan.arguments.state}. */
enum ArgumentsState {
  /** All of them are exported, secrets masked. */
  CAPTURED("captured"),
  /** Some are exported; they were longer or more than the bounds allow. */
  CUT("cut"),
  /** They were read, and are only counted, by choice. */
  COUNTED("counted"),
  /** Nothing is exported of them, by choice. */
  OFF("off"),
  /** There are none: a kernel thread, or a program that was executed with no arguments at all. */
  NONE("none"),
  /** The process had overwritten them with a title before it was found. */
  TITLE("title"),
  /** The process was gone before they could be read. */
  GONE("unavailable_gone"),
  /** They may not be read. */
  PERMISSION("unavailable_permission"),
  /** Reading them failed for another reason. */
  FAILED("unavailable_failed"),
  /** Nobody tried to read them. */
  NOT_READ("unavailable_not_read");

  private final String value;

  ArgumentsState(String value) {
    this.value = value;
  }

  String value() {
    return value;
  }

  /** The state of arguments that were not read, by the reason. */
  static ArgumentsState unavailable(@Nullable Errno reason) {
    if (reason == null) {
      return NOT_READ;
    }
    if (reason.equals(Errno.ESRCH) || reason.equals(Errno.ENOENT)) {
      return GONE;
    }
    return reason.equals(Errno.EACCES) || reason.equals(Errno.EPERM) ? PERMISSION : FAILED;
  }
}
