package io.lifespan.collector.export;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an OTLP receiver says when it has taken a request but not all that was in it:
 * Export...PartialSuccess of the protocol, of the same form for every signal.
 *
 * @param rejected how many spans, data points or log records it did not take; 0 for a warning only
 * @param message why, in the receiver's words; may be empty
 */
record PartialSuccess(long rejected, String message) {
  private static final int MAX_MESSAGE = 200;
  private static final int PARTIAL_SUCCESS = 1;
  private static final int REJECTED = 1;
  private static final int MESSAGE = 2;

  /** Reads the body of an answer; null if it has no such part, or is something else. */
  static @Nullable PartialSuccess parse(byte[] answer) {
    Fields fields = new Fields(answer, 0, answer.length);
    while (fields.next()) {
      if (fields.number == PARTIAL_SUCCESS && fields.isBytes) {
        return parse(new Fields(answer, fields.start, fields.end));
      }
    }
    return null;
  }

  private static @Nullable PartialSuccess parse(Fields fields) {
    long rejected = 0;
    String message = "";
    while (fields.next()) {
      if (fields.number == REJECTED && !fields.isBytes) {
        rejected = fields.value;
      } else if (fields.number == MESSAGE && fields.isBytes) {
        message = fields.text();
      }
    }
    return fields.failed || rejected < 0 ? null : new PartialSuccess(rejected, message);
  }

  /** The fields of a protobuf message one after the other. */
  private static final class Fields {
    private final byte[] bytes;
    private final int limit;
    private int at;
    private boolean failed;
    private int number;
    private boolean isBytes;
    private long value;
    private int start;
    private int end;

    Fields(byte[] bytes, int from, int limit) {
      this.bytes = bytes;
      this.at = from;
      this.limit = limit;
    }

    boolean next() {
      if (at >= limit || failed) {
        return false;
      }
      long key = varint();
      number = (int) (key >>> 3);
      isBytes = false;
      switch ((int) key & 7) {
        case 0 -> value = varint();
        case 1 -> skip(8);
        case 2 -> {
          isBytes = true;
          skip(varint());
        }
        case 5 -> skip(4);
        default -> failed = true;
      }
      return !failed;
    }

    String text() {
      String text = new String(bytes, start, end - start, StandardCharsets.UTF_8);
      return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + "…";
    }

    private void skip(long length) {
      if (length < 0 || length > limit - at) {
        failed = true;
        return;
      }
      start = at;
      at += (int) length;
      end = at;
    }

    private long varint() {
      long result = 0;
      for (int shift = 0; shift < 64; shift += 7) {
        if (at >= limit) {
          break;
        }
        byte next = bytes[at++];
        result |= (next & 0x7fL) << shift;
        if (next >= 0) {
          return result;
        }
      }
      failed = true;
      return 0;
    }
  }
}
