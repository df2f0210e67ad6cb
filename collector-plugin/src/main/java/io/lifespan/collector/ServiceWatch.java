package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.otel.ProcessSpans;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.TraceScope;
import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The watch of this JVM's own descendants. Wired by hand: this JVM is somebody else's, and an
 * injector would set properties of all of it and take time.
 */
final class ServiceWatch implements AutoCloseable {

  private static final String SERVICE = "unknown_service";
  private static final String OF_PROCESS = "process.";

  /**
   * The event of an end comes a moment after the parent has learnt of it, so the last may be on
   * their way; this JVM itself stays alive.
   */
  private static final Duration STRAGGLERS_LIMIT = Duration.ofMillis(100);

  private final Pipeline pipeline;
  private final ProcessTable table;
  private final String description;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ServiceWatch(Pipeline pipeline, ProcessTable table, String description) {
    this.pipeline = pipeline;
    this.table = table;
    this.description = description;
  }

  /**
   * @param resource of the service
   * @param processor takes the spans; not closed with this
   */
  static ServiceWatch start(
      Settings settings, Resource resource, SpanProcessor processor, Consumer<String> notices)
      throws CannotStartException {
    ProcStat self = self();
    ProcessSpans spans =
        new SpanSetup(
                settings,
                CollectorModule.identityOfBoot(),
                new Redactor(settings.redaction()),
                CollectorModule.usersOfMachine())
            .spans(scope(self), SERVICE, withoutProcess(resource), processor);
    Watch watch =
        new Watch(
            settings, CollectorModule.sources(settings), ProcFsReader::new, SystemClock::measure);
    watch.open(ExitCodes.FAILED);
    watch.passedOverByName().forEach(notices);
    Pipeline pipeline = watch.read(() -> notices.accept("no more events: the source has failed"));
    ProcessTable table =
        watch.table(TableOptions.Scope.SUBTREE, List.of(spans, new LossTeller(settings, notices)));
    table.adoptRoot(self.pid(), self.startTicks(), self.parentPid(), null);
    table.populate(System.nanoTime());
    pipeline.consume(new TableConsumer(table));
    return new ServiceWatch(pipeline, table, watch.describe());
  }

  String describe() {
    return description;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      pipeline.awaitUntil(() -> table.alive() <= 1, STRAGGLERS_LIMIT);
      pipeline.close();
      table.settleAll();
    }
  }

  private static TraceScope scope(ProcStat self) {
    return new TraceScope.Descendants(new ProcessKey(self.pid(), self.startTicks()));
  }

  private static ProcStat self() throws CannotStartException {
    Bytes text =
        new ProcFsReader().readStat((int) ProcessHandle.current().pid()).get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    if (stat == null) {
      throw new CannotStartException(
          ExitCodes.FAILED, List.of("/proc does not show this process; mount it"));
    }
    return stat;
  }

  /** The processes of the spans are others than the service's own. */
  private static Resource withoutProcess(Resource resource) {
    return resource.toBuilder().removeIf(ServiceWatch::isOfProcess).build();
  }

  private static boolean isOfProcess(AttributeKey<?> key) {
    return key.getKey().startsWith(OF_PROCESS);
  }
}
