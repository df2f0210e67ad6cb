package io.lifespan.event.ptrace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PtraceCausesTest {

  @Test
  void onesOwnChildMayBeTracedAsAMatterOfCourse() {
    assertThat(PtraceCauses.ofScope(0, false)).isNull();
    assertThat(PtraceCauses.ofScope(1, false)).isNull();
  }

  @Test
  void whatOnlyTheAdministratorMayNeedsACapability() {
    assertThat(PtraceCauses.ofScope(2, true)).isNull();
    assertThat(PtraceCauses.ofScope(2, false).toString())
        .contains("lets nobody but the administrator trace")
        .contains("CAP_SYS_PTRACE");
  }

  @Test
  void whatNobodyMayIsSaid() {
    assertThat(PtraceCauses.ofScope(3, true).cause()).isEqualTo("this machine lets nobody trace");
  }
}
