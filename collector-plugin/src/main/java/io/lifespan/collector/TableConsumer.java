package io.lifespan.collector;

import io.lifespan.event.ProcessEvent;
import io.lifespan.process.ProcessTable;

/** Hands events to a process table, and lets the mapping look at it. */
record TableConsumer(ProcessTable table, Mapping mapping) implements EventConsumer {

  @Override
  public void apply(ProcessEvent event) {
    table.apply(event);
  }

  @Override
  public void tick(long nowNanos) {
    table.tick(nowNanos);
    mapping.tick(table, nowNanos);
  }
}
