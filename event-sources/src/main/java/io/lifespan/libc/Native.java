package io.lifespan.libc;

import java.lang.invoke.MethodHandles;
import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;
import jnr.ffi.Runtime;

/**
 * Binds the C library's functions to small interfaces, one for each concern, so that each class
 * shows which calls it uses.
 */
final class Native {

  private Native() {}

  /**
   * Binds each method of a public interface to the function of the same name; errno is kept for
   * {@link #errno()}.
   */
  static <T> T bind(Class<T> functions) {
    return LibraryLoader.create(functions).option(LibraryOption.SaveError, true).load("c");
  }

  /** Initializes classes, and with them what they bind. */
  static void initialize(Class<?>... classes) {
    try {
      for (Class<?> each : classes) {
        MethodHandles.lookup().ensureInitialized(each);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The error number of the last call on this thread that failed; to be read at once. */
  static Errno errno() {
    return new Errno(Runtime.getSystemRuntime().getLastError());
  }
}
