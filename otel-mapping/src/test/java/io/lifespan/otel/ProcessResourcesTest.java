package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ContainerAttributes;
import io.opentelemetry.semconv.K8sAttributes;
import io.opentelemetry.semconv.ServiceAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessResourcesTest {

  private static final Resource BASE = Resource.builder().put("host.name", "here").build();
  private static final String ID = "0123456789abcdef".repeat(4);
  private static final String POD = "6c1b2b1c-0d3e-4f5a-8b7c-9d0e1f2a3b4c";
  private static final String UNIT = "0::/system.slice/nginx.service\n";

  private final ProcessResources node = new ProcessResources(BASE, SpanOptions.node(0, "the-node"));

  @Test
  void aProcessThatNothingNamesGetsTheDefaultName() {
    Resource resource = node.of(null);
    assertThat(resource.getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo("the-node");
    assertThat(resource.getAttribute(AttributeKey.stringKey("host.name"))).isEqualTo("here");
    assertThat(node.of(new ProcCapture())).isSameAs(resource);
  }

  /** The order of the design. */
  @ParameterizedTest
  @CsvSource({
    "own-name, service.name=in-attributes, own-name",
    ", service.name=in-attributes, in-attributes",
    ", other=x, nginx",
    "'', , nginx",
    ", broken, nginx"
  })
  void theServiceIsNamedByTheFirstThatKnows(String name, String attributes, String expected) {
    Resource resource =
        node.of(
            Captured.of(1, "/bin/x", "x")
                .environment(
                    "OTEL_SERVICE_NAME=" + (name == null ? "" : name),
                    "OTEL_RESOURCE_ATTRIBUTES=" + (attributes == null ? "" : attributes))
                .with(ProcFile.CGROUP, UNIT)
                .capture());
    assertThat(resource.getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo(expected);
    assertThat(resource.getAttribute(Semconv.SYSTEMD_UNIT)).isEqualTo("nginx.service");
  }

  @Test
  void malformedAttributesAreCounted() {
    node.of(Captured.of(1, "/bin/x", "x").environment("OTEL_RESOURCE_ATTRIBUTES=broken").capture());
    assertThat(node.malformed()).isEqualTo(1);
  }

  @Test
  void attributesOfTheProcessAreKept() {
    Resource resource =
        node.of(
            Captured.of(1, "/bin/x", "x")
                .environment("OTEL_RESOURCE_ATTRIBUTES=team=core%20x,host.name=other")
                .capture());
    assertThat(resource.getAttribute(AttributeKey.stringKey("team"))).isEqualTo("core x");
    assertThat(resource.getAttribute(AttributeKey.stringKey("host.name"))).isEqualTo("other");
  }

  @Test
  void theContainerIsTold() {
    Resource resource =
        node.of(
            Captured.of(1, "/bin/x", "x")
                .with(ProcFile.CGROUP, "0::/docker/" + ID + "\n")
                .capture());
    assertThat(resource.getAttribute(ContainerAttributes.CONTAINER_ID)).isEqualTo(ID);
    assertThat(resource.getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo("the-node");
  }

  @Test
  void aCommandOfRunIsNotNamedByTheUnitOfTheTerminal() {
    ProcessResources run =
        new ProcessResources(
            BASE, SpanOptions.subtree(new TraceScope.Subtree(Watch.key(1, 0), null), "make"));
    Resource resource = run.of(Captured.of(1, "/bin/x", "x").with(ProcFile.CGROUP, UNIT).capture());
    assertThat(resource.getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo("make");
    assertThat(resource.getAttribute(Semconv.SYSTEMD_UNIT)).isNull();
  }

  @Test
  void processesOfOneGroupShareOneObject() {
    ProcCapture one = Captured.of(1, "/bin/x", "x").with(ProcFile.CGROUP, UNIT).capture();
    ProcCapture two = Captured.of(2, "/bin/y", "y").with(ProcFile.CGROUP, UNIT).capture();
    assertThat(node.of(one)).isSameAs(node.of(two));
  }

  @Test
  void onlyTheGroupsUsedLastAreRemembered() {
    Resource first = node.of(named("first"));
    for (int i = 0; i < 999; i++) {
      node.of(named("other-" + i));
    }
    assertThat(node.of(named("first"))).isSameAs(first);
    for (int i = 0; i < 1_000; i++) {
      node.of(named("another-" + i));
    }
    assertThat(node.of(named("first"))).isEqualTo(first).isNotSameAs(first);
  }

  private static ProcCapture named(String name) {
    return Captured.of(1, "/bin/x", "x").environment("OTEL_SERVICE_NAME=" + name).capture();
  }

  /** What /proc/PID/cgroup says where hierarchies of both versions are mounted. */
  @Test
  void ofSeveralHierarchiesThatWithTheContainerCounts() {
    Resource resource =
        node.of(
            cgroup(
                """
                12:pids:/docker/%1$s
                11:memory:/docker/%1$s
                1:name=systemd:/docker/%1$s
                0::/system.slice/containerd.service
                """
                    .formatted(ID)));
    assertThat(resource.getAttribute(ContainerAttributes.CONTAINER_ID)).isEqualTo(ID);
    assertThat(resource.getAttribute(Semconv.SYSTEMD_UNIT)).isNull();
  }

  @Test
  void withinANamespaceOfControlGroupsThereIsNothingToTell() {
    Resource resource = node.of(cgroup("0::/\n"));
    assertThat(resource).isEqualTo(node.of(null));
    assertThat(node.malformed()).isZero();
  }

  @Test
  void thePodIsTold() {
    Resource resource = node.of(cgroup("0::/kubepods/burstable/pod" + POD + "/" + ID + "\n"));
    assertThat(resource.getAttribute(K8sAttributes.K8S_POD_UID)).isEqualTo(POD);
    assertThat(resource.getAttribute(ContainerAttributes.CONTAINER_ID)).isEqualTo(ID);
  }

  @Test
  void aContainerWithANameIsTheService() {
    Resource resource = node.of(cgroup("0::/machine.slice/machine-web\\x2d1.scope\n"));
    assertThat(resource.getAttribute(AttributeKey.stringKey("container.name"))).isEqualTo("web-1");
    assertThat(resource.getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo("web-1");
  }

  @Test
  void aThousandContainersAreRememberedAndNoMore() {
    Resource first = node.of(container(0));
    for (int i = 1; i < 1_000; i++) {
      node.of(container(i));
    }
    assertThat(node.of(container(0))).isSameAs(first);
    for (int i = 1_000; i < 2_000; i++) {
      node.of(container(i));
    }
    assertThat(node.of(container(0))).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void attributesWithoutEndAreNotReadInPart() {
    String value = "a=" + "x".repeat(9_000) + ",b=c";
    Resource resource =
        node.of(
            Captured.of(1, "/bin/x", "x")
                .environment("OTEL_RESOURCE_ATTRIBUTES=" + value)
                .capture());
    assertThat(resource).isEqualTo(node.of(null));
    assertThat(node.malformed()).isEqualTo(1);
  }

  private static ProcCapture container(int number) {
    return cgroup("0::/docker/" + String.format("%064x", number) + "\n");
  }

  private static ProcCapture cgroup(String content) {
    return Captured.of(1, "/bin/x", "x").with(ProcFile.CGROUP, content).capture();
  }
}
