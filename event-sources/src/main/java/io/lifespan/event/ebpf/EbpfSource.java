package io.lifespan.event.ebpf;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSink;
import io.lifespan.event.EventSource;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.SourceStats;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.connector.ConnectorOptions;
import io.lifespan.event.connector.ConnectorSource;
import io.lifespan.libc.SystemCallException;
import io.lifespan.libc.WakeableWait;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Forks, execs and ends captured in the kernel by a BPF program: with the arguments, the chosen
 * variables and the paths of every exec, however short the process lives. Needs Linux 5.11 with
 * BTF, libbpf 1, the initial pid namespace, and root or CAP_BPF with CAP_PERFMON.
 *
 * <p>Threads are not told of. A process ends once, with the status that wait shows. The kinds of
 * events that the program does not know (names, ids, sessions, tracers, core dumps) come from the
 * proc connector, if they are wanted and it can be had, in the order of their times.
 */
public final class EbpfSource implements EventSource {

  /** The kinds of events that the program in the kernel knows. */
  public static final Set<EventKind> CAPTURED =
      Collections.unmodifiableSet(EnumSet.of(EventKind.FORK, EventKind.EXEC, EventKind.EXIT));

  /** How long events may gather: at first, and while they keep coming. */
  private static final int COLLECT_MILLIS = 5;

  private static final int COLLECT_BUSY_MILLIS = 10;

  private final EbpfOptions options;
  private final ProcFsReader procFs;
  private final SourceCounters counters = new SourceCounters();
  private final RingRecord record = new RingRecord();
  private final Queue<ProcessEvent> beside = new ArrayDeque<>();
  private volatile @Nullable Opened opened;
  private volatile @Nullable Unavailable connectorUnavailable;
  private boolean busy;
  private long droppedReported;
  private long malformedReported;

  /**
   * Makes a source that does nothing until it is opened or probed.
   *
   * @param procFs only for the thread that polls
   */
  public EbpfSource(EbpfOptions options, ProcFsReader procFs) {
    this.options = options;
    this.procFs = procFs;
  }

  @Override
  public String name() {
    return "ebpf";
  }

  @Override
  public Optional<Unavailable> probe() {
    try {
      EbpfProgram.start(options).close();
      return Optional.empty();
    } catch (UnavailableException cause) {
      return Optional.of(cause.unavailable());
    }
  }

  @Override
  public void open() throws UnavailableException {
    ConnectorSource connector = connector();
    EbpfProgram program = null;
    boolean open = false;
    try {
      program = EbpfProgram.start(options);
      RecordDecoder decoder = new RecordDecoder(procFs, options.clock(), System.nanoTime());
      opened = new Opened(program, decoder, connector, waiting(program, connector));
      open = true;
    } finally {
      if (!open) {
        close(program, connector);
      }
    }
  }

  @Override
  public int poll(EventSink sink, int timeoutMillis) throws IOException {
    Opened source = opened();
    if (!busy && !source.waiting.await(timeoutMillis)) {
      return reportLoss(source, sink);
    }
    source.waiting.pause(busy ? COLLECT_BUSY_MILLIS : COLLECT_MILLIS);
    int delivered = look(source, sink);
    busy = delivered > 0;
    return delivered;
  }

  @Override
  public void wakeup() {
    Opened source = opened;
    if (source != null) {
      source.waiting.wakeup();
    }
  }

  @Override
  public SourceStats stats() {
    Opened source = opened;
    ConnectorSource connector = source == null ? null : source.connector;
    SourceStats own = counters.snapshot(filter(source));
    return connector == null ? own : own.plus(connector.stats());
  }

  @Override
  public void close() {
    Opened source = opened;
    if (source != null) {
      source.waiting.close();
      close(source.program, source.connector);
    }
  }

  /** Takes what is there by now; what comes meanwhile is for the next time. */
  private int look(Opened source, EventSink sink) throws IOException {
    int delivered = 0;
    if (source.connector != null) {
      // First: what led to these events is in the ring by now.
      source.connector.poll(beside::add, 0);
    }
    RingReader ring = source.program.ring();
    long end = ring.end();
    int length;
    while ((length = ring.next(end, record.bytes())) != RingReader.NONE) {
      if (!record.isValid(length)) {
        counters.malformed(1);
        continue;
      }
      ProcessEvent event = source.decoder.decode(record);
      delivered += handOverBeside(sink, event.timeNanos()) + 1;
      sink.accept(event);
      EventKind kind = event.kind();
      if (kind != null) {
        counters.delivered(kind);
      }
    }
    counters.malformed(ring.malformed() - malformedReported);
    malformedReported = ring.malformed();
    return delivered + handOverBeside(sink, Long.MAX_VALUE) + reportLoss(source, sink);
  }

  private int handOverBeside(EventSink sink, long beforeNanos) {
    int delivered = 0;
    ProcessEvent next;
    while ((next = beside.peek()) != null && next.timeNanos() < beforeNanos) {
      sink.accept(beside.remove());
      delivered++;
    }
    return delivered;
  }

  /** After what was in the ring: what found no room is newer. */
  private int reportLoss(Opened source, EventSink sink) {
    long dropped = source.program.dropped();
    long lost = dropped - droppedReported;
    if (lost == 0) {
      return 0;
    }
    droppedReported = dropped;
    source.decoder.lost();
    counters.lost(lost);
    sink.accept(new ProcessEvent.Loss(System.nanoTime(), lost, ProcessEvent.Loss.Where.RING));
    return 1;
  }

  /** The proc connector for the other kinds, open; null if none is wanted, or it cannot be had. */
  private @Nullable ConnectorSource connector() {
    EnumSet<EventKind> others = others(options.selection());
    if (others.isEmpty()) {
      return null;
    }
    ConnectorOptions wanted =
        ConnectorOptions.defaults(new EventSelection(others, false), options.clock())
            .withCapture(false);
    ConnectorSource connector = new ConnectorSource(wanted, procFs);
    try {
      connector.open();
      return connector;
    } catch (UnavailableException cause) {
      connectorUnavailable = cause.unavailable();
      return null;
    }
  }

  private static EnumSet<EventKind> others(EventSelection selection) {
    EnumSet<EventKind> others = EnumSet.copyOf(selection.kinds());
    others.removeAll(CAPTURED);
    return others;
  }

  private static WakeableWait waiting(EbpfProgram program, @Nullable ConnectorSource connector)
      throws UnavailableException {
    try {
      return connector == null
          ? new WakeableWait(program.ringDescriptor())
          : new WakeableWait(program.ringDescriptor(), connector.descriptor());
    } catch (SystemCallException failure) {
      throw new UnavailableException(EbpfCauses.of(failure, ""));
    }
  }

  private static void close(@Nullable EbpfProgram program, @Nullable ConnectorSource connector) {
    if (program != null) {
      program.close();
    }
    if (connector != null) {
      connector.close();
    }
  }

  private Opened opened() {
    Opened source = opened;
    if (source == null) {
      throw new IllegalStateException("not open");
    }
    return source;
  }

  private String filter(@Nullable Opened source) {
    if (source == null) {
      return "not open";
    }
    EnumSet<EventKind> captured = EnumSet.copyOf(options.selection().kinds());
    captured.retainAll(CAPTURED);
    String own =
        captured.isEmpty()
            ? "nothing"
            : new EventSelection(captured, options.selection().failedExitsOnly()).toString();
    String others =
        others(options.selection()).stream()
            .map(EventKind::settingName)
            .collect(Collectors.joining(","));
    if (others.isEmpty()) {
      return "kernel: " + own;
    }
    Unavailable cause = connectorUnavailable;
    return "kernel: "
        + own
        + (cause == null ? "; by the connector: " + others : "; without " + others + ": " + cause);
  }

  private record Opened(
      EbpfProgram program,
      RecordDecoder decoder,
      @Nullable ConnectorSource connector,
      WakeableWait waiting) {}
}
