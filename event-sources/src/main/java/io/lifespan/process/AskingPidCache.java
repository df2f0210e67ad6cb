package io.lifespan.process;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.SystemPid;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Without a witness nothing is cached: a fork shows in another pid, at each question. */
final class AskingPidCache implements PidCache {

  private final AtomicLong last = new AtomicLong(ForkWord.NONE);
  private final Unavailable cause;

  AskingPidCache(Unavailable cause) {
    this.cause = cause;
    ask();
  }

  @Override
  public int pid() {
    return ForkWord.pid(ask());
  }

  @Override
  public int forkGeneration() {
    return ForkWord.generation(ask());
  }

  @Override
  public long savedCalls() {
    return 0;
  }

  @Override
  public Optional<Unavailable> unavailability() {
    return Optional.of(cause);
  }

  private long ask() {
    int pid = SystemPid.get();
    long known = last.get();
    if (ForkWord.pid(known) == pid) {
      return known;
    }
    long answer = ForkWord.child(known, pid);
    return last.compareAndSet(known, answer) ? answer : last.get();
  }
}
