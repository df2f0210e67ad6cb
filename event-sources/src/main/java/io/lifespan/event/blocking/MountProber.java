package io.lifespan.event.blocking;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountInfo;
import io.lifespan.procfs.MountPoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks every mount on an interval whether it answers, by statfs() and stat(), through {@link
 * TimedFiles}: a mount that does not answer costs one thread and holds nobody. Mounts that appear
 * and disappear are followed; those that another hides are left alone.
 */
public final class MountProber implements AutoCloseable {

  /** How soon a late probe is noticed after it has become late. */
  private static final long TICK_NANOS = 50_000_000L;

  /** How many probes are under way at a time, those not counted that are late. */
  private static final int MAX_HOPEFUL = 4;

  private final FileDesk desk;
  private final ProberOptions options;
  private final BlockingListener listener;
  private final Map<MountPoint, MountProbe> probes = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "lifespan-mounts");
  private MountInfo known = MountInfo.parse(Bytes.EMPTY);
  private volatile boolean closed;

  /**
   * @param files through which mounts are asked; stays the caller's
   * @param listener is told of every mount and of every change
   */
  public MountProber(TimedFiles files, ProberOptions options, BlockingListener listener) {
    this.desk = files.desk();
    this.options = options;
    this.listener = listener;
    thread.setDaemon(true);
  }

  /** Begins to probe. */
  public void start() {
    thread.start();
  }

  /** How every mount under watch fares. */
  public List<MountHealth> healths() {
    return probes.values().stream().map(MountProbe::health).toList();
  }

  /** Ends the probing; what hangs is left behind on its thread. */
  @Override
  public void close() {
    closed = true;
    wake();
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      long now = System.nanoTime();
      MountInfo mounts = desk.places().mounts();
      if (mounts != known) {
        follow(mounts, now);
        known = mounts;
      }
      Collection<MountProbe> all = probes.values();
      all.forEach(probe -> probe.judge(now));
      startDue(all, now);
      LockSupport.parkNanos(this, TICK_NANOS);
    }
  }

  private void startDue(Collection<MountProbe> all, long now) {
    long hopeful = all.stream().filter(MountProbe::isHopeful).count();
    for (MountProbe probe : all) {
      if (hopeful >= MAX_HOPEFUL) {
        return;
      }
      if (probe.isDue(now)) {
        probe.start();
        probe.judge(now);
        if (probe.isHopeful()) {
          hopeful++;
        }
      }
    }
  }

  private void follow(MountInfo mounts, long now) {
    Set<MountPoint> listed = new HashSet<>(mounts.all());
    Set<MountPoint> wanted = new HashSet<>();
    for (MountPoint mount : mounts.reachable()) {
      if (options.filter().accepts(mount)) {
        wanted.add(mount);
      }
    }
    List<MountPoint> over = new ArrayList<>();
    for (MountPoint mount : probes.keySet()) {
      if (!wanted.contains(mount)) {
        over.add(mount);
      }
    }
    for (MountPoint mount : over) {
      MountProbe probe = probes.remove(mount);
      if (probe != null) {
        probe.end();
        listener.mountGone(probe.health(), listed.contains(mount));
      }
    }
    Map<MountPoint, MountProbe> added = new HashMap<>();
    for (MountPoint mount : wanted) {
      if (!probes.containsKey(mount)) {
        Places places = desk.places();
        added.put(
            mount,
            new MountProbe(
                mount, places.of(mount), places.path(mount), options, listener, now, this::wake));
        listener.mountAppeared(mount);
      }
    }
    probes.putAll(added);
  }
}
