package io.lifespan.collector.export;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Why the last exports to one destination failed; from any thread. */
final class FailureMemory {
  private final Function<@Nullable Throwable, Failure> explain;
  private @Nullable Failure last;
  private @Nullable Failure rejection;
  private long rejected;
  private boolean past;
  private boolean ended;

  /**
   * @param explain makes a failure of what an export was completed with
   */
  FailureMemory(Function<@Nullable Throwable, Failure> explain) {
    this.explain = explain;
  }

  /** Keeps the failure of an export, or of an attempt that may still be repeated. */
  synchronized Failure failed(@Nullable Throwable thrown) {
    Failure failure = explain.apply(thrown);
    if (!ended) {
      last = failure;
      past = false;
    }
    return failure;
  }

  /** Keeps that a receiver took a request but not all that was in it. */
  synchronized void rejected(PartialSuccess partial) {
    rejected += partial.rejected();
    if (partial.rejected() > 0) {
      rejection = Failure.rejected(partial.message());
    }
  }

  /** How many items were in requests that were taken, and were not taken themselves. */
  synchronized long rejected() {
    return rejected;
  }

  /** Why the last of them was not taken; null if all were. */
  synchronized @Nullable Failure rejection() {
    return rejection;
  }

  synchronized void succeeded() {
    past = true;
  }

  /** The exporter is cut off: what fails from now on does so for that reason only. */
  synchronized void end() {
    if (last == null || past) {
      last = Failure.NOT_IN_TIME;
    }
    ended = true;
  }

  synchronized @Nullable Failure last() {
    return last;
  }
}
