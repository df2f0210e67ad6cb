package io.lifespan.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart in deploy/helm, as Helm makes it. */
class HelmIT {

  private static final Path CHART =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("helm/lifespan");

  @Test
  void lintFindsNothing() {
    LintResult result = new Helm(CHART).lint().strict().call();

    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  @Test
  void byDefaultItsPodsAreThoseOfTheKustomizeBase() throws Exception {
    JsonNode chart = Manifests.tree(pods(Manifests.read(template().call())));
    JsonNode base = Manifests.tree(pods(Manifests.read(Kustomize.build("base"))));
    // Kustomize adds a hash of what is in it.
    String name = base.at("/containers/0/envFrom/0/configMapRef/name").asText();
    assertThat(name).startsWith("lifespan-");
    ((ObjectNode) base.at("/containers/0/envFrom/0/configMapRef")).put("name", "lifespan");

    assertThat(chart).isEqualTo(base);
  }

  @Test
  void allOfItIsKubernetesAndWhatIsNamedIsThere() throws Exception {
    List<HasMetadata> resources =
        Manifests.read(
            template()
                .set("endpoint", "http://$(NODE_IP):4317")
                .set("settings.LIFESPAN_TRACES_RECORD", "60s")
                .set("captureInKernel", false)
                .set("healthPort", 9000)
                .set("secretNames[0]", "headers")
                .set("podAnnotations.a", "b")
                .call());

    assertThat(References.problems(resources)).isEmpty();
    PodSpec pod = pods(resources);
    assertThat(pod.getContainers().get(0).getSecurityContext().getCapabilities().getAdd())
        .containsExactly("NET_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH", "SYS_NICE");
    assertThat(pod.getContainers().get(0).getEnvFrom()).hasSize(2);
    assertThat(pod.getContainers().get(0).getPorts().get(0).getHostPort()).isEqualTo(9000);
    assertThat(resources)
        .filteredOn(ConfigMap.class::isInstance)
        .extracting(map -> ((ConfigMap) map).getData())
        .singleElement()
        .satisfies(
            data ->
                assertThat(data)
                    .containsEntry("LIFESPAN_TRACES_RECORD", "60s")
                    .containsEntry("LIFESPAN_SOURCES", "connector")
                    .containsEntry("LIFESPAN_HEALTH_PORT", "9000"));
  }

  @ParameterizedTest
  @CsvSource({
    "resource.limits.memory, 1Gi, resource",
    "image.pullpolicy, Always, pullpolicy",
    "endpoint, collector:4317, endpoint",
    "healthPort, 70000, healthPort"
  })
  void aWrongValueIsRefused(String name, String value, String told) {
    assertThatThrownBy(() -> template().set(name, value).call()).hasMessageContaining(told);
  }

  private static TemplateCommand template() {
    return new Helm(CHART)
        .template()
        .withName("lifespan")
        .withNamespace("lifespan")
        .withKubeVersion("v1.30.0");
  }

  private static PodSpec pods(List<HasMetadata> resources) throws IOException {
    return resources.stream()
        .filter(DaemonSet.class::isInstance)
        .map(set -> ((DaemonSet) set).getSpec().getTemplate().getSpec())
        .findAny()
        .orElseThrow(() -> new IOException("no DaemonSet"));
  }
}
