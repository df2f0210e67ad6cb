package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.process.KernelClock;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a {@link ConnectorSource} is to do.
 *
 * @param selection the events wanted; the kernel sends no others where it can filter
 * @param receiveBufferBytes how much the kernel may queue while this process does not come to read,
 *     at each of up to two sockets (those events that must be read for at once, and the others): an
 *     event takes some 400 bytes of it. Past net.core.rmem_max only with CAP_NET_ADMIN
 * @param threadEvents whether the forks and exits of threads are wanted. Without them the kernel
 *     drops them at the socket, which saves most of the work beside programs of many threads. It
 *     hides the true end of a process whose first thread left before the others: the exit of a
 *     first thread then carries its /proc/PID/stat, whose thread count tells whether the process
 *     lives on
 * @param capture whether to read /proc: all of it at an exec, stat at a fork whose start tick is
 *     not certain and at exits as above, and what a process that failed still shows if only failed
 *     exits are selected. Events at which nothing has to be read in haste are collected for some
 *     milliseconds, which costs a tenth of the time
 * @param clock tells which forks lie close to a tick of the kernel's clock
 */
public record ConnectorOptions(
    EventSelection selection,
    int receiveBufferBytes,
    boolean threadEvents,
    boolean capture,
    KernelClock clock) {

  /** 16 MiB: some 40,000 events, more than a second of the worst fork storm of a small machine. */
  public static final int DEFAULT_RECEIVE_BUFFER_BYTES = 16 << 20;

  /** The most that may be asked for: 1 GiB less one byte, of which the kernel books the double. */
  public static final int MAX_RECEIVE_BUFFER_BYTES = (1 << 30) - 1;

  public ConnectorOptions {
    if (receiveBufferBytes < 1 || receiveBufferBytes > MAX_RECEIVE_BUFFER_BYTES) {
      throw new IllegalArgumentException(
          "receive buffer of " + receiveBufferBytes + " bytes: not in 1 to 1073741823");
    }
  }

  /** A buffer of 16 MiB, threads and capture: what the process table needs to be exact. */
  public static ConnectorOptions defaults(EventSelection selection, KernelClock clock) {
    return new ConnectorOptions(selection, DEFAULT_RECEIVE_BUFFER_BYTES, true, true, clock);
  }

  /** The same with another receive buffer. */
  public ConnectorOptions withReceiveBufferBytes(int bytes) {
    return new ConnectorOptions(selection, bytes, threadEvents, capture, clock);
  }

  /** The same with or without the events of threads. */
  public ConnectorOptions withThreadEvents(boolean wanted) {
    return new ConnectorOptions(selection, receiveBufferBytes, wanted, capture, clock);
  }

  /** The same with or without reading of /proc. */
  public ConnectorOptions withCapture(boolean wanted) {
    return new ConnectorOptions(selection, receiveBufferBytes, threadEvents, wanted, clock);
  }

  /**
   * The kinds of event at which something must be read that is soon gone: what was executed, and
   * what a process that failed shows until it is reaped.
   */
  Set<EventKind> urgentKinds() {
    EnumSet<EventKind> urgent = EnumSet.noneOf(EventKind.class);
    if (capture) {
      urgent.add(EventKind.EXEC);
      if (selection.failedExitsOnly()) {
        urgent.add(EventKind.EXIT);
      }
      urgent.retainAll(selection.kinds());
    }
    return urgent;
  }
}
