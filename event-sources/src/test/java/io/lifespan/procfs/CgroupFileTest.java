package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupFileTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0::/system.slice/cron.service|/system.slice/cron.service",
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/a:b.scope|"
            + "/user.slice/user-1000.slice/user@1000.service/app.slice/a:b.scope",
        "12:pids:/docker/abc$1:name=systemd:/docker/def$0::/|/docker/def",
        "4:memory:/supervisor/9eff$1:cpu:/$0::/|/supervisor/9eff",
        "1:name=systemd:/init.scope$0::/init.scope|/init.scope",
        "4:memory:/a$1:name=systemd:/$0::/|/a",
        "4:memory:/a$5:cpu:/b|/a",
        "0::/../../other|/../../other",
        "0::/gone.service (deleted)|/gone.service",
        "3:cpu,cpuacct:/kubepods/burstable/pod1/c1$0::/kubepods/x|/kubepods/x",
      })
  void picksTheMostTellingPath(String content, String path) {
    assertThat(parse(content).tellingPath()).isEqualTo(Bytes.of(path));
  }

  @ParameterizedTest
  @CsvSource({"0::/", "1:cpu:/$0::/", "''", "x", "0::", ":", "::/", "-1::/a", "0:/a", "a::/b"})
  void findsNothingTellingInTheRootOrInOtherForms(String content) {
    assertThat(parse(content).tellingPath()).isNull();
    assertThat(parse(content).tellingPaths()).isEmpty();
  }

  @Test
  void listsEachPathOnceTheMostTellingFirst() {
    assertThat(parse("9:pids:/b$8:cpu:/c$7:memory:/b$1:name=systemd:/a$0::/d").tellingPaths())
        .extracting(Bytes::toString)
        .containsExactly("/d", "/a", "/b", "/c");
  }

  @Test
  void tellsEachHierarchy() {
    assertThat(parse("3:cpu,cpuacct:/a:b$0::/\u00ff$").entries())
        .containsExactly(
            new CgroupFile.Entry(3, Bytes.of("cpu,cpuacct"), Bytes.of("/a:b")),
            new CgroupFile.Entry(0, Bytes.EMPTY, new Bytes(new byte[] {'/', (byte) 0xff})));
    assertThat(parse("3:cpu:/a$0::/b").entries())
        .extracting(CgroupFile.Entry::isUnified)
        .isEqualTo(List.of(false, true));
  }

  @Property
  void neverThrows(@ForAll("contents") Bytes content) {
    for (Bytes path : CgroupFile.parse(content).tellingPaths()) {
      assertThat(path.array()[0]).isEqualTo((byte) '/');
      assertThat(path.length()).isGreaterThan(1);
    }
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Mutations.of("12:pids:/docker/abc\n1:name=systemd:/docker/def\n0::/a (deleted)\n");
  }

  /** A dollar sign stands for the end of a line. */
  private static CgroupFile parse(String content) {
    return CgroupFile.parse(new Bytes(content.replace('$', '\n').getBytes(ISO_8859_1)));
  }
}
