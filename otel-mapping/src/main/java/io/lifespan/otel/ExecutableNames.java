package io.lifespan.otel;

import io.lifespan.process.Image;
import io.lifespan.procfs.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The names of executables that metrics keep apart: a bounded number. All that come when it is
 * reached are {@link #OTHER}, until names have gone out of use. Owned by the process table's
 * thread.
 */
final class ExecutableNames {

  static final String OTHER = "_OTHER_";
  static final String UNKNOWN = "_UNKNOWN_";

  private static final int MAX_LENGTH = 64;

  private final int max;
  private final Redactor redactor;
  private final Map<Bytes, String> names = new HashMap<>();

  ExecutableNames(int max, Redactor redactor) {
    this.max = max;
    this.redactor = redactor;
  }

  int size() {
    return names.size();
  }

  /** The name of what a process runs. */
  String of(Image image) {
    Bytes raw = image.executableName();
    if (raw == null) {
      return UNKNOWN;
    }
    String known = names.get(raw);
    if (known != null) {
      return known;
    }
    if (names.size() >= max) {
      return OTHER;
    }
    String name = text(raw);
    names.put(raw, name);
    return name;
  }

  /** A name as it may leave the machine; from any thread. */
  String text(Bytes raw) {
    return redactor.text(Text.of(raw, MAX_LENGTH));
  }

  /** Forgets every other name. */
  void keepOnly(Set<String> used) {
    names.values().retainAll(used);
  }
}
