package io.lifespan.event.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class IdentityTest {

  @Test
  void anotherExecutableIsAnExec() {
    assertThat(readable("sh", "/bin/sh", 500).executedBefore(readable("ls", "/bin/ls", 700)))
        .isTrue();
  }

  @Test
  void theSameExecutableWithAnotherStackIsAnExec() {
    assertThat(readable("sh", "/bin/sh", 500).executedBefore(readable("sh", "/bin/sh", 600)))
        .isTrue();
  }

  @Test
  void anotherNameIsNone() {
    assertThat(readable("a) R", "/bin/sh", 500).executedBefore(readable("(b", "/bin/sh", 500)))
        .isFalse();
  }

  @Test
  void ofAProcessThatMayNotBeReadTheNameDecides() {
    assertThat(hidden("sh").executedBefore(hidden("sh"))).isFalse();
    assertThat(hidden("sh").executedBefore(hidden("ls"))).isTrue();
    assertThat(readable("sh", "/bin/sh", 500).executedBefore(hidden("sudo"))).isTrue();
  }

  @Test
  void aProcessWhoseStackIsNotThereYetIsNotCompared() {
    assertThat(readable("sh", "/bin/sh", 0).isUnsettled()).isTrue();
    assertThat(readable("sh", "/bin/sh", 500).isUnsettled()).isFalse();
    assertThat(hidden("sh").isUnsettled()).isFalse();
  }

  @Property
  void oddContentDoesNoHarm(@ForAll byte[] stat) {
    assertThat(Identity.of(new ProcCapture().with(ProcFile.STAT, new Bytes(stat)))).isNotNull();
  }

  private static Identity readable(String name, String executable, long stack) {
    return Identity.of(
        new ProcCapture()
            .with(ProcFile.STAT, stat(name, stack))
            .with(ProcFile.EXE, Bytes.of(executable)));
  }

  private static Identity hidden(String name) {
    return Identity.of(
        new ProcCapture().with(ProcFile.STAT, stat(name, 0)).without(ProcFile.EXE, Errno.EACCES));
  }

  private static Bytes stat(String name, long stack) {
    return Bytes.of(
        "7 ("
            + name
            + ") S 1 7 7 0 -1 4194304 100 0 0 0 3 2 0 0 20 0 1 0 203 2000000 200 18446744073709551615 1 1 "
            + stack
            + " 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
  }
}
