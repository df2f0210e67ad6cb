package io.lifespan.collector.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.tree.CommandTexts;
import io.lifespan.event.ProcessEvent;
import io.lifespan.otel.Redactor;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class EventPrinterTest {

  private static final long SECOND = 1_000_000_000L;

  private final KernelClock clock = new KernelClock(1_600_000_000 * SECOND, 0, 100);
  private final ProcessTable table =
      new ProcessTable(
          TableOptions.of(TableOptions.Scope.SUBTREE), new NoProc(), () -> clock, List.of());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final AtomicInteger ended = new AtomicInteger();

  EventPrinterTest() {
    table.adoptRoot(100, 0, 1, null);
  }

  @Test
  void aLineForPeopleSaysWhatHappenedToWhomAndHowItEnded() {
    print(false, new ProcessEvent.Fork(5 * SECOND, 100, 100, 101, 101, null));
    print(false, exec("sh", "-c", "exit 3"));
    print(false, exit(0x300));

    assertThat(printed())
        .satisfiesExactly(
            line -> assertThat(line).matches("\\d\\d:26:45.000000 fork +101 +100  process"),
            line -> assertThat(line).matches("\\d\\d:26:46.000000 exec +101 +100  sh -c 'exit 3'"),
            line -> assertThat(line).matches("\\d\\d:26:47.000000 exit +101 +100  sh  exit 3"));
  }

  @Test
  void aJsonLineHasEveryFieldThatIsKnown() {
    print(true, new ProcessEvent.Fork(5 * SECOND, 100, 100, 101, 101, null));
    print(true, exec("sh", "-c", "\"\\"));
    print(true, exit(0x8b));

    assertThat(printed())
        .containsExactly(
            "{\"time\":\"2020-09-13T12:26:45Z\",\"kind\":\"fork\",\"pid\":101,\"parent_pid\":100,"
                + "\"command\":\"process\"}",
            "{\"time\":\"2020-09-13T12:26:46Z\",\"kind\":\"exec\",\"pid\":101,\"parent_pid\":100,"
                + "\"command\":\"sh\",\"arguments\":\"-c '\\\"\\\\'\"}",
            "{\"time\":\"2020-09-13T12:26:47Z\",\"kind\":\"exit\",\"pid\":101,\"parent_pid\":100,"
                + "\"command\":\"sh\",\"arguments\":\"-c '\\\"\\\\'\",\"exit_code\":139,"
                + "\"signal\":\"SIGSEGV\",\"core_dumped\":true}");
  }

  @Test
  void everyKindOfEventHasALine() {
    List<ProcessEvent> events =
        List.of(
            new ProcessEvent.Uid(SECOND, 100, 100, 1000, -1),
            new ProcessEvent.Gid(SECOND, 100, 100, 5, 6),
            new ProcessEvent.Sid(SECOND, 100, 100),
            new ProcessEvent.Ptrace(SECOND, 100, 100, 7, 7),
            new ProcessEvent.Comm(SECOND, 100, 100, Bytes.of("neu")),
            new ProcessEvent.CoreDump(SECOND, 100, 100, 1, 1),
            new ProcessEvent.Exit(SECOND, 102, 100, 0, -1, 0, 0, null),
            new ProcessEvent.Loss(SECOND, 12, ProcessEvent.Loss.Where.QUEUE));
    events.forEach(event -> print(false, event));

    assertThat(printed().stream().map(line -> line.replaceAll("^\\S+ ", "").replaceAll(" +", " ")))
        .containsExactly(
            "uid 100 1 process real id 1000 effective id 4294967295",
            "gid 100 1 process real id 5 effective id 6",
            "sid 100 1 process",
            "ptrace 100 1 process tracer pid 7",
            "comm 100 1 neu",
            "coredump 100 1 neu",
            "exit 100 1 neu thread 102 exit 0",
            "loss - - ? events lost 12");
  }

  @Test
  void endsAfterSoManyLines() {
    EventPrinter printer = printer(true, 2, out);
    for (int i = 0; i < 5; i++) {
      printer.take(new ProcessEvent.Loss(SECOND, i, ProcessEvent.Loss.Where.QUEUE));
    }

    assertThat(printed()).hasSize(2);
    assertThat(ended).hasValue(1);
  }

  @Test
  void endsWhenTheReaderIsGone() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    EventPrinter printer = printer(false, Long.MAX_VALUE, closed);
    printer.take(new ProcessEvent.Loss(SECOND, 1, ProcessEvent.Loss.Where.QUEUE));
    printer.flush();
    printer.take(new ProcessEvent.Loss(SECOND, 1, ProcessEvent.Loss.Where.QUEUE));
    printer.flush();

    assertThat(ended).hasValue(1);
  }

  @Test
  void aJsonTextIsEscapedAsTheStandardWants() {
    JsonObject json = new JsonObject();
    json.put("a\"b", "\u0001\ud83d\ude00\ud83d é\\");
    json.put("absent", (String) null);
    json.put("n", 1);

    assertThat(json).hasToString("{\"a\\\"b\":\"\\u0001\ud83d\ude00\\ud83d é\\\\\",\"n\":1}");
  }

  private void print(boolean json, ProcessEvent event) {
    EventPrinter printer = printer(json, Long.MAX_VALUE, out);
    printer.take(event);
    printer.flush();
  }

  private EventPrinter printer(boolean json, long count, OutputStream to) {
    CommandTexts commands = new CommandTexts(new Redactor("***"), true);
    return new EventPrinter(table, clock, commands, json, count, to, ended::incrementAndGet);
  }

  private List<String> printed() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static ProcessEvent exec(String... arguments) {
    ProcCapture capture =
        new ProcCapture()
            .with(ProcFile.CMDLINE, Bytes.of(String.join("\0", arguments) + "\0"))
            .with(ProcFile.EXE, Bytes.of("/bin/" + arguments[0]));
    return new ProcessEvent.Exec(6 * SECOND, 101, 101, capture);
  }

  private static ProcessEvent exit(int status) {
    return new ProcessEvent.Exit(7 * SECOND, 101, 101, status, 17, 100, 100, null);
  }

  /** A /proc in which there is nobody. */
  private static final class NoProc implements ProcReader {
    @Override
    public ProcCapture read(int pid) {
      return new ProcCapture();
    }

    @Override
    public ProcCapture readStat(int pid) {
      return new ProcCapture();
    }

    @Override
    public void list(IntConsumer pids) {}
  }
}
