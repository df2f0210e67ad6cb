package io.lifespan.collector.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import org.jspecify.annotations.Nullable;

/**
 * The way of one signal to one destination, with a queue and a thread of its own, so that one that
 * hangs takes nothing from another.
 */
interface Outlet {

  CompletableResultCode flush();

  /** Sends an empty request, to see whether it is taken. */
  CompletableResultCode probe();

  /** Begins to send what waits, and then to close. */
  CompletableResultCode shutdown();

  /** Ends what is under way; what comes later is not sent. */
  void cutOff();

  DeliveryReport.Destination report();

  /** What fails and why, if the last export failed; null if it did not or there was none. */
  @Nullable String failing();
}
