package io.lifespan.bench;

import io.lifespan.process.ForkCounter;
import io.lifespan.process.TableStats;
import java.util.Locale;

/**
 * The heap that the process table takes: while so many processes are alive, and after millions of
 * short ones. Prints used heap in MB after a collection, as one JSON object a line.
 */
public final class TableSoak {

  private static final int NAMES = 1_000;
  private static final int STEPS = 10;

  private TableSoak() {}

  /** Takes how many processes stay alive, and how many short ones come and go beside them. */
  public static void main(String[] arguments) {
    int alive = Integer.parseInt(arguments[0]);
    int shortLived = Integer.parseInt(arguments[1]);
    Lives lives = new Lives(new ForkCounter(NAMES));
    print(lives);
    for (int i = 0; i < alive; i++) {
      lives.exec(lives.fork());
    }
    lives.keepAlive();
    print(lives);
    for (int step = 0; step < STEPS; step++) {
      for (int i = 0; i < shortLived / STEPS; i++) {
        int pid = lives.fork();
        lives.exec(pid);
        lives.exit(pid);
      }
      print(lives);
    }
  }

  private static void print(Lives lives) {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    TableStats stats = lives.table().stats();
    System.out.printf(
        Locale.ROOT,
        "{\"heap_mb\": %.1f, \"alive\": %d, \"started\": %d, \"evicted\": %d, \"reused\": %d}%n",
        (runtime.totalMemory() - runtime.freeMemory()) / 1e6,
        stats.alive(),
        stats.started(),
        stats.evicted(),
        stats.pidReuses());
  }
}
