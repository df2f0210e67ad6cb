package io.lifespan.bench;

import io.lifespan.process.PidCache;
import java.util.concurrent.TimeUnit;
import jnr.ffi.LibraryLoader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The ways to ask for one's own pid, and the least that a read from memory can cost. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
public class PidCacheBenchmark {

  private final LibC libc = LibraryLoader.create(LibC.class).load("c");
  private volatile int field = 1;

  @Benchmark
  public int pidCachePid() {
    return PidCache.current().pid();
  }

  @Benchmark
  public int pidCacheForkGeneration() {
    return PidCache.current().forkGeneration();
  }

  @Benchmark
  public int volatileRead() {
    return field;
  }

  @Benchmark
  public int jnrGetpid() {
    return libc.getpid();
  }

  @Benchmark
  public long processHandlePid() {
    return ProcessHandle.current().pid();
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface LibC {
    int getpid();
  }
}
