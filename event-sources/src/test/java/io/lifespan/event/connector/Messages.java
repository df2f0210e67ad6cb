package io.lifespan.event.connector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Makes messages of the proc connector, in the machine's byte order, word by word. */
final class Messages {

  private Messages() {}

  /** A whole message of a kind, with up to six words of data. */
  static byte[] message(int what, long timeNanos, int... data) {
    ByteBuffer bytes = ByteBuffer.allocate(76).order(ByteOrder.nativeOrder());
    bytes.putInt(0, 76).putShort(4, (short) 3);
    bytes.putInt(16, 1).putInt(20, 1).putInt(24, 77).putShort(32, (short) 40);
    bytes.putInt(36, what).putInt(40, 1).putLong(44, timeNanos);
    for (int i = 0; i < data.length; i++) {
      bytes.putInt(52 + 4 * i, data[i]);
    }
    return bytes.array();
  }

  /** The same with a word changed. */
  static byte[] withWord(byte[] message, int offset, int value) {
    byte[] changed = message.clone();
    buffer(changed).putInt(offset, value);
    return changed;
  }

  /** A view in the machine's byte order. */
  static ByteBuffer buffer(byte[] message) {
    return ByteBuffer.wrap(message).order(ByteOrder.nativeOrder());
  }
}
