package io.lifespan.event.blocking;

import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The calls that callers make on their own threads, so that one that does not return is seen. */
final class DirectCalls {

  private final ThreadLocal<Slot> mine = ThreadLocal.withInitial(this::register);
  private final Map<Thread, Slot> slots = new ConcurrentHashMap<>();

  /** Makes a call on this thread, however long it takes. */
  <T> Timed<T> make(FileCall<T> call, FilePath path, Place place, long startNanos) {
    Slot slot = mine.get();
    slot.begin(call, path, place, startNanos);
    try {
      Timed<T> answer = call.make(path, slot.buffers);
      place.returned(call.kind(), startNanos, System.nanoTime() - startNanos);
      return answer;
    } finally {
      slot.end();
    }
  }

  /**
   * Shows each call that has not returned, with its lane; forgets threads that have ended.
   *
   * @param olderThanNanos a time of {@link System#nanoTime()} that it was made before
   */
  void forEachOutstanding(long olderThanNanos, BiConsumer<BlockedCall, Lane> consumer) {
    slots.keySet().removeIf(thread -> !thread.isAlive());
    for (Slot slot : slots.values()) {
      slot.show(olderThanNanos, consumer);
    }
  }

  private Slot register() {
    Slot slot = new Slot();
    slots.put(Thread.currentThread(), slot);
    return slot;
  }

  /** What one thread is doing. Written by it without waiting for anybody; read by others. */
  private static final class Slot {
    private final CallBuffers buffers = new CallBuffers();

    /** When the call was made; 0 while there is none. Guards the fields below. */
    private final AtomicLong since = new AtomicLong();

    private @Nullable FileCall<?> call;
    private @Nullable FilePath path;
    private @Nullable Place place;

    void begin(FileCall<?> newCall, FilePath newPath, Place newPlace, long now) {
      call = newCall;
      path = newPath;
      place = newPlace;
      since.lazySet(now);
    }

    void end() {
      since.lazySet(0);
      VarHandle.storeStoreFence();
    }

    void show(long olderThan, BiConsumer<BlockedCall, Lane> consumer) {
      long started = since.get();
      if (started == 0 || started - olderThan > 0) {
        return;
      }
      FileCall<?> shownCall = call;
      FilePath shownPath = path;
      Place shownPlace = place;
      if (shownCall != null && shownPath != null && shownPlace != null && since.get() == started) {
        consumer.accept(
            new BlockedCall(
                shownCall.kind().callName(), shownPath.bytes(), shownPlace.mount(), started),
            shownPlace.lane());
      }
    }
  }
}
