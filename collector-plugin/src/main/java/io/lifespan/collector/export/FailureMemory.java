package io.lifespan.collector.export;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Why the last exports to one destination failed; from any thread. */
final class FailureMemory {
  private final Function<@Nullable Throwable, Failure> explain;
  private @Nullable Failure last;
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
