package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.ReadableClassPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the source cannot be had it says why; in real namespaces, so as root. */
class ConnectorUnavailableIT {

  private static final List<String> CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(":")).toList();

  @Test
  void anotherNetworkNamespaceIsNamed() throws Exception {
    assertThat(probe(CLASS_PATH, "unshare", "--net"))
        .containsExactly(
            "process events are given only to the initial network namespace, and this is another"
                + " (send on NETLINK_CONNECTOR: ECONNREFUSED); run on the host, in a pod with"
                + " hostNetwork: true, or in a container with --network=host");
  }

  @Test
  void anotherPidNamespaceIsNamedEvenIfEventsOfTheHostArrive() throws Exception {
    try (Listening listening = Listening.open(Listening.options())) {
      assertThat(probe(CLASS_PATH, "unshare", "--pid", "--fork", "--mount-proc"))
          .containsExactly(
              "process events are given only to the initial pid namespace, and this is another"
                  + " (send PROC_CN_MCAST_LISTEN); run on the host, in a pod with hostPID: true, or"
                  + " in a container with --pid=host");
      assertThat(listening.source().stats().malformed()).isZero();
    }
  }

  @Test
  void anotherPidNamespaceIsNamedThoughProcIsTheHosts() throws Exception {
    assertThat(probe(CLASS_PATH, "unshare", "--pid", "--fork"))
        .singleElement()
        .asString()
        .startsWith("process events are given only to the initial pid namespace");
  }

  @Test
  void anotherUserNamespaceIsNamed() throws Exception {
    assertThat(probe(CLASS_PATH, "unshare", "--user", "--map-root-user"))
        .containsExactly(
            "process events are given only to the initial user namespace, and this is another"
                + " (send PROC_CN_MCAST_LISTEN); run outside user namespaces: on the host, or in a"
                + " pod without hostUsers: false");
  }

  @Test
  void theInitialNamespacesWillDo() throws Exception {
    assertThat(probe(CLASS_PATH, "env")).first().isEqualTo("available");
  }

  /** From Linux 6.6 on; a kernel before that refuses, and says which capability it asks for. */
  @Test
  void withoutPrivilegeTheBufferIsSmallerOrTheCapabilityIsNamed(@TempDir Path directory)
      throws Exception {
    List<String> readable = ReadableClassPath.copiedTo(directory);
    long limit = setting("/proc/sys/net/core/rmem_max");

    List<String> said =
        probe(
            readable,
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--bounding-set=-all",
            "--inh-caps=-all",
            "env",
            "-C",
            "/");

    if (said.get(0).equals("available")) {
      assertThat(said.get(1))
          .contains("; receive buffer " + size(limit) + " of the 16 MiB asked for")
          .contains("CAP_NET_ADMIN")
          .contains("net.core.rmem_max to 16777216");
    } else {
      assertThat(said.get(0)).contains("CAP_NET_ADMIN");
    }
  }

  /** What {@link ProbeMain} prints when started by a command. */
  private static List<String> probe(List<String> classPath, String... prefix)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(String.join(":", classPath));
    command.add(ProbeMain.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  private static String size(long bytes) {
    return bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
  }

  /** Read by one call: such a file shows nothing from its second byte on. */
  private static long setting(String file) throws IOException {
    try (InputStream content = Files.newInputStream(Path.of(file))) {
      return Long.parseLong(new String(content.readAllBytes(), StandardCharsets.US_ASCII).trim());
    }
  }
}
