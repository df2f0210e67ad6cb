package io.lifespan.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which events are wanted: the value of {@code lifespan.events}.
 *
 * @param kinds the kinds wanted; never empty
 * @param failedExitsOnly of exits, only those with a status other than 0
 */
public record EventSelection(Set<EventKind> kinds, boolean failedExitsOnly) {

  /** The name that stands for {@link EventKind#EXIT} with {@link #failedExitsOnly}. */
  public static final String NONZERO_EXIT = "nonzero_exit";

  /** Every kind of event. */
  public static final EventSelection ALL =
      new EventSelection(EnumSet.allOf(EventKind.class), false);

  public EventSelection {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("no kinds of event");
    }
    kinds = Collections.unmodifiableSet(EnumSet.copyOf(kinds));
  }

  /** True if a process's whole life is seen: fork, exec and every exit. */
  public boolean tracksLives() {
    return kinds.containsAll(EnumSet.of(EventKind.FORK, EventKind.EXEC, EventKind.EXIT))
        && !failedExitsOnly;
  }

  /** Every name that a selection may be made of. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    for (EventKind kind : EventKind.values()) {
      names.add(kind.settingName());
    }
    names.add(NONZERO_EXIT);
    return names;
  }

  /**
   * The selection of the given names; {@code exit} beside {@code nonzero_exit} gives every exit.
   * Empty if a name is unknown or none is given.
   */
  public static Optional<EventSelection> of(List<String> names) {
    EnumSet<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    boolean failedOnly = false;
    for (String name : names) {
      if (name.equals(NONZERO_EXIT)) {
        failedOnly = true;
        continue;
      }
      try {
        kinds.add(EventKind.valueOf(name.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException unknown) {
        return Optional.empty();
      }
    }
    failedOnly &= !kinds.contains(EventKind.EXIT);
    if (failedOnly) {
      kinds.add(EventKind.EXIT);
    }
    return kinds.isEmpty() ? Optional.empty() : Optional.of(new EventSelection(kinds, failedOnly));
  }

  /** The names, comma-separated, as the setting takes them. */
  @Override
  public String toString() {
    return kinds.stream()
        .map(kind -> kind == EventKind.EXIT && failedExitsOnly ? NONZERO_EXIT : kind.settingName())
        .collect(Collectors.joining(","));
  }
}
