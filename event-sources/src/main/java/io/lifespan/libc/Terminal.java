package io.lifespan.libc;

import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/** What is at the other end of a standard descriptor. */
public final class Terminal {

  public static final int STANDARD_OUTPUT = 1;
  public static final int STANDARD_ERROR = 2;

  private static final long TIOCGWINSZ = 0x5413;
  private static final short POLLERR = 8;
  private static final Calls CALLS = Native.bind(Calls.class);

  private Terminal() {}

  /** How many columns wide it is, 0 if the terminal does not say; null if it is no terminal. */
  public static @Nullable Integer columns(int descriptor) {
    NativeBuffer size = new NativeBuffer(8);
    // struct winsize: u16 rows, u16 columns, and pixels
    return CALLS.ioctl(descriptor, TIOCGWINSZ, size.address()) < 0
        ? null
        : Short.toUnsignedInt(size.bytes().getShort(2));
  }

  /** True if the descriptor is the end of a pipe or socket that nobody reads any more. */
  public static boolean readerIsGone(int descriptor) {
    NativeBuffer asked = new NativeBuffer(8);
    // struct pollfd: s32 descriptor, s16 events, s16 returned events
    asked.bytes().putInt(0, descriptor);
    return CALLS.poll(asked.address(), 1, 0) > 0 && (asked.bytes().getShort(6) & POLLERR) != 0;
  }

  /** The calls. */
  public interface Calls {
    int ioctl(int descriptor, @u_int64_t long request, @u_int64_t long size);

    int poll(@u_int64_t long descriptors, @u_int64_t long count, int timeoutMillis);
  }
}
