package io.lifespan.event.blocking;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The way to one file system for calls that are handed over: one at a time, so that a dead file
 * system holds one thread, however many ask. All mounts of a file system share its lane.
 *
 * <p>It also knows whether the file system has lately answered quickly: then a caller may dare to
 * make a call on its own thread.
 */
final class Lane {

  /** How long a quick answer lets others trust a file system. */
  static final long FRESH_NANOS = 100_000_000L;

  /** How often a quick answer is written down at most: threads share the line in the cache. */
  private static final long NOTE_EVERY_NANOS = 1_000_000L;

  private static final long NEVER = 1L << 62;

  private final Workers workers;
  private final long slowAfterNanos;
  private final ConcurrentHashMap<Request.Question, Request<?>> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean active = new AtomicBoolean();
  private final LongAdder joined = new LongAdder();
  private volatile @Nullable Request<?> running;
  private volatile long quickAtNanos = System.nanoTime() - NEVER;
  private volatile boolean suspect;

  Lane(Workers workers, long slowAfterNanos) {
    this.workers = workers;
    this.slowAfterNanos = slowAfterNanos;
  }

  /** True if the file system answered quickly just now and nothing is known to be stuck in it. */
  boolean trusted(long nowNanos) {
    return !suspect && nowNanos - quickAtNanos < FRESH_NANOS;
  }

  /** True if something is known to be stuck in it. */
  boolean isSuspect() {
    return suspect;
  }

  /** Notes that a call has returned, on whichever thread it was made. */
  void returned(long startedNanos, long tookNanos) {
    long now = startedNanos + tookNanos;
    if (tookNanos >= slowAfterNanos) {
      quickAtNanos = now - NEVER;
    } else if (now - quickAtNanos > NOTE_EVERY_NANOS) {
      quickAtNanos = now;
    }
  }

  /** Says whether a call is late, whatever others answer meanwhile. */
  void suspect(boolean late) {
    if (suspect != late) {
      suspect = late;
    }
  }

  /** How many questions were answered by a call that somebody else had asked for. */
  long joined() {
    return joined.sum();
  }

  /** The call that is being made on a worker's thread; null if there is none. */
  @Nullable Request<?> running() {
    return running;
  }

  /** Hands a call over; it is made when those before it have returned. */
  <T> Request<T> submit(FileCall<T> call, FilePath path, Place place) {
    Request<T> mine = new Request<>(call, path, place);
    Request<T> request = enqueue(mine);
    if (request != mine) {
      joined.increment();
    }
    wake();
    return request;
  }

  /** Hands a call over and waits for its answer until the deadline. */
  <T> Timed<T> ask(FileCall<T> call, FilePath path, Place place, long now, long deadline) {
    Request<T> request = submit(call, path, place);
    Timed<T> answer = request.await(deadline);
    if (answer != null) {
      return answer;
    }
    Request<?> holding = running;
    leave(request);
    place.expired();
    return new Timed.Blocked<>(holding == null ? request.blocked(now) : holding.blocked());
  }

  /** Takes an asker away from a request. */
  void leave(Request<?> request) {
    if (request.leave()) {
      waiting.remove(request.question(), request);
    }
  }

  /** Sees to it that a worker comes if anything waits. */
  void wake() {
    if (!waiting.isEmpty() && active.compareAndSet(false, true) && !workers.start(this)) {
      active.set(false);
    }
  }

  /** The work of a worker: every call that waits, then those that come shortly after. */
  void serve(CallBuffers buffers) {
    do {
      long idleSince = System.nanoTime();
      while (System.nanoTime() - idleSince <= Workers.SPIN_NANOS) {
        if (serveWaiting(buffers)) {
          idleSince = System.nanoTime();
        } else {
          Thread.onSpinWait();
        }
      }
      active.set(false);
    } while (!waiting.isEmpty() && active.compareAndSet(false, true));
  }

  private boolean serveWaiting(CallBuffers buffers) {
    boolean served = false;
    for (Request<?> request : waiting.values()) {
      waiting.remove(request.question(), request);
      if (request.take()) {
        request.starting(System.nanoTime());
        running = request;
        request.run(buffers);
        running = null;
        served = true;
      }
    }
    return served;
  }

  /** The request that now waits for this question: the given one, or one to which it was joined. */
  @SuppressWarnings("unchecked") // equal questions have the same call, which says what it gives
  private <T> Request<T> enqueue(Request<T> mine) {
    Request<?> request =
        waiting.compute(
            mine.question(), (question, there) -> there != null && there.join() ? there : mine);
    return (Request<T>) request;
  }
}
