package io.lifespan.event;

import io.lifespan.libc.Errno;
import org.jspecify.annotations.Nullable;

/**
 * Why a source cannot work here. This is what {@code lifespan doctor} and the start of the agent
 * print.
 *
 * @param call what was tried, for example {@code send(PROC_CN_MCAST_LISTEN)}
 * @param errno the error number it gave; null if it failed without one (no answer, no event)
 * @param cause what is wrong, in a sentence without a full stop
 * @param remedy what the reader can do about it, in a sentence without a full stop
 */
public record Unavailable(String call, @Nullable Errno errno, String cause, String remedy) {

  /** One line: cause, call with errno, remedy. */
  @Override
  public String toString() {
    return cause + " (" + call + (errno == null ? "" : ": " + errno.symbol()) + "); " + remedy;
  }
}
