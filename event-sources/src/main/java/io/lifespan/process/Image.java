package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import org.jspecify.annotations.Nullable;

/**
 * What a process runs: the program last executed, as it was captured at that moment. A process that
 * was forked and has not yet executed anything shares its parent's image.
 *
 * @param capture raw contents of /proc/PID, each with the reason if absent; null if nothing was
 *     captured at all
 * @param comm the name the kernel gave it, raw bytes, at most 15; null if unknown
 */
public record Image(@Nullable ProcCapture capture, @Nullable Bytes comm) {

  /** Nothing is known. */
  public static final Image UNKNOWN = new Image(null, null);
}
