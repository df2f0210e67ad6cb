package io.lifespan.collector;

import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.MountChange;
import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountState;
import io.lifespan.event.blocking.Stall;
import io.lifespan.otel.Text;
import java.util.function.Consumer;

/** Tells of mounts that do not answer, and of processes that stall, a line each. */
final class BlockingTeller implements BlockingListener {

  private final Consumer<String> lines;

  BlockingTeller(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public void mountChanged(MountChange change) {
    MountHealth health = change.to();
    if (health.state() == MountState.STUCK) {
      lines.accept(
          "mount "
              + MountText.of(health.mount())
              + " does not answer, since "
              + MountText.seconds(change.nowNanos() - health.sinceNanos()));
    } else if (change.isRecovery()) {
      lines.accept(
          "mount "
              + MountText.of(health.mount())
              + " answers again, after "
              + MountText.seconds(change.lostNanos()));
    }
  }

  @Override
  public void mountGone(MountHealth last, boolean hidden) {
    if (last.state() == MountState.STUCK) {
      lines.accept(
          "mount "
              + MountText.of(last.mount())
              + (hidden ? " is hidden by another" : " is gone")
              + ", without having answered");
    }
  }

  @Override
  public void callsHidden() {
    lines.accept(
        "which calls some processes hang in is unknown here: /proc/PID/syscall may not be read; give it"
            + " CAP_SYS_PTRACE. Threads in uninterruptible sleep are found all the same");
  }

  @Override
  public void stalled(Stall stall, long nowNanos) {
    String path = stall.blocked().path() == null ? "?" : Text.of(stall.blocked().path());
    lines.accept(
        "process "
            + stall.blocked().pid()
            + " ("
            + Text.of(stall.blocked().comm())
            + ") has stalled: one thread is in "
            + stall.blocked().call()
            + " of "
            + path
            + " for "
            + MountText.seconds(stall.blocked().ageNanos(nowNanos))
            + ", "
            + stall.waiters()
            + " wait for it");
  }
}
