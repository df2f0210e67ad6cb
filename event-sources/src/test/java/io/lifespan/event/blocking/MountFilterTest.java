package io.lifespan.event.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountPoint;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountFilterTest {

  @ParameterizedTest
  @CsvSource({
    "'',              '',            ext4,       /,           true",
    "'',              '',            proc,       /proc,       false",
    "'',              '',            autofs,     /net,        false",
    "'',              '',            fuse.sshfs, /home,       true",
    "'',              nfs*,          nfs4,       /srv,        false",
    "'',              nfs*,          xnfs,       /srv,        true",
    "'',              /srv,          nfs4,       /srv,        false",
    "'',              /srv,          nfs4,       /srv/data,   true",
    "'',              /srv/*,        nfs4,       /srv/data,   false",
    "nfs4;/data,      '',            nfs4,       /srv,        true",
    "nfs4;/data,      '',            ext4,       /data,       true",
    "nfs4;/data,      '',            ext4,       /,           false",
    "proc,            '',            proc,       /proc,       true",
    "*,               /pods/*/proj*, tmpfs,      /pods/a/projected/x, false",
    "*,               /pods/*/proj*, tmpfs,      /pods/projected, true",
    "/a*a,            '',            tmpfs,      /a,          false",
    "/a*a,            '',            tmpfs,      /aa,         true"
  })
  void acceptsWhatTheSettingsSay(
      String include, String exclude, String type, String path, boolean accepted) {
    MountFilter filter = new MountFilter(list(include), list(exclude));
    MountPoint mount =
        new MountPoint(5, 1, 0, 5, Bytes.of("/"), Bytes.of(path), type, Bytes.of("x"));

    assertThat(filter.accepts(mount)).isEqualTo(accepted);
  }

  private static List<String> list(String text) {
    return Arrays.stream(text.split(";", -1)).filter(part -> !part.isEmpty()).toList();
  }
}
