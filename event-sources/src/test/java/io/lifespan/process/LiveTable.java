package io.lifespan.process;

import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSource;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.event.connector.ConnectorOptions;
import io.lifespan.event.connector.ConnectorSource;
import io.lifespan.event.ebpf.EbpfOptions;
import io.lifespan.event.ebpf.EbpfSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A process table fed by the running kernel, on the thread of the test. */
final class LiveTable implements LifecycleListener, AutoCloseable {

  final List<TrackedProcess> ended = new ArrayList<>();
  final List<Long> losses = new ArrayList<>();
  final ForkCounter forks = new ForkCounter(10_000);
  final ProcessTable table;
  final EventSource source;
  long patienceSeconds = 120;
  Consumer<ProcessEvent> witness = event -> {};

  LiveTable() throws Exception {
    this(EventSelection.ALL, TableOptions.of(TableOptions.Scope.NODE), options -> options);
  }

  LiveTable(
      EventSelection selection, TableOptions options, UnaryOperator<ConnectorOptions> connector)
      throws Exception {
    this(
        options,
        new ConnectorSource(
            connector.apply(ConnectorOptions.defaults(selection, SystemClock.measure())),
            new ProcFsReader()));
  }

  private LiveTable(TableOptions options, EventSource source) throws Exception {
    this.source = source;
    source.open();
    table =
        new ProcessTable(options, new ProcFsReader(), SystemClock::measure, List.of(this, forks));
    if (options.wholeLives()) {
      table.populate(System.nanoTime());
    }
  }

  /** A table fed by the program in the kernel. */
  static LiveTable captured() throws Exception {
    EbpfOptions ebpf =
        EbpfOptions.defaults(EventSelection.ALL, SystemClock.measure()).withRingBytes(16 << 20);
    return new LiveTable(
        TableOptions.of(TableOptions.Scope.NODE), new EbpfSource(ebpf, new ProcFsReader()));
  }

  /** Feeds the table until something is so. */
  void until(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never came true; " + table.stats() + " " + source.stats());
      }
      turn();
    }
  }

  /** Feeds the table once. */
  void turn() throws Exception {
    source.poll(
        event -> {
          witness.accept(event);
          table.apply(event);
        },
        20);
    table.tick(System.nanoTime());
  }

  /** The process with this pid that ended last and has been told. */
  TrackedProcess ended(int pid) {
    for (int i = ended.size() - 1; i >= 0; i--) {
      if (ended.get(i).key().pid() == pid) {
        return ended.get(i);
      }
    }
    throw new AssertionError("pid " + pid + " has not ended; " + table.stats());
  }

  List<TrackedProcess> allEnded(int pid) {
    return ended.stream().filter(each -> each.key().pid() == pid).toList();
  }

  boolean hasEnded(int pid) {
    return ended.stream().anyMatch(each -> each.key().pid() == pid);
  }

  @Override
  public void ended(TrackedProcess process) {
    ended.add(process);
  }

  @Override
  public void eventsLost(ProcessEvent.Loss loss) {
    losses.add(loss.count());
  }

  @Override
  public void close() {
    source.close();
  }
}
