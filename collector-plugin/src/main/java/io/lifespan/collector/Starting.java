package io.lifespan.collector;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Something made on a thread of its own, while the rest of the start goes on. */
final class Starting<T> {

  private final CompletableFuture<T> made = new CompletableFuture<>();

  private Starting() {}

  /** Begins to make it on a daemon thread of this name. */
  static <T> Starting<T> begin(String threadName, Work<T> work) {
    Starting<T> starting = new Starting<>();
    Thread thread = new Thread(() -> starting.make(work), threadName);
    thread.setDaemon(true);
    thread.start();
    return starting;
  }

  private void make(Work<T> work) {
    try {
      made.complete(work.make());
    } catch (Throwable e) {
      // Whatever it is: who waits must learn of it.
      made.completeExceptionally(e);
    }
  }

  /**
   * Waits until it is made.
   *
   * @throws CannotStartException if it cannot be made
   */
  T get() throws CannotStartException {
    try {
      return made.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CannotStartException cannot) {
        throw cannot;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What makes it. */
  @FunctionalInterface
  interface Work<T> {
    T make() throws CannotStartException;
  }
}
