package io.lifespan.event.blocking;

import io.lifespan.libc.SystemCallException;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountInfo;
import io.lifespan.procfs.MountPoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What all views of {@link TimedFiles} share: the mounts, the workers, and a thread that follows
 * changes of the mounts and looks for calls that are late.
 */
final class FileDesk {

  /** How soon a call that is late is noticed; also how long a close waits at most. */
  private static final int TICK_MILLIS = 50;

  /** How long mounts that keep changing are left alone between two readings. */
  private static final int SETTLE_MILLIS = 20;

  private final Workers workers;
  private final DirectCalls direct = new DirectCalls();
  private final long slowAfterNanos;
  private final OverdueCalls overdue;
  private final Set<Lane> suspects = new HashSet<>();
  private final @Nullable MountFile file;
  private final @Nullable SystemCallException withoutMounts;
  private volatile Places places;
  private volatile boolean closed;

  FileDesk(TimedFilesOptions options) {
    workers = new Workers(options.maxThreads());
    slowAfterNanos = options.slowAfter().toNanos();
    overdue = new OverdueCalls(options.reportAfter().toNanos(), options.listener());
    Places before = Places.none(options.root(), this::lane);
    MountFile opened = null;
    SystemCallException failure = null;
    try {
      opened = new MountFile(options.mountInfo());
      before = before.with(opened.read(), this::lane);
    } catch (SystemCallException e) {
      failure = e;
    }
    file = opened;
    withoutMounts = failure;
    places = before;
    Thread thread = new Thread(this::watch, "lifespan-mountinfo");
    thread.setDaemon(true);
    thread.start();
  }

  <T> Timed<T> ask(FileCall<T> call, FilePath path, boolean strict, long deadlineNanos) {
    Place place = place(path);
    Timed<T> answer = strict ? null : direct.makeIfTrusted(call, path, place);
    if (answer != null) {
      return answer;
    }
    long now = System.nanoTime();
    return place.lane().ask(call, path, place, now, now + deadlineNanos);
  }

  /** The mounts as they are. */
  Places places() {
    return places;
  }

  /** The mount that a path of this process's own leads to; null if that is not known. */
  @Nullable MountPoint ownMount(Bytes path) {
    return places.isRooted() ? null : places.mounts().mountOf(path);
  }

  /** Why the mounts are not known; null if they are. */
  @Nullable SystemCallException withoutMounts() {
    return withoutMounts;
  }

  Workers workers() {
    return workers;
  }

  /** Every call that was made before a time and has not returned. */
  List<BlockedCall> outstanding(long olderThanNanos) {
    List<BlockedCall> calls = new ArrayList<>();
    forEachOutstanding(olderThanNanos, (call, lane) -> calls.add(call));
    return calls;
  }

  void close() {
    closed = true;
    workers.close();
  }

  private Place place(FilePath path) {
    Places now = places;
    Place known = path.placeAmong(now);
    if (known != null) {
      return known;
    }
    Place found = now.of(path);
    path.remember(now, found);
    return found;
  }

  /** A lane of its own, for what belongs to no file system. */
  Lane lane() {
    return new Lane(workers, slowAfterNanos);
  }

  private void forEachOutstanding(long olderThanNanos, BiConsumer<BlockedCall, Lane> consumer) {
    direct.forEachOutstanding(olderThanNanos, consumer);
    for (Lane lane : workers.busy()) {
      Request<?> running = lane.running();
      if (running != null) {
        BlockedCall call = running.blocked();
        if (call.sinceNanos() - olderThanNanos < 0) {
          consumer.accept(call, lane);
        }
      }
    }
  }

  private void watch() {
    while (!closed) {
      awaitTick();
      if (!closed) {
        lookForLateCalls();
        places.all().forEach(place -> place.lane().wake());
      }
    }
    if (file != null) {
      file.close();
    }
  }

  private void awaitTick() {
    try {
      if (file == null) {
        Thread.sleep(TICK_MILLIS);
      } else if (file.changed(TICK_MILLIS)) {
        MountInfo now = file.read();
        places = places.with(now, this::lane);
        Thread.sleep(SETTLE_MILLIS);
      }
    } catch (InterruptedException | SystemCallException e) {
      pauseAfterFailure();
    }
  }

  /** A file that cannot be read says so at once: not to be asked again at once. */
  private static void pauseAfterFailure() {
    try {
      Thread.sleep(TICK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookForLateCalls() {
    long now = System.nanoTime();
    direct.tick(now);
    List<BlockedCall> late = new ArrayList<>();
    Set<Lane> lateLanes = new HashSet<>();
    forEachOutstanding(
        now - slowAfterNanos,
        (call, lane) -> {
          late.add(call);
          lateLanes.add(lane);
          lane.suspect(true);
        });
    suspects.removeIf(
        lane -> {
          boolean over = !lateLanes.contains(lane);
          if (over) {
            lane.suspect(false);
          }
          return over;
        });
    suspects.addAll(lateLanes);
    overdue.update(late, now);
  }
}
