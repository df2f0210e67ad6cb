package io.lifespan.event.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import io.lifespan.event.Unavailable;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.libc.AnotherJvm;
import io.lifespan.libc.ReadableClassPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where capture in the kernel cannot be had the source says why; as real users, so as root. */
class EbpfUnavailableIT {

  @TempDir Path directory;

  @Test
  void withoutTheLibraryItsPackageIsNamed() {
    Unavailable cause = probe(options().withLibrary("libbpf-that-is-not-there.so.1"));

    assertThat(cause.toString())
        .isEqualTo(
            "libbpf is not installed (dlopen libbpf-that-is-not-there.so.1); install libbpf 1.0 or"
                + " newer: the package libbpf1 on Debian and Ubuntu, libbpf on Fedora");
  }

  @Test
  void aKernelThatDoesNotTellItsTypesIsNamed() {
    Unavailable cause = probe(options().withBtf(Path.of("/sys/kernel/btf/none")));

    assertThat(cause.cause()).isEqualTo("this kernel does not tell its types");
    assertThat(cause.remedy()).contains("CONFIG_DEBUG_INFO_BTF=y");
  }

  @Test
  void aUserWithoutCapabilitiesIsToldWhichAreMissing() throws Exception {
    assertThat(asNobody("--bounding-set=-all", "--inh-caps=-all"))
        .singleElement()
        .asString()
        .startsWith(
            "this user may not load programs into the kernel: without CAP_BPF and CAP_PERFMON")
        .contains("EPERM")
        .endsWith("run as root or with the capabilities CAP_BPF and CAP_PERFMON");
  }

  @Test
  void aUserWithOneOfTheTwoIsToldTheOther() throws Exception {
    assertThat(asNobody("--inh-caps=+bpf", "--ambient-caps=+bpf"))
        .singleElement()
        .asString()
        .contains("without CAP_PERFMON (");
  }

  @Test
  void aUserWithTheTwoCapabilitiesNeedsNoMore() throws Exception {
    assertThat(asNobody("--inh-caps=+bpf,+perfmon", "--ambient-caps=+bpf,+perfmon"))
        .containsExactly("available", "seen");
  }

  @Test
  void anotherPidNamespaceIsNamed() throws Exception {
    List<String> classPath =
        Arrays.stream(System.getProperty("java.class.path").split(":", -1)).toList();
    assertThat(said(classPath, "unshare", "--pid", "--fork", "--mount-proc"))
        .singleElement()
        .asString()
        .startsWith("the kernel tells pids of the initial pid namespace, and this is another");
  }

  private List<String> asNobody(String... capabilities) throws Exception {
    List<String> prefix = new ArrayList<>();
    prefix.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    prefix.addAll(List.of(capabilities));
    prefix.addAll(List.of("env", "-C", "/"));
    return said(ReadableClassPath.copiedTo(directory), prefix.toArray(new String[0]));
  }

  private static List<String> said(List<String> classPath, String... prefix)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.addAll(AnotherJvm.command(String.join(":", classPath), EbpfProbeMain.class));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  private static Unavailable probe(EbpfOptions options) {
    return new EbpfSource(options, new ProcFsReader()).probe().orElseThrow();
  }

  private static EbpfOptions options() {
    return EbpfOptions.defaults(EventSelection.ALL, SystemClock.measure());
  }
}
