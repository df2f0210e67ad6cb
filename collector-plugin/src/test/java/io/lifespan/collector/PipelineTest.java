package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSink;
import io.lifespan.event.EventSource;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceStats;
import io.lifespan.event.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PipelineTest {

  private static final Duration BOUND = Duration.ofSeconds(30);

  private final HandSource source = new HandSource();
  private final Recorder recorder = new Recorder();

  @Test
  void handsOverEveryEventInOrderOnOneThread() {
    try (Pipeline pipeline = new Pipeline(List.of(source), 1 << 16, PipelineTest::ignored)) {
      pipeline.read();
      pipeline.consume(recorder);
      for (int i = 0; i < 50_000; i++) {
        source.give(exec(i));
      }
      assertThat(pipeline.awaitUntil(() -> recorder.events.size() == 50_000, BOUND)).isTrue();
    }
    assertThat(recorder.events)
        .extracting(event -> ((ProcessEvent.Exec) event).pid())
        .isSorted()
        .hasSize(50_000);
    assertThat(recorder.threads).containsExactly("lifespan-table");
  }

  @Test
  void keepsWhatIsReadBeforeTheConsumerIsReady() {
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, PipelineTest::ignored)) {
      pipeline.read();
      source.give(exec(1));
      source.awaitRead();
      pipeline.consume(recorder);
      assertThat(pipeline.awaitUntil(() -> !recorder.events.isEmpty(), BOUND)).isTrue();
    }
  }

  @Test
  void tellsOfALossWhenTheQueueWasFullAndNeverStopsTheReader() {
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, PipelineTest::ignored)) {
      pipeline.read();
      for (int i = 0; i < 100; i++) {
        source.give(exec(i));
      }
      source.give(new ProcessEvent.Loss(1, 7, ProcessEvent.Loss.Where.RECEIVE_BUFFER));
      source.awaitRead();
      assertThat(pipeline.refused()).isEqualTo(43);

      pipeline.consume(recorder);
      assertThat(pipeline.awaitUntil(() -> recorder.events.size() == 65, BOUND)).isTrue();
    }
    assertThat(recorder.events.get(64))
        .isInstanceOfSatisfying(
            ProcessEvent.Loss.class, loss -> assertThat(loss.count()).isEqualTo(43));
  }

  @Test
  void closingHandsOverAllThatWasReadAndClosesTheSource() {
    Pipeline pipeline = new Pipeline(List.of(source), 1 << 16, PipelineTest::ignored);
    pipeline.read();
    for (int i = 0; i < 10_000; i++) {
      source.give(exec(i));
    }
    source.awaitRead();
    pipeline.consume(recorder);
    pipeline.close();

    assertThat(recorder.events).hasSize(10_000);
    assertThat(source.closed).isTrue();
  }

  @Test
  void ticksWhenThereAreNoEvents() {
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, PipelineTest::ignored)) {
      pipeline.read();
      pipeline.consume(recorder);
      assertThat(pipeline.awaitUntil(() -> recorder.ticks > 3, BOUND)).isTrue();
    }
  }

  @Test
  void aConditionThatNeverHoldsIsGivenUp() {
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, PipelineTest::ignored)) {
      pipeline.read();
      pipeline.consume(recorder);
      assertThat(pipeline.awaitUntil(() -> false, Duration.ofMillis(50))).isFalse();
    }
  }

  @Test
  void runsATaskOnTheConsumersThread() {
    List<String> threads = new ArrayList<>();
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, PipelineTest::ignored)) {
      pipeline.read();
      pipeline.consume(recorder);
      assertThat(pipeline.call(() -> threads.add(Thread.currentThread().getName()), BOUND))
          .isTrue();
    }
    assertThat(threads).containsExactly("lifespan-table");
  }

  @Test
  void aSourceThatDiesIsTold() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, told::countDown)) {
      pipeline.read();
      assertThat(pipeline.failure()).isNull();
      source.failure = new IOException("the socket is gone");
      source.wakeup();
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(pipeline.failure()).hasMessage("the socket is gone");
    }
  }

  @Test
  void saysWhichOfItsThreadsHangs() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    try (Pipeline pipeline = new Pipeline(List.of(source), 64, PipelineTest::ignored)) {
      pipeline.read();
      pipeline.consume(recorder);
      assertThat(pipeline.hanging(BOUND)).isEmpty();

      source.hangUntil(release);
      await(() -> pipeline.hanging(Duration.ofMillis(1_500)), "the reader of hand");
      release.countDown();
      awaitNone(() -> pipeline.hanging(Duration.ofMillis(1_500)));
    } finally {
      release.countDown();
    }
  }

  private static void await(Supplier<List<String>> texts, String wanted)
      throws InterruptedException {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!texts.get().contains(wanted)) {
      assertThat(System.nanoTime()).as("waited for %s", wanted).isLessThan(end);
      Thread.sleep(10);
    }
  }

  private static void awaitNone(Supplier<List<String>> texts) throws InterruptedException {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!texts.get().isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(10);
    }
  }

  private static void ignored() {}

  private static ProcessEvent exec(int pid) {
    return new ProcessEvent.Exec(pid, pid, pid, null);
  }

  /** A source whose events are given by hand. */
  private static final class HandSource implements EventSource {

    private final BlockingQueue<Runnable> given = new LinkedBlockingQueue<>();
    private EventSink target = event -> {};
    private volatile @Nullable IOException failure;
    private volatile boolean closed;

    void give(ProcessEvent event) {
      given.add(() -> target.accept(event));
    }

    void hangUntil(CountDownLatch release) {
      given.add(
          () -> {
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }

    void awaitRead() {
      CountDownLatch read = new CountDownLatch(1);
      given.add(read::countDown);
      try {
        assertThat(read.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String name() {
      return "hand";
    }

    @Override
    public Optional<Unavailable> probe() {
      return Optional.empty();
    }

    @Override
    public void open() {}

    @Override
    public int poll(EventSink sink, int timeoutMillis) throws IOException {
      IOException dead = failure;
      if (dead != null) {
        throw dead;
      }
      target = sink;
      try {
        Runnable next = given.poll(timeoutMillis, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
        return next == null ? 0 : 1;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void wakeup() {
      given.add(() -> {});
    }

    @Override
    public SourceStats stats() {
      return new SourceStats(0, Map.<EventKind, Long>of(), 0, 0, 0, "none");
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** Keeps what it was given; read on the consumer's thread, or after it has ended. */
  private static final class Recorder implements EventConsumer {

    private final List<ProcessEvent> events = new ArrayList<>();
    private final Set<String> threads = new HashSet<>();
    private int ticks;

    @Override
    public void apply(ProcessEvent event) {
      events.add(event);
      threads.add(Thread.currentThread().getName());
    }

    @Override
    public void tick(long nowNanos) {
      ticks++;
    }
  }
}
