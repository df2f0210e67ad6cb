package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import org.jspecify.annotations.Nullable;

/** Gives the same object for equal bytes that came lately: processes have names and users alike. */
final class SharedBytes {

  /** A power of two. */
  private static final int SLOTS = 512;

  private final @Nullable Bytes[] slots = new Bytes[SLOTS];

  Bytes of(Bytes bytes) {
    int hash = bytes.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Bytes known = slots[slot];
    if (bytes.equals(known)) {
      return known;
    }
    slots[slot] = bytes;
    return bytes;
  }
}
