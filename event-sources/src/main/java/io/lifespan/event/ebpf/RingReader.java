package io.lifespan.event.ebpf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes records out of the kernel's ring buffer (BPF_MAP_TYPE_RINGBUF) through its mapping, without
 * a system call.
 *
 * <pre>
 * consumer page:  u64 how far was read     (this side writes it)
 * producer page:  u64 how far was reserved (the kernel writes it)
 * data:           records, each  u32 length | BUSY | DISCARDED,  u32 page offset,  content, padding to 8
 * </pre>
 *
 * Positions only grow; a position modulo the size is a place in the data.
 */
final class RingReader {

  /** No complete record is there. */
  static final int NONE = -1;

  static final int HEADER = 8;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer consumer;
  private final ByteBuffer producer;
  private final ByteBuffer data;
  private final int size;
  private long position;
  private long malformed;

  /**
   * @param data its capacity is a power of two
   */
  RingReader(ByteBuffer consumer, ByteBuffer producer, ByteBuffer data) {
    this.consumer = consumer;
    this.producer = producer;
    this.data = data;
    size = data.capacity();
    position = (long) LONG.getAcquire(consumer, 0);
  }

  /** How far the kernel has come: for {@link #next}. */
  long end() {
    return (long) LONG.getAcquire(producer, 0);
  }

  /** Records that could not be and were skipped. */
  long malformed() {
    return malformed;
  }

  /**
   * Copies the next record and gives its room back to the kernel.
   *
   * @param end where to stop, from {@link #end}
   * @param into one that does not fit is skipped as malformed
   * @return the length of the record, or {@link #NONE}
   */
  int next(long end, byte[] into) {
    while (position < end) {
      int at = (int) (position & (size - 1));
      int header = (int) INT.getAcquire(data, at);
      if ((header & BUSY) != 0) {
        return NONE;
      }
      int length = header & ~DISCARDED;
      long next = position + ((length + (long) HEADER + 7) & ~7L);
      if (next > end) {
        malformed++;
        release(end);
        return NONE;
      }
      boolean fits = length <= into.length;
      boolean wanted = (header & DISCARDED) == 0 && fits;
      if (wanted) {
        copy(at + HEADER, length, into);
      }
      release(next);
      if (wanted) {
        return length;
      }
      malformed += fits ? 0 : 1;
    }
    return NONE;
  }

  /** Headers never wrap around, contents do. */
  private void copy(int from, int length, byte[] into) {
    int start = from & (size - 1);
    int first = Math.min(length, size - start);
    data.get(start, into, 0, first);
    if (first < length) {
      data.get(0, into, first, length - first);
    }
  }

  private void release(long to) {
    position = to;
    LONG.setRelease(consumer, 0, to);
  }
}
