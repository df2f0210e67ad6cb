package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.SystemPid;
import io.lifespan.libc.WipeOnForkPage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of the page, with its wiping played: forks themselves are in {@link RawForkIT}. */
class WitnessedPidCacheIT {

  private static final int THREADS = 8;
  private static final int ROUNDS = 500;

  private final ByteBuffer memory = ByteBuffer.allocateDirect(WipeOnForkPage.WORDS * Long.BYTES);
  private final PidCache cache = new WitnessedPidCache(new WipeOnForkPage(memory));

  @Test
  void the_answer_is_the_kernels() {
    assertThat(cache.pid()).isEqualTo(SystemPid.get());
    assertThat(cache.forkGeneration()).isZero();
    assertThat(cache.unavailability()).isEmpty();
  }

  @Test
  void each_answer_from_the_page_is_a_call_saved_and_an_answer_from_the_kernel_is_not() {
    cache.pid();
    cache.forkGeneration();
    wipe();
    cache.pid();
    cache.pid();

    assertThat(cache.savedCalls()).isEqualTo(3);
  }

  @Test
  void threads_that_find_the_page_wiped_at_once_agree_on_the_next_generation() throws Exception {
    CyclicBarrier wiped = new CyclicBarrier(THREADS, this::wipe);
    CyclicBarrier asked = new CyclicBarrier(THREADS);

    for (List<Integer> generations : together(() -> ask(wiped, asked))) {
      assertThat(generations).isEqualTo(IntStream.rangeClosed(1, ROUNDS).boxed().toList());
    }
  }

  @Test
  void threads_that_read_at_once_all_read_the_same() throws Exception {
    for (List<Integer> pids : together(this::readOften)) {
      assertThat(pids).containsOnly(SystemPid.get());
    }
    assertThat(cache.savedCalls()).isPositive().isLessThanOrEqualTo((long) THREADS * ROUNDS);
  }

  private List<Integer> ask(CyclicBarrier wiped, CyclicBarrier asked) throws Exception {
    List<Integer> generations = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      wiped.await(60, TimeUnit.SECONDS);
      generations.add(cache.forkGeneration());
      asked.await(60, TimeUnit.SECONDS);
    }
    return generations;
  }

  private List<Integer> readOften() {
    return IntStream.range(0, ROUNDS).mapToObj(i -> cache.pid()).toList();
  }

  private void wipe() {
    for (int i = 0; i < WipeOnForkPage.WORDS; i++) {
      memory.putLong(i * Long.BYTES, 0);
    }
  }

  private static <T> List<T> together(Callable<T> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<T> results = new ArrayList<>();
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        futures.add(threads.submit(work));
      }
      for (Future<T> future : futures) {
        results.add(future.get(120, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
