package io.lifespan.collector;

import io.lifespan.event.EventSink;
import io.lifespan.event.EventSource;
import io.lifespan.libc.OwnThread;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Polls one source on a thread of its own until it is closed or the source can give no more. */
final class SourceThread implements AutoCloseable {

  private static final int POLL_MILLIS = 1_000;
  private static final int FAVOURED = -10;

  private final EventSource source;
  private final EventSink sink;
  private final Runnable onFailure;
  private final Thread thread;
  private volatile boolean closing;
  private volatile @Nullable IOException failure;
  private volatile long turned = System.nanoTime();

  /**
   * @param source an open source; closed by {@link #close()}
   * @param onFailure is told, on the source's thread, that {@link #failure()} is there
   */
  SourceThread(EventSource source, EventSink sink, Runnable onFailure) {
    this.source = source;
    this.sink = sink;
    this.onFailure = onFailure;
    thread = new Thread(this::pollUntilClosed, "lifespan-source-" + source.name());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * Reading what a process executed is a race against its death, so a source goes before others
   * where it may; it sleeps nearly always.
   */
  private void pollUntilClosed() {
    OwnThread.nice(FAVOURED);
    try {
      while (!closing) {
        source.poll(sink, POLL_MILLIS);
        turned = System.nanoTime();
      }
    } catch (IOException e) {
      failure = e;
      onFailure.run();
    }
  }

  EventSource source() {
    return source;
  }

  /** Why the source can give no more events; null while it can. */
  @Nullable IOException failure() {
    return failure;
  }

  /** When it last asked the source, in {@link System#nanoTime()}: once a second at least. */
  long turned() {
    return turned;
  }

  /** Ends the thread, then closes the source. */
  @Override
  public void close() {
    closing = true;
    source.wakeup();
    if (Threads.join(thread)) {
      source.close();
    }
  }
}
