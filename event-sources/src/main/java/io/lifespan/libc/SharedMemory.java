package io.lifespan.libc;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory of the kernel's, mapped into this process: both see what the other writes. */
public final class SharedMemory implements AutoCloseable {

  private static final WipeOnForkPage.Calls CALLS = Native.bind(WipeOnForkPage.Calls.class);
  private static final int PROT_READ = 1;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final long MAP_FAILED = -1;

  private final long address;
  private final int size;
  private final ByteBuffer bytes;
  private boolean closed;

  private SharedMemory(long address, int size) {
    this.address = address;
    this.size = size;
    this.bytes =
        MemoryIO.getInstance().newDirectByteBuffer(address, size).order(ByteOrder.nativeOrder());
  }

  /**
   * Maps what a descriptor stands for.
   *
   * @param offset in bytes, a multiple of the size of a page
   */
  public static SharedMemory map(int descriptor, long offset, int size, boolean writable)
      throws SystemCallException {
    int protection = writable ? PROT_READ_WRITE : PROT_READ;
    long address = CALLS.mmap(null, size, protection, MAP_SHARED, descriptor, offset).address();
    if (address == MAP_FAILED) {
      throw new SystemCallException("mmap", Native.errno());
    }
    return new SharedMemory(address, size);
  }

  /** The memory, in the machine's byte order; not to be touched once this is closed. */
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      CALLS.munmap(address, size);
    }
  }
}
