package io.lifespan.event.blocking;

import io.lifespan.libc.Errno;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.Polling;
import io.lifespan.libc.RawFiles;
import io.lifespan.libc.SystemCallException;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountInfo;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * /proc/PID/mountinfo of a process, read again whenever the kernel says that the mounts have
 * changed. Reading it touches no file system. Not thread-safe.
 */
final class MountFile implements AutoCloseable {

  private static final int PIECE = 64 * 1024;

  /** How often a file that keeps changing under the reader is read again before it is taken. */
  private static final int ATTEMPTS = 10;

  private final String name;
  private final NativeBuffer path;
  private final NativeBuffer piece = new NativeBuffer(PIECE);
  private final Polling polling = new Polling();
  private final int watched;

  /**
   * @param name for example {@code /proc/self/mountinfo}
   * @throws SystemCallException if it cannot be opened
   */
  MountFile(String name) throws SystemCallException {
    this.name = name;
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    path = new NativeBuffer(bytes.length + 1);
    path.bytes().put(0, bytes);
    watched = open();
  }

  /** The mounts now, or as they were for a moment if they change without end. */
  MountInfo read() throws SystemCallException {
    byte[] content = readOnce();
    for (int i = 1; i < ATTEMPTS && changed(0); i++) {
      content = readOnce();
    }
    return MountInfo.parse(new Bytes(content));
  }

  /** Waits until the mounts have changed since this was last asked; false after the timeout. */
  boolean changed(int timeoutMillis) {
    return polling.await(watched, Polling.POLLPRI, timeoutMillis);
  }

  @Override
  public void close() {
    RawFiles.close(watched);
  }

  private byte[] readOnce() throws SystemCallException {
    int descriptor = open();
    try {
      byte[] content = new byte[0];
      while (true) {
        int read = RawFiles.read(descriptor, piece, 0, PIECE);
        if (read < 0) {
          throw new SystemCallException("read(" + name + ")", new Errno(-read));
        }
        if (read == 0) {
          return content;
        }
        int length = content.length;
        content = Arrays.copyOf(content, length + read);
        piece.bytes().get(0, content, length, read);
      }
    } finally {
      RawFiles.close(descriptor);
    }
  }

  private int open() throws SystemCallException {
    int descriptor = RawFiles.open(path);
    if (descriptor < 0) {
      throw new SystemCallException("open(" + name + ")", new Errno(-descriptor));
    }
    return descriptor;
  }
}
