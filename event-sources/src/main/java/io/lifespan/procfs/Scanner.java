package io.lifespan.procfs;

/**
 * Goes once through a part of some bytes, word by word. Whatever is not as asked for makes it
 * {@link #failed()}, once and for all: to be looked at before the values are used.
 */
final class Scanner {

  private static final long LARGEST_TENTH = Long.MAX_VALUE / 10;

  private final byte[] bytes;
  private final int end;
  private int position;
  private boolean failed;

  Scanner(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /** True if something was missing, was not a number, or did not fit. */
  boolean failed() {
    return failed;
  }

  boolean hasNext() {
    while (position < end && isBlank(bytes[position])) {
      position++;
    }
    return position < end;
  }

  /** Takes a word of one character. */
  char character() {
    if (!hasNext()) {
      failed = true;
      return 0;
    }
    char character = (char) (bytes[position++] & 0xff);
    failed |= !atWordEnd();
    return character;
  }

  void skip(int words) {
    for (int i = 0; i < words && hasNext(); i++) {
      while (!atWordEnd()) {
        position++;
      }
    }
  }

  /** Takes a decimal number of 32 bits with sign. */
  int decimalInt() {
    long value = decimal();
    failed |= value != (int) value;
    return (int) value;
  }

  /** Takes a decimal number of 64 bits with sign. */
  long decimal() {
    boolean negative = hasNext() && bytes[position] == '-';
    if (negative) {
      position++;
    }
    long value = 0;
    failed |= atWordEnd();
    while (!atWordEnd()) {
      int digit = bytes[position++] - '0';
      if (digit < 0 || digit > 9 || value > LARGEST_TENTH) {
        failed = true;
        return 0;
      }
      value = value * 10 + digit;
      if (value < 0) {
        failed = true;
        return 0;
      }
    }
    return negative ? -value : value;
  }

  /** Takes the {@code 0x} before a hexadecimal number. */
  void hexadecimalPrefix() {
    if (hasNext() && position + 1 < end && bytes[position] == '0' && bytes[position + 1] == 'x') {
      position += 2;
    } else {
      failed = true;
    }
  }

  /** Takes a hexadecimal number of 64 bits without sign. */
  long hexadecimal() {
    long value = 0;
    failed |= !hasNext();
    while (!atWordEnd()) {
      int digit = Character.digit(bytes[position++], 16);
      if (digit < 0 || value >>> 60 != 0) {
        failed = true;
        return 0;
      }
      value = (value << 4) | digit;
    }
    return value;
  }

  private boolean atWordEnd() {
    return position == end || isBlank(bytes[position]);
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n';
  }
}
