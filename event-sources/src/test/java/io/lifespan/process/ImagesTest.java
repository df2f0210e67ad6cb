package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import org.junit.jupiter.api.Test;

class ImagesTest {

  private final Images images = new Images();

  private Image imageOf(int pid, String status) {
    ProcCapture capture =
        FakeProc.capture(pid, 1, "a) b", 1234)
            .with(ProcFile.STATUS, Bytes.of(status))
            .withBeginning(ProcFile.CMDLINE, Bytes.of("first\0"))
            .without(ProcFile.EXE, Errno.EACCES);
    return images.of(capture, ProcStat.parse(capture.get(ProcFile.STAT)));
  }

  @Test
  void whatIsKeptSaysTheSameOfTheProcess() {
    String status =
        "Name:\ta\nTgid:\t77\nPPid:\t1\nUid:\t5\t6\t5\t5\nGid:\t7\t8\t7\t7\nNSpid:\t77\t3\n";
    Image image = imageOf(77, status + "VmRSS:\t 100 kB\nThreads:\t1\n");

    ProcCapture kept = image.capture();
    ProcStat stat = ProcStat.parse(kept.get(ProcFile.STAT));
    assertThat(stat.pid()).isEqualTo(77);
    assertThat(stat.comm()).isEqualTo(Bytes.of("a) b")).isEqualTo(image.comm());
    assertThat(stat.startTicks()).isEqualTo(1234);
    assertThat(kept.get(ProcFile.STAT).length()).isLessThan(70);
    assertThat(ProcStatus.parse(kept.get(ProcFile.STATUS)).effectiveUid()).isEqualTo(6);
    assertThat(ProcStatus.parse(kept.get(ProcFile.STATUS)).innermostPid()).isEqualTo(3);
    assertThat(kept.get(ProcFile.CMDLINE)).isEqualTo(Bytes.of("first\0"));
    assertThat(kept.truncated(ProcFile.CMDLINE)).isTrue();
    assertThat(kept.truncated(ProcFile.STAT)).isFalse();
    assertThat(kept.reason(ProcFile.EXE)).isEqualTo(Errno.EACCES);
    assertThat(kept.reason(ProcFile.CWD)).isNull();
  }

  @Test
  void processesOfOneUserShareWhatIsAlike() {
    Image one = imageOf(77, "Tgid:\t77\nUid:\t5\t6\t5\t5\nNSpid:\t77\n");
    Image other = imageOf(78, "Tgid:\t78\nUid:\t5\t6\t5\t5\nNSpid:\t78\n");

    assertThat(other.capture().get(ProcFile.STATUS))
        .isSameAs(one.capture().get(ProcFile.STATUS))
        .isEqualTo(Bytes.of("Uid:\t5\t6\t5\t5\n"));
    assertThat(other.comm()).isSameAs(one.comm());
  }

  @Test
  void fromOddContentNothingIsLost() {
    Image image = images.of(new ProcCapture().with(ProcFile.STAT, Bytes.of("12 (x")), null);

    assertThat(image.capture().get(ProcFile.STAT)).isEqualTo(Bytes.of("12 (x"));
    assertThat(image.comm()).isNull();
  }
}
