package io.lifespan.libc;

import java.util.List;

/** Fills batches as recvmmsg(2) would: see the layout at {@link DatagramBatch}. */
public final class DatagramBatches {

  private DatagramBatches() {}

  /** One datagram as the kernel writes it down. */
  public static final class Datagram {

    private final byte[] content;
    private final int senderPort;

    public Datagram(byte[] content, int senderPort) {
      this.content = content;
      this.senderPort = senderPort;
    }

    public static Datagram fromKernel(byte[] content) {
      return new Datagram(content, 0);
    }
  }

  /** A batch that holds the datagrams, each cut to the slot. */
  public static DatagramBatch of(int slot, List<Datagram> datagrams) {
    DatagramBatch batch = new DatagramBatch(Math.max(1, datagrams.size()), slot);
    for (int i = 0; i < datagrams.size(); i++) {
      Datagram datagram = datagrams.get(i);
      int length = Math.min(slot, datagram.content.length);
      batch.bytes().put(batch.offset(i), datagram.content, 0, length);
      batch.bytes().putInt(i * 64 + 56, length);
      boolean truncated = length < datagram.content.length;
      batch.bytes().putInt(i * 64 + 48, truncated ? NetlinkCalls.MSG_TRUNC : 0);
      batch.bytes().putInt(datagrams.size() * (64 + 16) + i * 12 + 4, datagram.senderPort);
    }
    return batch;
  }
}
