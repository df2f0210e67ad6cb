package io.lifespan.event;

/** A source that was asked to open cannot work here. */
public final class UnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Unavailable unavailable;

  public UnavailableException(Unavailable unavailable) {
    super(unavailable.toString());
    this.unavailable = unavailable;
  }

  /** The cause and the remedy. */
  public Unavailable unavailable() {
    return unavailable;
  }
}
