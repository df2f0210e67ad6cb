package io.lifespan.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Whether what resources name is there: what no type can say. */
final class References {

  private final List<HasMetadata> resources;
  private final List<String> problems = new ArrayList<>();

  private References(List<HasMetadata> resources) {
    this.resources = resources;
  }

  /** What is named and is not there, a line each. */
  static List<String> problems(List<HasMetadata> resources) {
    References references = new References(resources);
    resources.forEach(references::check);
    return references.problems;
  }

  private void check(HasMetadata resource) {
    if (resource instanceof DaemonSet set) {
      pods(set.getSpec().getSelector().getMatchLabels(), set.getSpec().getTemplate());
    } else if (resource instanceof Deployment deployment) {
      pods(deployment.getSpec().getSelector().getMatchLabels(), deployment.getSpec().getTemplate());
    } else if (resource instanceof Service service) {
      selects("a Service", service.getSpec().getSelector());
      for (ServicePort port : service.getSpec().getPorts()) {
        port(port.getTargetPort(), templates().flatMap(References::ports).toList());
      }
    } else if (resource instanceof NetworkPolicy policy) {
      selects("a NetworkPolicy", policy.getSpec().getPodSelector().getMatchLabels());
    } else if (resource instanceof ClusterRoleBinding binding) {
      exists(ClusterRole.class, binding.getRoleRef().getName());
      binding.getSubjects().forEach(subject -> exists(ServiceAccount.class, subject.getName()));
    }
  }

  private void pods(Map<String, String> selector, PodTemplateSpec template) {
    if (!template.getMetadata().getLabels().entrySet().containsAll(selector.entrySet())) {
      problems.add("the pods' labels are not those selected: " + selector);
    }
    if (template.getSpec().getServiceAccountName() != null) {
      exists(ServiceAccount.class, template.getSpec().getServiceAccountName());
    }
    if (template.getSpec().getPriorityClassName() != null) {
      exists(PriorityClass.class, template.getSpec().getPriorityClassName());
    }
    List<String> volumes = template.getSpec().getVolumes().stream().map(Volume::getName).toList();
    for (Volume volume : template.getSpec().getVolumes()) {
      if (volume.getConfigMap() != null) {
        exists(ConfigMap.class, volume.getConfigMap().getName());
      }
    }
    for (Container container : containers(template).toList()) {
      for (VolumeMount mount : container.getVolumeMounts()) {
        if (!volumes.contains(mount.getName())) {
          problems.add("no volume " + mount.getName());
        }
      }
      for (EnvFromSource from : container.getEnvFrom()) {
        if (from.getConfigMapRef() != null) {
          exists(ConfigMap.class, from.getConfigMapRef().getName());
        }
      }
      Stream.of(
              container.getStartupProbe(),
              container.getLivenessProbe(),
              container.getReadinessProbe())
          .filter(Objects::nonNull)
          .map(Probe::getHttpGet)
          .forEach(get -> port(get.getPort(), container.getPorts()));
    }
  }

  private void port(IntOrString port, List<ContainerPort> ports) {
    if (ports.stream()
        .noneMatch(
            known ->
                known.getName().equals(port.getStrVal())
                    || known.getContainerPort().equals(port.getIntVal()))) {
      problems.add("no port " + port.getValue());
    }
  }

  private void selects(String who, Map<String, String> selector) {
    if (templates()
        .noneMatch(
            pod -> pod.getMetadata().getLabels().entrySet().containsAll(selector.entrySet()))) {
      problems.add(who + " selects no pods: " + selector);
    }
  }

  private void exists(Class<? extends HasMetadata> type, String name) {
    if (resources.stream()
        .noneMatch(one -> type.isInstance(one) && one.getMetadata().getName().equals(name))) {
      problems.add("no " + type.getSimpleName() + " " + name);
    }
  }

  private Stream<PodTemplateSpec> templates() {
    return resources.stream()
        .map(
            one ->
                one instanceof DaemonSet set
                    ? set.getSpec().getTemplate()
                    : one instanceof Deployment deployment
                        ? deployment.getSpec().getTemplate()
                        : null)
        .filter(Objects::nonNull);
  }

  private static Stream<ContainerPort> ports(PodTemplateSpec template) {
    return containers(template).flatMap(container -> container.getPorts().stream());
  }

  private static Stream<Container> containers(PodTemplateSpec template) {
    return Stream.concat(
        template.getSpec().getInitContainers().stream(),
        template.getSpec().getContainers().stream());
  }
}
