package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.process.KernelClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An open source and what it has given. */
final class Listening implements AutoCloseable {

  /** More than enough for what takes milliseconds. */
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ConnectorSource source;
  private final List<ProcessEvent> events = new ArrayList<>();

  private Listening(ConnectorSource source) {
    this.source = source;
  }

  static ConnectorOptions options(String... names) {
    EventSelection selection =
        names.length == 0 ? EventSelection.ALL : EventSelection.of(List.of(names)).orElseThrow();
    return ConnectorOptions.defaults(selection, new KernelClock(0, 0, 100));
  }

  static Listening open(ConnectorOptions options) throws UnavailableException {
    return open(options, Subscription.FILTERING_REQUEST);
  }

  static Listening open(ConnectorOptions options, int largestRequest) throws UnavailableException {
    ConnectorSource source = new ConnectorSource(options, new ProcFsReader(), largestRequest);
    source.open();
    return new Listening(source);
  }

  ConnectorSource source() {
    return source;
  }

  List<ProcessEvent> events() {
    return events;
  }

  <T extends ProcessEvent> Stream<T> events(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast);
  }

  long lost() {
    return events(ProcessEvent.Loss.class).mapToLong(ProcessEvent.Loss::count).sum();
  }

  /** Polls until the first event of a type that holds. */
  <T extends ProcessEvent> T first(Class<T> type, Predicate<T> holds) throws IOException {
    int[] looked = {0};
    until(
        () -> {
          while (looked[0] < events.size()) {
            ProcessEvent event = events.get(looked[0]);
            if (type.isInstance(event) && holds.test(type.cast(event))) {
              return true;
            }
            looked[0]++;
          }
          return false;
        });
    return type.cast(events.get(looked[0]));
  }

  /**
   * Polls until a process and the children it was seen to make have exited: a child's exit may be
   * told after that of the parent which reaped it. Returns the children.
   */
  Set<Integer> exitsOfFamily(int parent) throws IOException {
    exit(parent);
    Set<Integer> children =
        events(ProcessEvent.Fork.class)
            .filter(fork -> fork.isProcess() && fork.parentTgid() == parent)
            .map(ProcessEvent.Fork::childPid)
            .collect(Collectors.toSet());
    until(
        () ->
            events(ProcessEvent.Exit.class)
                .map(ProcessEvent.Exit::pid)
                .collect(Collectors.toSet())
                .containsAll(children));
    return children;
  }

  /** Polls until a process's first thread has exited. */
  ProcessEvent.Exit exit(int pid) throws IOException {
    return first(ProcessEvent.Exit.class, event -> event.pid() == pid);
  }

  void until(Condition condition) throws IOException {
    long deadline = System.nanoTime() + BOUND_NANOS;
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("bound of the wait").isLessThan(deadline);
      source.poll(events::add, 100);
    }
  }

  @Override
  public void close() {
    source.close();
  }

  /** What is waited for. */
  interface Condition {
    boolean holds() throws IOException;
  }
}
