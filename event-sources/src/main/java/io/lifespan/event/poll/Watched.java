package io.lifespan.event.poll;

/** A process that was found. */
final class Watched {

  static final int NONE = -1;

  final int pid;
  final long startTicks;

  /** A descriptor that tells of its end; {@link #NONE} if there is none. */
  int pidFd;

  Identity identity;

  /** The last look that showed it. */
  int seen;

  /** When it ended; only if {@link #ended}. */
  long endNanos;

  boolean ended;

  /** True once its end was told. */
  boolean told;

  /** How often it was looked at again since it was found, while it is young. */
  int checks;

  long nextCheckNanos;

  Watched(int pid, long startTicks, int pidFd, Identity identity, int seen) {
    this.pid = pid;
    this.startTicks = startTicks;
    this.pidFd = pidFd;
    this.identity = identity;
    this.seen = seen;
  }
}
