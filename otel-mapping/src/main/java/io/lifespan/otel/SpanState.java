package io.lifespan.otel;

/** What is kept of a process while it lives: attached to it. */
final class SpanState {

  private SpanPlace place;

  SpanState(SpanPlace place) {
    this.place = place;
  }

  SpanPlace place() {
    return place;
  }

  void move(SpanPlace newPlace) {
    place = newPlace;
  }
}
