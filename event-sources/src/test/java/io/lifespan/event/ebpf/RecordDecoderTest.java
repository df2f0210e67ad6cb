package io.lifespan.event.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.process.KernelClock;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RecordDecoderTest {

  private static final KernelClock CLOCK = new KernelClock(0, 0, 100);
  private static final long SECOND = 1_000_000_000;
  private static final long OPENED = 10 * SECOND;

  private final RingRecord record = new RingRecord();
  private final ByteBuffer bytes = ByteBuffer.wrap(record.bytes()).order(ByteOrder.LITTLE_ENDIAN);
  private final RecordDecoder decoder =
      new RecordDecoder(new ProcFsReader("/nowhere"), CLOCK, OPENED);

  @Test
  void aForkNamesItsParentAndNeedsNoCaptureWhereItsTimeTellsTheTick() {
    start(RingRecord.FORK, 0, 42, 20 * SECOND, 20 * SECOND);

    assertThat(record.isValid(RingRecord.FORK_LENGTH)).isTrue();
    assertThat(decoder.decode(record))
        .isEqualTo(new ProcessEvent.Fork(20 * SECOND, 8, 7, 42, 42, null));
  }

  @Test
  void aForkWhoseTimeLiesInAnotherTickBringsItsStart() {
    start(RingRecord.FORK, 0, 42, 20 * SECOND - 1, 20 * SECOND);

    ProcCapture capture = ((ProcessEvent.Fork) decoder.decode(record)).capture();

    assertThat(ProcStat.parse(capture.get(ProcFile.STAT)).startTicks()).isEqualTo(2000);
  }

  @Test
  void anExecBringsAllThatProcWouldShow() {
    int length = executed(0, "ls\0-l\0", "TRACEPARENT=x\0", "ls\0bin\0", "tmp\0");

    assertThat(record.isValid(length)).isTrue();
    ProcCapture capture = ((ProcessEvent.Exec) decoder.decode(record)).capture();
    assertThat(capture.get(ProcFile.CMDLINE)).isEqualTo(Bytes.of("ls\0-l\0"));
    assertThat(capture.get(ProcFile.ENVIRON)).isEqualTo(Bytes.of("TRACEPARENT=x\0"));
    assertThat(capture.get(ProcFile.EXE)).isEqualTo(Bytes.of("/bin/ls"));
    assertThat(capture.get(ProcFile.CWD)).isEqualTo(Bytes.of("/tmp"));
    ProcStat stat = ProcStat.parse(capture.get(ProcFile.STAT));
    assertThat(stat.pid()).isEqualTo(42);
    assertThat(stat.comm()).isEqualTo(Bytes.of("a) b"));
    assertThat(stat.parentPid()).isEqualTo(7);
    assertThat(stat.session()).isEqualTo(4);
    assertThat(stat.terminal()).isEqualTo(0x8801);
    assertThat(stat.threads()).isEqualTo(1);
    assertThat(stat.startTicks()).isEqualTo(2000);
    ProcStatus status = ProcStatus.parse(capture.get(ProcFile.STATUS));
    assertThat(status.realUid()).isEqualTo(0xffff_fffeL);
    assertThat(status.effectiveUid()).isEqualTo(1);
    assertThat(status.realGid()).isEqualTo(2);
    assertThat(status.effectiveGid()).isEqualTo(3);
    assertThat(status.namespacePids()).isEqualTo(List.of(42, 5));
    assertThat(capture.reason(ProcFile.CGROUP)).isEqualTo(ProcCapture.GONE);
  }

  @Test
  void whatIsTheSameForManyIsTheSameObject() {
    executed(0, "ls\0-l\0", "", "ls\0bin\0", "tmp\0");
    ProcCapture first = ((ProcessEvent.Exec) decoder.decode(record)).capture();
    ProcCapture second = ((ProcessEvent.Exec) decoder.decode(record)).capture();

    assertThat(second.get(ProcFile.CMDLINE)).isSameAs(first.get(ProcFile.CMDLINE));
    assertThat(second.get(ProcFile.EXE)).isSameAs(first.get(ProcFile.EXE));
    assertThat(second.get(ProcFile.STATUS)).isSameAs(first.get(ProcFile.STATUS));
  }

  @Test
  void whatWasCutAndIsGoneIsSaidToBeCutOrGone() {
    executed(RingRecord.ARGS_CUT | RingRecord.EXE_CUT, "ls\0-", "", "", "tmp\0");
    ProcCapture capture = ((ProcessEvent.Exec) decoder.decode(record)).capture();

    assertThat(capture.truncated(ProcFile.CMDLINE)).isTrue();
    assertThat(capture.get(ProcFile.EXE)).isNull();
    assertThat(capture.reason(ProcFile.EXE)).isEqualTo(ProcCapture.GONE);
    assertThat(capture.truncated(ProcFile.ENVIRON)).isFalse();
  }

  @Test
  void anEndTellsThatNoThreadIsLeftWhereOthersMayKnowOfSome() {
    ended(RingRecord.ENDED, 0, 20 * SECOND);
    assertThat(((ProcessEvent.Exit) decoder.decode(record)).capture()).isNull();

    ended(RingRecord.ENDED, 0, 5 * SECOND);
    assertThat(threadsLeft()).isZero();

    ended(RingRecord.ENDED | RingRecord.HAD_THREADS, 0, 20 * SECOND);
    assertThat(threadsLeft()).isZero();

    decoder.lost();
    ended(RingRecord.ENDED, 0, 20 * SECOND);
    assertThat(threadsLeft()).isZero();
  }

  @Test
  void aFirstThreadThatLeavesTellsHowManyStay() {
    ended(RingRecord.HAD_THREADS, 3, 20 * SECOND);

    assertThat(threadsLeft()).isEqualTo(3);
  }

  @Property(tries = 2000)
  void recordsThatArePassedAreDecodedWhateverTheyHold(@ForAll("records") byte[] noise) {
    System.arraycopy(noise, 0, record.bytes(), 0, noise.length);
    if (record.isValid(noise.length)) {
      assertThat(decoder.decode(record)).isNotNull();
    }
  }

  @Provide
  Arbitrary<byte[]> records() {
    return Arbitraries.of(
            RingRecord.FORK_LENGTH,
            RingRecord.EXIT_LENGTH,
            RingRecord.EXIT_LENGTH + RingRecord.USAGE_LENGTH,
            RingRecord.PAYLOAD,
            RingRecord.PAYLOAD + RingRecord.USAGE_LENGTH,
            300)
        .flatMap(length -> Arbitraries.bytes().array(byte[].class).ofSize(length))
        .map(RecordDecoderTest::plausible);
  }

  /** Noise, but of a known kind, and as an exec with lengths that add up. */
  private static byte[] plausible(byte[] noise) {
    ByteBuffer record = ByteBuffer.wrap(noise).order(ByteOrder.LITTLE_ENDIAN);
    record.putShort(0, (short) (1 + Math.floorMod(noise[0], 3)));
    record.putInt(4, record.getInt(4) & 0xffff);
    if (noise.length >= RingRecord.PAYLOAD) {
      int rest = noise.length - RingRecord.PAYLOAD;
      record.putInt(116, rest / 2).putInt(120, 0).putInt(124, rest - rest / 2).putInt(128, 0);
    }
    return noise;
  }

  private int threadsLeft() {
    ProcCapture capture = ((ProcessEvent.Exit) decoder.decode(record)).capture();
    return ProcStat.parse(capture.get(ProcFile.STAT)).threadsAlive();
  }

  private void ended(int flags, int threads, long started) {
    start(RingRecord.EXIT, flags, 42, 30 * SECOND, started);
    bytes.putInt(32, 0x700).putInt(36, 17).putInt(40, threads).putInt(44, 42);
    assertThat(record.isValid(RingRecord.EXIT_LENGTH)).isTrue();
  }

  private int executed(int flags, String... parts) {
    start(RingRecord.EXEC, flags, 42, 30 * SECOND, 20 * SECOND);
    bytes.putInt(48, 3).putInt(52, 4).putInt(56, 0x8801).putInt(60, 0x400000);
    bytes.putInt(64, -2).putInt(68, 1).putInt(72, 2).putInt(76, 3);
    bytes.put(96, "a) b\0".getBytes(StandardCharsets.US_ASCII));
    bytes.putInt(132, 1).putInt(136, 5);
    int at = RingRecord.PAYLOAD;
    for (int i = 0; i < parts.length; i++) {
      byte[] part = parts[i].getBytes(StandardCharsets.US_ASCII);
      bytes.putInt(116 + 4 * i, part.length).put(at, part);
      at += part.length;
    }
    return at;
  }

  private void start(int kind, int flags, int tgid, long time, long started) {
    bytes.putShort(0, (short) kind).putShort(2, (short) flags).putInt(4, tgid);
    bytes.putLong(8, time).putLong(16, started).putInt(24, 8).putInt(28, 7);
  }
}
