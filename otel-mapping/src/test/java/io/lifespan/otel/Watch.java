package io.lifespan.otel;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ResourceUsage;
import io.lifespan.libc.Errno;
import io.lifespan.process.KernelClock;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Watches made-up processes through the real process table and keeps their spans. Times are in
 * milliseconds.
 */
final class Watch implements ProcReader, SpanProcessor {

  static final String BOOT_ID = "boot";
  static final long EPOCH_NANOS = 1_700_000_000_000_000_000L;
  static final int BEGIN = 1_000_000;

  final TraceIdentity identity = new TraceIdentity(BOOT_ID);
  final List<ProcessSpan> spans = new ArrayList<>();
  final ProcessSpans listener;
  final ProcessTable table;
  boolean refusing;
  private final Map<Integer, ProcCapture> alive = new TreeMap<>();

  Watch(SpanOptions options) {
    this(options, spans -> List.of());
  }

  /**
   * @param more makes listeners that are told after the spans
   */
  Watch(SpanOptions options, Function<ProcessSpans, List<? extends LifecycleListener>> more) {
    Resource base = Resource.builder().put("host.name", "here").build();
    listener =
        new ProcessSpans(
            options,
            identity,
            new ProcessResources(base, options),
            new Redactor(Redactor.DEFAULT_MASK),
            uid -> uid == 1001 ? "ada" : null,
            this);
    table =
        new ProcessTable(
            TableOptions.of(
                options.scope() instanceof TraceScope.Node
                    ? TableOptions.Scope.NODE
                    : TableOptions.Scope.SUBTREE),
            this,
            () -> new KernelClock(EPOCH_NANOS, 0, 100),
            Stream.concat(Stream.of(listener), more.apply(listener).stream()).toList());
  }

  /** A node that is watched from {@link #BEGIN} on; arguments are exported. */
  static SpanOptions node() {
    SpanOptions options = SpanOptions.node(nanos(BEGIN), "node");
    return new SpanOptions(
        options.scope(),
        options.longLivedAfter(),
        ArgumentsMode.REDACTED,
        options.maxSpansInTrace(),
        options.defaultServiceName());
  }

  static ProcessKey key(int pid, long startMillis) {
    return new ProcessKey(pid, startMillis / 10);
  }

  static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** What is alive before the watch begins. */
  Watch finds(int pid, int parent, long startMillis, String program, String... environment) {
    alive.put(
        pid,
        Captured.of(pid, "/bin/" + program, program)
            .environment(environment)
            .startedAt(parent, startMillis / 10)
            .capture());
    return this;
  }

  /** A thread of the kernel's own that is alive before the watch begins. */
  Watch findsKernelThread(int pid, String comm) {
    String stat = pid + " (" + comm + ") S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0\n";
    alive.put(
        pid,
        new ProcCapture()
            .with(ProcFile.STAT, Bytes.of(stat))
            .without(ProcFile.EXE, Errno.ENOENT)
            .with(ProcFile.ENVIRON, Bytes.EMPTY));
    return this;
  }

  Watch begin() {
    table.populate(nanos(BEGIN));
    return this;
  }

  Watch fork(long millis, int parent, int child) {
    table.apply(new ProcessEvent.Fork(nanos(millis), parent, parent, child, child, null));
    return this;
  }

  Watch exec(long millis, int pid, String program, String... environment) {
    return exec(millis, pid, Captured.of(pid, "/bin/" + program, program).environment(environment));
  }

  Watch exec(long millis, int pid, Captured captured) {
    long ticks = table.find(pid).key().startTicks();
    ProcCapture capture = captured.startedAt(1, ticks).capture();
    table.apply(new ProcessEvent.Exec(nanos(millis), pid, pid, capture));
    return this;
  }

  Watch apply(ProcessEvent event) {
    table.apply(event);
    return this;
  }

  /** Its own parent is still there. */
  Watch exit(long millis, int pid, int status) {
    Integer parent = table.find(pid).parentPid();
    return exit(millis, pid, status, parent == null ? 0 : parent);
  }

  Watch exit(long millis, int pid, int status, int parent) {
    table.apply(new ProcessEvent.Exit(nanos(millis), pid, pid, status, 17, parent, parent, null));
    return this;
  }

  /** It had this much memory resident before an exec, and used this in its life. */
  Watch exit(long millis, int pid, long formerPeakBytes, ResourceUsage usage) {
    table.apply(new ProcessEvent.Exec(nanos(millis - 1), pid, pid, null, formerPeakBytes));
    int parent = table.find(pid).parentPid();
    table.apply(new ProcessEvent.Exit(nanos(millis), pid, pid, 0, 17, parent, parent, null, usage));
    return this;
  }

  /** The span of a process, which must have ended. */
  ProcessSpan span(int pid) {
    table.settleAll();
    return spans.stream()
        .filter(span -> span.getAttribute(ProcessIncubatingAttributes.PROCESS_PID) == pid)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public ProcCapture read(int pid) {
    ProcCapture capture = alive.get(pid);
    return capture == null ? new ProcCapture().without(ProcFile.STAT, Errno.ENOENT) : capture;
  }

  @Override
  public ProcCapture readStat(int pid) {
    return read(pid);
  }

  @Override
  public void list(IntConsumer pids) {
    alive.keySet().forEach(pids::accept);
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    throw new AssertionError("no span is ever started");
  }

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (refusing) {
      throw new IllegalStateException("refused");
    }
    spans.add((ProcessSpan) span);
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }
}
