package io.lifespan.otel;

import org.jspecify.annotations.Nullable;

/** What the users of this machine are called. Does not block and does not throw. */
@FunctionalInterface
public interface UserNames {

  /** The name of a user by number; null if it has none here. */
  @Nullable String of(long userId);
}
