package io.lifespan.libc;

import java.nio.ByteBuffer;

/**
 * Room for many datagrams that one recvmmsg(2) fills: allocated and linked once, used for every
 * call. In memory: the message headers, then senders' addresses, then buffer descriptors, then the
 * datagrams.
 *
 * <pre>
 * struct mmsghdr (64-bit)           struct sockaddr_nl      struct iovec
 *  0 u64 address of the sender       0 u16 family            0 u64 address
 *  8 u32 its length                  4 u32 port id           8 u64 length
 * 16 u64 address of the iovec        8 u32 groups
 * 24 u64 number of iovecs
 * 32 u64 control, 40 u64 its length
 * 48 u32 flags
 * 56 u32 length of the datagram
 * </pre>
 */
public final class DatagramBatch {

  private static final int HEADER = 64;
  private static final int ADDRESS = 12;
  private static final int IOVEC = 16;

  private final int capacity;
  private final int slot;
  private final int addresses;
  private final int slots;
  private final NativeBuffer memory;

  /**
   * @param capacity how many datagrams
   * @param slot bytes for each; what is longer is cut off and {@link #isTruncated}
   */
  public DatagramBatch(int capacity, int slot) {
    this.capacity = capacity;
    this.slot = slot;
    int iovecs = capacity * HEADER;
    addresses = iovecs + capacity * IOVEC;
    slots = roundedUp(addresses + capacity * ADDRESS);
    memory = new NativeBuffer(slots + capacity * slot);
    ByteBuffer bytes = memory.bytes();
    long base = memory.address();
    for (int i = 0; i < capacity; i++) {
      int header = i * HEADER;
      int iovec = iovecs + i * IOVEC;
      bytes.putLong(header, base + addressOffset(i));
      bytes.putInt(header + 8, ADDRESS);
      bytes.putLong(header + 16, base + iovec);
      bytes.putLong(header + 24, 1);
      bytes.putLong(iovec, base + offset(i));
      bytes.putLong(iovec + 8, slot);
    }
  }

  /** How many datagrams fit. */
  public int capacity() {
    return capacity;
  }

  /** The memory that holds the datagrams, in the machine's byte order. */
  public ByteBuffer bytes() {
    return memory.bytes();
  }

  /** Where in {@link #bytes()} a datagram begins. */
  public int offset(int index) {
    return slots + index * slot;
  }

  /** How many bytes of a datagram there are. */
  public int length(int index) {
    return memory.bytes().getInt(index * HEADER + 56);
  }

  /** True if a datagram was longer than its slot. */
  public boolean isTruncated(int index) {
    return (memory.bytes().getInt(index * HEADER + 48) & NetlinkCalls.MSG_TRUNC) != 0;
  }

  /** The netlink port id of who sent a datagram: 0 is the kernel. */
  public int senderPort(int index) {
    return memory.bytes().getInt(addressOffset(index) + 4);
  }

  NativeBuffer memory() {
    return memory;
  }

  private int addressOffset(int index) {
    return addresses + index * ADDRESS;
  }

  private static int roundedUp(int offset) {
    return (offset + 63) & ~63;
  }
}
