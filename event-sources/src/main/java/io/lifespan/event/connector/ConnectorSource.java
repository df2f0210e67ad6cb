package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSink;
import io.lifespan.event.EventSource;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.SourceStats;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.ProcFsReader;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Process events from the kernel's proc connector: all of the machine's, the shortest-lived ones
 * too. Needs the initial network, pid and user namespaces; root or CAP_NET_ADMIN before Linux 6.6.
 *
 * <p>Unwanted kinds are kept away by the connector's own filter where it has one (Linux 6.6), else
 * by a program at the socket. Events from before {@link #open} has returned are not delivered, all
 * after it are, or are counted as lost and told of by {@link io.lifespan.event.ProcessEvent.Loss}
 * at the point of the stream where it was noticed: after everything that was queued before.
 */
public final class ConnectorSource implements EventSource {

  private final ConnectorOptions options;
  private final WantedEvents wanted;
  private final ProcFsReader procFs;
  private final int largestRequest;
  private final SourceCounters counters = new SourceCounters();

  private volatile @Nullable Channels opened;

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
  }

  @Override
  public String name() {
    return "connector";
  }

  @Override
  public Optional<Unavailable> probe() {
    try {
      subscribe(wanted).close();
      return Optional.empty();
    } catch (UnavailableException cause) {
      return Optional.of(cause.unavailable());
    }
  }

  @Override
  public void open() throws UnavailableException {
    EnumSet<EventKind> kinds = EnumSet.copyOf(options.selection().kinds());
    Set<EventKind> urgentKinds = options.urgentKinds();
    kinds.removeAll(urgentKinds);
    Subscription urgent = subscribe(urgentKinds);
    Subscription patient = null;
    try {
      patient = subscribe(kinds);
    } finally {
      if (urgent != null && patient == null && !kinds.isEmpty()) {
        urgent.close();
      }
    }
    long since =
        Math.max(
            urgent == null ? Long.MIN_VALUE : urgent.completeNanos(),
            patient == null ? Long.MIN_VALUE : patient.completeNanos());
    opened = new Channels(channel(urgent, since), channel(patient, since));
  }

  /**
   * What it does, in a line for a log: who filters, and the receive buffer, with what would give
   * one of the size asked for. To be called once open.
   */
  public String describe() {
    int asked = options.receiveBufferBytes();
    int inForce = opened().receiveBuffer();
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
    return opened().poll(sink, timeoutMillis);
  }

  @Override
  public void wakeup() {
    Channels channels = opened;
    if (channels != null) {
      channels.wakeup();
    }
  }

  @Override
  public SourceStats stats() {
    return counters.snapshot(filter());
  }

  @Override
  public void close() {
    Channels channels = opened;
    if (channels != null) {
      channels.close();
    }
  }

  /** What can be waited at for events, once open; closed with this. */
  public int descriptor() {
    return subscription().socket().descriptor();
  }

  /** The subscription to what is urgent, or to all if nothing is, for tests. */
  Subscription subscription() {
    return opened().main().subscription();
  }

  private @Nullable Subscription subscribe(Set<EventKind> kinds) throws UnavailableException {
    return kinds.isEmpty() ? null : subscribe(wanted(kinds));
  }

  private Subscription subscribe(WantedEvents events) throws UnavailableException {
    return Subscription.open(events, options.receiveBufferBytes(), largestRequest);
  }

  private @Nullable Channel channel(@Nullable Subscription subscription, long since) {
    if (subscription == null) {
      return null;
    }
    int capacity = subscription.batch().capacity();
    BatchReader reader =
        new BatchReader(options, subscription.wanted(), procFs, counters, since, capacity);
    return new Channel(subscription, reader, counters);
  }

  private WantedEvents wanted(Set<EventKind> kinds) {
    boolean failedExitsOnly =
        options.selection().failedExitsOnly() && kinds.contains(EventKind.EXIT);
    return new WantedEvents(new EventSelection(kinds, failedExitsOnly), options.threadEvents());
  }

  private Channels opened() {
    Channels channels = opened;
    if (channels == null) {
      throw new IllegalStateException("not open");
    }
    return channels;
  }

  private String filter() {
    Channels channels = opened;
    if (channels == null) {
      return "not open";
    }
    Object by =
        channels.sawUnwantedKind()
            ? Subscription.FilteredBy.USER_SPACE
            : channels.main().subscription().filteredBy();
    return by + ": " + options.selection() + (options.threadEvents() ? "" : ", no threads");
  }

  private static String size(int bytes) {
    return bytes >> 20 > 0 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
  }
}
