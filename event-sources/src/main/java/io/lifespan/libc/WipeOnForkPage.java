package io.lifespan.libc;

import com.kenai.jffi.MemoryIO;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.Pointer;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;
import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/**
 * A few 64-bit words that the kernel sets to 0 in every child that gets a copy of this process's
 * memory, however it was forked (MADV_WIPEONFORK, Linux 4.14, madvise(2)). Thread-safe and without
 * locks. The page stays mapped for as long as the process lives: unmapping could pull it away from
 * under a reader.
 *
 * <p>A record, because the JIT compiler takes only a record's fields for constants.
 *
 * @param page the words, in direct memory that whoever makes it vouches for; see {@link #map}
 */
public record WipeOnForkPage(ByteBuffer page) {

  /** How many words there are. */
  public static final int WORDS = 512;

  private static final int SIZE = WORDS * Long.BYTES;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
  private static final int MADV_WIPEONFORK = 18;
  private static final int NO_ADVICE = -1;
  private static final long MAP_FAILED = -1;

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /**
   * Maps a page, all zeros.
   *
   * @throws SystemCallException the kernel has no memory for it, or is older than 4.14 (EINVAL)
   * @throws UnsupportedOperationException the kernel, or what poses as one, accepts any advice, so
   *     that its word cannot be trusted; some emulators do
   */
  public static WipeOnForkPage map() throws SystemCallException {
    return map(Native.bind(Calls.class));
  }

  static WipeOnForkPage map(Calls calls) throws SystemCallException {
    // At least a page, whatever its size: the kernel rounds up.
    long address = calls.mmap(null, SIZE, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0).address();
    if (address == MAP_FAILED) {
      throw new SystemCallException("mmap of a page", Native.errno());
    }
    if (calls.madvise(address, SIZE, MADV_WIPEONFORK) != 0) {
      Errno errno = Native.errno();
      calls.munmap(address, SIZE);
      throw new SystemCallException("madvise(MADV_WIPEONFORK)", errno);
    }
    if (calls.madvise(address, SIZE, NO_ADVICE) == 0) {
      calls.munmap(address, SIZE);
      throw new UnsupportedOperationException("madvise(-1) was accepted");
    }
    return new WipeOnForkPage(MemoryIO.getInstance().newDirectByteBuffer(address, SIZE));
  }

  /** A word as it is now; no other memory is ordered by it. */
  public long read(int index) {
    return (long) WORD.getOpaque(page, index * Long.BYTES);
  }

  /** Writes a word, after everything that this thread wrote before. */
  public void write(int index, long value) {
    WORD.setRelease(page, index * Long.BYTES, value);
  }

  /**
   * Writes a word if it is still 0.
   *
   * @return 0 if it was, else what it holds
   */
  public long writeIfZero(int index, long value) {
    return (long) WORD.compareAndExchange(page, index * Long.BYTES, 0L, value);
  }

  /**
   * Public for jnr-ffi, whose generated class is in another package. Six plain numbers would go
   * through its assembled stub, which spoils the last of them (2.3.4): hence the Pointers.
   */
  public interface Calls {
    Pointer mmap(
        @Nullable Pointer address,
        @size_t long length,
        int protection,
        int flags,
        int fd,
        @off_t long offset);

    int madvise(@u_int64_t long address, @size_t long length, int advice);

    int munmap(@u_int64_t long address, @size_t long length);
  }
}
