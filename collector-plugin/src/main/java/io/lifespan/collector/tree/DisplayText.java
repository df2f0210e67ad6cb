package io.lifespan.collector.tree;

/**
 * Text by the columns it takes on a terminal: none for a combining mark, two for a wide character
 * of East Asia or an emoji, one for all others. An approximation of the Unicode width tables, good
 * enough to keep columns straight.
 */
final class DisplayText {

  private DisplayText() {}

  /** How many columns a text takes. */
  static int width(String text) {
    return text.codePoints().map(DisplayText::width).sum();
  }

  /** The text cut to so many columns; what was cut off shows as the mark, which counts as one. */
  static String cut(String text, int columns, char mark) {
    if (width(text) <= columns) {
      return text;
    }
    if (columns <= 0) {
      return "";
    }
    StringBuilder kept = new StringBuilder(columns + 1);
    int used = 0;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      used += width(codePoint);
      if (used > columns - 1) {
        break;
      }
      kept.appendCodePoint(codePoint);
      i += Character.charCount(codePoint);
    }
    return kept.append(mark).toString();
  }

  /** Appends blanks up to so many columns. */
  static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - width(text)));
  }

  private static int width(int codePoint) {
    if (codePoint < 0x300) {
      return 1;
    }
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    return isWide(codePoint) ? 2 : 1;
  }

  private static boolean isWide(int codePoint) {
    return between(codePoint, 0x1100, 0x115f)
        || between(codePoint, 0x2e80, 0x303e)
        || between(codePoint, 0x3041, 0xa4cf)
        || between(codePoint, 0xac00, 0xd7a3)
        || between(codePoint, 0xf900, 0xfaff)
        || between(codePoint, 0xfe30, 0xfe6f)
        || between(codePoint, 0xff00, 0xff60)
        || between(codePoint, 0xffe0, 0xffe6)
        || between(codePoint, 0x1f300, 0x1f64f)
        || between(codePoint, 0x1f680, 0x1f6ff)
        || between(codePoint, 0x1f900, 0x1f9ff)
        || between(codePoint, 0x20000, 0x3fffd);
  }

  private static boolean between(int codePoint, int first, int last) {
    return codePoint >= first && codePoint <= last;
  }
}
