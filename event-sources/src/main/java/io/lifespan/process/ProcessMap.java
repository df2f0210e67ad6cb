package io.lifespan.process;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Processes by pid, at most one for each, without any object besides them. An open hash table with
 * linear probing: a free slot ends a search, so what is removed is closed up.
 */
final class ProcessMap {

  /** A power of two. */
  private static final int INITIAL_SLOTS = 64;

  /** The golden ratio: neighbouring pids go far apart. */
  private static final int SPREAD = 0x9E3779B9;

  private @Nullable TrackedProcess[] slots = new TrackedProcess[INITIAL_SLOTS];
  private int size;

  int size() {
    return size;
  }

  @Nullable TrackedProcess get(int pid) {
    return slots[find(pid)];
  }

  /** Puts a process in the place of the one with its pid, if there is one. */
  void put(TrackedProcess process) {
    int slot = find(process.key.pid());
    if (slots[slot] == null) {
      size++;
    }
    slots[slot] = process;
    if (size > slots.length / 2) {
      grow();
    }
  }

  /** Removes a process; does nothing if its pid is another's here, or nobody's. */
  void remove(TrackedProcess process) {
    int gap = find(process.key.pid());
    if (slots[gap] != process) {
      return;
    }
    int slot = next(gap);
    TrackedProcess moved;
    while ((moved = slots[slot]) != null) {
      if (distance(home(moved.key.pid()), slot) >= distance(gap, slot)) {
        slots[gap] = moved;
        gap = slot;
      }
      slot = next(slot);
    }
    slots[gap] = null;
    size--;
  }

  /** Shows each, in no particular order, to what does not add or remove any. */
  void forEach(Consumer<TrackedProcess> visitor) {
    for (TrackedProcess process : slots) {
      if (process != null) {
        visitor.accept(process);
      }
    }
  }

  /** All of them as of now, in no particular order. */
  List<TrackedProcess> all() {
    List<TrackedProcess> all = new ArrayList<>(size);
    forEach(all::add);
    return all;
  }

  private int find(int pid) {
    int slot = home(pid);
    TrackedProcess process;
    while ((process = slots[slot]) != null && process.key.pid() != pid) {
      slot = next(slot);
    }
    return slot;
  }

  private void grow() {
    @Nullable TrackedProcess[] former = slots;
    slots = new TrackedProcess[former.length * 2];
    for (TrackedProcess process : former) {
      if (process != null) {
        slots[find(process.key.pid())] = process;
      }
    }
  }

  private int home(int pid) {
    return (pid * SPREAD) >>> (Integer.numberOfLeadingZeros(slots.length) + 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private int distance(int from, int to) {
    return (to - from) & (slots.length - 1);
  }
}
