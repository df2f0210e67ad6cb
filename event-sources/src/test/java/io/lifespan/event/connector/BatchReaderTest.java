package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.SourceStats;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.DatagramBatch;
import io.lifespan.libc.DatagramBatches;
import io.lifespan.libc.DatagramBatches.Datagram;
import io.lifespan.process.KernelClock;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchReaderTest {

  private static final int SLOT = 128;
  private static final long SINCE = 1_000;
  private static final long TICK = 10_000_000;
  private static final long CLEAR_OF_A_TICK = 7 * TICK + 600_000;

  private static final ProcFsReader NO_PROC = new ProcFsReader("/nonexistent");

  private final List<ProcessEvent> events = new ArrayList<>();
  private final SourceCounters counters = new SourceCounters();

  @TempDir Path proc;

  @Test
  void eventsAreHandedOverInTheirOrderAndCountedByKind() {
    read(
        all(),
        kernel(ProcEventFlyweight.WHAT_SID, 2_000, 5, 5),
        kernel(ProcEventFlyweight.WHAT_EXIT, 1_999, 5, 5, 0, 17, 1, 1),
        kernel(ProcEventFlyweight.WHAT_SID, 2_001, 6, 6));

    assertThat(events)
        .containsExactly(
            new ProcessEvent.Sid(2_000, 5, 5),
            new ProcessEvent.Exit(1_999, 5, 5, 0, 17, 1, 1, null),
            new ProcessEvent.Sid(2_001, 6, 6));
    assertThat(stats().received()).isEqualTo(3);
    assertThat(stats().byKind()).containsOnly(entry(EventKind.SID, 2L), entry(EventKind.EXIT, 1L));
  }

  @Test
  void whatIsNotUnderstoodIsCountedAndSkipped() {
    byte[] good = Messages.message(ProcEventFlyweight.WHAT_SID, 2_000, 5, 5);

    read(
        all(),
        Datagram.fromKernel(Arrays.copyOf(good, 75)),
        Datagram.fromKernel(new byte[0]),
        Datagram.fromKernel(Arrays.copyOf(good, SLOT + 1)),
        Datagram.fromKernel(Messages.withWord(good, 0, 80)),
        Datagram.fromKernel(Messages.message(0x400, 2_000, 5, 5)),
        new Datagram(good, 4711),
        Datagram.fromKernel(good));

    assertThat(events).containsExactly(new ProcessEvent.Sid(2_000, 5, 5));
    assertThat(stats().malformed()).isEqualTo(6);
  }

  @Test
  void answersToOthersRequestsAreNeitherEventsNorMalformed() {
    read(all(), kernel(ProcEventFlyweight.WHAT_NONE, 2_000, 0));

    assertThat(events).isEmpty();
    assertThat(stats().malformed()).isZero();
  }

  @Test
  void eventsFromBeforeTheSubscriptionArePassedOver() {
    read(
        all(),
        kernel(ProcEventFlyweight.WHAT_SID, SINCE - 1, 5, 5),
        kernel(ProcEventFlyweight.WHAT_SID, SINCE, 6, 6));

    assertThat(events).containsExactly(new ProcessEvent.Sid(SINCE, 6, 6));
  }

  @Test
  void unwantedKindsAreDroppedAndNoticed() {
    BatchReader reader =
        read(
            options(new EventSelection(Set.of(EventKind.EXIT), true)),
            kernel(ProcEventFlyweight.WHAT_EXIT, 2_000, 5, 5, 0x100, 17, 1, 1));
    assertThat(reader.sawUnwantedKind()).isFalse();

    reader =
        read(
            options(new EventSelection(Set.of(EventKind.EXIT), true)),
            kernel(ProcEventFlyweight.WHAT_EXIT, 2_000, 6, 6, 0, 17, 1, 1));

    assertThat(reader.sawUnwantedKind()).isTrue();
    assertThat(events).hasSize(1);
  }

  @Test
  void eventsOfThreadsAreDroppedOnlyWhereTheyAreNotWanted() {
    Datagram fork = kernel(ProcEventFlyweight.WHAT_FORK, 2_000, 1, 1, 6, 5);
    Datagram exit = kernel(ProcEventFlyweight.WHAT_EXIT, 2_001, 6, 5, 0, -1, 0, 0);

    BatchReader reader = read(all().withThreadEvents(false), fork, exit);
    assertThat(events).isEmpty();
    assertThat(reader.sawUnwantedKind()).isFalse();

    read(all(), fork, exit);
    assertThat(events).hasSize(2);
  }

  @Test
  void anExecCarriesWhatWasReadOfItsProcess() throws IOException {
    process(5, "one\0");
    process(6, "two\0");

    read(
        all().withCapture(true),
        kernel(ProcEventFlyweight.WHAT_EXEC, 2_000, 5, 5),
        kernel(ProcEventFlyweight.WHAT_SID, 2_001, 6, 6),
        kernel(ProcEventFlyweight.WHAT_EXEC, 2_002, 6, 6));

    assertThat(((ProcessEvent.Exec) events.get(0)).capture().get(ProcFile.CMDLINE))
        .isEqualTo(Bytes.of("one\0"));
    assertThat(((ProcessEvent.Exec) events.get(2)).capture().get(ProcFile.CMDLINE))
        .isEqualTo(Bytes.of("two\0"));
  }

  @Test
  void aForkShortlyAfterATickCarriesTheStartTimeAndNoOther() throws IOException {
    process(6, "child\0");

    read(
        all().withCapture(true),
        kernel(ProcEventFlyweight.WHAT_FORK, 7 * TICK + 499_999, 5, 5, 6, 6),
        kernel(ProcEventFlyweight.WHAT_FORK, 7 * TICK + 500_000, 5, 5, 6, 6),
        kernel(ProcEventFlyweight.WHAT_FORK, 7 * TICK, 1, 1, 6, 5));

    assertThat(((ProcessEvent.Fork) events.get(0)).capture().get(ProcFile.STAT)).isNotNull();
    assertThat(((ProcessEvent.Fork) events.get(0)).capture().get(ProcFile.CMDLINE)).isNull();
    assertThat(((ProcessEvent.Fork) events.get(1)).capture()).isNull();
    assertThat(((ProcessEvent.Fork) events.get(2)).capture()).isNull();
  }

  @Test
  void anExitOfAFirstThreadCarriesTheThreadCountWhereThreadsAreNotSeen() throws IOException {
    process(5, "");
    Datagram exit = kernel(ProcEventFlyweight.WHAT_EXIT, 2_000, 5, 5, 0, 17, 1, 1);

    read(all().withCapture(true).withThreadEvents(false), exit);
    read(all().withCapture(true), exit);

    assertThat(((ProcessEvent.Exit) events.get(0)).capture().get(ProcFile.STAT)).isNotNull();
    assertThat(((ProcessEvent.Exit) events.get(0)).capture().get(ProcFile.STATUS)).isNull();
    assertThat(((ProcessEvent.Exit) events.get(1)).capture()).isNull();
  }

  @Test
  void aFailedExitCarriesWhatIsLeftWhereOnlyTheseAreSeen() throws IOException {
    process(5, "");

    read(
        options(EventSelection.of(List.of("nonzero_exit")).orElseThrow()).withCapture(true),
        kernel(ProcEventFlyweight.WHAT_EXIT, 2_000, 5, 5, 0x100, 17, 1, 1),
        kernel(ProcEventFlyweight.WHAT_EXIT, 2_000, 6, 5, 0x100, -1, 0, 0));

    assertThat(((ProcessEvent.Exit) events.get(0)).capture().get(ProcFile.STATUS)).isNotNull();
    assertThat(((ProcessEvent.Exit) events.get(0)).capture().get(ProcFile.CGROUP)).isNotNull();
    assertThat(((ProcessEvent.Exit) events.get(1)).capture()).isNull();
  }

  @Test
  void nothingIsReadWhereNoCaptureIsWanted() throws IOException {
    process(5, "one\0");

    read(
        all(),
        kernel(ProcEventFlyweight.WHAT_EXEC, 2_000, 5, 5),
        kernel(ProcEventFlyweight.WHAT_FORK, 7 * TICK, 1, 1, 5, 5));

    assertThat(((ProcessEvent.Exec) events.get(0)).capture()).isNull();
    assertThat(((ProcessEvent.Fork) events.get(1)).capture()).isNull();
  }

  @Property
  void anyBytesAreEitherEventsOrAnswersOrMalformed(
      @ForAll("datagrams") List<byte[]> contents, @ForAll boolean threads) {
    SourceCounters counted = new SourceCounters();
    List<ProcessEvent> handed = new ArrayList<>();
    ConnectorOptions options = all().withThreadEvents(threads);
    List<Datagram> datagrams = contents.stream().map(Datagram::fromKernel).toList();
    DatagramBatch batch = DatagramBatches.of(SLOT, datagrams);

    int delivered =
        reader(options, counted, Long.MIN_VALUE, datagrams.size())
            .read(batch, datagrams.size(), handed::add);

    SourceStats stats = counted.snapshot("");
    assertThat(delivered).isEqualTo(handed.size());
    assertThat(stats.received()).isEqualTo(delivered);
    long neither = contents.stream().filter(bytes -> isAnswerOrOfThread(bytes, threads)).count();
    assertThat(delivered + stats.malformed() + neither).isEqualTo(contents.size());
  }

  @Provide
  Arbitrary<List<byte[]>> datagrams() {
    Arbitrary<byte[]> noise = Arbitraries.bytes().array(byte[].class).ofMaxSize(SLOT + 20);
    Arbitrary<Integer> kinds =
        Arbitraries.of(0, 1, 2, 4, 0x40, 0x80, 0x100, 0x200, 0x400, 0x4000_0000, 0x8000_0000, 3);
    Arbitrary<byte[]> whole =
        kinds.flatMap(
            what ->
                Arbitraries.integers()
                    .between(-1, 3)
                    .array(int[].class)
                    .ofSize(6)
                    .map(data -> Messages.message(what, CLEAR_OF_A_TICK, data)));
    Arbitrary<byte[]> cut =
        whole.flatMap(
            bytes -> Arbitraries.integers().between(0, 75).map(n -> Arrays.copyOf(bytes, n)));
    Arbitrary<byte[]> bent =
        whole.flatMap(
            bytes ->
                Arbitraries.integers()
                    .between(0, 35)
                    .map(
                        at -> {
                          byte[] changed = bytes.clone();
                          changed[at] ^= 0x55;
                          return changed;
                        }));
    return Arbitraries.oneOf(noise, whole, cut, bent).list().ofMinSize(1).ofMaxSize(20);
  }

  private static boolean isAnswerOrOfThread(byte[] bytes, boolean threads) {
    ProcEventFlyweight message = new ProcEventFlyweight();
    return bytes.length <= SLOT
        && message.wrap(Messages.buffer(bytes), 0, bytes.length)
        && (message.what() == 0 || (!threads && message.isOfThread()));
  }

  private BatchReader read(ConnectorOptions options, Datagram... datagrams) {
    BatchReader reader = reader(options, counters, SINCE, datagrams.length);
    DatagramBatch batch = DatagramBatches.of(SLOT, List.of(datagrams));
    int before = events.size();
    assertThat(reader.read(batch, datagrams.length, events::add)).isEqualTo(events.size() - before);
    return reader;
  }

  private BatchReader reader(
      ConnectorOptions options, SourceCounters counted, long since, int capacity) {
    WantedEvents wanted = new WantedEvents(options.selection(), options.threadEvents());
    ProcFsReader procFs = options.capture() ? new ProcFsReader(proc.toString()) : NO_PROC;
    return new BatchReader(options, wanted, procFs, counted, since, Math.max(1, capacity));
  }

  private SourceStats stats() {
    return counters.snapshot("");
  }

  private static ConnectorOptions all() {
    return options(EventSelection.ALL);
  }

  private static ConnectorOptions options(EventSelection selection) {
    return ConnectorOptions.defaults(selection, new KernelClock(0, 0, 100)).withCapture(false);
  }

  private static Datagram kernel(int what, long time, int... data) {
    return Datagram.fromKernel(Messages.message(what, time, data));
  }

  private void process(int pid, String cmdline) throws IOException {
    Path directory = Files.createDirectories(proc.resolve(Integer.toString(pid)));
    Files.writeString(directory.resolve("cmdline"), cmdline);
    Files.writeString(directory.resolve("stat"), pid + " (p) S 1 1");
    Files.writeString(directory.resolve("status"), "Name:\tp\n");
    Files.writeString(directory.resolve("cgroup"), "0::/\n");
  }
}
