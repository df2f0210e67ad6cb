package io.lifespan.collector.tree;

import io.lifespan.libc.Signal;
import io.lifespan.process.WaitStatus;

/**
 * How a process ended, as the tree shows it.
 *
 * @param text what is printed; empty for plain success
 * @param failed true if it ended with a code other than 0 or by a signal
 */
record Outcome(String text, boolean failed) {

  static final Outcome SUCCESS = new Outcome("", false);
  static final Outcome RUNNING = new Outcome("running", false);
  static final Outcome UNKNOWN = new Outcome("end unknown", false);

  /** The outcome of a known status: {@code exit 1}, {@code SIGSEGV, core dumped}. */
  static Outcome of(WaitStatus status) {
    if (status.signaled()) {
      String signal = Signal.name(status.signal());
      return new Outcome(status.coreDumped() ? signal + ", core dumped" : signal, true);
    }
    return status.success() ? SUCCESS : new Outcome("exit " + status.exitCode(), true);
  }
}
