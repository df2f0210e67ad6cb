package io.lifespan.collector;

import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The proof that processes are seen: one is started, and must be told of. */
final class Proof {

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int CODE = 7;

  /** Long enough for a source that looks from time to time. */
  private static final List<String> COMMAND =
      List.of("/bin/sh", "-c", "sleep 0.3; exit " + CODE, "lifespan-doctor");

  private final Map<Integer, TrackedProcess> ended = new ConcurrentHashMap<>();

  private Proof() {}

  /** Opens the source that an agent would use, starts a process and waits to be told of its end. */
  static Finding by(Watch watch) {
    return new Proof().look(watch);
  }

  private Finding look(Watch watch) {
    try {
      watch.open(ExitCodes.FAILED);
    } catch (CannotStartException e) {
      return Finding.broken("proof", "no source of events works here");
    }
    String name = watch.describe();
    Pipeline pipeline = watch.read(() -> {});
    try {
      ProcessTable table = watch.table(TableOptions.Scope.NODE, List.of(listener()));
      table.populate(System.nanoTime());
      pipeline.consume(new TableConsumer(table, now -> {}));
      long start = System.nanoTime();
      Process child = new ProcessBuilder(COMMAND).start();
      int pid = (int) child.pid();
      pipeline.awaitUntil(() -> ended.containsKey(pid), LIMIT);
      TrackedProcess process = ended.get(pid);
      if (process == null) {
        child.destroy();
        return Finding.broken(
            "proof",
            "process %d was started here and its end not told within %d s by %s"
                .formatted(pid, LIMIT.toSeconds(), name));
      }
      return judge(pid, process, name, watch.limits(), System.nanoTime() - start);
    } catch (IOException e) {
      return Finding.degraded("proof", "no process could be started: " + e.getMessage());
    } finally {
      pipeline.close();
    }
  }

  private static Finding judge(
      int pid, TrackedProcess process, String source, String limits, long nanos) {
    WaitStatus status = process.status();
    String seen =
        String.format(
            Locale.ROOT,
            "process %d was started here and seen by %s: its end after %.1f s, exit code %s",
            pid,
            source,
            nanos / 1e9,
            status == null ? "unknown" : Integer.toString(status.exitCode()));
    if (status == null || status.exitCode() != CODE) {
      return Finding.degraded("proof", seen + " (it was " + CODE + ")");
    }
    return limits.isEmpty()
        ? Finding.ok("proof", seen)
        : Finding.degraded("proof", seen + "; " + limits);
  }

  private LifecycleListener listener() {
    return new LifecycleListener() {
      @Override
      public void ended(TrackedProcess process) {
        ended.put(process.key().pid(), process);
      }
    };
  }
}
