package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupOwnerTest {

  private static final String ID = "0123456789abcdef".repeat(4);

  /** ID stands for a container id of 64 digits. */
  @ParameterizedTest
  @CsvSource({
    "/system.slice/nginx.service, , nginx.service, nginx",
    "/system.slice/system-getty.slice/getty@tty1.service, , getty@tty1.service, getty",
    "/user.slice/user-1000.slice/user@1000.service/app.slice/sync.service, , sync.service, sync",
    "/user.slice/user-1000.slice/user@1000.service/init.scope, , , ",
    "/user.slice/user-1000.slice/session-3.scope, , , ",
    "/system.slice/docker-ID.scope, ID, , ",
    "/docker/ID, ID, , ",
    "/docker/ID/system.slice/app.service, ID, app.service, app",
    "/machine.slice/libpod-ID.scope/container, ID, , ",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod1_2.slice/cri-containerd-ID.scope, ID, , ",
    "/kubepods.slice/kubepods-pod1.slice/crio-ID.scope, ID, , ",
    "/kubepods/burstable/pod6c1b/ID, ID, , ",
    "/system.slice/containerd.service/kubepods-burstable-pod1.slice:cri-containerd:ID, ID, , ",
    "/, , , ",
    "/.service, , , ",
    "/a/IDf, , , "
  })
  void thePathTellsTheOwner(String path, String container, String unit, String unitName) {
    CgroupOwner owner = CgroupOwner.of(path.replace("ID", ID));
    assertThat(owner.containerId()).isEqualTo(container == null ? null : ID);
    assertThat(owner.unit()).isEqualTo(unit);
    assertThat(owner.unitName()).isEqualTo(unitName);
  }

  @Property(tries = 300)
  void anyPathIsRead(@ForAll String path) {
    CgroupOwner owner = CgroupOwner.of(path);
    assertThat(owner.unitName() == null).isEqualTo(owner.unit() == null);
  }
}
