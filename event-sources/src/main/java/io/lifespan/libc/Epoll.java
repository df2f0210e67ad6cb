package io.lifespan.libc;

import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.types.u_int64_t;

/**
 * Many descriptors that something may happen at, each known by a number: epoll(7). Not thread-safe.
 */
public final class Epoll implements AutoCloseable {

  /** It can be read; of a pidfd: all of its process has ended. */
  public static final int IN = 1;

  /** Nothing more will come; of a pidfd from Linux 6.15 on: its process was reaped. */
  public static final int HANG_UP = 0x10;

  /** To be told of each change once only. */
  public static final int EDGE = 1 << 31;

  private static final int CLOEXEC = 0x80000;
  private static final int ADD = 1;
  private static final int REMOVE = 2;
  private static final int BATCH = 64;

  /** {@code struct epoll_event} is packed on x86-64 only: u32 events @0, u64 data @4, else @8. */
  private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

  private static final int DATA = PACKED ? 4 : 8;
  private static final int SIZE = PACKED ? 12 : 16;

  private static final Calls CALLS = Native.bind(Calls.class);

  private final int descriptor;
  private final NativeBuffer one = new NativeBuffer(SIZE);
  private final NativeBuffer ready = new NativeBuffer(BATCH * SIZE);

  /** With no descriptors so far. */
  public Epoll() throws SystemCallException {
    descriptor = CALLS.epoll_create1(CLOEXEC);
    if (descriptor < 0) {
      throw new SystemCallException("epoll_create1", Native.errno());
    }
  }

  /** Can itself be waited at: readable while something is ready. */
  public int descriptor() {
    return descriptor;
  }

  /** Adds a descriptor; 0, or the negated error number. */
  public int add(int added, int events, long number) {
    one.bytes().putInt(0, events);
    one.bytes().putLong(DATA, number);
    return control(ADD, added);
  }

  /** Takes a descriptor out that is open still. */
  public void remove(int removed) {
    control(REMOVE, removed);
  }

  /** Takes what is ready by now, without waiting; returns how many, up to a batch. */
  public int take() {
    return Math.max(0, CALLS.epoll_wait(descriptor, ready.address(), BATCH, 0));
  }

  /** The number of one of those taken last. */
  public long number(int index) {
    return ready.bytes().getLong(index * SIZE + DATA);
  }

  @Override
  public void close() {
    RawFiles.close(descriptor);
  }

  private int control(int operation, int subject) {
    int result = CALLS.epoll_ctl(descriptor, operation, subject, one.address());
    return result < 0 ? -Native.errno().number() : 0;
  }

  /** The calls. */
  public interface Calls {
    int epoll_create1(int flags);

    int epoll_ctl(int epoll, int operation, int descriptor, @u_int64_t long event);

    @IgnoreError
    int epoll_wait(int epoll, @u_int64_t long events, int count, int timeoutMillis);
  }
}
