package io.lifespan.libc;

import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import org.jspecify.annotations.Nullable;

/** The calls of {@link NetlinkSocket} and the numbers they take, as in the kernel's headers. */
final class NetlinkCalls {

  static final Functions LIBC = Native.bind(Functions.class);

  static final int AF_NETLINK = 16;
  static final int SOCK_DGRAM = 2;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;
  static final int EFD_NONBLOCK = 0x800;
  static final int EFD_CLOEXEC = 0x80000;

  static final int SOL_SOCKET = 1;
  static final int SO_RCVBUF = 8;
  static final int SO_ATTACH_FILTER = 26;
  static final int SO_RCVBUFFORCE = 33;
  static final int SO_MEMINFO = 55;
  static final int SOL_NETLINK = 270;
  static final int NETLINK_NO_ENOBUFS = 5;

  static final int MSG_TRUNC = 0x20;
  static final int MSG_DONTWAIT = 0x40;
  static final short POLLIN = 1;

  private NetlinkCalls() {}

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface Functions {
    int socket(int domain, int type, int protocol);

    int bind(int fd, @In Pointer address, int length);

    int getsockname(int fd, @Out Pointer address, Pointer length);

    int setsockopt(int fd, int level, int option, @In Pointer value, int length);

    int getsockopt(int fd, int level, int option, @Out Pointer value, Pointer length);

    long sendto(int fd, @In Pointer data, long size, int flags, @In Pointer address, int length);

    int recvmmsg(int fd, Pointer messages, int count, int flags, @Nullable Pointer timeout);

    int poll(Pointer descriptors, long count, int timeoutMillis);

    int eventfd(int value, int flags);

    long read(int fd, @Out Pointer data, long size);

    long write(int fd, @In Pointer data, long size);

    int close(int fd);
  }
}
