package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcEventFlyweightTest {

  /** nlmsghdr and cn_msg, as on every little-endian machine. */
  private static final String HEADERS =
      "4c000000 0300 0000 07000000 00000000" + "01000000 01000000 07000000 00000000 2800 0000";

  /** Processor 1, time 0x0102030405060708. */
  private static final String PROCESSOR_AND_TIME = "01000000 0807060504030201";

  private static final long TIME = 0x0102030405060708L;

  private final ProcEventFlyweight message = new ProcEventFlyweight();

  static Stream<Arguments> everyKind() {
    return Stream.of(
        Arguments.of(
            "01000000",
            "11000000 10000000 21000000 20000000 00000000 00000000",
            new ProcessEvent.Fork(TIME, 0x11, 0x10, 0x21, 0x20, null)),
        Arguments.of(
            "02000000",
            "21000000 20000000 00000000 00000000 00000000 00000000",
            new ProcessEvent.Exec(TIME, 0x21, 0x20, null)),
        Arguments.of(
            "04000000",
            "21000000 20000000 e8030000 feffffff 00000000 00000000",
            new ProcessEvent.Uid(TIME, 0x21, 0x20, 1000, -2)),
        Arguments.of(
            "40000000",
            "21000000 20000000 e8030000 e9030000 00000000 00000000",
            new ProcessEvent.Gid(TIME, 0x21, 0x20, 1000, 1001)),
        Arguments.of(
            "80000000",
            "21000000 20000000 00000000 00000000 00000000 00000000",
            new ProcessEvent.Sid(TIME, 0x21, 0x20)),
        Arguments.of(
            "00010000",
            "21000000 20000000 31000000 30000000 00000000 00000000",
            new ProcessEvent.Ptrace(TIME, 0x21, 0x20, 0x31, 0x30)),
        Arguments.of(
            "00020000",
            "21000000 20000000 61292052 203120ff 28000000 00000000",
            new ProcessEvent.Comm(
                TIME, 0x21, 0x20, new Bytes(HexFormat.of().parseHex("61292052203120ff28")))),
        Arguments.of(
            "00000040",
            "21000000 20000000 11000000 10000000 00000000 00000000",
            new ProcessEvent.CoreDump(TIME, 0x21, 0x20, 0x11, 0x10)),
        Arguments.of(
            "00000080",
            "21000000 20000000 8b000000 11000000 12000000 10000000",
            new ProcessEvent.Exit(TIME, 0x21, 0x20, 0x8b, 17, 0x12, 0x10, null)));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void everyFieldOfAKindIsRead(String what, String data, ProcessEvent expected) {
    assertThat(wrap(HEADERS + what + PROCESSOR_AND_TIME + data)).isTrue();

    EventKind kind = message.kind();

    assertThat(kind).isEqualTo(expected.kind());
    assertThat(ProcEventDecoder.decode(message, kind, null)).isEqualTo(expected);
  }

  @Test
  void anAnswerHasTheNumberOfItsRequestAndAnError() {
    String answer =
        "4c000000 0300 0000 00000000 00000000 01000000 01000000 00000000 2a000000 2800 0000"
            + "00000000 ffffffff 0807060504030201 01000000 00000000 00000000 00000000 00000000 00000000";

    assertThat(wrap(answer)).isTrue();

    assertThat(message.what()).isEqualTo(ProcEventFlyweight.WHAT_NONE);
    assertThat(message.kind()).isNull();
    assertThat(message.ack()).isEqualTo(42);
    assertThat(message.error()).isEqualTo(1);
  }

  @Test
  void aNameThatFillsAllItsBytesIsReadWhole() {
    byte[] comm = Messages.message(ProcEventFlyweight.WHAT_COMM, 1, 2, 2);
    byte[] name = "sixteen_bytes_ok".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(name, 0, comm, 60, 16);

    assertThat(message.wrap(Messages.buffer(comm), 0, 76)).isTrue();

    assertThat(message.comm()).isEqualTo(new Bytes(name));
  }

  @Test
  void aMessageIsReadWhereverItLies() {
    ByteBuffer memory = ByteBuffer.allocateDirect(200).order(ByteOrder.nativeOrder());
    memory.put(101, Messages.message(ProcEventFlyweight.WHAT_SID, -5, 6, 7));

    assertThat(message.wrap(memory, 101, 76)).isTrue();

    assertThat(ProcEventDecoder.decode(message, EventKind.SID, null))
        .isEqualTo(new ProcessEvent.Sid(-5, 6, 7));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 5, 5, false",
    "1, 5, 6, true",
    "0x80000000, 9, 9, false",
    "0x80000000, 9, 10, true",
  })
  void forksAndExitsTellThreadsFromProcesses(String what, int pid, int tgid, boolean thread) {
    int kind = Long.decode(what).intValue();
    byte[] bytes =
        kind == ProcEventFlyweight.WHAT_FORK
            ? Messages.message(kind, 1, 3, 4, pid, tgid)
            : Messages.message(kind, 1, pid, tgid);

    assertThat(message.wrap(Messages.buffer(bytes), 0, 76)).isTrue();

    assertThat(message.isOfThread()).isEqualTo(thread);
  }

  @Test
  void noOtherKindIsOfAThread() {
    byte[] bytes = Messages.message(ProcEventFlyweight.WHAT_COMM, 1, 5, 6);

    assertThat(message.wrap(Messages.buffer(bytes), 0, 76)).isTrue();

    assertThat(message.isOfThread()).isFalse();
  }

  @Test
  void aLongerMessageOfANewerKernelIsUnderstood() {
    byte[] longer = Arrays.copyOf(Messages.message(ProcEventFlyweight.WHAT_EXEC, 1, 5, 5), 76 + 24);
    Messages.buffer(longer).putInt(0, 100).putShort(32, (short) 64);

    assertThat(message.wrap(Messages.buffer(longer), 0, 100)).isTrue();

    assertThat(message.kind()).isEqualTo(EventKind.EXEC);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 36, 52, 75})
  void aShorterMessageIsNone(int length) {
    byte[] bytes = Messages.message(ProcEventFlyweight.WHAT_EXEC, 1, 5, 5);

    assertThat(message.wrap(Messages.buffer(bytes), 0, length)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 75", "0, 77", "0, -1", "0, 0", // length of the message: too short, more than came
    "16, 2", "20, 2", // of another connector
    "32, 39", "32, 41", // length of the data: too short, more than the message has
  })
  void aMessageThatContradictsItselfIsNone(int offset, int value) {
    byte[] bytes = Messages.message(ProcEventFlyweight.WHAT_EXEC, 1, 5, 5);

    byte[] changed = Messages.withWord(bytes, offset, value);

    assertThat(message.wrap(Messages.buffer(changed), 0, 76)).isFalse();
  }

  @Test
  void aKindNotKnownYetHasNone() {
    byte[] bytes = Messages.message(0x400, 1, 5, 5);

    assertThat(message.wrap(Messages.buffer(bytes), 0, 76)).isTrue();

    assertThat(message.kind()).isNull();
  }

  private boolean wrap(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    return message.wrap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length);
  }
}
