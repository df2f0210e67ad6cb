package io.lifespan.procfs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A run of bytes as the kernel gave it: a name, a path, an argument. The kernel promises no
 * encoding, so text is made of it only where it is shown. Compared by content.
 */
public final class Bytes {

  /** No bytes at all. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  /** Wraps an array that the caller will not write to again. */
  public Bytes(byte[] content) {
    this.content = content;
  }

  /** The UTF-8 bytes of a text. */
  public static Bytes of(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The bytes themselves, not copied, for speed: do not write to them. */
  public byte[] array() {
    return content;
  }

  public int length() {
    return content.length;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Bytes bytes && Arrays.equals(content, bytes.content));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  /**
   * For a debugger only: bytes that are not ASCII show as {@code ?}. Telemetry uses an escape that
   * can be undone.
   */
  @Override
  public String toString() {
    return new String(content, StandardCharsets.US_ASCII);
  }
}
