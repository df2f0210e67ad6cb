package io.lifespan.event.blocking;

import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that callers make on their own threads, so that one that does not return is seen.
 *
 * <p>Reading the clock twice costs more than all else here. So of the calls of a thread only the
 * first after each {@link #tick} and every 64th is timed; the others are counted. Any that lasts
 * from one tick to the next is noticed all the same, as blocked from the first of the two on.
 */
final class DirectCalls {

  private static final int TIME_EVERY = 64;

  private final ThreadLocal<Slot> mine = ThreadLocal.withInitial(this::register);
  private final Map<Thread, Slot> slots = new ConcurrentHashMap<>();
  private volatile long ticks = 1;

  /** Says that some time has passed; from one thread, at regular times. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
  void tick(long nowNanos) {
    slots.keySet().removeIf(thread -> !thread.isAlive());
    slots.values().forEach(slot -> slot.look(nowNanos));
    ticks = ticks + 1;
  }

  /**
   * Makes a call on this thread, however long it takes, if the lane is trusted.
   *
   * @return the answer; null if the lane is not trusted and nothing was done
   */
  <T> @Nullable Timed<T> makeIfTrusted(FileCall<T> call, FilePath path, Place place) {
    Slot slot = mine.get();
    long tick = ticks;
    if (tick != slot.timedAt || slot.untimed >= TIME_EVERY || slot.place != place) {
      return timed(slot, tick, call, path, place);
    }
    if (place.lane().isSuspect()) {
      return null;
    }
    slot.untimed++;
    slot.begin(call, path, place, 0);
    try {
      return call.make(path, slot.buffers);
    } finally {
      slot.end();
      if (ticks - tick > 1) {
        slot.timedAt = 0;
        place.returned(call.kind(), slot.seenNanos, System.nanoTime() - slot.seenNanos);
      }
    }
  }

  private <T> @Nullable Timed<T> timed(
      Slot slot, long tick, FileCall<T> call, FilePath path, Place place) {
    long now = System.nanoTime();
    if (!place.lane().trusted(now)) {
      return null;
    }
    slot.flush();
    slot.timedAt = tick;
    slot.begin(call, path, place, now);
    try {
      Timed<T> answer = call.make(path, slot.buffers);
      place.returned(call.kind(), now, System.nanoTime() - now);
      return answer;
    } finally {
      slot.end();
    }
  }

  /**
   * Shows each call that has not returned, with its lane.
   *
   * @param olderThanNanos a time of {@link System#nanoTime()} that it was made before
   */
  void forEachOutstanding(long olderThanNanos, BiConsumer<BlockedCall, Lane> consumer) {
    slots.values().forEach(slot -> slot.show(olderThanNanos, consumer));
  }

  private Slot register() {
    Slot slot = new Slot();
    slots.put(Thread.currentThread(), slot);
    return slot;
  }

  /** What one thread is doing. Written by it without waiting for anybody; read by others. */
  private static final class Slot {
    private final CallBuffers buffers = new CallBuffers();

    /** Odd while a call is being made, another odd number for each. Guards the next four. */
    private final AtomicLong sequence = new AtomicLong();

    private @Nullable FileCall<?> call;
    private @Nullable FilePath path;
    private @Nullable Place place;
    private long startNanos;

    /** The tick in which a call was timed last, and how many were not since. The thread's own. */
    private long timedAt;

    private int untimed;

    /** The sequence that the last tick saw, and when a tick first saw it. Written by ticks only. */
    private volatile long seenSequence;

    private volatile long seenNanos;

    void begin(FileCall<?> newCall, FilePath newPath, Place newPlace, long now) {
      call = newCall;
      path = newPath;
      place = newPlace;
      startNanos = now;
      sequence.lazySet(sequence.getPlain() + 1);
    }

    void end() {
      sequence.lazySet(sequence.getPlain() + 1);
      VarHandle.storeStoreFence();
    }

    /** Adds what was not timed to the counts of where it was. */
    void flush() {
      if (untimed > 0 && place != null) {
        place.untimed(untimed);
        untimed = 0;
      }
    }

    void look(long nowNanos) {
      long now = sequence.get();
      if (now != seenSequence) {
        seenNanos = nowNanos;
        seenSequence = now;
      }
    }

    void show(long olderThan, BiConsumer<BlockedCall, Lane> consumer) {
      long now = sequence.get();
      if (now % 2 == 0) {
        return;
      }
      FileCall<?> shownCall = call;
      FilePath shownPath = path;
      Place shownPlace = place;
      long since = startNanos != 0 ? startNanos : now == seenSequence ? seenNanos : 0;
      if (since != 0
          && since - olderThan < 0
          && shownCall != null
          && shownPath != null
          && shownPlace != null
          && sequence.get() == now) {
        consumer.accept(
            new BlockedCall(
                shownCall.kind().callName(), shownPath.bytes(), shownPlace.mount(), since),
            shownPlace.lane());
      }
    }
  }
}
