package io.lifespan.event.replay;

import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a line: {@code name=value}, apart by one space. Bytes stand as they are where they
 * are printable ASCII; all others, space and % are written %XX.
 */
final class Fields {

  private final Map<String, String> values = new HashMap<>();

  private Fields() {}

  /** Reads the fields of a line, whose first word is passed over. */
  static Fields read(String line) throws MalformedRecordingException {
    Fields fields = new Fields();
    String[] words = line.split(" ", -1);
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals <= 0) {
        throw new MalformedRecordingException("not of the form name=value: " + words[i]);
      }
      fields.values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
    }
    return fields;
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  long number(String name) throws MalformedRecordingException {
    String text = values.get(name);
    try {
      return Long.parseLong(String.valueOf(text));
    } catch (NumberFormatException malformed) {
      throw new MalformedRecordingException(name + " is not a number: " + text);
    }
  }

  int integer(String name) throws MalformedRecordingException {
    return (int) number(name);
  }

  ProcessEvent.Loss.Where where() throws MalformedRecordingException {
    String text = String.valueOf(values.get("where"));
    try {
      return ProcessEvent.Loss.Where.valueOf(text);
    } catch (IllegalArgumentException unknown) {
      throw new MalformedRecordingException("where is nowhere known: " + text);
    }
  }

  Bytes bytes(String name) throws MalformedRecordingException {
    String text = values.get(name);
    if (text == null) {
      throw new MalformedRecordingException(name + " is missing");
    }
    return decode(text);
  }

  /**
   * What was captured: {@code /file=} for each file read, {@code !file=errno} for each that could
   * not be; null if there is none.
   */
  @Nullable ProcCapture capture() throws MalformedRecordingException {
    ProcCapture capture = null;
    for (ProcFile file : ProcFile.values()) {
      String content = values.get("/" + file.fileName());
      String reason = values.get("!" + file.fileName());
      if (content != null || reason != null) {
        capture = capture == null ? new ProcCapture() : capture;
      }
      if (capture != null && content != null) {
        capture.with(file, decode(content));
      } else if (capture != null && reason != null) {
        capture.without(file, new Errno(integer("!" + file.fileName())));
      }
    }
    return capture;
  }

  /** Writes a capture as fields, each with a space before it. */
  static void append(StringBuilder line, @Nullable ProcCapture capture) {
    if (capture == null) {
      return;
    }
    for (ProcFile file : ProcFile.values()) {
      Bytes content = capture.get(file);
      Errno reason = capture.reason(file);
      if (content != null) {
        line.append(" /").append(file.fileName()).append('=');
        encode(line, content);
      } else if (reason != null) {
        line.append(" !").append(file.fileName()).append('=').append(reason.number());
      }
    }
  }

  static void encode(StringBuilder line, Bytes bytes) {
    for (byte each : bytes.array()) {
      if (each > ' ' && each < 0x7f && each != '%') {
        line.append((char) each);
      } else {
        line.append(String.format(Locale.ROOT, "%%%02X", each & 0xff));
      }
    }
  }

  private static Bytes decode(String text) throws MalformedRecordingException {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(ascii.length);
    for (int i = 0; i < ascii.length; i++) {
      if (ascii[i] != '%') {
        bytes.write(ascii[i]);
        continue;
      }
      int high = i + 3 <= ascii.length ? Character.digit(ascii[i + 1], 16) : -1;
      int low = i + 3 <= ascii.length ? Character.digit(ascii[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new MalformedRecordingException("not %XX in: " + text);
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    return new Bytes(bytes.toByteArray());
  }
}
