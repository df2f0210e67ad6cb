package io.lifespan.otel;

/** Which part of an option's value is the secret. */
enum SecretPart {
  /** All of it. */
  WHOLE,
  /** What follows the first colon: {@code user:password}. */
  AFTER_COLON,
  /** What follows the first percent sign: {@code user%password}. */
  AFTER_PERCENT,
  /** What follows the first comma: {@code user,password}. */
  AFTER_COMMA,
  /** What follows the first equals sign: {@code name=secret}. */
  AFTER_EQUALS,
  /** What is between a slash and an at sign, if any: {@code user/password@database}. */
  SLASH_TO_AT;

  /** The value with its secret part replaced. */
  String mask(String value, String mask) {
    if (this == SLASH_TO_AT) {
      return maskBeforeAt(value, mask);
    }
    char separator =
        switch (this) {
          case WHOLE, SLASH_TO_AT -> 0;
          case AFTER_COLON -> ':';
          case AFTER_PERCENT -> '%';
          case AFTER_COMMA -> ',';
          case AFTER_EQUALS -> '=';
        };
    int from = separator == 0 ? 0 : value.indexOf(separator) + 1;
    boolean none = from == value.length() || (separator != 0 && from == 0);
    return none ? value : value.substring(0, from) + mask;
  }

  private static String maskBeforeAt(String value, String mask) {
    int from = value.indexOf('/') + 1;
    int at = value.indexOf('@');
    int to = Math.max(value.lastIndexOf('@'), from);
    if (from == 0 || from == value.length() || (at >= 0 && at < from)) {
      return value;
    }
    return value.substring(0, from) + mask + (to == from ? "" : value.substring(to));
  }
}
