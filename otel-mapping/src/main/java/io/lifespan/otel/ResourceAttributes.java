package io.lifespan.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads OTEL_RESOURCE_ATTRIBUTES as OpenTelemetry's resource specification says: {@code key=value}
 * pairs with commas between, percent-encoded UTF-8, all values strings. If any part is wrong, the
 * whole is discarded.
 */
final class ResourceAttributes {

  private static final int MAX_ATTRIBUTES = 64;

  private ResourceAttributes() {}

  /** The attributes; null if the text is wrong anywhere or names too many. */
  static @Nullable Attributes parse(String text) {
    AttributesBuilder attributes = Attributes.builder();
    int count = 0;
    for (int start = 0; start < text.length(); ) {
      int comma = text.indexOf(',', start);
      int end = comma < 0 ? text.length() : comma;
      String pair = text.substring(start, end).trim();
      start = end + 1;
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String key = equals <= 0 ? null : decode(pair.substring(0, equals).trim());
      String value = decode(pair.substring(equals + 1).trim());
      if (key == null || value == null || key.isEmpty() || ++count > MAX_ATTRIBUTES) {
        return null;
      }
      attributes.put(key, value);
    }
    return attributes.build();
  }

  /** Undoes percent-encoding; null if it is broken or not UTF-8. */
  private static @Nullable String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '%') {
        bytes[length++] = bytes[i];
        continue;
      }
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
      if (low < 0) {
        return null;
      }
      bytes[length++] = (byte) ((high << 4) | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
