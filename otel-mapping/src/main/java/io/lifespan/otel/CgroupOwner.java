package io.lifespan.otel;

import org.jspecify.annotations.Nullable;

/**
 * Whom a control group belongs to, as far as its path says: see {@link CgroupPath}.
 *
 * @param containerId the 64 hexadecimal digits that docker, containerd, CRI-O and podman put into
 *     the path
 * @param containerName the name that LXC and systemd-nspawn put there
 * @param podUid the Kubernetes pod; of a static pod the hash of its manifest
 * @param unit the systemd service, with its suffix; within a container one of the container's own
 */
record CgroupOwner(
    @Nullable String containerId,
    @Nullable String containerName,
    @Nullable String podUid,
    @Nullable String unit) {

  static final CgroupOwner NONE = new CgroupOwner(null, null, null, null);

  /** Reads a path of /proc/PID/cgroup. */
  static CgroupOwner of(String path) {
    return new CgroupPath().read(path);
  }

  /** True if it is a container or a pod. */
  boolean isContained() {
    return containerId != null || containerName != null || podUid != null;
  }

  /** The unit's name without its suffix and without the instance of a template. */
  @Nullable String unitName() {
    if (unit == null) {
      return null;
    }
    int at = unit.indexOf('@');
    return unit.substring(0, at > 0 ? at : unit.length() - CgroupPath.SERVICE.length());
  }

  /**
   * What a service would be called by: its unit, else its container; null if neither has a name.
   */
  @Nullable String serviceName() {
    return unit == null ? containerName : unitName();
  }
}
