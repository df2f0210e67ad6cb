package io.lifespan.event.blocking;

import io.lifespan.procfs.MountPoint;
import java.util.List;

/** Several listeners as one, told in order. */
public final class BlockingListeners implements BlockingListener {

  private final List<BlockingListener> listeners;

  private BlockingListeners(List<BlockingListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** All of these. */
  public static BlockingListener of(List<BlockingListener> listeners) {
    return new BlockingListeners(listeners);
  }

  @Override
  public void callBlocked(BlockedCall call, long nowNanos) {
    listeners.forEach(listener -> listener.callBlocked(call, nowNanos));
  }

  @Override
  public void callReturned(BlockedCall call, long nowNanos) {
    listeners.forEach(listener -> listener.callReturned(call, nowNanos));
  }

  @Override
  public void mountAppeared(MountPoint mount) {
    listeners.forEach(listener -> listener.mountAppeared(mount));
  }

  @Override
  public void mountGone(MountHealth last, boolean hidden) {
    listeners.forEach(listener -> listener.mountGone(last, hidden));
  }

  @Override
  public void mountChanged(MountChange change) {
    listeners.forEach(listener -> listener.mountChanged(change));
  }

  @Override
  public void mountProbed(MountPoint mount, long tookNanos) {
    listeners.forEach(listener -> listener.mountProbed(mount, tookNanos));
  }

  @Override
  public void taskBlocked(BlockedTask task, long nowNanos) {
    listeners.forEach(listener -> listener.taskBlocked(task, nowNanos));
  }

  @Override
  public void taskReleased(BlockedTask task, long nowNanos) {
    listeners.forEach(listener -> listener.taskReleased(task, nowNanos));
  }

  @Override
  public void callsHidden() {
    listeners.forEach(BlockingListener::callsHidden);
  }

  @Override
  public void stalled(Stall stall, long nowNanos) {
    listeners.forEach(listener -> listener.stalled(stall, nowNanos));
  }

  @Override
  public void stallEnded(Stall stall, long nowNanos) {
    listeners.forEach(listener -> listener.stallEnded(stall, nowNanos));
  }
}
