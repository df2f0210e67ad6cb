package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceStats;
import io.lifespan.libc.NetlinkSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is lost, and that it is counted, against the running kernel as root. */
class ConnectorLossIT {

  /** Far more than the smallest receive buffer that the kernel allows can hold. */
  private static final int CHANGES = 5_000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyEventIsEitherGivenOrCountedAsLost(boolean kernelReportsOverruns) throws Exception {
    ConnectorOptions options = Listening.options("gid").withReceiveBufferBytes(1);
    try (Listening listening = Listening.open(options)) {
      NetlinkSocket socket = listening.source().subscription().socket();
      socket.reportOverruns(kernelReportsOverruns);
      int pid = Scenario.run("groups", Integer.toString(CHANGES));

      listening.until(() -> given(listening, pid) + listening.lost() >= CHANGES);

      assertThat(given(listening, pid) + listening.lost()).isEqualTo(CHANGES);
      assertThat(given(listening, pid)).isPositive();
      SourceStats stats = listening.source().stats();
      assertThat(stats.lost()).isEqualTo(listening.lost()).isPositive();
      assertThat(stats.overruns()).isEqualTo(listening.events(ProcessEvent.Loss.class).count());
      assertThat(stats.malformed()).isZero();
    }
  }

  @Test
  void theLossIsWhatTheKernelShowsAsDrops() throws Exception {
    ConnectorOptions options = Listening.options("fork", "exit").withReceiveBufferBytes(1);
    try (Listening listening = Listening.open(options)) {
      Subscription subscription = listening.source().subscription();
      int port = subscription.socket().portId();
      Scenario.run("storm", "500");

      listening.until(
          () ->
              listening.lost() > 0 && listening.lost() == drops(port) - subscription.dropsBefore());

      assertThat(listening.source().stats().lost()).isEqualTo(listening.lost());
    }
  }

  @Test
  void aLossIsToldAfterWhatWasQueuedBeforeIt() throws Exception {
    ConnectorOptions options = Listening.options("gid").withReceiveBufferBytes(1);
    try (Listening listening = Listening.open(options)) {
      int pid = Scenario.run("groups", Integer.toString(CHANGES));

      listening.until(() -> listening.lost() > 0);

      int loss = indexOfFirstLoss(listening);
      assertThat(listening.events().subList(0, loss))
          .isNotEmpty()
          .allMatch(event -> event instanceof ProcessEvent.Gid gid && gid.pid() == pid);
      assertThat(listening.events().subList(loss + 1, listening.events().size())).isEmpty();
      assertThat(listening.events().get(loss).timeNanos())
          .isGreaterThan(listening.events().get(loss - 1).timeNanos());
    }
  }

  @Test
  void theDefaultBufferLosesNothingOfAStorm() throws Exception {
    try (Listening listening = Listening.open(Listening.options());
        Scenario scenario = Scenario.start("storm", "20000")) {
      assertThat(listening.exitsOfFamily(scenario.pid())).hasSize(20_000);

      assertThat(listening.source().stats().lost()).isZero();
      assertThat(listening.source().stats().overruns()).isZero();
    }
  }

  @Test
  void aStormThatIsReadLateIsGivenWholeByABufferOfItsSize() throws Exception {
    ConnectorOptions options =
        Listening.options("fork", "exit").withCapture(false).withReceiveBufferBytes(32 << 20);
    try (Listening listening = Listening.open(options)) {
      int parent = Scenario.run("storm", "20000");

      assertThat(listening.exitsOfFamily(parent)).hasSize(20_000);

      assertThat(listening.source().stats().lost()).isZero();
    }
  }

  private static long given(Listening listening, int pid) {
    return listening.events(ProcessEvent.Gid.class).filter(event -> event.pid() == pid).count();
  }

  private static int indexOfFirstLoss(Listening listening) {
    int index = 0;
    while (!(listening.events().get(index) instanceof ProcessEvent.Loss)) {
      index++;
    }
    return index;
  }

  /** The column of /proc/net/netlink for a connector socket. */
  private static long drops(int port) throws IOException {
    return Files.readAllLines(Path.of("/proc/net/netlink")).stream()
        .map(line -> line.trim().split("\\s+"))
        .filter(fields -> fields[1].equals("11"))
        .filter(fields -> fields[2].equals(Integer.toUnsignedString(port)))
        .mapToLong(fields -> Long.parseLong(fields[8]))
        .findFirst()
        .orElseThrow();
  }
}
