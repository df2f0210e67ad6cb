package io.lifespan.event.capture;

import io.lifespan.procfs.Bytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes bytes of what was read, and gives the same object again for content that came lately: most
 * processes of a machine share their executables, working directories and control groups with
 * others. One for each thread.
 */
final class RecentBytes {

  /** A power of two. */
  private static final int SLOTS = 1024;

  /** Longer content is seldom shared. */
  private static final int MAX_LENGTH = 512;

  private final @Nullable Bytes[] slots = new Bytes[SLOTS];

  /** The first bytes of a buffer. */
  Bytes of(ByteBuffer buffer, int length) {
    if (length > MAX_LENGTH) {
      return copy(buffer, length);
    }
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + buffer.get(i);
    }
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Bytes known = slots[slot];
    if (known != null && isEqual(known.array(), buffer, length)) {
      return known;
    }
    Bytes fresh = copy(buffer, length);
    slots[slot] = fresh;
    return fresh;
  }

  private static boolean isEqual(byte[] known, ByteBuffer buffer, int length) {
    if (known.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (known[i] != buffer.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static Bytes copy(ByteBuffer buffer, int length) {
    byte[] content = new byte[length];
    buffer.get(0, content);
    return new Bytes(content);
  }
}
