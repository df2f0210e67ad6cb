package io.lifespan.event.blocking;

import io.lifespan.libc.Errno;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call that had a deadline.
 *
 * @param <T> what the call gives
 */
public sealed interface Timed<T> {

  /** The call returned in time, with a value. */
  record Value<T>(T value) implements Timed<T> {}

  /** The call returned in time, with an error. */
  record Failed<T>(Errno errno) implements Timed<T> {}

  /**
   * The deadline passed first.
   *
   * @param outstanding the call that holds the mount: the one that was asked for, or an earlier one
   *     that it waits behind
   */
  record Blocked<T>(BlockedCall outstanding) implements Timed<T> {}

  /** The value; null if there is none. */
  default @Nullable T orNull() {
    return this instanceof Value<T> answer ? answer.value() : null;
  }

  /** True if the deadline passed before an answer came. */
  default boolean isBlocked() {
    return this instanceof Blocked<T>;
  }
}
