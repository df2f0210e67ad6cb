package io.lifespan.event.ptrace;

import io.lifespan.event.CommandSource;
import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSink;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.SourceStats;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.ChildProcess.Change;
import io.lifespan.libc.Errno;
import io.lifespan.libc.Ptrace;
import io.lifespan.libc.Signal;
import io.lifespan.libc.SystemCallException;
import io.lifespan.libc.SystemPid;
import io.lifespan.process.KernelClock;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Follows a command and all that descends from it by ptrace(2): forks, execs, ends and core dumps
 * are all seen, every program is read while its process is stopped at the exec, and no privilege is
 * needed. Single threads are not told of.
 *
 * <p>Only lifecycle stops: no system call is stopped at, a signal is passed on as it came, a
 * stopped job stays stopped. If the thread that polls ends, the kernel lets all go on. What cannot
 * be traced twice is a debugger's: strace and gdb do not work within, and a program gets no rights
 * from its set-user-id bit unless this process has CAP_SYS_PTRACE.
 *
 * <p>While the command lives, {@link #poll} waits for its processes without limit: the end of the
 * command ends the wait.
 */
public final class PtraceSource implements CommandSource {

  /** What it can tell of. */
  private static final EnumSet<EventKind> KNOWN =
      EnumSet.of(EventKind.FORK, EventKind.EXEC, EventKind.COREDUMP, EventKind.EXIT);

  private static final long PAUSE_MILLIS = 1;
  private static final long PATIENCE_SECONDS = 20;

  private final EventSelection selection;
  private final ProcFsReader procFs;
  private final KernelClock clock;
  private final SourceCounters counters = new SourceCounters();
  private final BlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<Optional<Change>> changes = new LinkedBlockingQueue<>();
  private volatile @Nullable Opened opened;
  private int root;
  private boolean rootAlive;
  private boolean rootStopped;

  /**
   * @param procFs only for the thread that polls
   */
  public PtraceSource(EventSelection selection, ProcFsReader procFs, KernelClock clock) {
    this.selection = selection;
    this.procFs = procFs;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "ptrace";
  }

  @Override
  public String limits() {
    return "only what `lifespan run` starts; no single threads, no changes of ids and names; no"
        + " debugger within";
  }

  @Override
  public Optional<Unavailable> probe() {
    return Optional.ofNullable(PtraceCauses.probe());
  }

  @Override
  public void open() throws UnavailableException {
    Unavailable unavailable = PtraceCauses.probe();
    if (unavailable != null) {
      throw new UnavailableException(unavailable);
    }
    Ptrace ptrace = new Ptrace();
    Births births = new Births(procFs, clock);
    opened = new Opened(ptrace, new Tracees(ptrace, procFs, births, selection, counters));
  }

  @Override
  public void follow(int pid) throws IOException {
    CompletableFuture<Integer> seized = new CompletableFuture<>();
    requests.add(() -> seized.complete(seize(pid)));
    try {
      int result = seized.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (result < 0) {
        throw new IOException(PtraceCauses.of(new Errno(-result)).toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the thread that traces does not answer", e);
    }
  }

  @Override
  public @Nullable Change waitForChange() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return changes.take().orElse(null);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public int poll(EventSink sink, int timeoutMillis) throws IOException {
    Opened source = opened();
    Ptrace ptrace = source.ptrace;
    Tracees tracees = source.tracees;
    if (!rootAlive) {
      await(tracees.isEmpty() ? timeoutMillis : PAUSE_MILLIS);
    }
    int delivered = 0;
    int tid = ptrace.next(rootAlive);
    for (; tid > 0; tid = ptrace.next(false)) {
      delivered += tracees.take(tid, ptrace.status(), sink);
      if (tid == root) {
        tell(ptrace.status());
      }
    }
    if (tid == -Errno.ECHILD.number()) {
      tracees.clear();
      rootAlive = false;
    } else if (tid < 0) {
      changes.add(Optional.empty());
      throw new SystemCallException("waitpid", new Errno(-tid));
    }
    return delivered + tracees.settle(sink);
  }

  @Override
  public void wakeup() {
    requests.add(() -> {});
  }

  @Override
  public SourceStats stats() {
    EnumSet<EventKind> told = EnumSet.copyOf(selection.kinds());
    told.retainAll(KNOWN);
    String kinds =
        told.isEmpty()
            ? "nothing"
            : new EventSelection(told, selection.failedExitsOnly()).toString();
    return counters.snapshot("of the command: " + kinds);
  }

  /** The kernel has let go what was followed, as the thread that polled has ended. */
  @Override
  public void close() {
    changes.add(Optional.empty());
  }

  /** Until it has executed its program, a failed start is to be seen by posix_spawn alone. */
  private int seize(int pid) {
    int result = opened().ptrace.seize(pid, Ptrace.TRACE_EXEC);
    if (result == 0) {
      changes.clear(); // of a process that could not execute anything
      rootStopped = false;
      opened().tracees.root(pid, SystemPid.get());
      root = pid;
      rootAlive = true;
    }
    return result;
  }

  private void await(long millis) {
    try {
      Runnable request = requests.poll(millis, TimeUnit.MILLISECONDS);
      if (request != null) {
        request.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Opened opened() {
    Opened source = opened;
    if (source == null) {
      throw new IllegalStateException("not open");
    }
    return source;
  }

  /** Tells whoever waits for the command what happened to its first thread. */
  private void tell(int status) {
    if ((status & 0xff) != 0x7f) {
      rootAlive = false;
      root = 0;
      changes.add(Optional.of(new Change.Ended(status)));
    } else if (status >> 16 == Ptrace.EVENT_STOP) {
      int signal = status >> 8 & 0xff;
      if (signal != Signal.TRAP) {
        rootStopped = true;
        changes.add(Optional.of(new Change.Stopped(signal)));
      } else if (rootStopped) {
        rootStopped = false;
        changes.add(Optional.of(new Change.Continued()));
      }
    }
  }

  private record Opened(Ptrace ptrace, Tracees tracees) {}
}
