package io.lifespan.event;

/**
 * Takes events as a source reads them. Called on the source's thread: must neither block nor throw.
 */
@FunctionalInterface
public interface EventSink {
  /** Takes one event; one that cannot be kept is counted by the sink, never waited for. */
  void accept(ProcessEvent event);
}
