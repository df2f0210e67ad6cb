package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Odd lives as the proc connector tells them, which tells of threads too. */
class ScenariosIT extends ScenariosOfASource {

  /** The soak test that docs/process-table.md tells of gives more. */
  private static final int EXEC_ROUNDS = Integer.getInteger("lifespan.test.exec-rounds", 1_000);

  @Override
  LiveTable liveTable() throws Exception {
    return new LiveTable();
  }

  @Test
  void execsFromAmongFiftyThreadsLeakNoThread() throws Exception {
    long others = live.table.stats().threadsAlive();
    live.patienceSeconds += EXEC_ROUNDS / 5;
    Scenario scenario = play("again:" + EXEC_ROUNDS);

    // after the program itself and the helper by which the JVM starts it
    assertThat(live.ended(scenario.pid()).execGeneration()).isEqualTo(EXEC_ROUNDS + 2);
    assertThat(live.ended(scenario.pid()).threads()).isZero();
    assertThat(live.ended(scenario.pid()).peakThreads()).isEqualTo(51);
    live.until(() -> live.table.stats().threadsAlive() <= others + 20);
  }

  @Test
  void theThreadsOfAProcessAreCounted() throws Exception {
    assertThat(child(play("many-threads"), "child").peakThreads()).isBetween(300, 301);
  }

  @Test
  void theThreadsThatAnExecEndsWereThere() throws Exception {
    assertThat(child(play("thread-exec"), "child").peakThreads()).isEqualTo(12);
  }
}
