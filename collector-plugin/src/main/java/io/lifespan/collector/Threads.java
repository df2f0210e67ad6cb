package io.lifespan.collector;

/** Waiting for threads to end. */
final class Threads {

  private static final long JOIN_MILLIS = 2_000;

  private Threads() {}

  /**
   * Waits for a thread to end, for two seconds at most; an interrupt is kept for the caller.
   *
   * @return whether it has ended
   */
  static boolean join(Thread thread) {
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
