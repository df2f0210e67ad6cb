package io.lifespan.event.blocking;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountInfo;
import io.lifespan.procfs.MountPoint;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The mounts as they are at some moment, and where each path leads to. Does not change. */
final class Places {

  private final MountInfo mounts;
  private final byte[] root;
  private final Map<MountPoint, Place> byMount = new HashMap<>();
  private final Map<Long, Lane> lanes = new HashMap<>();
  private final Place unlisted;

  private Places(MountInfo mounts, byte[] root, Place unlisted) {
    this.mounts = mounts;
    this.root = root;
    this.unlisted = unlisted;
  }

  /**
   * Places of paths while no mounts are known.
   *
   * @param root what comes before a path of the mounts' own: empty, or for example {@code
   *     /proc/1/root}
   */
  static Places none(Bytes root, Supplier<Lane> lanes) {
    return new Places(MountInfo.parse(Bytes.EMPTY), root.array(), new Place(null, lanes.get()));
  }

  /** The places by mounts that were read anew; those that are still there stay the same object. */
  Places with(MountInfo now, Supplier<Lane> newLane) {
    Places next = new Places(now, root, unlisted);
    for (MountPoint mount : now.all()) {
      Long device = mount.device();
      Lane known = lanes.get(device);
      Lane lane = next.lanes.computeIfAbsent(device, d -> known == null ? newLane.get() : known);
      Place place = byMount.get(mount);
      next.byMount.put(mount, place == null ? new Place(mount, lane) : place);
    }
    return next;
  }

  /** True if these are the mounts of another process, below a root of their own. */
  boolean isRooted() {
    return root.length > 0;
  }

  MountInfo mounts() {
    return mounts;
  }

  Place of(MountPoint mount) {
    return Objects.requireNonNullElse(byMount.get(mount), unlisted);
  }

  /** Where a path leads to; what is outside of the root has no mount listed. */
  Place of(FilePath path) {
    byte[] bytes = path.array();
    if (bytes.length < root.length || !Arrays.equals(bytes, 0, root.length, root, 0, root.length)) {
      return unlisted;
    }
    byte[] below = Arrays.copyOfRange(bytes, root.length, bytes.length);
    MountPoint mount = mounts.mountOf(new Bytes(below));
    return mount == null ? unlisted : of(mount);
  }

  /** The path by which a mount is reached. */
  FilePath path(MountPoint mount) {
    byte[] below = mount.path().array();
    byte[] whole = Arrays.copyOf(root, root.length + below.length);
    System.arraycopy(below, 0, whole, root.length, below.length);
    return FilePath.of(new Bytes(whole));
  }

  Collection<Place> all() {
    return byMount.values();
  }

  Place unlisted() {
    return unlisted;
  }
}
