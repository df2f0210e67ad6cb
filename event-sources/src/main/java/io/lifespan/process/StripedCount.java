package io.lifespan.process;

/**
 * A count that costs a plain addition: threads add to different cells, and two threads that share
 * one may lose each other's additions. It may be too low, never too high. Compared with nobody; a
 * record for the reason that {@link WitnessedPidCache} gives.
 */
@SuppressWarnings("ArrayRecordComponent")
record StripedCount(long[] cells) {

  /** A power of two, so that few of the threads that run at once share a cell. */
  private static final int CELLS = 64;

  /** Longs between cells: two cache lines, because processors fetch them in pairs. */
  private static final int STRIDE = 16;

  StripedCount() {
    this(new long[CELLS * STRIDE]);
  }

  void add() {
    cells[((int) Thread.currentThread().getId() & CELLS - 1) * STRIDE]++;
  }

  long sum() {
    long sum = 0;
    for (int i = 0; i < cells.length; i += STRIDE) {
      sum += cells[i];
    }
    return sum;
  }
}
