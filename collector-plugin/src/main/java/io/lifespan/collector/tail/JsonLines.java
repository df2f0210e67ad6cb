package io.lifespan.collector.tail;

import io.lifespan.collector.tree.CommandText;
import io.lifespan.libc.Signal;
import io.lifespan.process.WaitStatus;
import java.time.Instant;
import java.util.function.Function;

/** Events for programs: one JSON object a line; what is not known is absent. */
final class JsonLines implements Function<EventView, String> {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  @Override
  public String apply(EventView event) {
    JsonObject json = new JsonObject();
    json.put("time", instant(event.epochNanos()).toString());
    json.put("kind", event.kind());
    json.put("pid", event.pid());
    json.put("thread", event.thread());
    json.put("parent_pid", event.parentPid());
    CommandText command = event.command();
    if (command != null) {
      json.put("command", command.name());
      json.put("arguments", command.arguments().isEmpty() ? null : command.arguments());
    }
    WaitStatus status = event.status();
    if (status != null) {
      json.put("exit_code", status.exitCode());
      if (status.signaled()) {
        json.put("signal", Signal.name(status.signal()));
        json.put("core_dumped", status.coreDumped());
      }
    }
    event.details().forEach(json::put);
    return json.toString();
  }

  static Instant instant(long epochNanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(epochNanos, NANOS_PER_SECOND), Math.floorMod(epochNanos, NANOS_PER_SECOND));
  }
}
