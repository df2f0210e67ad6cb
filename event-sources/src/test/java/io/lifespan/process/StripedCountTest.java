package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StripedCountTest {

  @Test
  void one_thread_is_counted_exactly() {
    StripedCount count = new StripedCount();

    for (int i = 0; i < 1000; i++) {
      count.add();
    }

    assertThat(count.sum()).isEqualTo(1000);
  }

  @Test
  void threads_that_come_one_after_the_other_are_counted_exactly_wherever_they_add()
      throws InterruptedException {
    StripedCount count = new StripedCount();

    for (int i = 0; i < 200; i++) {
      Thread thread = new Thread(count::add);
      thread.start();
      thread.join();
    }

    assertThat(count.sum()).isEqualTo(200);
  }

  @Test
  void threads_at_once_are_never_counted_too_high() throws InterruptedException {
    StripedCount count = new StripedCount();
    List<Thread> threads = new ArrayList<>();

    for (int i = 0; i < 200; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int j = 0; j < 1000; j++) {
                  count.add();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(count.sum()).isPositive().isLessThanOrEqualTo(200_000);
  }
}
