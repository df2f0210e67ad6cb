package io.lifespan.libc;

/**
 * The first native call of a JVM brings up jnr-ffi, which takes as long as much else at a start.
 */
public final class NativeCalls {

  private NativeCalls() {}

  /** Begins to bring it up on a thread of its own; whoever makes a call waits for it. */
  public static void prepare() {
    Thread thread = new Thread(() -> Native.bind(Calls.class), "lifespan-native-start");
    thread.setDaemon(true);
    thread.start();
  }

  /** Any call. */
  public interface Calls {
    int getpid();
  }
}
