package io.lifespan.collector.tail;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes one flat JSON object (RFC 8259). A value that is null is left out. */
public final class JsonObject {

  private final StringBuilder text = new StringBuilder("{");

  /** Adds a text. */
  public void put(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      quote(value);
    }
  }

  /** Adds a number. */
  public void put(String name, @Nullable Number value) {
    if (value != null) {
      name(name);
      text.append(value);
    }
  }

  /** Adds a truth. */
  public void put(String name, boolean value) {
    name(name);
    text.append(value);
  }

  @Override
  public String toString() {
    return text + "}";
  }

  private void name(String name) {
    if (text.length() > 1) {
      text.append(',');
    }
    quote(name);
    text.append(':');
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || (Character.isSurrogate(c) && !isPaired(value, i))) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  private static boolean isPaired(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(value.charAt(at - 1));
  }
}
