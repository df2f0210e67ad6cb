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
  AFTER_EQUALS;

  /** The value with its secret part replaced. */
  String mask(String value, String mask) {
    char separator =
        switch (this) {
          case WHOLE -> 0;
          case AFTER_COLON -> ':';
          case AFTER_PERCENT -> '%';
          case AFTER_COMMA -> ',';
          case AFTER_EQUALS -> '=';
        };
    int from = separator == 0 ? 0 : value.indexOf(separator) + 1;
    boolean none = from == value.length() || (separator != 0 && from == 0);
    return none ? value : value.substring(0, from) + mask;
  }
}
