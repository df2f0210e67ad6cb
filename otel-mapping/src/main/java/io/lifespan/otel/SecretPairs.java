package io.lifespan.otel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Secrets in running text that are known by what stands before them: {@code name=value}, {@code
 * "name": "value"}, headers, the password of a URL.
 */
final class SecretPairs {

  private static final Pattern URL_PASSWORD =
      Pattern.compile("(://[^\\s/?#:@'\"]{0,256}+:)[^\\s/?#'\"]{1,512}@");

  /** A user alone is no secret, unless it is as long as a token. */
  private static final Pattern URL_TOKEN = Pattern.compile("(://)[^\\s/?#:@'\"]{20,512}+@");

  private static final Pattern SCHEME =
      Pattern.compile(
          "(?i)(\\bbearer\\s{1,8}+)[A-Za-z0-9._~+/=-]{6,}+"
              + "|(\\bbasic\\s{1,8}+)(?=[A-Za-z0-9+/]{0,2000}+(?:=|\\b))(?=[A-Za-z+/]{0,200}+[0-9=])[A-Za-z0-9+/]{8,}+={0,2}");

  private static final String ENDS = " \t&;,'\"<>(){}[]|";

  private final SecretNames names;
  private final String mask;

  SecretPairs(SecretNames names, String mask) {
    this.names = names;
    this.mask = mask;
  }

  /** The text with every secret that its surroundings give away replaced. */
  String mask(String text) {
    String masked = text;
    if (masked.contains("://")) {
      String keep = "$1" + Matcher.quoteReplacement(mask) + "@";
      masked = URL_PASSWORD.matcher(masked).replaceAll(keep);
      masked = URL_TOKEN.matcher(masked).replaceAll(keep);
    }
    masked = maskNamed(masked);
    return maskSchemes(masked);
  }

  private String maskSchemes(String text) {
    if (text.indexOf(' ') < 0) {
      return text;
    }
    Matcher matcher = SCHEME.matcher(text);
    return matcher.replaceAll(
        match ->
            Matcher.quoteReplacement(
                (match.group(1) == null ? match.group(2) : match.group(1)) + mask));
  }

  private String maskNamed(String text) {
    StringBuilder masked = null;
    int copied = 0;
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c != '=' && c != ':') || i < copied) {
        continue;
      }
      int from = secretStart(text, i);
      if (from < 0) {
        continue;
      }
      int to = secretEnd(text, from, c == ':' && !isQuote(text.charAt(i - 1)));
      if (to == from) {
        continue;
      }
      masked = masked == null ? new StringBuilder(text.length()) : masked;
      masked.append(text, copied, from).append(mask);
      copied = to;
    }
    return masked == null ? text : masked.append(text, copied, text.length()).toString();
  }

  /** Where the secret after a separator begins; -1 if the name before it names none. */
  private int secretStart(String text, int separator) {
    boolean quoted = isQuote(text.charAt(separator - 1));
    int nameEnd = quoted ? separator - 1 : separator;
    if (nameEnd > 0 && text.charAt(nameEnd - 1) == '\\') {
      nameEnd--; // an escaped quote
    }
    int nameStart = nameEnd;
    while (nameStart > 0 && isNamePart(text.charAt(nameStart - 1))) {
      nameStart--;
    }
    int from = separator + 1;
    while (from < text.length() && text.charAt(from) == ' ') {
      from++;
    }
    if (text.charAt(separator) == ':' && !quoted && from == separator + 1) {
      // name:value without a blank is a header only; it may be an image and its tag, or a port
      String name = text.substring(nameStart, nameEnd);
      if (!name.regionMatches(true, 0, "x-", 0, 2)
          && !name.regionMatches(true, 0, "authorization", 0, 13)
          && !name.regionMatches(true, 0, "cookie", 0, 6)) {
        return -1;
      }
    }
    if (text.charAt(separator) == '=' && from > separator + 1) {
      return -1; // a comparison or an empty value
    }
    return names.isSecret(text.substring(nameStart, nameEnd)) ? from : -1;
  }

  /**
   * Where a secret ends: at its closing quote, a header at the end of its line, else at a
   * delimiter.
   */
  private static int secretEnd(String text, int from, boolean header) {
    int start = from;
    char quote = 0;
    if (start < text.length() && text.charAt(start) == '\\') {
      start++;
    }
    if (start < text.length() && isQuote(text.charAt(start))) {
      quote = text.charAt(start);
      start++;
    }
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean end =
          quote != 0
              ? c == quote
              : header ? isQuote(c) || text.startsWith("\\x0", i) : ENDS.indexOf(c) >= 0;
      if (end) {
        return quote != 0 ? i + 1 : i;
      }
    }
    return text.length();
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'';
  }
}
