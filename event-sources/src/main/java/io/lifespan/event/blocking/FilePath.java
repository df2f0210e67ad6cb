package io.lifespan.event.blocking;

import io.lifespan.libc.NativeBuffer;
import io.lifespan.procfs.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A path to ask about: any bytes but NUL. It remembers which mount it leads to, so a path that is
 * asked about often should be kept. Making one touches no file system.
 */
public final class FilePath {

  /** PATH_MAX: the kernel refuses a path that does not end within it. */
  static final int MAX_LENGTH = 4096;

  private final byte[] bytes;
  private final int hash;

  /** Where it leads to, by the mounts as they were; replaced when they change. */
  private volatile @Nullable Known known;

  private boolean asked;
  private volatile @Nullable NativeBuffer inMemory;

  private record Known(Places among, Place place) {}

  private FilePath(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        throw new IllegalArgumentException("a path has no NUL");
      }
    }
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /**
   * A path as text, in UTF-8. A relative one begins at the directory that the JVM was started in.
   *
   * @throws IllegalArgumentException if it holds a NUL
   */
  public static FilePath of(String path) {
    return of(Bytes.of(path));
  }

  /** A path of the default file system; names that are not UTF-8 are better given as bytes. */
  public static FilePath of(Path path) {
    return of(path.toString());
  }

  /**
   * A path as the kernel knows it.
   *
   * @throws IllegalArgumentException if it holds a NUL
   */
  public static FilePath of(Bytes path) {
    byte[] bytes = path.array();
    if (bytes.length > 0 && bytes[0] == '/') {
      return new FilePath(bytes);
    }
    byte[] start = System.getProperty("user.dir", "/").getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0) {
      return new FilePath(bytes);
    }
    byte[] whole = Arrays.copyOf(start, start.length + 1 + bytes.length);
    whole[start.length] = '/';
    System.arraycopy(bytes, 0, whole, start.length + 1, bytes.length);
    return new FilePath(whole);
  }

  /** The path, absolute; empty if it was given empty, which every call answers with ENOENT. */
  public Bytes bytes() {
    return new Bytes(bytes);
  }

  byte[] array() {
    return bytes;
  }

  /**
   * The path as the kernel takes it, ended by a NUL; one that is longer than any it takes is cut
   * where it is refused. Kept from the second time on: most paths are asked about only once.
   */
  NativeBuffer inMemory(NativeBuffer scratch) {
    NativeBuffer kept = inMemory;
    if (kept != null) {
      return kept;
    }
    int length = Math.min(bytes.length, MAX_LENGTH);
    if (!asked) {
      asked = true;
      return filled(scratch, length);
    }
    kept = filled(new NativeBuffer(length + 1), length);
    inMemory = kept;
    return kept;
  }

  private NativeBuffer filled(NativeBuffer buffer, int length) {
    buffer.bytes().put(0, bytes, 0, length).put(length, (byte) 0);
    return buffer;
  }

  /** Where it leads to among these mounts; null if that was not found out yet. */
  @Nullable Place placeAmong(Places places) {
    Known last = known;
    return last != null && last.among() == places ? last.place() : null;
  }

  void remember(Places among, Place found) {
    known = new Known(among, found);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilePath path && Arrays.equals(bytes, path.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return new Bytes(bytes).toString();
  }
}
