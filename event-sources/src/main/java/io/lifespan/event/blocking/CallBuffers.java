package io.lifespan.event.blocking;

import io.lifespan.libc.NativeBuffer;

/** The memory that a thread hands to the kernel: one for each thread. */
final class CallBuffers {

  /** PATH_MAX; the kernel refuses a path that does not end within it. */
  private static final int MAX_PATH = 4096;

  private final NativeBuffer path = new NativeBuffer(MAX_PATH + 1);
  private final NativeBuffer result = new NativeBuffer(MAX_PATH);

  /** The path, ended by a NUL; a longer one than the kernel takes is cut where it is refused. */
  NativeBuffer path(FilePath wanted) {
    byte[] bytes = wanted.array();
    int length = Math.min(bytes.length, MAX_PATH);
    path.bytes().put(0, bytes, 0, length).put(length, (byte) 0);
    return path;
  }

  /** Room for an answer: {@value #MAX_PATH} bytes. */
  NativeBuffer result() {
    return result;
  }
}
