package io.lifespan.collector;

/**
 * One thing that the doctor found.
 *
 * @param subject what it is about, in a word
 * @param text what was found, for a person
 */
record Finding(String subject, Status status, String text) {

  /** What it means for Lifespan. */
  enum Status {
    /** Only told. */
    INFO("info"),
    OK("ok"),
    /** Something will be missing. */
    DEGRADED("degraded"),
    /** Lifespan cannot work. */
    BROKEN("broken");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  static Finding info(String subject, String text) {
    return new Finding(subject, Status.INFO, text);
  }

  static Finding ok(String subject, String text) {
    return new Finding(subject, Status.OK, text);
  }

  static Finding degraded(String subject, String text) {
    return new Finding(subject, Status.DEGRADED, text);
  }

  static Finding broken(String subject, String text) {
    return new Finding(subject, Status.BROKEN, text);
  }
}
