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
import org.junit.jupiter.params.provider.ValueSource;

class MountInfoTest {

  private static final String TREE =
      """
      26 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      30 26 0:30 / /srv rw - tmpfs one rw
      31 30 0:31 / /srv/data rw master:1 propagate_from:2 - nfs4 host:/export rw,vers=4
      32 30 0:31 /sub /srv/other\\040name\\134 rw - nfs4 host:/export rw
      40 30 0:40 / /srv rw - xfs two rw
      41 26 0:41 / /data rw - tmpfs three rw
      """;

  @Test
  void readsEveryField() {
    MountInfo info = parse(TREE);

    assertThat(info.malformed()).isZero();
    assertThat(info.all()).hasSize(6);
    assertThat(info.all().get(2))
        .isEqualTo(
            new MountPoint(
                31,
                30,
                0,
                31,
                Bytes.of("/"),
                Bytes.of("/srv/data"),
                "nfs4",
                Bytes.of("host:/export")));
    assertThat(info.all().get(3).path()).isEqualTo(Bytes.of("/srv/other name\\"));
    assertThat(info.all().get(3).root()).isEqualTo(Bytes.of("/sub"));
    assertThat(info.all().get(3).device()).isEqualTo(info.all().get(2).device());
  }

  @ParameterizedTest
  @CsvSource({
    "/, 26",
    "'', 26",
    "/etc/passwd, 26",
    "/srv, 40",
    "/srv/data/x, 40",
    "/srvx, 26",
    "/data, 41",
    "/data/, 41",
    "//data//x, 41",
    "/./data/x, 41",
    "/data/.., 26",
    "/data/../../srv/./x, 40",
    "/../../data, 41",
    "/.., 26",
    "/dat, 26",
    "/data/.../x, 41"
  })
  void aPathLeadsToTheMountThatTheKernelWouldFind(String path, int id) {
    assertThat(parse(TREE).mountOf(Bytes.of(path)).id()).isEqualTo(id);
  }

  @Test
  void hiddenMountsAreListedButNotReachable() {
    assertThat(parse(TREE).reachable()).extracting(MountPoint::id).containsExactly(26, 40, 41);
  }

  @Test
  void aMountOverADirectoryAboveHidesWhatIsBelow() {
    MountInfo info =
        parse(
            """
            1 1 0:1 / / rw - rootfs none rw
            2 1 0:2 / /a/b rw - tmpfs x rw
            3 1 0:3 / /a rw - tmpfs x rw
            """);

    assertThat(info.reachable()).extracting(MountPoint::id).containsExactly(1, 3);
    assertThat(info.mountOf(Bytes.of("/a/b/c")).id()).isEqualTo(3);
  }

  @Test
  void aRootThatIsNoMountIsUnknownButMountsBelowItAreFound() {
    MountInfo info = parse("5 99 0:5 / /a/b rw - tmpfs x rw\n");

    assertThat(info.mountOf(Bytes.of("/a"))).isNull();
    assertThat(info.mountOf(Bytes.of("/"))).isNull();
    assertThat(info.mountOf(Bytes.of("/a/b/c")).id()).isEqualTo(5);
  }

  @Test
  void theRootMountedOverIsTheLastOne() {
    MountInfo info =
        parse("1 1 0:1 / / rw - rootfs none rw\n26 1 254:0 / / rw - ext4 /dev/vda rw\n");

    assertThat(info.mountOf(Bytes.of("/x")).id()).isEqualTo(26);
  }

  @Test
  void bytesThatAreNotUtf8AreKept() {
    MountPoint mount = parse("5 1 0:5 / /caf\u00e9\\012\\377 rw - tmpfs a\\011b rw\n").all().get(0);

    assertThat(mount.path()).isEqualTo(new Bytes("/caf\u00e9\n\u00ff".getBytes(ISO_8859_1)));
    assertThat(mount.source()).isEqualTo(Bytes.of("a\tb"));
  }

  @Test
  void aSourceMayBeMissing() {
    assertThat(parse("5 1 0:5 / /a rw - tmpfs\n").all().get(0).source()).isEqualTo(Bytes.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "5 1 0:5 / /a rw",
        "5 1 0:5 / /a rw tmpfs x rw",
        "5 1 05 / /a rw - tmpfs x rw",
        "5 1 0: / /a rw - tmpfs x rw",
        "5 1 a:b / /a rw - tmpfs x rw",
        "-5 1 0:5 / /a rw - tmpfs x rw",
        "5 99999999999 0:5 / /a rw - tmpfs x rw",
        "5 1 0:5 /  rw - tmpfs x rw",
        "5 1 0:5 / /a rw -"
      })
  void linesOfAnotherFormAreCountedAndLeftOut(String line) {
    MountInfo info = parse(line + "\n7 1 0:7 / / rw - tmpfs x rw\n");

    assertThat(info.malformed()).isEqualTo(1);
    assertThat(info.all()).extracting(MountPoint::id).containsExactly(7);
  }

  @Test
  void anEscapeOfAnotherFormStaysAsItIs() {
    assertThat(parse("5 1 0:5 / /a\\9x\\04 rw - tmpfs x rw\n").all().get(0).path())
        .isEqualTo(Bytes.of("/a\\9x\\04"));
  }

  @Test
  void mountsThatNameEachOtherAsParentDoNotHoldTheReader() {
    MountInfo info = parse("5 6 0:5 / / rw - tmpfs x rw\n6 5 0:6 / / rw - tmpfs y rw\n");

    assertThat(info.mountOf(Bytes.of("/a/b"))).isNull();
    assertThat(info.reachable()).isEmpty();
  }

  @Test
  void aThousandMountsAreFound() {
    StringBuilder text = new StringBuilder("26 1 254:0 / / rw - ext4 /dev/vda rw\n");
    for (int i = 100; i < 1_100; i++) {
      text.append(i + " 26 0:" + i + " / /pods/" + i + "/volume rw - nfs4 x:/" + i + " rw\n");
    }
    MountInfo info = parse(text.toString());

    assertThat(info.reachable()).hasSize(1_001);
    assertThat(info.mountOf(Bytes.of("/pods/777/volume/file")).id()).isEqualTo(777);
    assertThat(info.mountOf(Bytes.of("/pods/777/volumes")).id()).isEqualTo(26);
  }

  @Property(tries = 500)
  void anyContentIsReadWithoutFailing(@ForAll("contents") Bytes content) {
    MountInfo info = MountInfo.parse(content);

    for (MountPoint mount : info.all()) {
      info.mountOf(mount.path());
    }
    assertThat(info.all()).containsAll(info.reachable());
  }

  @Property(tries = 300)
  void anyPathLeadsSomewhereBelowTheRoot(@ForAll byte[] path) {
    assertThat(parse(TREE).mountOf(new Bytes(path))).isNotNull();
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Mutations.of(List.of(TREE).toArray(String[]::new));
  }

  private static MountInfo parse(String text) {
    return MountInfo.parse(new Bytes(text.getBytes(ISO_8859_1)));
  }
}
