package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.NetlinkSocket;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.Cmdline;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The source against the running kernel, as root. */
class ConnectorSourceIT {

  private static final Bytes STRANGE_NAME =
      new Bytes(HexFormat.of().parseHex("612920522031 20ff28".replace(" ", "")));

  @Test
  void everyKindOfEventIsSeenWithAllThatItSays() throws Exception {
    try (Listening listening = Listening.open(Listening.options());
        Scenario scenario = Scenario.start("kinds")) {
      int parent = scenario.pid();
      int child = scenario.said("child");
      ProcessEvent.Exit exit = listening.exit(child);
      scenario.end();

      ProcessEvent.Fork fork =
          listening.first(ProcessEvent.Fork.class, event -> event.childPid() == child);
      assertThat(fork)
          .extracting(
              ProcessEvent.Fork::parentPid,
              ProcessEvent.Fork::parentTgid,
              ProcessEvent.Fork::childTgid)
          .containsExactly(parent, parent, child);
      assertThat(listening.events(ProcessEvent.Exec.class))
          .anyMatch(event -> event.pid() == parent && event.tgid() == parent);
      assertThat(listening.events(ProcessEvent.Ptrace.class).filter(event -> event.pid() == child))
          .extracting(ProcessEvent.Ptrace::tracerPid, ProcessEvent.Ptrace::tracerTgid)
          .containsExactly(tuple(parent, parent), tuple(0, 0));
      assertThat(listening.events(ProcessEvent.Sid.class))
          .anyMatch(event -> event.pid() == child && event.tgid() == child);
      assertThat(listening.events(ProcessEvent.Comm.class).filter(event -> event.pid() == child))
          .extracting(ProcessEvent.Comm::comm)
          .containsExactly(STRANGE_NAME);
      assertThat(listening.events(ProcessEvent.Gid.class).filter(event -> event.pid() == child))
          .extracting(ProcessEvent.Gid::realId, ProcessEvent.Gid::effectiveId)
          .containsExactly(tuple(2001, 2002));
      assertThat(listening.events(ProcessEvent.Uid.class).filter(event -> event.pid() == child))
          .extracting(ProcessEvent.Uid::realId, ProcessEvent.Uid::effectiveId)
          .containsExactly(tuple(1001, 1002));
      assertThat(
              listening.events(ProcessEvent.CoreDump.class).filter(event -> event.pid() == child))
          .extracting(ProcessEvent.CoreDump::parentPid, ProcessEvent.CoreDump::parentTgid)
          .containsExactly(tuple(parent, parent));
      assertThat(exit.status()).isEqualTo(scenario.said("status"));
      assertThat(exit.exitSignal()).isEqualTo(17);
      assertThat(exit.parentPid()).isEqualTo(parent);
      assertThat(exit.parentTgid()).isEqualTo(parent);
      assertThat(exit.timeNanos()).isGreaterThan(fork.timeNanos());
      assertThat(exit.timeNanos()).isLessThan(System.nanoTime());
      assertThat(listening.source().stats().byKind()).containsOnlyKeys(EventKind.values());
      assertThat(listening.source().stats().malformed()).isZero();
    }
  }

  @Test
  void anExecCarriesWhatWasExecuted() throws Exception {
    try (Listening listening = Listening.open(Listening.options("exec"));
        Scenario scenario = Scenario.start("wait", "two words")) {
      listening.until(() -> executed(listening, scenario.pid()).isPresent());

      assertThat(executed(listening, scenario.pid()).orElseThrow().arguments())
          .containsExactly(Bytes.of(Scenario.program()), Bytes.of("wait"), Bytes.of("two words"));
    }
  }

  @Test
  void eventsOfTheTwoSocketsComeInTheOrderOfTheirLives() throws Exception {
    try (Listening listening = Listening.open(Listening.options());
        Scenario scenario = Scenario.start("programs", "2000")) {
      Set<Integer> children = listening.exitsOfFamily(scenario.pid());

      assertThat(children).hasSize(2_000);
      Map<Integer, List<EventKind>> lives = new HashMap<>();
      for (ProcessEvent event : listening.events()) {
        Integer process = null;
        if (event instanceof ProcessEvent.Fork fork && fork.isProcess()) {
          process = fork.childPid();
        } else if (event instanceof ProcessEvent.Exec exec) {
          process = exec.tgid();
        } else if (event instanceof ProcessEvent.Exit exit && exit.pid() == exit.tgid()) {
          process = exit.pid();
        }
        if (process != null && children.contains(process)) {
          lives.computeIfAbsent(process, pid -> new ArrayList<>()).add(event.kind());
        }
      }
      assertThat(lives.values())
          .allMatch(List.of(EventKind.FORK, EventKind.EXEC, EventKind.EXIT)::equals);
    }
  }

  @Test
  void withoutCaptureNothingIsRead() throws Exception {
    ConnectorOptions options = Listening.options("exec").withCapture(false);
    try (Listening listening = Listening.open(options)) {
      int pid = Scenario.run("end", "0");

      ProcessEvent.Exec exec =
          listening.first(ProcessEvent.Exec.class, event -> event.tgid() == pid);

      assertThat(exec.capture()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Subscription.FILTERING_REQUEST, Subscription.PLAIN_REQUEST})
  void unwantedEventsDoNotReachThisProcess(int largestRequest) throws Exception {
    WantedEvents wanted = wanted(Listening.options("coredump", "nonzero_exit"));
    try (Subscription subscription = Subscription.open(wanted, 1 << 20, largestRequest)) {
      Set<Integer> failed = failedOf(200);

      List<ProcessEvent> arrived = RawEvents.untilExitsOf(failed, subscription);

      assertThat(arrived)
          .filteredOn(event -> event instanceof ProcessEvent.Exit e && failed.contains(e.pid()))
          .hasSize(100);
      assertThat(arrived)
          .allMatch(
              event ->
                  event instanceof ProcessEvent.CoreDump
                      || (event instanceof ProcessEvent.Exit exit && exit.status() != 0));
    }
  }

  @Test
  void exactlyTheFailedExitsAreGiven() throws Exception {
    try (Listening listening = Listening.open(Listening.options("nonzero_exit"))) {
      Set<Integer> failed = failedOf(200);

      assertThat(listening.exit(Scenario.run("end", "9")).status()).isEqualTo(0x900);
      listening.until(() -> exitsOf(listening, failed) == 100);

      assertThat(listening.events(ProcessEvent.Exit.class))
          .allMatch(event -> event.status() != 0)
          .filteredOn(event -> failed.contains(event.pid()))
          .allMatch(event -> event.status() == 0x100);
      assertThat(listening.source().stats().byKind()).containsOnlyKeys(EventKind.EXIT);
      assertThat(listening.source().stats().filter()).isEqualTo("kernel: nonzero_exit");
    }
  }

  @Test
  void aKernelWithoutTheFilterIsHelpedByOneAtTheSocket() throws Exception {
    ConnectorOptions options = Listening.options("fork", "nonzero_exit").withThreadEvents(false);
    try (Listening listening = Listening.open(options, Subscription.PLAIN_REQUEST)) {
      Set<Integer> failed = failedOf(20);
      listening.until(() -> exitsOf(listening, failed) == 10);

      assertThat(listening.events(ProcessEvent.Exit.class)).allMatch(exit -> exit.status() != 0);
      assertThat(listening.events(ProcessEvent.Fork.class))
          .filteredOn(event -> failed.contains(event.childPid()))
          .hasSize(10);
      assertThat(listening.source().stats().filter())
          .isEqualTo("socket filter: fork,nonzero_exit, no threads");
    }
  }

  @Test
  void threadsAreDroppedInTheKernelWhereTheyAreNotWanted() throws Exception {
    ConnectorOptions options = Listening.options().withThreadEvents(false);
    try (Subscription subscription =
        Subscription.open(wanted(options), 1 << 20, Subscription.FILTERING_REQUEST)) {
      int pid;
      int child;
      try (Scenario scenario = Scenario.start("threads", "100")) {
        pid = scenario.pid();
        child = scenario.said("child");
        scenario.end();
      }

      List<ProcessEvent> arrived = RawEvents.untilExitsOf(Set.of(pid, child), subscription);

      assertThat(arrived)
          .noneMatch(event -> event instanceof ProcessEvent.Fork fork && !fork.isProcess())
          .noneMatch(event -> event instanceof ProcessEvent.Exit e && e.pid() != e.tgid())
          .anyMatch(event -> event instanceof ProcessEvent.Fork f && f.childPid() == child)
          .anyMatch(event -> event instanceof ProcessEvent.Exit e && e.pid() == child);
    }
  }

  @Test
  void threadsAreSeenWhereTheyAreWanted() throws Exception {
    try (Listening listening = Listening.open(Listening.options())) {
      int pid = Scenario.run("threads", "100");

      listening.until(() -> threadExits(listening, pid).count() == 100);

      assertThat(listening.events(ProcessEvent.Fork.class))
          .filteredOn(event -> event.childTgid() == pid && !event.isProcess())
          .hasSize(100);
      assertThat(threadExits(listening, pid))
          .allMatch(event -> event.exitSignal() == -1 && event.parentPid() == 0);
    }
  }

  @Test
  void aFirstThreadThatLeavesEarlyCarriesTheCountOfThoseLeft() throws Exception {
    ConnectorOptions options = Listening.options("exit").withThreadEvents(false);
    try (Listening listening = Listening.open(options);
        Scenario scenario = Scenario.start("leader")) {
      ProcessEvent.Exit exit = listening.exit(scenario.pid());

      assertThat(exit.status()).isEqualTo(0x500);
      assertThat(stat(exit.capture()).threads()).isEqualTo(2);
      assertThat(scenario.end()).isEqualTo(7);
    }
  }

  @Test
  void aFailedExitCarriesWhatTheProcessStillShows() throws Exception {
    try (Listening listening = Listening.open(Listening.options("nonzero_exit"));
        Scenario scenario = Scenario.start("zombie")) {
      ProcessEvent.Exit exit = listening.exit(scenario.said("child"));

      assertThat(exit.status()).isEqualTo(0x300);
      assertThat(stat(exit.capture()).pid()).isEqualTo(exit.pid());
      assertThat(exit.capture().get(ProcFile.STATUS)).isNotNull();
      assertThat(exit.capture().get(ProcFile.CGROUP)).isNotNull();
    }
  }

  @Test
  void everythingThatHappensOnceItIsOpenIsGiven() throws Exception {
    try (Listening listening = Listening.open(Listening.options())) {
      int after = Scenario.run("end", "0");
      listening.exit(after);

      assertThat(listening.events(ProcessEvent.Fork.class)).anyMatch(e -> e.childPid() == after);
      assertThat(listening.events(ProcessEvent.Exec.class)).anyMatch(e -> e.pid() == after);
    }
  }

  @Test
  void anotherListenerTakesNothingAway() throws Exception {
    try (Listening first = Listening.open(Listening.options("exit"))) {
      try (Listening second = Listening.open(Listening.options("fork", "exit"))) {
        int seenByBoth = Scenario.run("end", "0");
        first.exit(seenByBoth);
        second.exit(seenByBoth);
      }
      first.exit(Scenario.run("end", "0"));

      assertThat(first.source().stats().byKind()).containsOnlyKeys(EventKind.EXIT);
      assertThat(first.source().stats().malformed()).isZero();
    }
  }

  @Test
  void aMessageFromAnyoneButTheKernelIsCountedAndSkipped() throws Exception {
    try (Listening listening = Listening.open(Listening.options("sid"));
        NetlinkSocket stranger = NetlinkSocket.open(NetlinkSocket.NETLINK_CONNECTOR, "test")) {
      byte[] forged = Messages.message(ProcEventFlyweight.WHAT_SID, System.nanoTime(), 4711, 4711);
      NativeBuffer data = new NativeBuffer(forged.length);
      data.bytes().put(0, forged);

      stranger.send(data, forged.length, listening.source().subscription().socket().portId());

      listening.until(() -> listening.source().stats().malformed() == 1);
      assertThat(listening.events(ProcessEvent.Sid.class)).noneMatch(e -> e.pid() == 4711);
    }
  }

  @Test
  void aWaitingPollEndsWhenWoken() throws Exception {
    try (Listening listening = Listening.open(Listening.options("sid"))) {
      ConnectorSource source = listening.source();
      CompletableFuture<Integer> woken =
          CompletableFuture.supplyAsync(() -> pollUntilWoken(source));

      while (!woken.isDone()) {
        source.wakeup();
        Thread.onSpinWait();
      }

      assertThat(woken.get(60, TimeUnit.SECONDS)).isZero();
    }
  }

  @Test
  void aWakeupIsNotForgottenBeforeThePoll() throws Exception {
    try (Listening listening = Listening.open(Listening.options("coredump"))) {
      listening.source().wakeup();

      int events = listening.source().poll(event -> {}, -1);

      assertThat(events).isZero();
    }
  }

  @Test
  void anIdlePollEndsAfterItsTimeout() throws Exception {
    try (Listening listening = Listening.open(Listening.options("coredump"))) {
      assertThat(listening.source().poll(event -> {}, 1)).isZero();
    }
  }

  @Test
  void onceClosedItIsGone() throws Exception {
    Listening listening = Listening.open(Listening.options());
    String port = Integer.toUnsignedString(listening.source().subscription().socket().portId());
    assertThat(netlinkPorts()).contains(port);

    listening.close();
    listening.close();
    listening.source().wakeup();

    assertThat(netlinkPorts()).doesNotContain(port);
    assertThat(listening.source().stats().filter()).startsWith("kernel: fork,exec");
  }

  @Test
  void aProbeFindsItAvailableAndLeavesNothingOpen() throws Exception {
    ConnectorSource source = new ConnectorSource(Listening.options(), new ProcFsReader());
    assertThat(source.probe()).isEmpty();
    long before = openSocketsAndEvents();

    assertThat(source.probe()).isEmpty();

    assertThat(openSocketsAndEvents()).isEqualTo(before);
  }

  @Test
  void whatItDoesIsSaidInALine() throws Exception {
    ConnectorOptions options =
        Listening.options("fork", "exit").withThreadEvents(false).withReceiveBufferBytes(32 << 20);
    try (Listening listening = Listening.open(options)) {
      assertThat(listening.source().name()).isEqualTo("connector");
      assertThat(listening.source().describe())
          .isEqualTo("filter kernel: fork,exit, no threads; receive buffer 32 MiB");
    }
  }

  @Test
  void aSourceThatIsNotOpenGivesNothing() {
    ConnectorSource source = new ConnectorSource(Listening.options(), new ProcFsReader());

    source.wakeup();
    source.close();

    assertThat(source.stats().received()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> source.poll(event -> {}, 0));
  }

  private static Optional<Cmdline> executed(Listening listening, int pid) {
    return listening
        .events(ProcessEvent.Exec.class)
        .filter(event -> event.tgid() == pid)
        .map(event -> Objects.requireNonNull(event.capture()).get(ProcFile.CMDLINE))
        .filter(Objects::nonNull)
        .map(content -> Cmdline.parse(content, false))
        .filter(cmdline -> cmdline.arguments().contains(Bytes.of(Scenario.program())))
        .filter(cmdline -> cmdline.arguments().get(0).equals(Bytes.of(Scenario.program())))
        .findFirst();
  }

  /** Pids of the half that failed of so many children. */
  private static Set<Integer> failedOf(int count) throws Exception {
    try (Scenario scenario = Scenario.start("exits", Integer.toString(count))) {
      Set<Integer> failed = scenario.saidToTheEnd("failed");
      scenario.end();
      assertThat(failed).hasSize(count / 2);
      return failed;
    }
  }

  private static Stream<ProcessEvent.Exit> threadExits(Listening listening, int pid) {
    return listening
        .events(ProcessEvent.Exit.class)
        .filter(event -> event.tgid() == pid && event.pid() != pid);
  }

  private static long exitsOf(Listening listening, Set<Integer> pids) {
    return listening
        .events(ProcessEvent.Exit.class)
        .filter(event -> pids.contains(event.pid()))
        .count();
  }

  private static ProcStat stat(ProcCapture capture) {
    return ProcStat.parse(capture.get(ProcFile.STAT));
  }

  private static WantedEvents wanted(ConnectorOptions options) {
    return new WantedEvents(options.selection(), options.threadEvents());
  }

  private static int pollUntilWoken(ConnectorSource source) {
    try {
      int events;
      do {
        events = source.poll(event -> {}, -1);
      } while (events > 0);
      return events;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<String> netlinkPorts() throws IOException {
    return Files.readAllLines(Path.of("/proc/net/netlink")).stream()
        .map(line -> line.trim().split("\\s+"))
        .filter(fields -> fields[1].equals("11"))
        .map(fields -> fields[2])
        .toList();
  }

  private static long openSocketsAndEvents() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(ConnectorSourceIT::target)
          .filter(target -> target.startsWith("socket:") || target.contains("eventfd"))
          .count();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
