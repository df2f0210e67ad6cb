package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.DatagramBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a subscription queues, with nothing filtered by this process. */
final class RawEvents {

  private RawEvents() {}

  /** All events since the subscription was complete until a process's first thread exits. */
  static List<ProcessEvent> untilExitOf(int pid, Subscription subscription) throws IOException {
    List<ProcessEvent> events = new ArrayList<>();
    DatagramBatch batch = subscription.batch();
    ProcEventFlyweight message = new ProcEventFlyweight();
    while (true) {
      int count = subscription.socket().receive(batch);
      if (count == 0 && !subscription.socket().await(60_000)) {
        throw new AssertionError("no more events; the exit of " + pid + " was not among " + events);
      }
      for (int i = 0; i < count; i++) {
        message.wrap(batch.bytes(), batch.offset(i), batch.length(i));
        EventKind kind = message.kind();
        if (kind != null && message.timeNanos() >= subscription.completeNanos()) {
          events.add(ProcEventDecoder.decode(message, kind, null));
          if (kind == EventKind.EXIT && message.pid() == pid) {
            return events;
          }
        }
      }
    }
  }
}
