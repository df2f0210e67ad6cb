package io.lifespan.event.blocking;

import io.lifespan.libc.NativeBuffer;

/** The memory that a thread hands to the kernel: one for each thread. */
final class CallBuffers {

  private static final int RESULT = 4096;

  private final NativeBuffer path = new NativeBuffer(FilePath.MAX_LENGTH + 1);
  private final NativeBuffer result = new NativeBuffer(RESULT);

  /** The path as the kernel takes it. */
  NativeBuffer path(FilePath wanted) {
    return wanted.inMemory(path);
  }

  /** Room for an answer: {@value #RESULT} bytes. */
  NativeBuffer result() {
    return result;
  }
}
