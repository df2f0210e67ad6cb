package io.lifespan.collector;

import com.google.inject.Injector;
import io.lifespan.collector.config.Arguments;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.tail.EventPrinter;
import io.lifespan.collector.tree.CommandTexts;
import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.Terminal;
import io.lifespan.otel.Redactor;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lifespan tail}: events as they come, one a line. */
@CommandLine.Command(
    name = "lifespan tail",
    description = {
      "Prints events as they come, one a line: time, kind, pid, parent, command, and how it ended.",
      "Ends when its reader goes away. The connector tells of threads too: -D"
          + " lifespan.connector.threads=false leaves them out; capture in the kernel (ebpf) does not."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:stopped by a signal, by --count, or its reader went away",
      "1:no events can be had here, or no more",
      "2:an option or setting is wrong"
    })
final class TailCommand implements Subcommand {

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Option(names = "--count", paramLabel = "N", description = "Stop after so many events.")
  private long count = Long.MAX_VALUE;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = {
        "Write the events with what was read from /proc into this file too, to be played again. It"
            + " holds arguments as they were, secrets included: only its owner may read it."
      })
  private @Nullable Path record;

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public Profile profile() {
    return Profile.RUN;
  }

  @Override
  public List<String> errors() {
    return count < 1 ? List.of("--count: " + count + " is not a number above 0") : List.of();
  }

  @Override
  public int run(Settings settings) throws CannotStartException {
    Injector injector = CollectorModule.injector(settings);
    Watch watch = injector.getInstance(Watch.class);
    watch.open(ExitCodes.FAILED);
    watch.passedOverByName().forEach(line -> System.err.println("lifespan: " + line));
    RecordingFile recording = record == null ? null : open(record, injector, watch);
    StopRequest stop = StopRequest.onSignals();
    Pipeline pipeline = watch.read(stop::ask);
    ProcessTable table = watch.table(TableOptions.Scope.NODE, List.of());
    table.populate(System.nanoTime());
    EventPrinter printer =
        new EventPrinter(
            table,
            injector.getInstance(KernelClock.class),
            new CommandTexts(
                injector.getInstance(Redactor.class), settings.arguments() == Arguments.REDACTED),
            json,
            count,
            new FileOutputStream(FileDescriptor.out),
            stop::ask);
    pipeline.consume(new Printing(table, printer, recording, stop));
    stop.await();
    pipeline.close();
    IOException unrecorded = recording == null ? null : recording.finish();
    if (unrecorded != null) {
      System.err.println("lifespan: the recording is not complete: " + unrecorded.getMessage());
    }
    IOException failure = pipeline.failure();
    if (failure != null) {
      System.err.println("lifespan: no more events: " + failure.getMessage());
    }
    boolean complete = failure == null && unrecorded == null;
    return stop.finish(complete ? ExitCodes.OK : ExitCodes.FAILED);
  }

  private static RecordingFile open(Path file, Injector injector, Watch watch)
      throws CannotStartException {
    try {
      return new RecordingFile(
          file, injector.getInstance(KernelClock.class), injector.getInstance(ProcReader.class));
    } catch (IOException e) {
      watch.close();
      throw new CannotStartException(
          ExitCodes.USAGE, List.of("--record: " + file + " cannot be written: " + e));
    }
  }

  /** Prints what the table has taken. */
  private static final class Printing implements EventConsumer {

    private static final long READER_CHECK_NANOS = 100_000_000;

    private final ProcessTable table;
    private final EventPrinter printer;
    private final @Nullable RecordingFile recording;
    private final StopRequest stop;
    private long nextReaderCheckNanos;

    Printing(
        ProcessTable table,
        EventPrinter printer,
        @Nullable RecordingFile recording,
        StopRequest stop) {
      this.table = table;
      this.printer = printer;
      this.recording = recording;
      this.stop = stop;
      nextReaderCheckNanos = System.nanoTime();
    }

    @Override
    public void apply(ProcessEvent event) {
      if (recording != null) {
        recording.take(event);
      }
      printer.take(event);
    }

    @Override
    public void tick(long nowNanos) {
      table.tick(nowNanos);
      printer.flush();
      if (nowNanos - nextReaderCheckNanos >= 0) {
        nextReaderCheckNanos = nowNanos + READER_CHECK_NANOS;
        if (Terminal.readerIsGone(Terminal.STANDARD_OUTPUT)) {
          stop.ask();
        }
      }
    }
  }
}
