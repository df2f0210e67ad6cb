package io.lifespan.procfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ProcStatusTest {

  private static final String NESTED =
      """
      Name:\tsle\\nPPid:\\t7
      Umask:\t0022
      State:\tS (sleeping)
      Tgid:\t13881
      Ngid:\t0
      Pid:\t13881
      PPid:\t12421
      TracerPid:\t0
      Uid:\t1000\t0\t0\t0
      Gid:\t4294967294\t100\t100\t100
      FDSize:\t256
      Groups:\t4 24
      NStgid:\t13881\t44\t1
      NSpid:\t13881\t44\t1
      VmPeak:\t    2480 kB
      Threads:\t3
      SigQ:\t2/96364
      SigPnd:\t0000000000000000
      ShdPnd:\t0000000000000000
      SigBlk:\t0000000000010002
      SigIgn:\tfffffffe7ffbfeff
      SigCgt:\t0000000000000000
      """;

  @Test
  void tellsWhatIsNeeded() {
    assertThat(parse(NESTED))
        .isEqualTo(
            new ProcStatus(
                13881,
                12421,
                1000L,
                0L,
                4294967294L,
                100L,
                List.of(13881, 44, 1),
                3,
                0x10002L,
                0xfffffffe7ffbfeffL));
    assertThat(parse(NESTED).innermostPid()).isEqualTo(1);
  }

  @Test
  void leavesOutWhatTheKernelDoesNotTell() {
    ProcStatus status = parse("Name:\tsh\nPPid:\t1\nUid:\t5\n");
    assertThat(status.parentPid()).isEqualTo(1);
    assertThat(status.realUid()).isEqualTo(5);
    assertThat(status.effectiveUid()).isNull();
    assertThat(status.namespacePids()).isNull();
    assertThat(status.innermostPid()).isNull();
    assertThat(status.threads()).isNull();
  }

  @Test
  void leavesOutWhatIsNotUnderstood() {
    ProcStatus status =
        parse("PPid:\tx\nUid:\t-1\t7\nNSpid:\t1 y\nSigBlk:\tg\nThreads:\nTgid:\t3\n");
    assertThat(status)
        .isEqualTo(new ProcStatus(3, null, null, 7L, null, null, null, null, null, null));
  }

  @Test
  void learnsNothingFromNothing() {
    assertThat(parse(""))
        .isEqualTo(new ProcStatus(null, null, null, null, null, null, null, null, null, null));
  }

  @Property
  void neverThrows(@ForAll("contents") Bytes content) {
    ProcStatus status = ProcStatus.parse(content);
    if (status.namespacePids() != null) {
      assertThat(status.namespacePids()).isNotEmpty();
    }
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Mutations.of(NESTED);
  }

  private static ProcStatus parse(String content) {
    return ProcStatus.parse(Bytes.of(content));
  }
}
