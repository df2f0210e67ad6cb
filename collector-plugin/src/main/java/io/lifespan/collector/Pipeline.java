package io.lifespan.collector;

import io.lifespan.event.EventSource;
import io.lifespan.event.ProcessEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries events from the sources, each read by a thread of its own, to the one thread that owns
 * the consumer's state. Between them is a bounded queue. A source never waits for it: an event that
 * finds it full is counted, and the consumer is told of the loss as soon as it has caught up.
 *
 * <p>Life: {@link #read()} lets the sources' threads run, so that nothing stays long in the
 * kernel's buffers; {@link #consume} starts the consumer, which may be ready later; {@link
 * #close()} stops the sources, hands over all that was read, then stops the consumer.
 */
final class Pipeline implements AutoCloseable {

  /** Room for the events of two seconds at the highest rate that was measured (35,000 forks/s). */
  static final int QUEUE_CAPACITY = 1 << 17;

  private static final int BATCH = 1024;
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long events may gather while there are any: nobody has to wake the consumer then. */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Queue<ProcessEvent> events;
  private final List<SourceThread> sources = new ArrayList<>();
  private final AtomicLong refused = new AtomicLong();
  private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();
  private final List<Awaited> awaited = new ArrayList<>();
  private volatile @Nullable Thread consumerThread;
  private volatile boolean parked;
  private volatile boolean sourcesStopped;
  private volatile long turned = System.nanoTime();
  private long refusedReported;

  private record Awaited(BooleanSupplier condition, CompletableFuture<Boolean> met) {}

  /**
   * @param openSources sources that are open already; closed with this
   * @param onFailure is told on any thread when a source can give no more events: see {@link
   *     #failure()}
   */
  Pipeline(Collection<EventSource> openSources, int queueCapacity, Runnable onFailure) {
    events = new MpscAtomicArrayQueue<>(queueCapacity);
    for (EventSource source : openSources) {
      sources.add(new SourceThread(source, this::offer, onFailure));
    }
  }

  /** Starts to read the sources. */
  void read() {
    sources.forEach(SourceThread::start);
  }

  /** Starts to hand over what is read. */
  void consume(EventConsumer consumer) {
    Thread thread = new Thread(() -> run(consumer), "lifespan-table");
    thread.setDaemon(true);
    consumerThread = thread;
    thread.start();
  }

  /**
   * Waits until a condition holds, at most for so long. The condition is asked on the consumer's
   * thread, so it may read the consumer's state.
   *
   * @return whether it held in time
   */
  boolean awaitUntil(BooleanSupplier condition, Duration limit) {
    CompletableFuture<Boolean> met = new CompletableFuture<>();
    request(() -> awaited.add(new Awaited(condition, met)));
    return get(met, limit);
  }

  /** Runs something on the consumer's thread; returns when it is done, or after the time given. */
  boolean call(Runnable task, Duration limit) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    request(
        () -> {
          task.run();
          done.complete(true);
        });
    return get(done, limit);
  }

  /** Runs something on the consumer's thread, soon; from any thread. */
  void later(Runnable task) {
    request(task);
  }

  /** How many events wait for the consumer, about; from any thread. */
  int waiting() {
    return events.size();
  }

  /** How many events were lost since the queue was full. */
  long refused() {
    return refused.get();
  }

  /** Why a source can give no more events; null while all can. */
  @Nullable IOException failure() {
    for (SourceThread source : sources) {
      IOException failure = source.failure();
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  /**
   * Which of its threads have not turned for so long, by name; each does several times in ten
   * seconds unless it hangs.
   */
  List<String> hanging(Duration limit) {
    long now = System.nanoTime();
    List<String> hanging = new ArrayList<>();
    for (SourceThread source : sources) {
      if (now - source.turned() > limit.toNanos()) {
        hanging.add("the reader of " + source.source().name());
      }
    }
    if (consumerThread != null && now - turned > limit.toNanos()) {
      hanging.add("the process table");
    }
    return hanging;
  }

  @Override
  public void close() {
    sources.forEach(SourceThread::close);
    sourcesStopped = true;
    Thread thread = consumerThread;
    if (thread != null) {
      LockSupport.unpark(thread);
      Threads.join(thread);
    }
  }

  private void offer(ProcessEvent event) {
    if (!events.offer(event)) {
      refused.addAndGet(event instanceof ProcessEvent.Loss loss ? loss.count() : 1);
    }
    wakeIfParked();
  }

  private void request(Runnable task) {
    requests.add(task);
    Thread thread = consumerThread;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void wakeIfParked() {
    if (parked) {
      parked = false;
      LockSupport.unpark(consumerThread);
    }
  }

  private void run(EventConsumer consumer) {
    while (true) {
      boolean last = sourcesStopped;
      int taken = drain(consumer);
      reportRefused(consumer);
      consumer.tick(System.nanoTime());
      answerRequests();
      turned = System.nanoTime();
      if (taken == 0 && last) {
        return;
      }
      if (taken < BATCH && !last) {
        park(taken > 0);
      }
    }
  }

  private int drain(EventConsumer consumer) {
    int taken = 0;
    while (taken < BATCH) {
      ProcessEvent event = events.poll();
      if (event == null) {
        break;
      }
      consumer.apply(event);
      taken++;
    }
    return taken;
  }

  private void reportRefused(EventConsumer consumer) {
    long now = refused.get();
    if (now > refusedReported && events.isEmpty()) {
      consumer.apply(
          new ProcessEvent.Loss(
              System.nanoTime(), now - refusedReported, ProcessEvent.Loss.Where.QUEUE));
      refusedReported = now;
    }
  }

  private void answerRequests() {
    for (Runnable task = requests.poll(); task != null; task = requests.poll()) {
      task.run();
    }
    for (var waiting = awaited.iterator(); waiting.hasNext(); ) {
      Awaited one = waiting.next();
      if (one.met().isDone()) {
        waiting.remove();
      } else if (one.condition().getAsBoolean()) {
        one.met().complete(true);
        waiting.remove();
      }
    }
  }

  /**
   * Waits: a fixed time while events come, since each wake-up costs the source as much as a read;
   * else until the next comes.
   */
  private void park(boolean busy) {
    if (busy) {
      if (requests.isEmpty() && !sourcesStopped) {
        LockSupport.parkNanos(this, GATHER_NANOS);
      }
      return;
    }
    parked = true;
    if (events.isEmpty() && requests.isEmpty() && !sourcesStopped) {
      LockSupport.parkNanos(this, IDLE_NANOS);
    }
    parked = false;
  }

  private static boolean get(CompletableFuture<Boolean> answer, Duration limit) {
    try {
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.complete(false);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
