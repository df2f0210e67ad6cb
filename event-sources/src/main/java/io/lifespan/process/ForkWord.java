package io.lifespan.process;

/** A pid and a fork generation in one 64-bit word, {@code generation << 32 | pid}: never 0. */
final class ForkWord {

  /** Before the first pid is known: what follows it is generation 0. */
  static final long NONE = of(-1, 0);

  private ForkWord() {}

  static long of(int generation, int pid) {
    return (long) generation << Integer.SIZE | Integer.toUnsignedLong(pid);
  }

  static int pid(long word) {
    return (int) word;
  }

  static int generation(long word) {
    return (int) (word >>> Integer.SIZE);
  }

  /** The word of a child of the process that {@code word} stands for. */
  static long child(long word, int pid) {
    return of(generation(word) + 1, pid);
  }
}
