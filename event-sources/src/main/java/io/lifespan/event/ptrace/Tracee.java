package io.lifespan.event.ptrace;

/**
 * A thread that is followed; one whose {@link #tid} is its {@link #tgid} stands for its process.
 */
final class Tracee {

  final int tid;
  final int tgid;

  /** The process that would be told of its end by now; changes when that one ends first. */
  int parentTgid;

  /** Processes that it made or adopted and that are alive. Only of first threads. */
  int liveChildren;

  Tracee(int tid, int tgid, int parentTgid) {
    this.tid = tid;
    this.tgid = tgid;
    this.parentTgid = parentTgid;
  }

  boolean isProcess() {
    return tid == tgid;
  }
}
