package io.lifespan.event.connector;

import io.lifespan.event.EventSink;
import io.lifespan.event.EventSource;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceStats;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.DatagramBatch;
import io.lifespan.libc.Errno;
import io.lifespan.libc.NetlinkSocket;
import io.lifespan.libc.SystemCallException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Process events from the kernel's proc connector: all of the machine's, the shortest-lived ones
 * too. Needs the initial network, pid and user namespaces; root or CAP_NET_ADMIN before Linux 6.6.
 *
 * <p>Unwanted kinds are kept away by the connector's own filter where it has one (Linux 6.6), else
 * by a program at the socket. Events from before {@link #open} has returned are not delivered, all
 * after it are, or are counted as lost and told of by {@link ProcessEvent.Loss} at the point of the
 * stream where it was noticed: after everything that was queued before.
 */
public final class ConnectorSource implements EventSource {

  /** How long events may gather where nothing has to be read of the processes. */
  private static final int COLLECT_MILLIS = 5;

  /** How many batches may pass between two looks at the kernel's count of drops. */
  private static final int BATCHES_BETWEEN_LOSS_CHECKS = 64;

  private final ConnectorOptions options;
  private final WantedEvents wanted;
  private final ProcFsReader procFs;
  private final int largestRequest;
  private final boolean collects;
  private final ConnectorCounters counters = new ConnectorCounters();

  private volatile @Nullable Opened opened;

  /** True if the last batch was full, so that more is queued. */
  private boolean backlog;

  private int batchesSinceLossCheck;

  /**
   * Makes a source that does nothing until it is opened or probed.
   *
   * @param procFs only for the thread that polls
   */
  public ConnectorSource(ConnectorOptions options, ProcFsReader procFs) {
    this(options, procFs, Subscription.FILTERING_REQUEST);
  }

  /**
   * @param largestRequest {@link Subscription#PLAIN_REQUEST} to do as on a kernel before 6.6
   */
  ConnectorSource(ConnectorOptions options, ProcFsReader procFs, int largestRequest) {
    this.options = options;
    this.procFs = procFs;
    this.largestRequest = largestRequest;
    wanted = new WantedEvents(options.selection(), options.threadEvents());
    collects = !options.readsProcesses();
  }

  @Override
  public String name() {
    return "connector";
  }

  @Override
  public Optional<Unavailable> probe() {
    try {
      subscribe().close();
      return Optional.empty();
    } catch (UnavailableException cause) {
      return Optional.of(cause.unavailable());
    }
  }

  @Override
  public void open() throws UnavailableException {
    Subscription subscription = subscribe();
    opened =
        new Opened(
            subscription,
            new BatchReader(
                options,
                wanted,
                procFs,
                counters,
                subscription.completeNanos(),
                subscription.batch().capacity()),
            new LossMeter(subscription.dropsBefore()));
  }

  /**
   * What it does, in a line for a log: who filters, and the receive buffer, with what would give
   * one of the size asked for. To be called once open.
   */
  public String describe() {
    int asked = options.receiveBufferBytes();
    int inForce = opened().subscription.receiveBuffer();
    String buffer =
        inForce >= asked
            ? "receive buffer " + size(inForce)
            : "receive buffer "
                + size(inForce)
                + " of the "
                + size(asked)
                + " asked for (give it CAP_NET_ADMIN, or set net.core.rmem_max to "
                + asked
                + ")";
    return "filter " + filter() + "; " + buffer;
  }

  @Override
  public int poll(EventSink sink, int timeoutMillis) throws IOException {
    Opened source = opened();
    NetlinkSocket socket = source.subscription.socket();
    if (!backlog) {
      if (!socket.await(timeoutMillis)) {
        return reportLoss(source, sink);
      }
      if (collects) {
        socket.pause(COLLECT_MILLIS);
      }
    }
    return receive(source, sink);
  }

  @Override
  public void wakeup() {
    Opened source = opened;
    if (source != null) {
      source.subscription.socket().wakeup();
    }
  }

  @Override
  public SourceStats stats() {
    return counters.snapshot(filter());
  }

  @Override
  public void close() {
    Opened source = opened;
    if (source != null) {
      source.subscription.close();
    }
  }

  /** The subscription, for tests. */
  Subscription subscription() {
    return opened().subscription;
  }

  private int receive(Opened source, EventSink sink) throws SystemCallException {
    DatagramBatch batch = source.subscription.batch();
    int count;
    try {
      count = source.subscription.socket().receive(batch);
    } catch (SystemCallException failure) {
      if (failure.errno().equals(Errno.ENOBUFS)) {
        return reportLoss(source, sink);
      }
      throw failure;
    }
    int delivered = source.reader.read(batch, count, sink);
    boolean drained = backlog && count < batch.capacity();
    backlog = count == batch.capacity();
    batchesSinceLossCheck++;
    if (drained || batchesSinceLossCheck >= BATCHES_BETWEEN_LOSS_CHECKS) {
      delivered += reportLoss(source, sink);
    }
    return delivered;
  }

  /**
   * Looks at the kernel's count: when the queue was found empty, since what was lost is newer than
   * what was queued, and now and then while it is not.
   */
  private int reportLoss(Opened source, EventSink sink) throws SystemCallException {
    batchesSinceLossCheck = 0;
    long lost = source.losses.since(source.subscription.socket().drops());
    if (lost == 0) {
      return 0;
    }
    counters.lost(lost);
    sink.accept(
        new ProcessEvent.Loss(System.nanoTime(), lost, ProcessEvent.Loss.Where.RECEIVE_BUFFER));
    return 1;
  }

  private Subscription subscribe() throws UnavailableException {
    return Subscription.open(wanted, options.receiveBufferBytes(), largestRequest);
  }

  private Opened opened() {
    Opened source = opened;
    if (source == null) {
      throw new IllegalStateException("not open");
    }
    return source;
  }

  private String filter() {
    Opened source = opened;
    if (source == null) {
      return "not open";
    }
    Object by =
        source.reader.sawUnwantedKind()
            ? Subscription.FilteredBy.USER_SPACE
            : source.subscription.filteredBy();
    return by + ": " + options.selection() + (options.threadEvents() ? "" : ", no threads");
  }

  private static String size(int bytes) {
    return bytes >> 20 > 0 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
  }

  private record Opened(Subscription subscription, BatchReader reader, LossMeter losses) {}
}
