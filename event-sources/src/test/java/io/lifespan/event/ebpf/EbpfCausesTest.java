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
    assertThat(EbpfCauses.of(refused, "", 0L, "", false).cause())
        .endsWith("without CAP_BPF and CAP_PERFMON");
    assertThat(EbpfCauses.of(refused, "", BPF, "", false).cause()).endsWith("without CAP_PERFMON");
    assertThat(EbpfCauses.of(refused, "", PERFMON, "", false).cause()).endsWith("without CAP_BPF");
  }

  @Test
  void aLockedDownKernelIsNamedToWhoMayOtherwise() {
    Unavailable cause =
        EbpfCauses.of(refused, "", ADMIN, "none integrity [confidentiality]", false);

    assertThat(cause.cause()).startsWith("the kernel is locked down");
    assertThat(EbpfCauses.of(refused, "", ADMIN, "none [integrity] confidentiality", false).cause())
        .doesNotContain("locked down");
  }

  @Test
  void whatTheVerifierSaidIsKeptInOneLine() {
    SystemCallException invalid = new SystemCallException("bpf_object__load", Errno.EINVAL);

    assertThat(
            EbpfCauses.of(invalid, "R1 invalid\nprocessed 7 insns", BPF | PERFMON, "", false)
                .toString())
        .contains("R1 invalid | processed 7 insns")
        .contains("bpf_object__load: EINVAL")
        .hasLineCount(1);
  }

  @Test
  void anythingElseNamesTheKernelThatWouldDo() {
    SystemCallException absent = new SystemCallException("bpf_object__load", new Errno(38));

    assertThat(EbpfCauses.of(absent, "", null, "", false).remedy()).contains("5.11 or newer");
  }

  @Test
  void aFilterOfSystemCallsThatRefusesIsNamed() {
    Unavailable cause = EbpfCauses.of(refused, "", BPF | PERFMON, "", true);

    assertThat(cause.cause()).startsWith("a seccomp profile refuses");
    assertThat(cause.remedy()).contains("Unconfined", "seccomp=unconfined");
    assertThat(EbpfCauses.of(refused, "", BPF, "", true).cause()).endsWith("without CAP_PERFMON");
  }
}
