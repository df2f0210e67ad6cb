package io.lifespan.event.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SystemCallException;
import org.junit.jupiter.api.Test;

class EbpfCausesTest {

  private final SystemCallException refused =
      new SystemCallException("bpf_object__load", Errno.EPERM);
  private static final long BPF = 1L << 39;
  private static final long PERFMON = 1L << 38;
  private static final long ADMIN = 1L << 21;

  @Test
  void missingCapabilitiesAreNamed() {
    assertThat(EbpfCauses.of(refused, "", 0L, "").cause())
        .endsWith("without CAP_BPF and CAP_PERFMON");
    assertThat(EbpfCauses.of(refused, "", BPF, "").cause()).endsWith("without CAP_PERFMON");
    assertThat(EbpfCauses.of(refused, "", PERFMON, "").cause()).endsWith("without CAP_BPF");
  }

  @Test
  void aLockedDownKernelIsNamedToWhoMayOtherwise() {
    Unavailable cause = EbpfCauses.of(refused, "", ADMIN, "none integrity [confidentiality]");

    assertThat(cause.cause()).startsWith("the kernel is locked down");
    assertThat(EbpfCauses.of(refused, "", ADMIN, "none [integrity] confidentiality").cause())
        .doesNotContain("locked down");
  }

  @Test
  void whatTheVerifierSaidIsKeptInOneLine() {
    SystemCallException invalid = new SystemCallException("bpf_object__load", Errno.EINVAL);

    assertThat(
            EbpfCauses.of(invalid, "R1 invalid\nprocessed 7 insns", BPF | PERFMON, "").toString())
        .contains("R1 invalid | processed 7 insns")
        .contains("bpf_object__load: EINVAL")
        .hasLineCount(1);
  }

  @Test
  void anythingElseNamesTheKernelThatWouldDo() {
    SystemCallException absent = new SystemCallException("bpf_object__load", new Errno(38));

    assertThat(EbpfCauses.of(absent, "", null, "").remedy()).contains("5.11 or newer");
  }
}
