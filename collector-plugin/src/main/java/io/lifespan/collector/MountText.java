package io.lifespan.collector;

import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountState;
import io.lifespan.otel.Text;
import io.lifespan.procfs.MountPoint;
import java.util.Locale;

/** Mounts and how they fare, for people. */
final class MountText {

  private static final double NANOS_PER_SECOND = 1e9;

  private MountText() {}

  /** For example {@code /srv/data (nfs4 host:/export)}. */
  static String of(MountPoint mount) {
    return Text.of(mount.path()) + " (" + mount.type() + " " + Text.of(mount.source()) + ")";
  }

  /** For example {@code stuck for 12.3 s}. */
  static String state(MountHealth health, long nowNanos) {
    MountState state = health.state();
    Long probe = health.lastProbeNanos();
    if (state == MountState.FAILING) {
      return "fails with " + health.errno();
    }
    if (state == MountState.STUCK) {
      return "stuck for " + seconds(nowNanos - health.sinceNanos());
    }
    return state.stateName() + (probe == null ? "" : ", answers in " + millis(probe));
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }
}
