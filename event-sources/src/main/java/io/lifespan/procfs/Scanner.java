package io.lifespan.procfs;

/**
 * Goes once through a part of some bytes, word by word. Whatever is not as asked for makes it
 * {@link #failed()}, once and for all: to be looked at before the values are used.
 */
final class Scanner {

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
    long value = digits(10);
    return negative ? -value : value;
  }

  /** Takes a hexadecimal number of 64 bits without sign. */
  long hexadecimal() {
    hasNext();
    return digits(16);
  }

  private long digits(int radix) {
    long value = 0;
    failed |= atWordEnd();
    long largest = Long.divideUnsigned(radix == 16 ? -1 : Long.MAX_VALUE, radix);
    while (!atWordEnd()) {
      int digit = Character.digit(bytes[position++], radix);
      if (digit < 0 || Long.compareUnsigned(value, largest) > 0) {
        failed = true;
        return 0;
      }
      value = value * radix + digit;
      if (radix == 10 && value < 0) {
        failed = true;
        return 0;
      }
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
