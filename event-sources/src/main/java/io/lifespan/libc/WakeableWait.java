package io.lifespan.libc;

import static io.lifespan.libc.NetlinkCalls.LIBC;

import java.util.concurrent.TimeUnit;
import jnr.ffi.Pointer;

/**
 * Waiting until one of some descriptors can be read, which another thread can end. Used by one
 * thread; only {@link #wakeup} and {@link #close} may be called by others.
 */
public final class WakeableWait implements AutoCloseable {

  private static final int POLLFD = 8;

  private final int wakeFd;
  private final int count;
  private final NativeBuffer polled;
  private final Pointer wakeOnly;
  private final NativeBuffer word = new NativeBuffer(8);
  private final NativeBuffer one = new NativeBuffer(8);
  private boolean closed;

  /**
   * @param descriptors stay the caller's, who closes them after this
   */
  public WakeableWait(int... descriptors) throws SystemCallException {
    wakeFd = LIBC.eventfd(0, NetlinkCalls.EFD_CLOEXEC | NetlinkCalls.EFD_NONBLOCK);
    if (wakeFd < 0) {
      throw new SystemCallException("eventfd", Native.errno());
    }
    count = descriptors.length;
    polled = new NativeBuffer((count + 1) * POLLFD);
    for (int i = 0; i < count; i++) {
      set(i, descriptors[i]);
    }
    set(count, wakeFd);
    wakeOnly = polled.pointer().slice((long) count * POLLFD, POLLFD);
    one.bytes().putLong(0, 1);
  }

  /**
   * Waits until a descriptor can be read.
   *
   * @return false after the timeout or a {@link #wakeup}
   */
  public boolean await(int timeoutMillis) throws SystemCallException {
    poll(polled.pointer(), count + 1, timeoutMillis);
    for (int i = 0; i < count; i++) {
      if (polled.bytes().getShort(i * POLLFD + 6) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Lets a time pass; a {@link #wakeup} ends it. */
  public void pause(int millis) throws SystemCallException {
    poll(wakeOnly, 1, millis);
  }

  /** Ends the present wait, or the next. May be called at any time by any thread. */
  public synchronized void wakeup() {
    if (!closed) {
      LIBC.write(wakeFd, one.pointer(), 8);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      LIBC.close(wakeFd);
    }
  }

  private void set(int index, int descriptor) {
    polled.bytes().putInt(index * POLLFD, descriptor);
    polled.bytes().putShort(index * POLLFD + 4, NetlinkCalls.POLLIN);
  }

  private void poll(Pointer descriptors, int size, int timeoutMillis) throws SystemCallException {
    for (int i = 0; i <= count; i++) {
      polled.bytes().putShort(i * POLLFD + 6, (short) 0);
    }
    long started = System.nanoTime();
    int left = timeoutMillis;
    while (LIBC.poll(descriptors, size, left) < 0) {
      Errno errno = Native.errno();
      if (!errno.equals(Errno.EINTR)) {
        throw new SystemCallException("poll", errno);
      }
      long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
      left = (int) Math.max(0, timeoutMillis - passed);
    }
    if (polled.bytes().getShort(count * POLLFD + 6) != 0) {
      LIBC.read(wakeFd, word.pointer(), 8);
    }
  }
}
