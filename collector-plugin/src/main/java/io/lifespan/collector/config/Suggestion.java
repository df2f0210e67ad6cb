package io.lifespan.collector.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** "Did you mean": the known name that a misspelt one is nearest to. */
public final class Suggestion {

  private Suggestion() {}

  /**
   * The known name nearest to a word, ignoring case; null if none is near: more than a third would
   * have to change.
   */
  public static @Nullable String nearest(String word, Collection<String> known) {
    String best = null;
    int least = Math.max(2, word.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best;
  }

  /** {@code "; did you mean NAME?"}, or nothing if no name is near. */
  public static String text(String word, Collection<String> known) {
    String nearest = nearest(word, known);
    return nearest == null ? "" : "; did you mean " + nearest + "?";
  }

  /** How many letters must be put in, left out, replaced, or swapped with their neighbour. */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least =
            Math.min(cost[i - 1][j - 1] + change, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = least;
      }
    }
    return cost[a.length()][b.length()];
  }
}
