package io.lifespan.otel;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks what a user's own patterns match. A pattern can take time without end on a text that was
 * made for it, and any process can make such texts: each gets so many steps, and a text that needs
 * more is masked whole.
 */
final class ExtraPatterns {

  private static final int STEPS = 100_000;

  private final List<Pattern> patterns;
  private final String mask;

  ExtraPatterns(List<Pattern> patterns, String mask) {
    this.patterns = patterns;
    this.mask = mask;
  }

  boolean isEmpty() {
    return patterns.isEmpty();
  }

  String mask(String text) {
    String masked = text;
    for (Pattern pattern : patterns) {
      try {
        masked = mask(masked, pattern.matcher(new CountedText(masked)));
      } catch (TooManyStepsException | StackOverflowError tooCostly) {
        return mask;
      }
    }
    return masked;
  }

  private String mask(String text, Matcher matcher) {
    StringBuilder masked = null;
    int copied = 0;
    int group = matcher.groupCount() == 0 ? 0 : 1;
    while (matcher.find()) {
      int start = matcher.start(group);
      int end = matcher.end(group);
      if (start < 0 || start == end || start < copied) {
        continue;
      }
      masked = masked == null ? new StringBuilder(text.length()) : masked;
      masked.append(text, copied, start).append(mask);
      copied = end;
    }
    return masked == null ? text : masked.append(text, copied, text.length()).toString();
  }

  /** A text that may be looked at so many times. */
  private static final class CountedText implements CharSequence {
    private final String text;
    private int stepsLeft = STEPS;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (--stepsLeft < 0) {
        throw new TooManyStepsException();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static final class TooManyStepsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyStepsException() {
      super("a pattern took too long", null, false, false);
    }
  }
}
