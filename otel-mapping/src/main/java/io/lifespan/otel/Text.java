package io.lifespan.otel;

import io.lifespan.procfs.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Makes text of bytes for which the kernel promises no encoding, so that it can be exported, read,
 * and undone.
 *
 * <p>Bytes that are valid UTF-8 stay what they are. A byte that is not, and every byte of a control
 * character (C0, DEL, C1), of a line or paragraph separator and of a character that reorders text,
 * becomes {@code \xHH} with lower-case digits. A backslash stays a backslash, unless it would then
 * read as such an escape: it becomes {@code \x5c}. So text full of backslashes is readable, and
 * whoever replaces each {@code \xHH} by its byte has the bytes back.
 */
public final class Text {

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Text() {}

  /** The whole text of the bytes. */
  public static String of(Bytes bytes) {
    return of(bytes.array(), bytes.length());
  }

  /**
   * The text of the bytes; of more than {@code limit} bytes only the beginning, cut between two
   * characters, and what was cut is said: {@code beginning…[5000 bytes]}.
   */
  public static String of(Bytes bytes, int limit) {
    return bytes.length() <= limit
        ? of(bytes)
        : of(bytes.array(), boundary(bytes.array(), limit)) + cutMark(bytes.length());
  }

  /**
   * A text of at most {@code limit} characters, cut as {@link #of(Bytes, int)} cuts, its full
   * length given.
   */
  static String cut(String text, int limit, int fullLength) {
    if (text.length() <= limit) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
    return text.substring(0, end) + cutMark(fullLength);
  }

  /** The bytes that a text was made of, if it was not cut. */
  static Bytes bytes(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[encoded.length];
    int length = 0;
    for (int i = 0; i < encoded.length; i++) {
      if (isEscape(encoded, i, encoded.length)) {
        bytes[length++] = (byte) ((digit(encoded[i + 2]) << 4) | digit(encoded[i + 3]));
        i += 3;
      } else {
        bytes[length++] = encoded[i];
      }
    }
    return new Bytes(Arrays.copyOf(bytes, length));
  }

  private static String cutMark(int fullLength) {
    return "…[" + fullLength + " bytes]";
  }

  private static String of(byte[] bytes, int end) {
    int plain = 0;
    while (plain < end && bytes[plain] >= ' ' && bytes[plain] != 0x7f && bytes[plain] != '\\') {
      plain++;
    }
    return plain == end
        ? new String(bytes, 0, end, StandardCharsets.ISO_8859_1)
        : escaped(bytes, end);
  }

  private static String escaped(byte[] bytes, int end) {
    StringBuilder text = new StringBuilder(end + 16);
    for (int i = 0; i < end; ) {
      int length = Utf8.length(bytes, i, end);
      int codePoint = length == 0 ? 0 : Utf8.codePoint(bytes, i, length);
      if (length == 0) {
        escape(text, bytes[i++]);
      } else if (mustBeEscaped(codePoint) || isEscape(bytes, i, end)) {
        for (int k = 0; k < length; k++) {
          escape(text, bytes[i++]);
        }
      } else {
        text.appendCodePoint(codePoint);
        i += length;
      }
    }
    return text.toString();
  }

  private static void escape(StringBuilder text, byte b) {
    text.append("\\x").append(HEX[b >> 4 & 0xf]).append(HEX[b & 0xf]);
  }

  private static boolean mustBeEscaped(int codePoint) {
    return codePoint < ' '
        || (codePoint >= 0x7f && codePoint <= 0x9f)
        || (codePoint >= 0x2028 && codePoint <= 0x202e)
        || (codePoint >= 0x2066 && codePoint <= 0x2069);
  }

  /** True if the bytes, read as text, would be taken for an escape. */
  private static boolean isEscape(byte[] bytes, int at, int end) {
    return at + 3 < end
        && bytes[at] == '\\'
        && bytes[at + 1] == 'x'
        && digit(bytes[at + 2]) >= 0
        && digit(bytes[at + 3]) >= 0;
  }

  private static int digit(byte b) {
    return b >= '0' && b <= '9' ? b - '0' : b >= 'a' && b <= 'f' ? b - 'a' + 10 : -1;
  }

  /** The last place at or before {@code limit} that does not lie within a character. */
  private static int boundary(byte[] bytes, int limit) {
    int start = limit;
    while (start > 0 && limit - start < 3 && (bytes[start] & 0xc0) == 0x80) {
      start--;
    }
    int length = Utf8.length(bytes, start, bytes.length);
    return start + length > limit ? start : limit;
  }
}
