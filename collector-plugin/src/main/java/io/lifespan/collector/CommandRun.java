package io.lifespan.collector;

import com.google.inject.Inject;
import io.lifespan.collector.config.Arguments;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.collector.tree.CommandTexts;
import io.lifespan.collector.tree.ProcessTree;
import io.lifespan.collector.tree.TreeRecorder;
import io.lifespan.collector.tree.TreeRenderer;
import io.lifespan.collector.tree.TreeStyle;
import io.lifespan.event.CommandSource;
import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.ChildProcess;
import io.lifespan.libc.Command;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SignalGate;
import io.lifespan.libc.SystemCallException;
import io.lifespan.libc.Terminal;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.Text;
import io.lifespan.otel.TraceContext;
import io.lifespan.otel.TraceIdentity;
import io.lifespan.otel.TraceSampler;
import io.lifespan.otel.TraceScope;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.lifespan.procfs.Bytes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs one command and watches it and its descendants. */
final class CommandRun {

  /** How long the events of what has ended may take, and the last spans after them. */
  private static final Duration EVENTS_LIMIT = Duration.ofMillis(1_200);

  /**
   * The event of an end comes a moment after the parent has learnt of it, so the last may be on
   * their way.
   */
  private static final Duration STRAGGLERS_LIMIT = Duration.ofMillis(50);

  private static final Duration END_LIMIT = Duration.ofMillis(2_500);
  private static final Duration WAIT_LIMIT = Duration.ofDays(3_650);
  private static final int SIGCHLD = 17;

  private final Settings settings;
  private final MappingSetup setup;
  private final TraceIdentity identity;
  private final TreeRecorder recorder;

  @Inject
  CommandRun(Settings settings, MappingSetup setup, TraceIdentity identity, Redactor redactor) {
    this.settings = settings;
    this.setup = setup;
    this.identity = identity;
    boolean showArguments = settings.arguments() == Arguments.REDACTED;
    this.recorder = new TreeRecorder(new CommandTexts(redactor, showArguments));
  }

  /**
   * Runs the command.
   *
   * @param variables its environment as text
   * @param opening the watch, which is open once that has been got
   * @param waitForDescendants whether to follow those that outlive it
   * @param printTree whether to print the tree of processes
   * @return the exit code of the program
   */
  int run(
      Command command,
      Map<String, String> variables,
      Starting<Telemetry> starting,
      Starting<Watch> opening,
      boolean waitForDescendants,
      boolean printTree)
      throws CannotStartException {
    SpanContext parent =
        TraceContext.parse(
            variables.get(TraceContext.TRACEPARENT), variables.get(TraceContext.TRACESTATE));
    settings.export().warnings().forEach(CommandRun::tell);
    if (parent != null && !settings.trace().sampler().join(parent).isSampled()) {
      tell("TRACEPARENT says that its trace is not sampled: nothing is exported");
    }
    Telemetry telemetry = starting.get();
    ChildProcess.prepare();
    Watch watch = opening.get();
    watch.passedOverByName().forEach(CommandRun::tell);
    Pipeline pipeline = watch.read(() -> {});
    ChildProcess child = start(command, parent, watch, pipeline, telemetry);
    SignalRelay signals = new SignalRelay(child.pid());
    signals.start();

    ProcessKey key = new ProcessKey(child.pid(), child.startTicks());
    if (parent == null && !settings.trace().sampler().begin(identity.traceId(key)).isSampled()) {
      tell("this trace is not sampled (otel.traces.sampler): nothing is exported");
    }
    Mapping mapping =
        setup.mapping(new TraceScope.Subtree(key, parent), name(command), telemetry, pipeline);
    List<LifecycleListener> listeners = mapping.listeners();
    listeners.add(recorder);
    listeners.add(new LossTeller(settings, CommandRun::tell));
    ProcessTable table = watch.table(TableOptions.Scope.SUBTREE, listeners);
    int ownPid = (int) ProcessHandle.current().pid();
    TrackedProcess root =
        table.adoptRoot(child.pid(), child.startTicks(), ownPid, commandLine(command));
    pipeline.consume(new TableConsumer(table, now -> mapping.tick(table, now)));

    WaitStatus status = await(child, watch.commandSource());
    long commandEndNanos = System.nanoTime();
    signals.commandEnded();
    awaitEvents(pipeline, table, root, status, ownPid);
    if (waitForDescendants) {
      pipeline.awaitUntil(
          () -> table.alive() == 0 || signals.waitingEnded() || pipeline.failure() != null,
          WAIT_LIMIT);
    }
    pipeline.awaitUntil(() -> table.alive() == 0, STRAGGLERS_LIMIT);
    long endNanos = System.nanoTime();
    ProcessTree tree = endWatch(pipeline, table, endNanos);
    pipeline.close();
    mapping.end(table);
    report(pipeline, tree, variables, printTree);
    long limitFromNanos = waitForDescendants ? endNanos : commandEndNanos;
    Duration rest = END_LIMIT.minusNanos(System.nanoTime() - limitFromNanos);
    telemetry.shutdown(rest).problems().forEach(CommandRun::tell);
    return status.exitCode();
  }

  private ChildProcess start(
      Command command,
      @Nullable SpanContext parent,
      Watch watch,
      Pipeline pipeline,
      Telemetry telemetry)
      throws CannotStartException {
    try {
      return ChildProcess.start(
          command, (pid, ticks) -> held(pid, ticks, parent, watch.commandSource()));
    } catch (IOException e) {
      pipeline.close();
      telemetry.shutdown(Duration.ZERO);
      throw new CannotStartException(exitCode(e), List.of(problem(command, e)));
    }
  }

  private byte[] held(
      int pid, long startTicks, @Nullable SpanContext parent, @Nullable CommandSource source)
      throws IOException {
    if (source != null) {
      source.follow(pid);
    }
    return traceparent(pid, startTicks, parent);
  }

  private byte[] traceparent(int pid, long startTicks, @Nullable SpanContext parent) {
    ProcessKey key = new ProcessKey(pid, startTicks);
    TraceSampler sampler = settings.trace().sampler();
    String traceId = parent == null ? identity.traceId(key) : parent.getTraceId();
    TraceFlags flags = parent == null ? sampler.begin(traceId) : sampler.join(parent);
    SpanContext context =
        SpanContext.create(traceId, identity.spanId(key), flags, TraceState.getDefault());
    return TraceContext.traceparent(context).getBytes(StandardCharsets.US_ASCII);
  }

  /** Waits for the command's end; stops when it is stopped, so that a shell sees it. */
  private static WaitStatus await(ChildProcess child, @Nullable CommandSource source)
      throws CannotStartException {
    try {
      while (true) {
        ChildProcess.Change change = source == null ? null : source.waitForChange();
        if (change == null) {
          change = child.waitForChange();
        }
        if (change instanceof ChildProcess.Change.Ended ended) {
          return new WaitStatus(ended.status());
        }
        if (change instanceof ChildProcess.Change.Stopped) {
          SignalGate.stopSelf();
        }
      }
    } catch (SystemCallException e) {
      throw new CannotStartException(
          ExitCodes.RUN_FAILED, List.of("the command's end cannot be learned: " + e.getMessage()));
    }
  }

  /**
   * Waits until the command's end has come through, and with it that of everything that ended
   * before. If it was lost, it is made up: the end is known here.
   */
  private static void awaitEvents(
      Pipeline pipeline, ProcessTable table, TrackedProcess root, WaitStatus status, int ownPid) {
    if (pipeline.awaitUntil(() -> root.endObserved() != null, EVENTS_LIMIT)) {
      return;
    }
    int pid = root.key().pid();
    pipeline.call(
        () ->
            table.apply(
                new ProcessEvent.Exit(
                    System.nanoTime(), pid, pid, status.raw(), SIGCHLD, ownPid, ownPid, null)),
        EVENTS_LIMIT);
  }

  private ProcessTree endWatch(Pipeline pipeline, ProcessTable table, long nowNanos) {
    AtomicReference<@Nullable ProcessTree> tree = new AtomicReference<>();
    pipeline.call(
        () -> {
          table.endWatch(nowNanos);
          tree.set(recorder.tree(nowNanos));
        },
        EVENTS_LIMIT);
    ProcessTree taken = tree.get();
    return taken == null ? new ProcessTree(List.of(), nowNanos, 0, 0, 0) : taken;
  }

  private static void report(
      Pipeline pipeline, ProcessTree tree, Map<String, String> variables, boolean printTree) {
    if (printTree) {
      PrintStream err = new PrintStream(System.err, false, StandardCharsets.UTF_8);
      TreeStyle style = TreeStyle.of(variables, Terminal.columns(Terminal.STANDARD_ERROR));
      new TreeRenderer(style).render(tree).forEach(err::println);
      err.flush();
    } else if (tree.eventsLost() > 0) {
      tell(tree.eventsLost() + " events were lost: the trace is not complete");
    }
    IOException failure = pipeline.failure();
    if (failure != null) {
      tell("no more events since " + failure.getMessage() + ": the trace is not complete");
    }
  }

  private static int exitCode(IOException e) {
    if (e instanceof SystemCallException failed && failed.call().startsWith("exec")) {
      return failed.errno().equals(Errno.ENOENT) ? ExitCodes.NOT_FOUND : ExitCodes.NOT_EXECUTABLE;
    }
    return ExitCodes.RUN_FAILED;
  }

  private static String problem(Command command, IOException e) {
    String program = Text.of(new Bytes(command.arguments().get(0)));
    return switch (exitCode(e)) {
      case ExitCodes.NOT_FOUND -> program + ": no such command";
      case ExitCodes.NOT_EXECUTABLE ->
          program + ": cannot be executed: " + ((SystemCallException) e).errno();
      default -> String.valueOf(e.getMessage());
    };
  }

  private static Bytes commandLine(Command command) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (byte[] argument : command.arguments()) {
      line.writeBytes(argument);
      line.write(0);
    }
    return new Bytes(line.toByteArray());
  }

  /** What a person would call the command: its program without the directory. */
  private static String name(Command command) {
    String program = Text.of(new Bytes(command.arguments().get(0)));
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.isBlank() ? "command" : name;
  }

  private static void tell(String line) {
    System.err.println("lifespan: " + line);
  }
}
