package io.lifespan.event.blocking;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A question on its way to a worker, with those who wait for its answer. Who asks the same before
 * the call is made joins it; who asks later does not, since the answer could be older than the
 * question. Once nobody waits any more, the call is not made.
 *
 * @param <T> what the call gives
 */
final class Request<T> {

  /** What two equal requests have in common. */
  record Question(FileCall<?> call, FilePath path) {}

  /** In place of a number of askers: the call was taken by a worker, or nobody wanted it. */
  private static final int CLOSED = -1;

  /** Spinning pays where another processor can answer meanwhile. */
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 2_000 : 0;

  private final FileCall<T> call;
  private final FilePath path;
  private final Place place;
  private final AtomicInteger askers = new AtomicInteger(1);
  private final CompletableFuture<Timed<T>> answer = new CompletableFuture<>();
  private volatile long startedNanos;
  private volatile long tookNanos;

  Request(FileCall<T> call, FilePath path, Place place) {
    this.call = call;
    this.path = path;
    this.place = place;
  }

  Question question() {
    return new Question(call, path);
  }

  Place place() {
    return place;
  }

  /** How long the call took; 0 until it has returned. */
  long tookNanos() {
    return tookNanos;
  }

  /** Hands over the answer on the worker's thread when the call has returned; at once if it has. */
  @SuppressWarnings("FutureReturnValueIgnored") // nothing comes after the consumer
  void whenAnswered(Consumer<Timed<T>> consumer) {
    answer.thenAccept(consumer);
  }

  /** Adds an asker; false if it is too late for that. */
  boolean join() {
    int now = askers.get();
    while (now != CLOSED) {
      if (askers.compareAndSet(now, now + 1)) {
        return true;
      }
      now = askers.get();
    }
    return false;
  }

  /** Takes an asker away; true if that was the last one and the call will never be made. */
  boolean leave() {
    int now = askers.get();
    while (now != CLOSED) {
      int next = now == 1 ? CLOSED : now - 1;
      if (askers.compareAndSet(now, next)) {
        return next == CLOSED;
      }
      now = askers.get();
    }
    return false;
  }

  /** Claims the right to make the call; false if nobody wants it any more. */
  boolean take() {
    return askers.getAndSet(CLOSED) != CLOSED;
  }

  /** Notes that the call is about to be made. */
  void starting(long nowNanos) {
    startedNanos = nowNanos;
  }

  /** Makes the call on this thread. */
  void run(CallBuffers buffers) {
    try {
      Timed<T> result = call.make(path, buffers);
      tookNanos = System.nanoTime() - startedNanos;
      place.returned(call.kind(), startedNanos, tookNanos);
      answer.complete(result);
    } catch (RuntimeException | LinkageError e) {
      answer.completeExceptionally(e);
    }
  }

  /** Waits for the answer until a time of {@link System#nanoTime()}; null if none came. */
  @Nullable Timed<T> await(long deadlineNanos) {
    for (int i = 0; i < SPINS && !answer.isDone(); i++) {
      Thread.onSpinWait();
    }
    try {
      return answer.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return answer.getNow(null);
    } catch (ExecutionException e) {
      throw new IllegalStateException(call.kind().callName() + " cannot be made", e.getCause());
    }
  }

  /** The call as it is shown while it has not returned. */
  BlockedCall blocked() {
    return blocked(startedNanos);
  }

  BlockedCall blocked(long sinceNanos) {
    return new BlockedCall(call.kind().callName(), path.bytes(), place.mount(), sinceNanos);
  }
}
