package io.lifespan.event.connector;

/** Turns the kernel's count of drops, a u32 that wraps around, into losses since the last look. */
final class LossMeter {

  private int last;

  /**
   * @param drops the count at the start
   */
  LossMeter(int drops) {
    last = drops;
  }

  /** How many were dropped since the last call. */
  long since(int drops) {
    long growth = Integer.toUnsignedLong(drops - last);
    last = drops;
    return growth;
  }
}
