package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.DatagramBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a subscription queues, with nothing filtered by this process. */
final class RawEvents {

  private RawEvents() {}

  /** All events since the subscription was complete until these processes' first threads exit. */
  static List<ProcessEvent> untilExitsOf(Set<Integer> pids, Subscription subscription)
      throws IOException {
    List<ProcessEvent> events = new ArrayList<>();
    Set<Integer> awaited = new HashSet<>(pids);
    DatagramBatch batch = subscription.batch();
    ProcEventFlyweight message = new ProcEventFlyweight();
    while (!awaited.isEmpty()) {
      int count = subscription.socket().receive(batch);
      if (count == 0 && !subscription.socket().await(60_000)) {
        throw new AssertionError("no more events; these exits are missing: " + awaited);
      }
      for (int i = 0; i < count; i++) {
        message.wrap(batch.bytes(), batch.offset(i), batch.length(i));
        EventKind kind = message.kind();
        if (kind != null && message.timeNanos() >= subscription.completeNanos()) {
          events.add(ProcEventDecoder.decode(message, kind, null));
          if (kind == EventKind.EXIT) {
            awaited.remove(message.pid());
          }
        }
      }
    }
    return events;
  }
}
