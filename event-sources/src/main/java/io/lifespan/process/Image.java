package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a process runs: the program last executed, as it was captured at that moment. A process that
 * was forked and has not yet executed anything shares its parent's image, the very object.
 */
public final class Image {

  /** Nothing is known. */
  public static final Image UNKNOWN = new Image(null, null);

  private static final byte[] DELETED = " (deleted)".getBytes(StandardCharsets.US_ASCII);

  private final @Nullable ProcCapture capture;
  private final @Nullable Bytes comm;
  private @Nullable Bytes executableName;

  /**
   * @param capture raw contents of /proc/PID, each with the reason if absent; null if nothing was
   *     captured at all
   * @param comm the name the kernel gave it, raw bytes, at most 15; null if unknown
   */
  public Image(@Nullable ProcCapture capture, @Nullable Bytes comm) {
    this.capture = capture;
    this.comm = comm;
  }

  /** Raw contents of /proc/PID, each with the reason if absent; null if nothing was captured. */
  public @Nullable ProcCapture capture() {
    return capture;
  }

  /** The name that the kernel gave it, raw bytes; null if unknown. */
  public @Nullable Bytes comm() {
    return comm;
  }

  /**
   * The name of the executable file without its directory, raw bytes; the kernel's name where the
   * file is not known; null if neither is.
   */
  public @Nullable Bytes executableName() {
    Bytes known = executableName;
    if (known == null) {
      Bytes path = capture == null ? null : capture.get(ProcFile.EXE);
      known = path == null ? comm : nameIn(path);
      executableName = known;
    }
    return known;
  }

  /** Looks for the name of the executable now, and shares it with the images that have the same. */
  void shareExecutableName(SharedBytes shared) {
    Bytes name = executableName();
    if (name != null) {
      executableName = shared.of(name);
    }
  }

  private static Bytes nameIn(Bytes path) {
    byte[] bytes = path.array();
    int end = bytes.length;
    int mark = end - DELETED.length;
    if (mark > 0 && Arrays.equals(bytes, mark, end, DELETED, 0, DELETED.length)) {
      end = mark;
    }
    int start = end;
    while (start > 0 && bytes[start - 1] != '/') {
      start--;
    }
    return new Bytes(Arrays.copyOfRange(bytes, start, end));
  }
}
