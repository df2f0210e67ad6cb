package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupOwnerTest {

  private static final String ID = "0123456789abcdef".repeat(4);
  private static final String OTHER = "fedcba9876543210".repeat(4);
  private static final String UID = "6c1b2b1c-0d3e-4f5a-8b7c-9d0e1f2a3b4c";
  private static final String HASH = "0123456789abcdef0123456789abcdef";

  /**
   * ID and OTHER stand for container ids of 64 digits, UID for a pod's id, U_ID for the same as
   * systemd writes it, HASH for that of a static pod.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // systemd
    "/system.slice/nginx.service, , , , nginx.service",
    "/system.slice/system-getty.slice/getty@tty1.service, , , , getty@tty1.service",
    "/user.slice/user-1000.slice/user@1000.service/app.slice/sync.service, , , , sync.service",
    "/user.slice/user-1000.slice/user@1000.service/init.scope, , , , ",
    "/user.slice/user-1000.slice/session-3.scope, , , , ",
    "/init.scope, , , , ",
    "/, , , , ",
    "/.service, , , , ",
    // docker: v1 and v2, cgroupfs and systemd, rootless, a unit within, one container in another
    "/docker/ID, ID, , , ",
    "/system.slice/docker-ID.scope, ID, , , ",
    "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-ID.scope, ID, , , ",
    "/docker/ID/system.slice/app.service, ID, , , app.service",
    "/docker/OTHER/docker/ID, ID, , , ",
    "/system.slice/docker.service, , , , docker.service",
    // podman, and who watches its containers
    "/machine.slice/libpod-ID.scope, ID, , , ",
    "/machine.slice/libpod-ID.scope/container, ID, , , ",
    "/libpod_parent/libpod-ID, ID, , , ",
    "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope/container, ID, , , ",
    "/machine.slice/libpod-conmon-ID.scope, , , , ",
    "/libpod_parent/conmon, , , , ",
    "/system.slice/web.service/libpod-payload-ID, ID, , , ",
    // containerd and CRI-O without a kubelet
    "/default/ID, ID, , , ",
    "/system.slice/nerdctl-ID.scope, ID, , , ",
    "/machine.slice/crio-ID.scope, ID, , , ",
    "/machine.slice/crio-conmon-ID.scope, , , , ",
    // the kubelet: classes of service, both drivers, containerd and CRI-O
    "/kubepods/besteffort/podUID/ID, ID, , UID, ",
    "/kubepods/burstable/podUID/ID, ID, , UID, ",
    "/kubepods/podUID/ID, ID, , UID, ",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podU_ID.slice/cri-containerd-ID.scope, ID, , UID, ",
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podU_ID.slice/cri-containerd-ID.scope, ID, , UID, ",
    "/kubepods.slice/kubepods-podU_ID.slice/crio-ID.scope, ID, , UID, ",
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podU_ID.slice/crio-ID.scope/container, ID, , UID, ",
    "/kubepods.slice/kubepods-podU_ID.slice/docker-ID.scope, ID, , UID, ",
    "/kubepods.slice/kubepods-podU_ID.slice, , , UID, ",
    // static pods
    "/kubepods/burstable/podHASH/ID, ID, , HASH, ",
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podHASH.slice/cri-containerd-ID.scope, ID, , HASH, ",
    // the kubelet and containerd of two minds, a node within a container, a pod of docker in docker
    "/system.slice/containerd.service/kubepods-burstable-podU_ID.slice:cri-containerd:ID, ID, , UID, ",
    "/docker/OTHER/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-podU_ID.slice/cri-containerd-ID.scope, ID, , UID, ",
    "/docker/OTHER/system.slice/containerd.service, OTHER, , , containerd.service",
    "/kubepods/podUID/OTHER/docker/ID, ID, , UID, ",
    "/ecs/0f0f/ID, ID, , , ",
    "/actions_job/ID, ID, , , ",
    // LXC and LXD, systemd-nspawn, a virtual machine
    "/lxc/web, , web, , ",
    "/lxc/web/system.slice/nginx.service, , web, , nginx.service",
    "/lxc/101/ns/init.scope, , 101, , ",
    "/lxc.payload.web, , web, , ",
    "/lxc.payload/web, , web, , ",
    "/lxc.monitor.web, , , , ",
    "/system.slice/lxc.service/lxc.payload.web/system.slice/cron.service, , web, , cron.service",
    "/machine.slice/machine-web\\x2d1.scope, , web-1, , ",
    "/machine.slice/systemd-nspawn@web.service/payload, , web, , ",
    "/machine.slice/systemd-nspawn@web.service/payload/system.slice/a.service, , web, , a.service",
    "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope, , , , ",
    // what only looks alike
    "/a/IDf, , , , ",
    "/kubepods/podshop/x, , , , ",
    "/system.slice/pod.service, , , , pod.service",
    "/lxc, , , , "
  })
  void thePathTellsTheOwner(String path, String id, String name, String pod, String unit) {
    CgroupOwner owner = CgroupOwner.of(filled(path));

    assertThat(owner.containerId()).isEqualTo(filled(id));
    assertThat(owner.containerName()).isEqualTo(name);
    assertThat(owner.podUid()).isEqualTo(filled(pod));
    assertThat(owner.unit()).isEqualTo(unit);
  }

  @ParameterizedTest
  @CsvSource({
    "/system.slice/nginx.service, nginx",
    "/system.slice/system-getty.slice/getty@tty1.service, getty",
    "/lxc/web, web",
    "/lxc/web/system.slice/nginx.service, nginx",
    "/docker/ID, ",
    "/, "
  })
  void theServiceIsNamedByTheUnitElseByTheContainer(String path, String service) {
    assertThat(CgroupOwner.of(filled(path)).serviceName()).isEqualTo(service);
  }

  @Property(tries = 300)
  void anyPathIsRead(@ForAll String path) {
    CgroupOwner owner = CgroupOwner.of(path);
    assertThat(owner.unitName() == null).isEqualTo(owner.unit() == null);
  }

  private static String filled(String text) {
    return text == null
        ? null
        : text.replace("U_ID", UID.replace('-', '_'))
            .replace("UID", UID)
            .replace("OTHER", OTHER)
            .replace("HASH", HASH)
            .replace("ID", ID);
  }
}
