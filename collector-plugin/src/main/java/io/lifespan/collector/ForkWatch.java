package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.process.ForkCounter;
import io.lifespan.process.ProcessSnapshot;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A watch of some seconds: who is alive at its end, and what they made while it lasted.
 *
 * @param alive the processes alive at its end
 * @param totals what processes of each executable did meanwhile
 * @param lasted how long it was
 * @param eventsLost events that were lost meanwhile: so many may be missing
 * @param failure why it ended before its time; null as a rule
 */
record ForkWatch(
    List<ProcessSnapshot> alive,
    Map<Bytes, ForkCounter.Totals> totals,
    Duration lasted,
    long eventsLost,
    @Nullable IOException failure) {

  private static final int MAX_NAMES = 1_000;

  /** Watches for so long, or until a signal asks to stop. */
  static ForkWatch of(Injector injector, StopRequest stop, Duration duration)
      throws CannotStartException {
    Watch watch = injector.getInstance(Watch.class);
    watch.open(ExitCodes.FAILED);
    Pipeline pipeline = watch.read(stop::ask);
    ForkCounter counter = new ForkCounter(MAX_NAMES);
    ProcessTable table = watch.table(TableOptions.Scope.NODE, List.of(counter));
    long start = System.nanoTime();
    table.populate(start);
    pipeline.consume(new TableConsumer(table));
    stop.await(duration);
    pipeline.close();
    table.settleAll();
    return new ForkWatch(
        table.snapshot(),
        counter.totals(),
        Duration.ofNanos(System.nanoTime() - start),
        table.stats().eventsLost(),
        pipeline.failure());
  }
}
