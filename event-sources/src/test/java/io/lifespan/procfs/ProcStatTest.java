package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcStatTest {

  private static final String SHELL =
      "31143 (sh) S 30986 18427 3058 34816 -1 4194304 65 0 1 0 7 8 0 0 20 0 2 0 329189 2654208 388"
          + " 18446744073709551615 94634032685056 94634032761785 140732568029024 0 0 0 0 0 65538 1 0"
          + " 0 17 1 0 0 0 0 0 94634032791088 94634032796224 94634186801152 140732568033650"
          + " 140732568033762 140732568033762 140732568035308 0\n";
  private static final String ZOMBIE =
      "31200 (cc1 (x) ) Z 31143 18427 3058 0 -1 4228100 65 0 1 0 0 0 0 0 20 0 1 0 329200 0 0"
          + " 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 2304\n";
  private static final String KERNEL_THREAD =
      "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 39 0 0 20 0 1 0 18 0 0 18446744073709551615 0 0 0"
          + " 0 0 0 0 2147483647 0 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

  @Test
  void tellsEveryFieldOfALiveProcess() {
    assertThat(parse(SHELL))
        .isEqualTo(
            new ProcStat(
                31143,
                Bytes.of("sh"),
                'S',
                30986,
                18427,
                3058,
                34816,
                4194304,
                7,
                8,
                2,
                329189,
                388L,
                null));
  }

  @Test
  void tellsTheWaitStatusOfAZombieOnly() {
    assertThat(parse(ZOMBIE).exitStatus()).isEqualTo(9 << 8);
    assertThat(parse(ZOMBIE).isDead()).isTrue();
    assertThat(parse(SHELL).exitStatus()).isNull();
    assertThat(parse(SHELL).isDead()).isFalse();
  }

  @Test
  void tellsNoWaitStatusWhereTheKernelIsTooOldToHaveOne() {
    String old = ZOMBIE.replaceAll("( 0){7} 2304\n", "\n");
    assertThat(parse(old).startTicks()).isEqualTo(329200);
    assertThat(parse(old).exitStatus()).isNull();
  }

  @Test
  void knowsThreadsOfTheKernel() {
    assertThat(parse(KERNEL_THREAD).isKernelThread()).isTrue();
    assertThat(parse(SHELL).isKernelThread()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", ")", "a) R 1 \u00ff(", "((", ") S 1 2 3", "\n", "x\u0001y", "1 (2) 3"})
  void takesTheNameUpToTheLastParenthesis(String name) {
    ProcStat stat = parse(SHELL.replace("(sh)", "(" + name + ")"));
    assertThat(stat.comm()).isEqualTo(new Bytes(name.getBytes(ISO_8859_1)));
    assertThat(stat.parentPid()).isEqualTo(30986);
    assertThat(stat.startTicks()).isEqualTo(329189);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1 (sh",
        "1 )sh(",
        "(sh) S 1",
        "1 (sh)",
        "1 (sh) S",
        "1 (sh) SS 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "1 (sh) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "0 (sh) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "-1 (sh) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "1 (sh) S 4294967296 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "1 (sh) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 x 1",
        "1 (sh) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 9223372036854775808",
        "1 (sh) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 99999999999999999999"
      })
  void givesNothingForWhatIsNotOfThisForm(String content) {
    assertThat(ProcStat.parse(Bytes.of(content))).isNull();
  }

  @Property
  void neverThrows(@ForAll("contents") Bytes content) {
    ProcStat stat = ProcStat.parse(content);
    if (stat != null) {
      assertThat(stat.pid()).isPositive();
    }
  }

  @Property
  void takesAnyName(@ForAll byte[] name) {
    byte[] content =
        SHELL.replace("(sh)", "(" + new String(name, ISO_8859_1) + ")").getBytes(ISO_8859_1);
    ProcStat stat = ProcStat.parse(new Bytes(content));
    assertThat(stat).isNotNull();
    assertThat(stat.comm()).isEqualTo(new Bytes(name));
    assertThat(stat.startTicks()).isEqualTo(329189);
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Arbitraries.lazy(() -> Mutations.of(SHELL, ZOMBIE, KERNEL_THREAD));
  }

  private static ProcStat parse(String content) {
    ProcStat stat = ProcStat.parse(new Bytes(content.getBytes(ISO_8859_1)));
    assertThat(stat).isNotNull();
    return stat;
  }
}
