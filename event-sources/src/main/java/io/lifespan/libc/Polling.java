package io.lifespan.libc;

import jnr.ffi.types.u_int64_t;

/** Waiting for something to happen at a descriptor. Not thread-safe: one for each thread. */
public final class Polling {

  /** Something exceptional: of /proc/PID/mountinfo, that the mounts have changed. */
  public static final short POLLPRI = 2;

  private static final Calls CALLS = Native.bind(Calls.class);

  /** {@code struct pollfd}: s32 descriptor, s16 events, s16 events that happened. */
  private final NativeBuffer pollfd = new NativeBuffer(8);

  /**
   * Waits for one kind of event at one descriptor.
   *
   * @return whether it happened; false after the timeout, after a signal, and for an event that was
   *     not asked for
   */
  public boolean await(int descriptor, short event, int timeoutMillis) {
    pollfd.bytes().putInt(0, descriptor);
    pollfd.bytes().putShort(4, event);
    pollfd.bytes().putShort(6, (short) 0);
    return CALLS.poll(pollfd.address(), 1, timeoutMillis) > 0
        && (pollfd.bytes().getShort(6) & event) != 0;
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface Calls {
    int poll(@u_int64_t long descriptors, @u_int64_t long count, int timeout);
  }
}
