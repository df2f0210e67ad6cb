package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountProber;
import io.lifespan.event.blocking.MountState;
import io.lifespan.event.blocking.TimedFiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Every mount with its state, for the doctor, found by probing each once. */
final class MountReport {

  /** Beyond what makes a mount stuck. */
  private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long POLL_MILLIS = 10;

  private MountReport() {}

  /** A finding for each mount, those that do not answer first. Returns soon, whatever hangs. */
  static List<Finding> of(Settings.Blocking settings) {
    try (TimedFiles files = TimedFiles.open(BlockingWatch.options(settings));
        MountProber prober = new MountProber(files, settings.prober(), BlockingListener.NONE)) {
      prober.start();
      long end = System.nanoTime() + settings.prober().stuckAfter().toNanos() + MARGIN_NANOS;
      while (!isSettled(prober.healths()) && System.nanoTime() - end < 0) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      List<Finding> findings = new ArrayList<>();
      if (files.withoutMounts() != null) {
        findings.add(Finding.degraded("mount", "unknown: " + files.withoutMounts().getMessage()));
      }
      long now = System.nanoTime();
      prober.healths().stream()
          .sorted(
              Comparator.comparing((MountHealth health) -> health.state() == MountState.HEALTHY)
                  .thenComparing(health -> MountText.of(health.mount())))
          .forEach(health -> findings.add(finding(health, now)));
      return findings;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(Finding.degraded("mount", "interrupted"));
    }
  }

  private static Finding finding(MountHealth health, long nowNanos) {
    String text = MountText.of(health.mount()) + ": " + MountText.state(health, nowNanos);
    return health.state() == MountState.HEALTHY
        ? Finding.ok("mount", text)
        : Finding.degraded("mount", text);
  }

  private static boolean isSettled(List<MountHealth> healths) {
    return !healths.isEmpty()
        && healths.stream().noneMatch(h -> h.state() == MountState.UNKNOWN || isLate(h));
  }

  /** Slow, and the probe has not returned: it may yet turn out to be stuck. */
  private static boolean isLate(MountHealth health) {
    return health.state() == MountState.SLOW && health.lastProbeNanos() == null;
  }
}
