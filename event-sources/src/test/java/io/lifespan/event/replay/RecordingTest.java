package io.lifespan.event.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ResourceUsage;
import io.lifespan.libc.Errno;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import java.util.function.IntConsumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingTest {

  private static final KernelClock CLOCK = new KernelClock(-12, 34, 100);
  private static final String HEADER = "lifespan-recording-1 to_epoch=-12 to_boot=34 ticks=100\n";

  private static ProcCapture capture(byte[] cmdline) {
    return new ProcCapture()
        .with(ProcFile.CMDLINE, new Bytes(cmdline))
        .with(ProcFile.STAT, Bytes.EMPTY)
        .without(ProcFile.ENVIRON, Errno.EACCES);
  }

  private static final ProcReader ALIVE =
      new ProcReader() {
        @Override
        public ProcCapture read(int pid) {
          return pid == 7 ? capture(new byte[] {'a', ' ', '%', 0}) : new ProcCapture();
        }

        @Override
        public ProcCapture readStat(int pid) {
          return read(pid);
        }

        @Override
        public void list(IntConsumer pids) {
          pids.accept(7);
          pids.accept(8);
        }
      };

  private static Recording record(List<ProcessEvent> events) throws IOException {
    StringWriter text = new StringWriter();
    try (EventRecorder recorder = new EventRecorder(text, CLOCK, ALIVE)) {
      events.forEach(recorder::accept);
    }
    return Recording.read(new StringReader(text.toString()));
  }

  @Test
  void everyKindOfEventComesBackAsItWas() throws IOException {
    List<ProcessEvent> events =
        List.of(
            new ProcessEvent.Fork(1, 2, 3, 4, 5, null),
            new ProcessEvent.Exec(2, 3, 4, null),
            new ProcessEvent.Uid(3, 4, 5, -1, 7),
            new ProcessEvent.Gid(4, 5, 6, 7, 8),
            new ProcessEvent.Sid(5, 6, 7),
            new ProcessEvent.Ptrace(6, 7, 8, 9, 10),
            new ProcessEvent.Comm(7, 8, 9, Bytes.of("a) R 1 =%")),
            new ProcessEvent.CoreDump(8, 9, 10, 11, 12),
            new ProcessEvent.Exec(2, 3, 4, null, 12),
            new ProcessEvent.Exit(9, 10, 11, 0x8b, -1, 0, 0, null),
            new ProcessEvent.Exit(9, 10, 10, 0, 17, 1, 1, null, usage(5L)),
            new ProcessEvent.Exit(9, 10, 10, 0, 17, 1, 1, null, usage(null)),
            new ProcessEvent.Gone(9, 10, 0x300, true),
            new ProcessEvent.Gone(9, 11, null, false),
            new ProcessEvent.Loss(10, 12345678901L, ProcessEvent.Loss.Where.QUEUE));

    assertThat(record(events).events()).isEqualTo(events);
    assertThat(events).extracting(ProcessEvent::kind).contains(EventKind.values());
    assertThat(record(events).clock()).isEqualTo(CLOCK);
  }

  private static ResourceUsage usage(Long known) {
    return new ResourceUsage(1, 2, 3, 4, 5, 6, 7, known, known, known, known);
  }

  @Test
  void aProcessThatWasFoundComesBackWithWhatWasRead() throws IOException {
    ProcessEvent.Found found = new ProcessEvent.Found(3, 7, capture(new byte[] {'b', 0}));

    assertThat(record(List.of(found)).events())
        .singleElement()
        .isInstanceOfSatisfying(
            ProcessEvent.Found.class,
            read -> {
              assertThat(read.pid()).isEqualTo(7);
              assertThat(read.capture().get(ProcFile.CMDLINE)).isEqualTo(Bytes.of("b\0"));
              assertThat(read.capture().reason(ProcFile.ENVIRON)).isEqualTo(Errno.EACCES);
            });
  }

  @Test
  void theAliveComeBackWithWhatWasReadAndWhyTheRestWasNot() throws IOException {
    Recording recording = record(List.of());

    assertThat(recording.read(7).get(ProcFile.CMDLINE)).isEqualTo(Bytes.of("a %\0"));
    assertThat(recording.read(7).get(ProcFile.STAT)).isEqualTo(Bytes.EMPTY);
    assertThat(recording.read(7).reason(ProcFile.ENVIRON)).isEqualTo(Errno.EACCES);
    assertThat(recording.read(7).get(ProcFile.EXE)).isNull();
    assertThat(recording.read(8).isEmpty()).isTrue();
  }

  @Property
  boolean anyBytesComeBackAsTheyWere(@ForAll byte[] cmdline) throws IOException {
    ProcessEvent.Exec back =
        (ProcessEvent.Exec)
            record(List.of(new ProcessEvent.Exec(1, 2, 2, capture(cmdline)))).events().get(0);
    return new Bytes(cmdline).equals(back.capture().get(ProcFile.CMDLINE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense t=1",
        "fork t=x",
        "loss t=1 count=1 where=elsewhere",
        "fork t=1 parent_pid=1",
        "exec t=1 pid=1 tgid=1 /cmdline=%4",
        "exec t=1 pid=1 tgid=1 /cmdline=%zz",
        "comm t=1 pid=1 tgid=1",
        "exit t=1 pid",
        "proc pid=?"
      })
  void whatIsNotUnderstoodIsSaidWithItsLine(String line) {
    assertThatThrownBy(() -> Recording.read(new StringReader(HEADER + "# comment\n" + line + "\n")))
        .isInstanceOf(MalformedRecordingException.class)
        .hasMessageStartingWith("line 3: ");
  }

  @Property
  boolean anyTextIsReadOrRefusedAsMalformed(@ForAll String text) throws IOException {
    try {
      return Recording.read(new StringReader(HEADER + text)).clock().equals(CLOCK);
    } catch (MalformedRecordingException refused) {
      return true;
    }
  }
}
