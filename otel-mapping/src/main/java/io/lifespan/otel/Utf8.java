package io.lifespan.otel;

/** Well-formed UTF-8 sequences, as table 3-7 of the Unicode standard defines them. */
final class Utf8 {

  private Utf8() {}

  /** Length of the character that begins here, 1 to 4 bytes; 0 if no well-formed one does. */
  static int length(byte[] bytes, int at, int end) {
    int first = at < end ? bytes[at] & 0xff : 0xff;
    if (first < 0x80) {
      return 1;
    }
    int length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || at + length > end) {
      return 0;
    }
    int second = bytes[at + 1] & 0xff;
    int lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /** The character in a well-formed sequence of this length. */
  static int codePoint(byte[] bytes, int at, int length) {
    int codePoint = length == 1 ? bytes[at] : bytes[at] & (0xff >> (length + 1));
    for (int i = 1; i < length; i++) {
      codePoint = (codePoint << 6) | (bytes[at + i] & 0x3f);
    }
    return codePoint;
  }
}
