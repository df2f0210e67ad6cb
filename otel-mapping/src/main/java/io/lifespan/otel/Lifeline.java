package io.lifespan.otel;

import org.jspecify.annotations.Nullable;

/**
 * When a process ended, for its children to know: a small object, so that they keep nothing else of
 * it. Owned by the process table's thread.
 */
final class Lifeline {

  private @Nullable Long endNanos;

  /** It ended at a time of CLOCK_MONOTONIC that the kernel told. */
  void end(long nanos) {
    endNanos = nanos;
  }

  /** When it ended; null while it lives, and if that was only concluded. */
  @Nullable Long endNanos() {
    return endNanos;
  }
}
