package io.lifespan.libc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Memory that both the kernel and Java see: made once, used for many calls. Multi-byte values are
 * in the machine's byte order. Freed when unreachable.
 */
public final class NativeBuffer {

  private final ByteBuffer bytes;
  private final Pointer pointer;

  /**
   * @param size in bytes; the memory starts as zeros
   */
  public NativeBuffer(int size) {
    bytes = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    pointer = Pointer.wrap(Runtime.getSystemRuntime(), bytes);
  }

  /**
   * The memory as a buffer from 0 to its size. Use absolute gets and puts: nobody keeps its
   * position.
   */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Its address, for structs that point to one another. */
  long address() {
    return pointer.address();
  }

  /** The memory as an argument of a call. */
  Pointer pointer() {
    return pointer;
  }
}
