package io.lifespan.collector.export;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.ReadWriteLogRecord;
import java.util.List;

/** Hands each log event to every outlet. */
record LogIntake(List<LogOutlet> outlets) implements LogRecordProcessor {

  LogIntake {
    outlets = List.copyOf(outlets);
  }

  @Override
  public void onEmit(Context context, ReadWriteLogRecord event) {
    for (LogOutlet outlet : outlets) {
      outlet.accept(context, event);
    }
  }

  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofAll(outlets.stream().map(LogOutlet::flush).toList());
  }
}
