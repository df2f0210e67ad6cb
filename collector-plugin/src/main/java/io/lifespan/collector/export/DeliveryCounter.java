package io.lifespan.collector.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Stands between a batch processor and an exporter: counts what is delivered and what is not,
 * remembers why, says when failing begins and ends, and can cut off an exporter that hangs.
 */
final class DeliveryCounter implements SpanExporter {
  private final String name;
  private final SpanExporter exporter;
  private final FailureMemory failures;
  private final Consumer<String> notices;
  private final AtomicLong handedOver = new AtomicLong();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean cutOff;

  /**
   * @param name of the destination, for people
   * @param notices gets a line when spans begin to fail and when they arrive again
   */
  DeliveryCounter(
      String name, SpanExporter exporter, FailureMemory failures, Consumer<String> notices) {
    this.name = name;
    this.exporter = exporter;
    this.failures = failures;
    this.notices = notices;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    int count = spans.size();
    handedOver.addAndGet(count);
    if (cutOff) {
      return CompletableResultCode.ofFailure();
    }
    CompletableResultCode result;
    try {
      result = exporter.export(spans);
    } catch (RuntimeException broken) {
      result = CompletableResultCode.ofExceptionalFailure(broken);
    }
    CompletableResultCode outcome = result;
    return outcome.whenComplete(() -> account(outcome, count));
  }

  /** Ends what is under way; every later export fails at once. */
  void cutOff() {
    failures.end();
    cutOff = true;
    shutdown();
  }

  /** What became of the given number of spans. */
  DeliveryReport.Destination report(long accepted, boolean complete) {
    long arrived = delivered.get();
    long overflowed = complete ? accepted - handedOver.get() : 0;
    Failure failure = failures.last();
    if (failure == null) {
      failure = overflowed > 0 ? Failure.QUEUE_FULL : Failure.NOT_IN_TIME;
    }
    return new DeliveryReport.Destination(
        name, accepted, arrived, overflowed, failure.cause(), failure.remedy());
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  /** Does not wait for the exporter's threads: they are daemons. */
  @Override
  public CompletableResultCode shutdown() {
    if (closed.compareAndSet(false, true)) {
      exporter.shutdown();
    }
    return CompletableResultCode.ofSuccess();
  }

  private void account(CompletableResultCode result, int count) {
    if (result.isSuccess()) {
      delivered.addAndGet(count);
      failures.succeeded();
      if (failing.compareAndSet(true, false)) {
        notices.accept("spans are delivered to " + name + " again");
      }
      return;
    }
    if (cutOff) {
      return;
    }
    Failure failure = failures.failed(result.getFailureThrowable());
    if (failing.compareAndSet(false, true)) {
      notices.accept(
          "spans are not delivered to " + name + ": " + failure.cause() + "; " + failure.remedy());
    }
  }
}
