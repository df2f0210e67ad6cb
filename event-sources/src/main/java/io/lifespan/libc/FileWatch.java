package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import jnr.ffi.types.u_int64_t;

/** Tells when some file is opened, by whomever: inotify(7). Not thread-safe. */
public final class FileWatch implements AutoCloseable {

  private static final int NONBLOCK_CLOEXEC = 0x800 | 0x80000;
  private static final int OPENED = 0x20;
  private static final int BUFFER = 16 * 1024;
  private static final Calls CALLS = Native.bind(Calls.class);

  private final int descriptor;
  private final NativeBuffer events = new NativeBuffer(BUFFER);

  /** Of no file so far. */
  public FileWatch() throws SystemCallException {
    descriptor = CALLS.inotify_init1(NONBLOCK_CLOEXEC);
    if (descriptor < 0) {
      throw new SystemCallException("inotify_init1", Native.errno());
    }
  }

  /** Readable once a file was opened. */
  public int descriptor() {
    return descriptor;
  }

  /**
   * Watches a file, links followed; one that is watched already is watched once.
   *
   * @return a number for the file, or the negated error number
   */
  public int add(String path) {
    NativeStrings text = NativeStrings.of(path.getBytes(ISO_8859_1));
    try {
      int result = CALLS.inotify_add_watch(descriptor, text.first(), OPENED);
      return result < 0 ? -Native.errno().number() : result;
    } finally {
      text.keep();
    }
  }

  /** Forgets what was told up to now. */
  public void drain() {
    while (RawFiles.read(descriptor, events, 0, BUFFER) > 0) {
      // which file it was is of no interest
    }
  }

  @Override
  public void close() {
    RawFiles.close(descriptor);
  }

  /** The calls. */
  public interface Calls {
    int inotify_init1(int flags);

    int inotify_add_watch(int descriptor, @u_int64_t long path, int mask);
  }
}
