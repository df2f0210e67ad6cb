package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurroundingsTest {

  @TempDir Path root;

  @Test
  void namespacesAreToldFromThoseOfTheHostByTheirNumbers() throws IOException {
    link("proc/self/ns/pid", "pid:[4026531836]");
    link("proc/self/ns/user", "user:[4026532999]");

    assertThat(text("namespaces")).isEqualTo("nested: user; those of the host: pid");
  }

  @Test
  void rightsAreThoseInForce() throws IOException {
    write("proc/self/status", "Name:\tx\nUid:\t1000\t0\t0\t0\nCapEff:\t000000c000001000\n");

    assertThat(text("rights")).isEqualTo("user 1000, CAP_NET_ADMIN, CAP_PERFMON, CAP_BPF");
  }

  @Test
  void noRightsAreSaidToo() throws IOException {
    write("proc/self/status", "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n");

    assertThat(text("rights")).isEqualTo("user 1000, without capabilities");
  }

  @Test
  void theVersionOfControlGroupsShowsInTheirFiles() throws IOException {
    assertThat(text("cgroup")).isEqualTo("none mounted");
    Files.createDirectories(root.resolve("sys/fs/cgroup"));
    assertThat(text("cgroup")).isEqualTo("v1");
    Files.createDirectories(root.resolve("sys/fs/cgroup/unified"));
    assertThat(text("cgroup")).isEqualTo("v1 and v2 (hybrid)");
    write("sys/fs/cgroup/cgroup.controllers", "cpu");
    assertThat(text("cgroup")).isEqualTo("v2");
  }

  @Test
  void whatCannotBeReadIsUnknown() {
    assertThat(text("namespaces")).startsWith("unknown");
    assertThat(text("rights")).startsWith("unknown");
    assertThat(text("clock")).isEqualTo("unknown");
  }

  private String text(String subject) {
    return Surroundings.in(root).stream()
        .filter(finding -> finding.subject().equals(subject))
        .findFirst()
        .orElseThrow()
        .text();
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }

  private void link(String file, String target) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.createSymbolicLink(path, Path.of(target));
  }
}
