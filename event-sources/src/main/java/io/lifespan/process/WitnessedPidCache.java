package io.lifespan.process;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.SystemPid;
import io.lifespan.libc.WipeOnForkPage;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pid cache with the kernel as its witness. A record, because the JIT compiler takes only a
 * record's fields for constants: that saves a quarter of the time.
 *
 * @param page holds the answer, and the proposal that threads agree on first if several find the
 *     page wiped
 * @param last the last answer, in memory that a child inherits: its parent's or an ancestor's
 * @param saved counts the questions answered from the page
 */
record WitnessedPidCache(WipeOnForkPage page, AtomicLong last, StripedCount saved)
    implements PidCache {

  private static final int ANSWER = 0;
  private static final int PROPOSAL = 1;

  WitnessedPidCache(WipeOnForkPage page) {
    this(page, new AtomicLong(ForkWord.NONE), new StripedCount());
    ask();
  }

  @Override
  public int pid() {
    return ForkWord.pid(answer());
  }

  @Override
  public int forkGeneration() {
    return ForkWord.generation(answer());
  }

  @Override
  public long savedCalls() {
    return saved.sum();
  }

  @Override
  public Optional<Unavailable> unavailability() {
    return Optional.empty();
  }

  private long answer() {
    long answer = page.read(ANSWER);
    if (answer == 0) {
      return ask();
    }
    saved.add();
    return answer;
  }

  /**
   * All threads that find the page wiped end up with the first proposal, and each does all that is
   * left to do, so that none waits for another. The answer is published last: a process forked
   * before that inherits at worst a generation that nobody here has seen yet.
   */
  private long ask() {
    long proposal = ForkWord.child(last.get(), SystemPid.get());
    long earlier = page.writeIfZero(PROPOSAL, proposal);
    long answer = earlier == 0 ? proposal : earlier;
    last.set(answer);
    page.write(ANSWER, answer);
    return answer;
  }
}
