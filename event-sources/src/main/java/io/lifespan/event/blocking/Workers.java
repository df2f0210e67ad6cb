package io.lifespan.event.blocking;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads that calls are handed over to. They are daemons: one that is stuck does not keep the
 * JVM. There are as many as file systems are asked at one time, up to a bound.
 */
final class Workers {

  /**
   * How long a worker that has nothing to do looks for more before it goes: about what it takes to
   * wake a thread.
   */
  static final long SPIN_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 20_000 : 0;

  private static final long KEEP_SECONDS = 10;

  private final Set<Lane> busy = ConcurrentHashMap.newKeySet();
  private final AtomicInteger threads = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();
  private final ThreadLocal<CallBuffers> buffers = ThreadLocal.withInitial(CallBuffers::new);
  private final ThreadPoolExecutor pool;

  Workers(int maxThreads) {
    pool =
        new ThreadPoolExecutor(
            0, maxThreads, KEEP_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);
  }

  /** Lets a thread serve a lane; false if all threads are taken, which is counted. */
  boolean start(Lane lane) {
    try {
      pool.execute(() -> serve(lane));
      return true;
    } catch (RejectedExecutionException allTaken) {
      refused.incrementAndGet();
      return false;
    }
  }

  /** The lanes that a thread serves at this moment. */
  Set<Lane> busy() {
    return busy;
  }

  /** How many threads there are. */
  int threads() {
    return pool.getPoolSize();
  }

  /** How often no thread could be had since all were taken. */
  long refused() {
    return refused.get();
  }

  /** Lets no more work begin; a thread that is stuck stays until its call returns. */
  void close() {
    pool.shutdownNow();
  }

  private void serve(Lane lane) {
    busy.add(lane);
    try {
      lane.serve(buffers.get());
    } finally {
      busy.remove(lane);
    }
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "lifespan-files-" + threads.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
