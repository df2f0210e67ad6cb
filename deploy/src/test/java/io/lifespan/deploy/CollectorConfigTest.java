package io.lifespan.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The collector's configurations: what a pipeline names is there, and in an order that works. */
class CollectorConfigTest {

  private static final Path DIRECTORY =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("kubernetes/collector");

  @ParameterizedTest
  @ValueSource(strings = {"agent.yaml", "gateway.yaml"})
  void everyComponentThatIsSetUpIsUsedAndTheOtherWayRound(String file) throws IOException {
    assertThat(problems(read(file))).isEmpty();
  }

  @Test
  void aPipelineThatNamesWhatIsNotThereIsFound() throws IOException {
    String text = Files.readString(DIRECTORY.resolve("agent.yaml"));

    assertThat(
            problems(Manifests.documents(text.replace("k8sattributes:", "k8sattribute:")).get(0)))
        .contains(
            "processors: k8sattributes is not set up", "processors: k8sattribute is not used");
    assertThat(
            problems(
                Manifests.documents(
                        text.replace(
                            "[memory_limiter, k8sattributes, batch]", "[batch, k8sattributes]"))
                    .get(0)))
        .contains("traces: memory_limiter is not first", "traces: batch is not last");
  }

  @Test
  void podsAreKnownByWhatTheProcessItselfSaysAndNeverByTheAddressOfTheConnection()
      throws IOException {
    JsonNode pods = read("agent.yaml").at("/processors/k8sattributes");
    List<String> sources = new ArrayList<>();
    pods.path("pod_association")
        .forEach(
            association ->
                association
                    .path("sources")
                    .forEach(
                        source ->
                            sources.add(
                                source.path("from").asText()
                                    + " "
                                    + source.path("name").asText())));

    assertThat(sources)
        .containsExactly("resource_attribute k8s.pod.uid", "resource_attribute container.id");
    assertThat(pods.at("/extract/metadata")).extracting(JsonNode::asText).contains("container.id");
  }

  @Test
  void theGatewayKeepsFailuresAndTheNodesSendATraceToOneGateway() throws IOException {
    assertThat(read("gateway.yaml").at("/processors/tail_sampling/policies"))
        .anySatisfy(
            policy -> {
              assertThat(policy.path("type").asText()).isEqualTo("status_code");
              assertThat(policy.at("/status_code/status_codes/0").asText()).isEqualTo("ERROR");
            });
    assertThat(read("agent.yaml").at("/exporters/loadbalancing/routing_key").asText())
        .isEqualTo("traceID");
  }

  private static List<String> problems(JsonNode config) {
    List<String> problems = new ArrayList<>();
    for (String kind : List.of("receivers", "processors", "exporters", "extensions")) {
      TreeSet<String> used = new TreeSet<>();
      config
          .at("/service/pipelines")
          .forEach(pipeline -> pipeline.path(kind).forEach(name -> used.add(name.asText())));
      if (kind.equals("extensions")) {
        config.at("/service/extensions").forEach(name -> used.add(name.asText()));
      }
      TreeSet<String> there = new TreeSet<>();
      config.path(kind).properties().forEach(field -> there.add(field.getKey()));
      used.stream()
          .filter(name -> !there.contains(name))
          .forEach(name -> problems.add(kind + ": " + name + " is not set up"));
      there.stream()
          .filter(name -> !used.contains(name))
          .forEach(name -> problems.add(kind + ": " + name + " is not used"));
    }
    config
        .at("/service/pipelines")
        .properties()
        .forEach(
            pipeline -> {
              JsonNode processors = pipeline.getValue().path("processors");
              if (!processors.path(0).asText().equals("memory_limiter")) {
                problems.add(pipeline.getKey() + ": memory_limiter is not first");
              }
              if (!processors.path(processors.size() - 1).asText().equals("batch")) {
                problems.add(pipeline.getKey() + ": batch is not last");
              }
            });
    return problems;
  }

  private static JsonNode read(String file) throws IOException {
    return Manifests.documents(Files.readString(DIRECTORY.resolve(file))).get(0);
  }
}
