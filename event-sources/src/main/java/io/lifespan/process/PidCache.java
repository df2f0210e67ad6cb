package io.lifespan.process;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.WipeOnForkPage;
import java.util.Optional;

/**
 * The pid of this process and how often it was forked, without a system call and never stale, even
 * if something forks behind the JVM's back by a raw clone. The kernel itself is the witness: the
 * answer lies on a page that it wipes in every child (see {@link WipeOnForkPage}); a wiped word
 * means "you are a child: ask again".
 *
 * <p>The pid is that of the process's own pid namespace: the first process of a new one reads 1.
 *
 * <p>Its one limit: a child that shares its parent's memory (vfork, CLONE_VM without CLONE_THREAD)
 * reads the parent's answers, since nothing was copied that could be wiped.
 *
 * <p>Thread-safe without locks, whose owner might not exist in a child.
 */
public sealed interface PidCache permits WitnessedPidCache, AskingPidCache {

  /**
   * The cache of this process. The first call maps the page; make it early, since a child forked
   * while another thread is within it would wait for that thread for ever.
   */
  static PidCache current() {
    return CurrentPidCache.CACHE;
  }

  /** What {@code getpid()} would answer. */
  int pid();

  /**
   * How many forks lie between the process that first called {@link #current} (0) and this one,
   * counting those whose child asked this cache: a child that forks without ever having asked is
   * passed over. Whoever keeps something that a fork spoils (a connection, a seed) keeps this
   * number beside it: while it is the same, so is the process. Costs the same as {@link #pid}.
   */
  int forkGeneration();

  /**
   * How many system calls were saved so far. Counted by plain additions, so it may be too low if
   * more than a few threads ask, never too high. A child goes on from its parent's number.
   */
  long savedCalls();

  /**
   * Why every question is a system call here; empty if none is. Then a child whose pid is the same
   * as its parent's, because both are the first of their pid namespaces, goes unnoticed by {@link
   * #forkGeneration}.
   */
  Optional<Unavailable> unavailability();
}
