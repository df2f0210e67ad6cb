package io.lifespan.otel;

import io.lifespan.process.Image;
import io.opentelemetry.api.trace.SpanContext;
import org.jspecify.annotations.Nullable;

/** What is kept of a process while it lives: attached to it. */
final class SpanState {

  private final @Nullable SpanContext givenToParent;
  private final @Nullable UserIds userAtStart;
  private SpanPlace place;
  private @Nullable SpanContext given;
  private LazyCommand command;
  private boolean kernelThread;
  private final Lifeline life = new Lifeline();
  private final @Nullable Lifeline parentLife;
  private boolean startTold;
  private @Nullable SpanNotes notes;

  /**
   * @param parent what is kept of the process that made it; null if that is unknown or has no span
   * @param userAtStart who it ran as when it was made
   */
  SpanState(
      SpanPlace place, Image image, @Nullable SpanState parent, @Nullable UserIds userAtStart) {
    this.place = place;
    this.givenToParent = parent == null ? null : parent.given;
    this.given = givenToParent;
    this.userAtStart = userAtStart;
    this.parentLife = parent == null ? null : parent.life;
    this.kernelThread = parent != null && parent.kernelThread;
    this.command =
        parent != null && parent.command.isOf(image) ? parent.command : new LazyCommand(image);
  }

  SpanPlace place() {
    return place;
  }

  void move(SpanPlace newPlace) {
    place = newPlace;
  }

  /** The span that its TRACEPARENT names, as far as its environment was seen. */
  @Nullable SpanContext given() {
    return given;
  }

  void setGiven(@Nullable SpanContext newGiven) {
    given = newGiven;
  }

  /** The span that its parent's TRACEPARENT named when this process was made. */
  @Nullable SpanContext givenToParent() {
    return givenToParent;
  }

  /** Who it ran as when it was made; null if unknown. */
  @Nullable UserIds userAtStart() {
    return userAtStart;
  }

  /** Its end, for its children. */
  Lifeline life() {
    return life;
  }

  /** When the process that made it ended, in nanoseconds of CLOCK_MONOTONIC; null if unknown. */
  @Nullable Long parentEndNanos() {
    return parentLife == null ? null : parentLife.endNanos();
  }

  /** True for a thread of the kernel's own: none has executed a program. */
  boolean isKernelThread() {
    return kernelThread;
  }

  void setKernelThread(boolean value) {
    kernelThread = value;
  }

  /** True the first time. */
  boolean tellStart() {
    boolean first = !startTold;
    startTold = true;
    return first;
  }

  /** What others observed of its life; null if nothing. */
  @Nullable SpanNotes notes() {
    return notes;
  }

  /** As {@link #notes}, made if there are none. */
  SpanNotes makeNotes() {
    if (notes == null) {
      notes = new SpanNotes();
    }
    return notes;
  }

  /** What an image says, shared among all that run it. */
  LazyCommand command(Image image) {
    if (!command.isOf(image)) {
      command = new LazyCommand(image);
    }
    return command;
  }
}
