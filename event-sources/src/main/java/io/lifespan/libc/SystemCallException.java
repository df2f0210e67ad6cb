package io.lifespan.libc;

import java.io.IOException;

/** A system call that failed: which, on what, and with which error number. */
public final class SystemCallException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String call;
  private final transient Errno errno;

  /**
   * @param call the call as one would look it up, with what it was about, for example {@code
   *     bind(NETLINK_CONNECTOR)}
   * @param errno why it failed
   */
  public SystemCallException(String call, Errno errno) {
    super(call + ": " + errno);
    this.call = call;
    this.errno = errno;
  }

  /** The call that failed, for example {@code bind(NETLINK_CONNECTOR)}. */
  public String call() {
    return call;
  }

  /** The error number it failed with. */
  public Errno errno() {
    return errno;
  }
}
