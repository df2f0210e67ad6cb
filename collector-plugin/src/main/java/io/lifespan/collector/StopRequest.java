package io.lifespan.collector;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for somebody to ask the program to stop, by SIGTERM, SIGINT or SIGHUP or from within, and
 * lets it end in order with a code of its own choice; the JVM by itself would end with 128 + the
 * signal.
 */
final class StopRequest {

  /** Past this the program ends even if it has not finished. */
  private static final long FINISH_SECONDS = 8;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile int exitCode = ExitCodes.FAILED;

  private StopRequest() {}

  /** From now on signals ask instead of ending the program. To be called once. */
  static StopRequest onSignals() {
    StopRequest request = new StopRequest();
    Runtime.getRuntime().addShutdownHook(new Thread(request::shutDown, "lifespan-stop"));
    return request;
  }

  /** Asks from within. */
  void ask() {
    asked.countDown();
  }

  /** Waits until somebody asks. */
  void await() {
    try {
      asked.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until somebody asks, at most for so long; tells whether somebody did. */
  boolean await(Duration limit) {
    try {
      return asked.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Says that all is in order, and with which code the program is to end. */
  int finish(int code) {
    exitCode = code;
    finished.countDown();
    return code;
  }

  private void shutDown() {
    asked.countDown();
    try {
      if (!finished.await(FINISH_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("lifespan: did not stop within " + FINISH_SECONDS + " s; ended anyway");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }
}
