package io.lifespan.event.connector;

import io.lifespan.event.UnavailableException;
import io.lifespan.libc.DatagramBatch;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.NetlinkSocket;
import io.lifespan.libc.SystemCallException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A socket that the kernel sends the wanted process events to, proved to work.
 *
 * <p>The order matters. The answer to a request goes through the filter that it sets, so everything
 * is asked for first, and the filter narrowed once the answer and an event of our own are there.
 */
final class Subscription implements AutoCloseable {

  /** Who keeps unwanted kinds of event away. */
  enum FilteredBy {
    /** The connector itself, since Linux 6.6. */
    KERNEL("kernel"),
    /** A program at the socket. */
    SOCKET("socket filter"),
    /** Nobody before this process. */
    USER_SPACE("user space");

    private final String words;

    FilteredBy(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** The request of Linux 6.6 and later: operation and filter. */
  static final int FILTERING_REQUEST = 8;

  /** The request of all: only the operation. */
  static final int PLAIN_REQUEST = 4;

  private static final int BATCH = 64;
  private static final int SLOT = 128;

  private static final int LISTEN = 1;
  private static final int IGNORE = 2;
  private static final int ALL = 0;

  private static final int CN_MESSAGE = 36;
  private static final short NLMSG_DONE = 3;

  /** The kernel answers before send() returns, so this only bounds a doubtful case. */
  private static final int ANSWER_MILLIS = 20;

  private static final int PROOF_MILLIS = 100;

  /** How long to look through the events of a busy machine. */
  private static final int SEARCH_MILLIS = 2_000;

  private static final int ATTEMPTS = 3;

  private final NetlinkSocket socket;
  private final WantedEvents wanted;
  private final DatagramBatch batch = new DatagramBatch(BATCH, SLOT);
  private final ProcEventFlyweight message = new ProcEventFlyweight();
  private final NativeBuffer request = new NativeBuffer(CN_MESSAGE + FILTERING_REQUEST);
  private int requestSize;
  private int receiveBuffer;
  private FilteredBy filteredBy = FilteredBy.USER_SPACE;
  private int dropsBefore;
  private long completeNanos;

  private Subscription(NetlinkSocket socket, WantedEvents wanted) {
    this.socket = socket;
    this.wanted = wanted;
  }

  /**
   * Subscribes.
   *
   * @param largestRequest {@link #FILTERING_REQUEST}, or {@link #PLAIN_REQUEST} to do as on an
   *     older kernel
   */
  static Subscription open(WantedEvents wanted, int receiveBufferBytes, int largestRequest)
      throws UnavailableException {
    try {
      Subscription subscription =
          new Subscription(
              NetlinkSocket.open(NetlinkSocket.NETLINK_CONNECTOR, "NETLINK_CONNECTOR"), wanted);
      boolean complete = false;
      try {
        subscription.complete(receiveBufferBytes, largestRequest);
        complete = true;
        return subscription;
      } finally {
        if (!complete) {
          subscription.close();
        }
      }
    } catch (SystemCallException failure) {
      throw new UnavailableException(Causes.of(failure));
    }
  }

  NetlinkSocket socket() {
    return socket;
  }

  WantedEvents wanted() {
    return wanted;
  }

  DatagramBatch batch() {
    return batch;
  }

  /** The receive buffer in force, in bytes. */
  int receiveBuffer() {
    return receiveBuffer;
  }

  FilteredBy filteredBy() {
    return filteredBy;
  }

  /** The socket's count of drops when the subscription was complete. */
  int dropsBefore() {
    return dropsBefore;
  }

  /**
   * When the subscription was complete, in nanoseconds of CLOCK_MONOTONIC: what is queued of
   * earlier events is not part of it.
   */
  long completeNanos() {
    return completeNanos;
  }

  /** Unsubscribes: a kernel before 6.6 would not notice the mere end of the socket. */
  @Override
  public void close() {
    if (requestSize != 0) {
      try {
        request(IGNORE, ALL);
      } catch (SystemCallException ended) {
        // the socket's end unsubscribes as far as can be
      }
      requestSize = 0;
    }
    socket.close();
  }

  private void complete(int receiveBufferBytes, int largestRequest)
      throws SystemCallException, UnavailableException {
    receiveBuffer = socket.receiveBuffer(receiveBufferBytes);
    socket.reportOverruns(false);
    socket.bind(1 << (ProcEventFlyweight.CN_IDX_PROC - 1));
    subscribe(largestRequest);
    prove();
    if (requestSize == FILTERING_REQUEST) {
      request(LISTEN, wanted.kernelFilter());
      filteredBy = FilteredBy.KERNEL;
    }
    attachSocketFilter();
    dropsBefore = socket.drops();
    completeNanos = System.nanoTime();
  }

  /** A kernel that does not know the longer request ignores it, so its answer tells. */
  private void subscribe(int largestRequest) throws SystemCallException, UnavailableException {
    for (int size = largestRequest; size >= PLAIN_REQUEST; size -= PLAIN_REQUEST) {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        requestSize = size;
        int ack = request(LISTEN, ALL) + 1;
        Predicate<ProcEventFlyweight> answer =
            m -> m.what() == ProcEventFlyweight.WHAT_NONE && m.ack() == ack;
        if (arrives(answer, ANSWER_MILLIS)) {
          if (message.error() != 0) {
            throw new UnavailableException(Causes.refused(message.error()));
          }
          return;
        }
      }
    }
    requestSize = 0;
    throw new UnavailableException(Causes.silence());
  }

  private void prove() throws SystemCallException, UnavailableException {
    int self = (int) ProcessHandle.current().pid();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      new Thread(() -> {}, "lifespan-proof").start();
      Predicate<ProcEventFlyweight> ownThread =
          m -> m.what() == ProcEventFlyweight.WHAT_FORK && m.forkChildTgid() == self;
      if (arrives(ownThread, PROOF_MILLIS)) {
        return;
      }
    }
    throw new UnavailableException(Causes.noEvents());
  }

  private void attachSocketFilter() {
    boolean kinds = filteredBy != FilteredBy.KERNEL;
    if (kinds || !wanted.threadEvents()) {
      try {
        socket.attachFilter(SocketFilter.of(wanted, kinds));
      } catch (SystemCallException refused) {
        return;
      }
      if (kinds) {
        filteredBy = FilteredBy.SOCKET;
      }
    }
  }

  /**
   * Reads away what comes until the expected message does: {@link #message} then lies over it.
   *
   * @param millis how long to wait while nothing comes
   */
  private boolean arrives(Predicate<ProcEventFlyweight> expected, int millis)
      throws SystemCallException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SEARCH_MILLIS);
    int count;
    do {
      count = socket.receive(batch);
      for (int i = 0; i < count; i++) {
        if (batch.senderPort(i) == 0
            && message.wrap(batch.bytes(), batch.offset(i), batch.length(i))
            && expected.test(message)) {
          return true;
        }
      }
    } while (System.nanoTime() < deadline && (count > 0 || socket.await(millis)));
    return false;
  }

  /** Sends a request that asks for an answer with the number returned plus one. */
  private int request(int operation, int filter) throws SystemCallException {
    int ack = ThreadLocalRandom.current().nextInt();
    int length = CN_MESSAGE + requestSize;
    ByteBuffer bytes = request.bytes();
    bytes.putInt(0, length).putShort(4, NLMSG_DONE);
    bytes.putInt(ProcEventFlyweight.IDX, ProcEventFlyweight.CN_IDX_PROC);
    bytes.putInt(ProcEventFlyweight.VAL, ProcEventFlyweight.CN_VAL_PROC);
    bytes.putInt(ProcEventFlyweight.ACK, ack);
    bytes.putShort(ProcEventFlyweight.DATA_LENGTH, (short) requestSize);
    bytes.putInt(CN_MESSAGE, operation).putInt(CN_MESSAGE + 4, filter);
    socket.send(request, length, 0);
    return ack;
  }
}
