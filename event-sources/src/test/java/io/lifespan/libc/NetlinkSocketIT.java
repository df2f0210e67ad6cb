package io.lifespan.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The socket itself against the running kernel. Protocol 2 is for programs among themselves. */
class NetlinkSocketIT {

  private static final int NETLINK_USERSOCK = 2;
  private static final int NO_SUCH_PROTOCOL = 31;

  @Test
  void aProtocolThatTheKernelLacksIsAnError() {
    assertThatExceptionOfType(SystemCallException.class)
        .isThrownBy(() -> NetlinkSocket.open(NO_SUCH_PROTOCOL, "NETLINK_NONE"))
        .satisfies(
            failure -> {
              assertThat(failure.call()).isEqualTo("socket NETLINK_NONE");
              assertThat(failure.errno().symbol()).isEqualTo("EPROTONOSUPPORT");
            });
  }

  @Test
  void datagramsArriveWholeWithTheirSenderManyAtATime() throws Exception {
    DatagramBatch batch = new DatagramBatch(3, 8);
    try (NetlinkSocket receiver = open();
        NetlinkSocket sender = open()) {
      receiver.bind(0);
      sender.bind(0);
      NativeBuffer data = new NativeBuffer(16);
      for (int length : new int[] {8, 3, 9, 1}) {
        data.bytes().put(0, (byte) length);
        sender.send(data, length, receiver.portId());
      }

      assertThat(receiver.await(60_000)).isTrue();
      assertThat(receiver.receive(batch)).isEqualTo(3);

      assertThat(batch.length(0)).isEqualTo(8);
      assertThat(batch.length(1)).isEqualTo(3);
      assertThat(batch.length(2)).isEqualTo(8);
      assertThat(batch.isTruncated(1)).isFalse();
      assertThat(batch.isTruncated(2)).isTrue();
      assertThat(batch.bytes().get(batch.offset(2))).isEqualTo((byte) 9);
      assertThat(batch.senderPort(0)).isEqualTo(sender.portId()).isNotZero();
      assertThat(receiver.receive(batch)).isEqualTo(1);
      assertThat(batch.length(0)).isEqualTo(1);
      assertThat(batch.isTruncated(0)).isFalse();
      assertThat(receiver.receive(batch)).isZero();
    }
  }

  @Test
  void aPauseEndsWhenWokenWhateverIsQueued() throws Exception {
    try (NetlinkSocket receiver = open();
        NetlinkSocket sender = open()) {
      receiver.bind(0);
      sender.send(new NativeBuffer(4), 4, receiver.portId());
      receiver.wakeup();

      receiver.pause(-1);

      assertThat(receiver.await(0)).isTrue();
    }
  }

  @Test
  void oneWakeupEndsOneWait() throws Exception {
    try (NetlinkSocket socket = open()) {
      socket.wakeup();
      socket.wakeup();

      assertThat(socket.await(-1)).isFalse();
      long started = System.nanoTime();
      assertThat(socket.await(20)).isFalse();
      assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(19_000_000);
    }
  }

  @Test
  void theReceiveBufferInForceIsToldWithoutTheKernelsDoubling() throws Exception {
    try (NetlinkSocket socket = open()) {
      assertThat(socket.receiveBuffer(100_000)).isEqualTo(100_000);
      assertThat(socket.receiveBuffer(1)).isGreaterThan(1);
    }
  }

  @Test
  void aFilterDecidesWhatIsQueuedAndWhatItDropsIsNoLoss() throws Exception {
    List<BpfInstruction> onlyLongOnes =
        List.of(
            new BpfInstruction(BpfInstruction.LOAD_LENGTH, 0, 0, 0),
            new BpfInstruction(BpfInstruction.JUMP_IF_NOT_LESS, 1, 0, 5),
            new BpfInstruction(BpfInstruction.RETURN, 0, 0, 0),
            new BpfInstruction(BpfInstruction.RETURN, 0, 0, -1));
    DatagramBatch batch = new DatagramBatch(4, 16);
    try (NetlinkSocket receiver = open();
        NetlinkSocket sender = open()) {
      receiver.bind(0);
      receiver.attachFilter(onlyLongOnes);
      NativeBuffer data = new NativeBuffer(16);
      sender.send(data, 6, receiver.portId());
      sender.send(data, 4, receiver.portId());
      sender.send(data, 5, receiver.portId());

      assertThat(receiver.receive(batch)).isEqualTo(2);
      assertThat(batch.length(0)).isEqualTo(6);
      assertThat(batch.length(1)).isEqualTo(5);
      assertThat(receiver.drops()).isZero();
    }
  }

  @Test
  void aFilterThatLeavesTheProgramIsRefused() throws Exception {
    List<BpfInstruction> program =
        List.of(
            new BpfInstruction(BpfInstruction.JUMP_IF_EQUAL, 9, 0, 0),
            new BpfInstruction(BpfInstruction.RETURN, 0, 0, -1));
    try (NetlinkSocket socket = open()) {
      assertThatExceptionOfType(SystemCallException.class)
          .isThrownBy(() -> socket.attachFilter(program))
          .satisfies(failure -> assertThat(failure.errno()).isEqualTo(Errno.EINVAL));
    }
  }

  @Test
  void programsThatAreStartedDoNotInheritIt() throws Exception {
    try (NetlinkSocket socket = open()) {
      socket.bind(0);
      String inode = inode(Integer.toUnsignedString(socket.portId()));
      String descriptor = descriptor("socket:[" + inode + "]");

      String flags =
          Files.readAllLines(Path.of("/proc/self/fdinfo", descriptor)).stream()
              .filter(line -> line.startsWith("flags:"))
              .map(line -> line.substring("flags:".length()).trim())
              .findFirst()
              .orElseThrow();

      assertThat(Integer.parseInt(flags, 8) & NetlinkCalls.SOCK_CLOEXEC).isNotZero();
      assertThat(Integer.parseInt(flags, 8) & NetlinkCalls.SOCK_NONBLOCK).isNotZero();
    }
  }

  private static String inode(String port) throws IOException {
    return Files.readAllLines(Path.of("/proc/net/netlink")).stream()
        .map(line -> line.trim().split("\\s+"))
        .filter(fields -> fields[2].equals(port))
        .filter(fields -> fields[1].equals(Integer.toString(NETLINK_USERSOCK)))
        .map(fields -> fields[9])
        .findFirst()
        .orElseThrow();
  }

  private static String descriptor(String target) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .filter(descriptor -> leadsTo(descriptor, target))
          .map(descriptor -> descriptor.getFileName().toString())
          .findFirst()
          .orElseThrow();
    }
  }

  private static boolean leadsTo(Path descriptor, String target) {
    try {
      return Files.readSymbolicLink(descriptor).toString().equals(target);
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  private static NetlinkSocket open() throws SystemCallException {
    return NetlinkSocket.open(NETLINK_USERSOCK, "NETLINK_USERSOCK");
  }
}
