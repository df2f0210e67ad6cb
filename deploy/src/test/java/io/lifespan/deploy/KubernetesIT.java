package io.lifespan.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests below deploy/kubernetes, as kubectl makes them. */
class KubernetesIT {

  private static String base;

  @BeforeAll
  static void buildBase() throws Exception {
    base = Kustomize.build("base");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "base",
        "overlays/node-collector",
        "overlays/gateway",
        "overlays/connector",
        "overlays/failures",
        "examples/sidecar",
        "collector"
      })
  void everyNameAndValueIsOneOfKubernetesAndWhatIsNamedIsThere(String directory) throws Exception {
    List<HasMetadata> resources = Manifests.read(Kustomize.build(directory));

    assertThat(resources).isNotEmpty();
    assertThat(References.problems(resources)).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hostPID: true                   | hostPid: true                  | hostPid
          memory: 256Mi                   | memory: 256Mb                  | 256Mb
          cpu: 50m                        | cpu: 50 m                      | 50 m
          readOnlyRootFilesystem: true    | readonlyRootFilesystem: true   | readonlyRootFilesystem
          failureThreshold: 3             | failureThreshold: three        | three
          hostNetwork: true               | hostNetwork: "yes"             | yes
          LIFESPAN_HEALTH_PORT: "13134"   | LIFESPAN_HEALTH_PORT: 13134    | Cannot coerce Integer
          hostNetwork: true               | hostPID: true                  | hostPID
          kind: DaemonSet                 | kind: DaemonsSet               | DaemonsSet
          """)
  void aMistakeIsFound(String right, String wrong, String told) {
    assertThat(base).contains(right);
    assertThatThrownBy(() -> Manifests.read(base.replaceFirst(right, wrong)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(told);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          serviceAccountName: lifespan     | serviceAccountName: lifespam  | no ServiceAccount lifespam
          port: health                     | port: helth                   | no port helth
          name: machine-id                 | name: machine                 | no volume machine-id
          priorityClassName: lifespan-node | priorityClassName: high       | no PriorityClass high
          """)
  void aNameOfWhatIsNotThereIsFound(String right, String wrong, String told) throws Exception {
    int last = base.lastIndexOf(right);

    assertThat(last).isPositive();
    String changed = base.substring(0, last) + wrong + base.substring(last + right.length());
    assertThat(References.problems(Manifests.read(changed))).contains(told);
  }

  @Test
  void theAgentHasTheRightsThatItNeedsAndNoOthers() throws Exception {
    PodSpec pod = daemonSet("base").getSpec().getTemplate().getSpec();
    SecurityContext rights = container(pod).getSecurityContext();

    assertThat(pod.getHostPID()).isTrue();
    assertThat(pod.getHostNetwork()).isTrue();
    assertThat(pod.getHostIPC()).isNull();
    assertThat(pod.getAutomountServiceAccountToken()).isFalse();
    assertThat(rights.getPrivileged()).isFalse();
    assertThat(rights.getAllowPrivilegeEscalation()).isFalse();
    assertThat(rights.getReadOnlyRootFilesystem()).isTrue();
    assertThat(rights.getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(rights.getCapabilities().getAdd())
        .containsExactly(
            "BPF", "PERFMON", "NET_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH", "SYS_NICE");
    assertThat(pod.getVolumes())
        .allSatisfy(
            volume -> assertThat(volume.getHostPath().getPath()).isEqualTo("/etc/machine-id"));
  }

  @Test
  void withTheConnectorItHasTwoCapabilitiesLessAndTheRuntimesSeccompProfile() throws Exception {
    SecurityContext rights =
        container(daemonSet("overlays/connector").getSpec().getTemplate().getSpec())
            .getSecurityContext();

    assertThat(rights.getCapabilities().getAdd())
        .containsExactly("NET_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH", "SYS_NICE");
    assertThat(rights.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
  }

  @Test
  void aSidecarHasNoPrivilegeAtAllAndSharesOnlyItsPodsProcesses() throws Exception {
    PodSpec pod =
        Manifests.read(Kustomize.build("examples/sidecar")).stream()
            .filter(Deployment.class::isInstance)
            .map(one -> ((Deployment) one).getSpec().getTemplate().getSpec())
            .findAny()
            .orElseThrow();
    SecurityContext rights = pod.getInitContainers().get(0).getSecurityContext();

    assertThat(pod.getShareProcessNamespace()).isTrue();
    assertThat(pod.getHostPID()).isNull();
    assertThat(pod.getHostNetwork()).isNull();
    assertThat(pod.getVolumes()).isEmpty();
    assertThat(pod.getInitContainers().get(0).getRestartPolicy()).isEqualTo("Always");
    assertThat(rights.getRunAsNonRoot()).isTrue();
    assertThat(rights.getAllowPrivilegeEscalation()).isFalse();
    assertThat(rights.getReadOnlyRootFilesystem()).isTrue();
    assertThat(rights.getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(rights.getCapabilities().getAdd()).isEmpty();
    assertThat(rights.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
  }

  @ParameterizedTest
  @CsvSource({
    "base, http://localhost:4317",
    "overlays/node-collector, http://$(NODE_IP):4317",
    "overlays/gateway, http://otel-gateway.lifespan.svc:4317"
  })
  void eachOverlaySendsWhereItSays(String directory, String endpoint) throws Exception {
    assertThat(container(daemonSet(directory).getSpec().getTemplate().getSpec()).getEnv())
        .filteredOn(variable -> variable.getName().equals("OTEL_EXPORTER_OTLP_ENDPOINT"))
        .extracting(EnvVar::getValue)
        .containsExactly(endpoint);
  }

  private static DaemonSet daemonSet(String directory) throws Exception {
    return Manifests.read(Kustomize.build(directory)).stream()
        .filter(DaemonSet.class::isInstance)
        .map(DaemonSet.class::cast)
        .findAny()
        .orElseThrow();
  }

  private static Container container(PodSpec pod) {
    assertThat(pod.getContainers()).hasSize(1);
    return pod.getContainers().get(0);
  }
}
