package io.lifespan.bench;

import io.lifespan.process.ForkCounter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a process's life costs in the table, with the forks of each name counted and without. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class ProcessTableBenchmark {

  private static final int NAMES = 1_000;

  private final Lives plain = new Lives();
  private final Lives counted = new Lives(new ForkCounter(NAMES));

  @Benchmark
  public void forkAndExit() {
    plain.exit(plain.fork());
  }

  @Benchmark
  public void forkAndExitCounted() {
    counted.exit(counted.fork());
  }

  @Benchmark
  public void forkExecAndExit() {
    live(plain);
  }

  @Benchmark
  public void forkExecAndExitCounted() {
    live(counted);
  }

  private static void live(Lives lives) {
    int pid = lives.fork();
    lives.exec(pid);
    lives.exit(pid);
  }
}
