package io.lifespan.collector.export;

import io.lifespan.collector.config.Signal;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between what batches and an exporter, of whichever signal: counts what is delivered and
 * what is not, remembers why, says when failing begins and ends, and can cut off an exporter that
 * hangs.
 *
 * <p>A signal that nobody asked for by name is given up quietly where the receiver says that it
 * does not take it: that is no fault of anybody's.
 */
final class DeliveryCounter {
  private final String name;
  private final Signal signal;
  private final boolean asked;
  private final FailureMemory failures;
  private final Consumer<String> notices;
  private final AtomicLong handedOver = new AtomicLong();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicBoolean rejecting = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean cutOff;
  private volatile boolean refused;

  /**
   * @param name of the destination, for people
   * @param asked whether a setting names the signal; spans are asked for always
   * @param notices gets a line when it begins to fail and when it arrives again
   */
  DeliveryCounter(
      String name, Signal signal, boolean asked, FailureMemory failures, Consumer<String> notices) {
    this.name = name;
    this.signal = signal;
    this.asked = asked || signal == Signal.TRACES;
    this.failures = failures;
    this.notices = notices;
  }

  /**
   * Sends so many items; fails at once if the exporter is cut off or the receiver does not take
   * them.
   */
  CompletableResultCode export(int count, Supplier<CompletableResultCode> send) {
    handedOver.addAndGet(count);
    if (cutOff || refused) {
      return CompletableResultCode.ofFailure();
    }
    CompletableResultCode result;
    try {
      result = send.get();
    } catch (RuntimeException broken) {
      result = CompletableResultCode.ofExceptionalFailure(broken);
    }
    CompletableResultCode outcome = result;
    return outcome.whenComplete(() -> account(outcome, count));
  }

  /** Closes an exporter the first time; does not wait for its threads: they are daemons. */
  CompletableResultCode close(Runnable close) {
    if (closed.compareAndSet(false, true)) {
      close.run();
    }
    return CompletableResultCode.ofSuccess();
  }

  /** Every later export fails at once. */
  void cutOff() {
    failures.end();
    cutOff = true;
  }

  /** How many items were handed over. */
  long handedOver() {
    return handedOver.get();
  }

  /** What became of the given number of items. */
  DeliveryReport.Destination report(long accepted, boolean complete) {
    long arrived = Math.max(0, delivered.get() - failures.rejected());
    long overflowed = complete ? accepted - handedOver.get() : 0;
    Failure failure = failures.last();
    if (failure == null) {
      failure = failures.rejection();
    }
    if (failure == null) {
      failure = overflowed > 0 ? Failure.queueFull(signal) : Failure.NOT_IN_TIME;
    }
    return new DeliveryReport.Destination(
        name,
        signal.items(),
        refused ? arrived : accepted,
        arrived,
        overflowed,
        failure.cause(),
        failure.remedy());
  }

  /** What fails and why, if the last export failed; null if it did not or there was none. */
  @Nullable String failing() {
    Failure failure = failures.last();
    return failing.get() && failure != null
        ? signal.items() + " are not delivered to " + name + ": " + failure.cause()
        : null;
  }

  /** Once; the report at the end gives the number. */
  private void tellRejection() {
    Failure rejection = failures.rejection();
    if (rejection != null && rejecting.compareAndSet(false, true)) {
      notices.accept(
          "not all %s are taken by %s: %s; %s"
              .formatted(signal.items(), name, rejection.cause(), rejection.remedy()));
    }
  }

  private void account(CompletableResultCode result, int count) {
    if (result.isSuccess()) {
      tellRejection();
      delivered.addAndGet(count);
      failures.succeeded();
      if (failing.compareAndSet(true, false)) {
        notices.accept(signal.items() + " are delivered to " + name + " again");
      }
      return;
    }
    if (cutOff) {
      return;
    }
    Failure failure = failures.failed(result.getFailureThrowable());
    if (count == 0 && failure.badRequest()) {
      failures.succeeded();
      return;
    }
    if (failure.notTaken() && !asked && delivered.get() == 0) {
      refused = true;
      notices.accept(
          "%s takes no %s (%s): none are sent; set OTEL_%s_EXPORTER to none, or to otlp to insist"
              .formatted(name, signal.items(), failure.cause(), signal.name()));
    } else if (failing.compareAndSet(false, true)) {
      notices.accept(
          signal.items()
              + " are not delivered to "
              + name
              + ": "
              + failure.cause()
              + "; "
              + failure.remedy());
    }
  }
}
