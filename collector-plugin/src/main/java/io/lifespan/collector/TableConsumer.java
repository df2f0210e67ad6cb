package io.lifespan.collector;

import io.lifespan.event.ProcessEvent;
import io.lifespan.process.ProcessTable;
import java.util.function.LongConsumer;

/**
 * Hands events to a process table.
 *
 * @param afterTick is told the time when the table has done what was due by it
 */
record TableConsumer(ProcessTable table, LongConsumer afterTick) implements EventConsumer {

  TableConsumer(ProcessTable table) {
    this(table, nowNanos -> {});
  }

  @Override
  public void apply(ProcessEvent event) {
    table.apply(event);
  }

  @Override
  public void tick(long nowNanos) {
    table.tick(nowNanos);
    afterTick.accept(nowNanos);
  }
}
