package io.lifespan.bench;

import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.FilePath;
import io.lifespan.event.blocking.MountChange;
import io.lifespan.event.blocking.MountProber;
import io.lifespan.event.blocking.MountState;
import io.lifespan.event.blocking.ProberOptions;
import io.lifespan.event.blocking.SamplerOptions;
import io.lifespan.event.blocking.TaskSampler;
import io.lifespan.event.blocking.TimedFiles;
import io.lifespan.event.blocking.TimedFilesOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a dead mount costs those who ask it, what looking for blocked threads costs, and how soon
 * they are found. Prints a line for each.
 */
public final class BlockingBench {

  private static final int ASKERS = 1_000;
  private static final int OTHERS = 5_000;
  private static final Duration DEADLINE = Duration.ofMillis(500);
  private static final double NANOS_PER_MILLI = 1e6;

  private BlockingBench() {}

  /**
   * Takes the pid of a FUSE server that answers, in a mount namespace of its own; the directory
   * that it serves; and a file on tmpfs.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    long server = Long.parseLong(arguments[0]);
    String mount = arguments[1];
    TimedFilesOptions options = TimedFilesOptions.DEFAULTS.withMountsOf(server);
    try (TimedFiles files = TimedFiles.open(options)) {
      sampling(files);
      detection(files, server, mount);
      signal(server, "STOP");
      askers(files, FilePath.of("/proc/" + server + "/root" + mount + "/file"), arguments[2]);
      signal(server, "CONT");
    }
  }

  private static void sampling(TimedFiles files) throws InterruptedException {
    try (TaskSampler sampler =
        new TaskSampler(files, SamplerOptions.DEFAULTS, BlockingListener.NONE)) {
      sampler.start();
      Thread.sleep(8_000);
      long cpu = sampler.cpuNanos();
      long sweeps = sampler.sweeps();
      long start = System.nanoTime();
      Thread.sleep(20_000);
      double share = (double) (sampler.cpuNanos() - cpu) / (System.nanoTime() - start);
      tell(
          String.format(
              Locale.ROOT,
              "sampling: %.2f %% of a processor, %d looks at all in 20 s",
              share * 100,
              sampler.sweeps() - sweeps));
    }
  }

  private static void detection(TimedFiles files, long server, String mount)
      throws IOException, InterruptedException {
    AtomicLong late = new AtomicLong();
    try (TaskSampler sampler =
        new TaskSampler(files, SamplerOptions.DEFAULTS, BlockingListener.NONE)) {
      sampler.start();
      Thread.sleep(5_000);
      signal(server, "STOP");
      long blocked = System.nanoTime();
      Process perl = perl(server, mount);
      tell(
          String.format(
              Locale.ROOT,
              "found without a probe after %.0f ms",
              millis(awaitShown(sampler, perl) - blocked)));
      signal(server, "CONT");
      perl.waitFor();
      BlockingListener hurrier =
          new BlockingListener() {
            @Override
            public void mountChanged(MountChange change) {
              boolean isLate = change.to().state() == MountState.SLOW;
              if (isLate && change.to().mount().type().equals("fuse.slowfs")) {
                late.compareAndSet(0, System.nanoTime());
                sampler.hurry();
              }
            }
          };
      ProberOptions often =
          new ProberOptions(
              Duration.ofSeconds(1),
              ProberOptions.DEFAULTS.slowAfter(),
              ProberOptions.DEFAULTS.stuckAfter(),
              ProberOptions.DEFAULTS.filter());
      try (MountProber prober = new MountProber(files, often, hurrier)) {
        prober.start();
        Thread.sleep(5_000);
        late.set(0);
        signal(server, "STOP");
        Process second = perl(server, mount);
        long shown = awaitShown(sampler, second);
        while (late.get() == 0) {
          Thread.sleep(1);
        }
        tell(
            String.format(
                Locale.ROOT,
                "found %.0f ms after a probe was late (negative: before)",
                millis(shown - late.get())));
        signal(server, "CONT");
        second.waitFor();
      }
    }
  }

  private static void askers(TimedFiles files, FilePath dead, String other)
      throws InterruptedException {
    TimedFiles strict = files.within(DEADLINE);
    FilePath elsewhere = FilePath.of(other);
    double before = median(strict, elsewhere);
    int threads = strict.threads();
    long[] over = new long[ASKERS];
    CountDownLatch begin = new CountDownLatch(1);
    Thread[] askers = new Thread[ASKERS];
    for (int i = 0; i < ASKERS; i++) {
      int asker = i;
      askers[i] =
          new Thread(
              () -> {
                await(begin);
                long start = System.nanoTime();
                strict.exists(dead);
                over[asker] = System.nanoTime() - start - DEADLINE.toNanos();
              });
      askers[i].start();
    }
    begin.countDown();
    Thread.sleep(100);
    double during = median(strict, elsewhere);
    int extra = strict.threads() - threads;
    for (Thread asker : askers) {
      asker.join();
    }
    Arrays.sort(over);
    tell(
        String.format(
            Locale.ROOT,
            "%,d askers of a dead mount: %d threads more; past the deadline by %.1f ms at the median, %.1f at 99 %%, %.1f at most",
            ASKERS,
            extra,
            millis(over[ASKERS / 2]),
            millis(over[ASKERS * 99 / 100]),
            millis(over[ASKERS - 1])));
    tell(
        String.format(
            Locale.ROOT,
            "another mount meanwhile: %.1f us, before %.1f us",
            during / 1e3,
            before / 1e3));
  }

  private static double median(TimedFiles files, FilePath path) {
    long[] took = new long[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
      long start = System.nanoTime();
      files.exists(path);
      took[i] = System.nanoTime() - start;
    }
    Arrays.sort(took);
    return took[OTHERS / 2];
  }

  private static long awaitShown(TaskSampler sampler, Process process) throws InterruptedException {
    while (sampler.blocked().stream().noneMatch(task -> task.pid() == process.pid())) {
      Thread.sleep(1);
    }
    return System.nanoTime();
  }

  private static Process perl(long server, String mount) throws IOException {
    return new ProcessBuilder(
            "nsenter",
            "-t",
            Long.toString(server),
            "-m",
            "perl",
            "-e",
            "stat $ARGV[0]",
            mount + "/file")
        .start();
  }

  private static void signal(long pid, String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  private static void tell(String line) {
    System.out.println(line);
  }
}
