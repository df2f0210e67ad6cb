package io.lifespan.libc;

import static io.lifespan.libc.NetlinkCalls.LIBC;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A datagram socket of the netlink family that never blocks, with a wait that another thread can
 * end. Used by one thread; only {@link #wakeup} and {@link #close} may be called by others.
 */
public final class NetlinkSocket implements AutoCloseable {

  /** The protocol of kernel connectors (linux/netlink.h). */
  public static final int NETLINK_CONNECTOR = 11;

  private static final int ADDRESS = 12;
  private static final int POLLFD = 8;

  /** Bytes of struct sock_fprog on 64-bit: the number of instructions, then their address. */
  private static final int PROGRAM = 16;

  /** SO_MEMINFO gives nine u32; the last are the drops. */
  private static final int MEMINFO = 36;

  private final String name;
  private final int fd;
  private final int wakeFd;

  /** Arguments and results of calls on the socket's own thread. */
  private final NativeBuffer scratch = new NativeBuffer(64);

  private final NativeBuffer polled = new NativeBuffer(3 * POLLFD);
  private final Pointer polledWake = polled.pointer().slice(POLLFD, POLLFD);
  private final NativeBuffer one = new NativeBuffer(8);
  private boolean closed;

  private NetlinkSocket(String name, int fd, int wakeFd) {
    this.name = name;
    this.fd = fd;
    this.wakeFd = wakeFd;
    one.bytes().putLong(0, 1);
    polled.bytes().putInt(0, fd).putShort(4, NetlinkCalls.POLLIN);
    polled.bytes().putInt(POLLFD, wakeFd).putShort(POLLFD + 4, NetlinkCalls.POLLIN);
    polled.bytes().putShort(2 * POLLFD + 4, NetlinkCalls.POLLIN);
  }

  /**
   * Makes a socket.
   *
   * @param protocol for example {@link #NETLINK_CONNECTOR}
   * @param name of the protocol, for errors
   */
  public static NetlinkSocket open(int protocol, String name) throws SystemCallException {
    int type = NetlinkCalls.SOCK_DGRAM | NetlinkCalls.SOCK_CLOEXEC | NetlinkCalls.SOCK_NONBLOCK;
    int fd = LIBC.socket(NetlinkCalls.AF_NETLINK, type, protocol);
    if (fd < 0) {
      throw new SystemCallException("socket " + name, Native.errno());
    }
    int wakeFd = LIBC.eventfd(0, NetlinkCalls.EFD_CLOEXEC | NetlinkCalls.EFD_NONBLOCK);
    if (wakeFd < 0) {
      Errno errno = Native.errno();
      LIBC.close(fd);
      throw new SystemCallException("eventfd", errno);
    }
    return new NetlinkSocket(name, fd, wakeFd);
  }

  /** For waiting at it together with others. */
  public int descriptor() {
    return fd;
  }

  /** Binds to a port id that the kernel chooses, and joins multicast groups (a bit for each). */
  public void bind(int groups) throws SystemCallException {
    address(0, groups);
    if (LIBC.bind(fd, scratch.pointer(), ADDRESS) < 0) {
      throw failed("bind", Native.errno());
    }
  }

  /** The port id that the kernel chose. */
  public int portId() throws SystemCallException {
    scratch.bytes().putInt(ADDRESS, ADDRESS);
    Pointer length = scratch.pointer().slice(ADDRESS, 4);
    if (LIBC.getsockname(fd, scratch.pointer(), length) < 0) {
      throw failed("getsockname", Native.errno());
    }
    return scratch.bytes().getInt(4);
  }

  /**
   * Sets the receive buffer: past the system's limit with CAP_NET_ADMIN, else up to it
   * (net.core.rmem_max).
   *
   * @return the size in force, in bytes; the kernel books twice as much for its own headers
   */
  public int receiveBuffer(int size) throws SystemCallException {
    if (setOption(NetlinkCalls.SOL_SOCKET, NetlinkCalls.SO_RCVBUFFORCE, size) != null) {
      Errno errno = setOption(NetlinkCalls.SOL_SOCKET, NetlinkCalls.SO_RCVBUF, size);
      if (errno != null) {
        throw failed("setsockopt SO_RCVBUF", errno);
      }
    }
    getOption(NetlinkCalls.SO_RCVBUF, "SO_RCVBUF", 4);
    return scratch.bytes().getInt(0) / 2;
  }

  /**
   * Whether the kernel reports an overrun by an error of {@link #receive}, and then queues nothing
   * more until the queue has been emptied. It does unless told not to; {@link #drops} counts either
   * way.
   */
  public void reportOverruns(boolean report) throws SystemCallException {
    int option = NetlinkCalls.NETLINK_NO_ENOBUFS;
    Errno errno = setOption(NetlinkCalls.SOL_NETLINK, option, report ? 0 : 1);
    if (errno != null) {
      throw failed("setsockopt NETLINK_NO_ENOBUFS", errno);
    }
  }

  /** Lets a classic BPF program decide which datagrams are queued. */
  public void attachFilter(List<BpfInstruction> program) throws SystemCallException {
    NativeBuffer code = new NativeBuffer(PROGRAM + program.size() * BpfInstruction.SIZE);
    ByteBuffer bytes = code.bytes();
    bytes.putShort(0, (short) program.size()).putLong(8, code.address() + PROGRAM);
    for (int i = 0; i < program.size(); i++) {
      BpfInstruction instruction = program.get(i);
      int at = PROGRAM + i * BpfInstruction.SIZE;
      bytes.putShort(at, (short) instruction.code());
      bytes.put(at + 2, (byte) instruction.ifTrue()).put(at + 3, (byte) instruction.ifFalse());
      bytes.putInt(at + 4, instruction.operand());
    }
    int option = NetlinkCalls.SO_ATTACH_FILTER;
    if (LIBC.setsockopt(fd, NetlinkCalls.SOL_SOCKET, option, code.pointer(), PROGRAM) < 0) {
      throw failed("setsockopt SO_ATTACH_FILTER", Native.errno());
    }
  }

  /**
   * Sends one datagram.
   *
   * @param port of the receiver: 0 is the kernel
   */
  public void send(NativeBuffer data, int length, int port) throws SystemCallException {
    address(port, 0);
    while (LIBC.sendto(fd, data.pointer(), length, 0, scratch.pointer(), ADDRESS) < 0) {
      Errno errno = Native.errno();
      if (!errno.equals(Errno.EINTR)) {
        throw failed("send", errno);
      }
    }
  }

  /**
   * Takes what is queued, without waiting.
   *
   * @return how many datagrams; 0 if none is queued
   * @throws SystemCallException ENOBUFS after an overrun, unless {@link #reportOverruns} is off
   */
  public int receive(DatagramBatch batch) throws SystemCallException {
    Pointer messages = batch.memory().pointer();
    int flags = NetlinkCalls.MSG_DONTWAIT;
    while (true) {
      int count = LIBC.recvmmsg(fd, messages, batch.capacity(), flags, null);
      if (count >= 0) {
        return count;
      }
      Errno errno = Native.errno();
      if (errno.equals(Errno.EAGAIN)) {
        return 0;
      }
      if (!errno.equals(Errno.EINTR)) {
        throw failed("recvmmsg", errno);
      }
    }
  }

  /**
   * Waits until a datagram is queued.
   *
   * @param timeoutMillis 0 does not wait, a negative one waits for ever
   * @return false after the timeout or a {@link #wakeup}
   */
  public boolean await(int timeoutMillis) throws SystemCallException {
    poll(polled.pointer(), 2, timeoutMillis);
    return polled.bytes().getShort(6) != 0;
  }

  /**
   * The same, for a datagram queued here or at another socket: whose {@link #wakeup} is not heard.
   */
  public boolean awaitEither(NetlinkSocket other, int timeoutMillis) throws SystemCallException {
    polled.bytes().putInt(2 * POLLFD, other.fd).putShort(2 * POLLFD + 6, (short) 0);
    poll(polled.pointer(), 3, timeoutMillis);
    return polled.bytes().getShort(6) != 0 || polled.bytes().getShort(2 * POLLFD + 6) != 0;
  }

  /** Lets a time pass, whatever is queued meanwhile; a {@link #wakeup} ends it. */
  public void pause(int millis) throws SystemCallException {
    poll(polledWake, 1, millis);
  }

  /** Ends the present {@link #await}, or the next. May be called at any time by any thread. */
  public synchronized void wakeup() {
    if (!closed) {
      LIBC.write(wakeFd, one.pointer(), 8);
    }
  }

  /**
   * How many datagrams the kernel has dropped for want of room, exactly: a u32 that wraps around.
   */
  public int drops() throws SystemCallException {
    getOption(NetlinkCalls.SO_MEMINFO, "SO_MEMINFO", MEMINFO);
    return scratch.bytes().getInt(MEMINFO - 4);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      LIBC.close(fd);
      LIBC.close(wakeFd);
    }
  }

  private void poll(Pointer descriptors, int count, int timeoutMillis) throws SystemCallException {
    polled.bytes().putShort(6, (short) 0).putShort(POLLFD + 6, (short) 0);
    long started = System.nanoTime();
    int left = timeoutMillis;
    while (LIBC.poll(descriptors, count, left) < 0) {
      Errno errno = Native.errno();
      if (!errno.equals(Errno.EINTR)) {
        throw failed("poll", errno);
      }
      if (timeoutMillis > 0) {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
        left = (int) Math.max(0, timeoutMillis - passed);
      }
    }
    if (polled.bytes().getShort(POLLFD + 6) != 0) {
      LIBC.read(wakeFd, scratch.pointer(), 8);
    }
  }

  private void address(int port, int groups) {
    ByteBuffer bytes = scratch.bytes();
    bytes.putInt(0, 0).putShort(0, (short) NetlinkCalls.AF_NETLINK);
    bytes.putInt(4, port).putInt(8, groups);
  }

  private @Nullable Errno setOption(int level, int option, int value) {
    scratch.bytes().putInt(0, value);
    return LIBC.setsockopt(fd, level, option, scratch.pointer(), 4) < 0 ? Native.errno() : null;
  }

  private void getOption(int option, String optionName, int length) throws SystemCallException {
    scratch.bytes().putInt(MEMINFO, length);
    Pointer size = scratch.pointer().slice(MEMINFO, 4);
    if (LIBC.getsockopt(fd, NetlinkCalls.SOL_SOCKET, option, scratch.pointer(), size) < 0) {
      throw failed("getsockopt " + optionName, Native.errno());
    }
  }

  private SystemCallException failed(String call, Errno errno) {
    return new SystemCallException(call + " on " + name, errno);
  }
}
