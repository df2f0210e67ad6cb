package io.lifespan.procfs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Picks the variables of the allow-list out of an environment that comes in pieces, and forgets
 * everything else at once. Kept is {@code NAME=value} for each, ended by a NUL, in the order of the
 * environment.
 *
 * <p>Not thread-safe; made once and used for one environment after the other.
 */
public final class EnvironSelector {

  /** The only variables that are ever read out of another process's environment. */
  public static final List<String> ALLOWED =
      List.of("TRACEPARENT", "TRACESTATE", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES");

  private static final byte[][] NAMES =
      ALLOWED.stream()
          .map(name -> (name + "=").getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);
  private static final int ALL_NAMES = (1 << NAMES.length) - 1;
  private static final int INITIAL_CAPACITY = 512;

  private final int limit;
  private byte[] kept;
  private int length;
  private int variableStart;
  private boolean truncated;
  private State state = State.NAME;

  /** The names that the variable at hand may still turn out to have, a bit each. */
  private int candidates = ALL_NAMES;

  /** How many bytes of its name have gone by. */
  private int position;

  private enum State {
    /** The name of the variable at hand is being compared. */
    NAME,
    /** It is on the list: its value is being copied. */
    KEEP,
    /** It is not on the list, or too long: skipped up to its NUL. */
    SKIP
  }

  /**
   * @param limit how many bytes are kept at most; a variable that does not fit is left out whole
   */
  public EnvironSelector(int limit) {
    this.limit = limit;
    kept = new byte[Math.min(limit, INITIAL_CAPACITY)];
  }

  /** Takes the next piece of the environment: the first {@code size} bytes of an array. */
  public void feed(byte[] piece, int size) {
    for (int i = 0; i < size; i++) {
      byte b = piece[i];
      if (b == 0) {
        endVariable();
      } else if (state == State.NAME) {
        compareName(b);
      } else if (state == State.KEEP) {
        append(b);
      }
    }
  }

  /** Says that the rest of the environment will not come: the variable at hand is incomplete. */
  public void cut() {
    truncated = true;
    state = State.SKIP;
  }

  /** True if a variable on the list is missing, or may be, since it or the whole was too long. */
  public boolean truncated() {
    return truncated;
  }

  /** Gives what was kept, and gets ready for the next environment. */
  public Bytes finish() {
    endVariable();
    Bytes result = length == 0 ? Bytes.EMPTY : new Bytes(Arrays.copyOf(kept, length));
    length = 0;
    variableStart = 0;
    truncated = false;
    return result;
  }

  private void compareName(byte b) {
    for (int i = 0; i < NAMES.length; i++) {
      if ((candidates & 1 << i) == 0) {
        continue;
      }
      if (NAMES[i][position] != b) {
        candidates &= ~(1 << i);
      } else if (position == NAMES[i].length - 1) {
        state = State.KEEP;
        for (byte of : NAMES[i]) {
          append(of);
        }
        return;
      }
    }
    position++;
    if (candidates == 0) {
      state = State.SKIP;
    }
  }

  private void append(byte b) {
    if (length == limit) {
      cut();
      return;
    }
    if (length == kept.length) {
      kept = Arrays.copyOf(kept, Math.min(limit, length * 2));
    }
    kept[length++] = b;
  }

  private void endVariable() {
    if (state == State.KEEP) {
      append((byte) 0);
    }
    if (state == State.KEEP) {
      variableStart = length;
    } else {
      length = variableStart;
    }
    state = State.NAME;
    candidates = ALL_NAMES;
    position = 0;
  }
}
