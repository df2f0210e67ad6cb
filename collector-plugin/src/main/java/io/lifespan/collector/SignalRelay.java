package io.lifespan.collector;

import io.lifespan.libc.SignalGate;
import io.lifespan.libc.SignalSet;
import io.lifespan.libc.SystemCallException;

/**
 * Passes signals on to the command: those that somebody sent to this process alone. What the
 * terminal sends, it sends to the whole foreground group, and the command has it already. Once the
 * command has ended, any signal ends the waiting for its descendants.
 */
final class SignalRelay {

  private static final int POLL_MILLIS = 60_000;

  private final int commandPid;
  private final Thread thread;
  private volatile boolean commandEnded;
  private volatile boolean waitingEnded;

  /**
   * @param commandPid a child of this process, not yet waited for
   */
  SignalRelay(int commandPid) {
    this.commandPid = commandPid;
    thread = new Thread(this::relay, "lifespan-signals");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The command is no more: nothing is passed on to it any longer. */
  void commandEnded() {
    commandEnded = true;
  }

  /** True if a signal has come after the command's end. */
  boolean waitingEnded() {
    return waitingEnded;
  }

  private void relay() {
    SignalGate gate = new SignalGate(SignalSet.FORWARDED);
    while (true) {
      try {
        SignalGate.Received signal = gate.await(POLL_MILLIS);
        if (signal == null) {
          continue;
        }
        if (commandEnded) {
          waitingEnded = true;
        } else if (!signal.fromKernel()) {
          SignalGate.send(commandPid, signal.number());
        }
      } catch (SystemCallException e) {
        System.err.println("lifespan: a signal was not passed on: " + e.getMessage());
      }
    }
  }
}
