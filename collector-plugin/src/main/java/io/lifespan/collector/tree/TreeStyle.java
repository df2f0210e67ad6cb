package io.lifespan.collector.tree;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the tree may look where it is printed.
 *
 * @param columns how wide a line may be
 * @param colour whether failed processes are red
 * @param unicode whether lines and bars may be more than ASCII
 */
public record TreeStyle(int columns, boolean colour, boolean unicode) {

  private static final int MIN_COLUMNS = 40;
  private static final int MAX_COLUMNS = 200;
  private static final int PIPED_COLUMNS = 120;

  /**
   * The style for standard error.
   *
   * @param environment NO_COLOR, TERM, COLUMNS and the locale's variables count
   * @param terminalColumns the width of the terminal; null if it is none
   */
  public static TreeStyle of(Map<String, String> environment, @Nullable Integer terminalColumns) {
    boolean noColour =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || "dumb".equals(environment.get("TERM"));
    int columns = terminalColumns == null || terminalColumns == 0 ? PIPED_COLUMNS : terminalColumns;
    return new TreeStyle(
        Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, columns)),
        terminalColumns != null && !noColour,
        isUnicode(environment));
  }

  /** True unless the locale names another encoding: terminals without a locale show UTF-8 too. */
  private static boolean isUnicode(Map<String, String> environment) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String value = environment.getOrDefault(name, "").toLowerCase(Locale.ROOT);
      if (!value.isEmpty()) {
        return value.contains("utf-8") || value.contains("utf8");
      }
    }
    return true;
  }
}
