package io.lifespan.procfs;

import io.lifespan.libc.Errno;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one process at one moment, as raw bytes. Reading is a race against the death of
 * the process, so nothing is decoded while it is read; parsers decode on demand. What could not be
 * read has a reason.
 *
 * <p>Written only by whoever reads, before it is handed over; not changed afterwards.
 */
public final class ProcCapture {

  /**
   * The reason of a file that was empty since the process had begun to exit: as if it was no longer
   * there.
   */
  public static final Errno GONE = Errno.ESRCH;

  private final Map<ProcFile, Bytes> contents = new EnumMap<>(ProcFile.class);
  private @Nullable Map<ProcFile, Errno> reasons;
  private @Nullable Set<ProcFile> truncated;

  /** Sets what was read of a file. Only for whoever reads. */
  public ProcCapture with(ProcFile file, Bytes content) {
    contents.put(file, content);
    return this;
  }

  /** Sets the beginning of a file whose rest was cut off. Only for whoever reads. */
  public ProcCapture withBeginning(ProcFile file, Bytes content) {
    if (truncated == null) {
      truncated = EnumSet.noneOf(ProcFile.class);
    }
    truncated.add(file);
    return with(file, content);
  }

  /** Sets why a file could not be read. Only for whoever reads. */
  public ProcCapture without(ProcFile file, Errno reason) {
    if (reasons == null) {
      reasons = new EnumMap<>(ProcFile.class);
    }
    reasons.put(file, reason);
    return this;
  }

  /** The same with this content of a file, if that file could not be read. */
  public ProcCapture orElse(ProcFile file, Bytes content) {
    if (contents.containsKey(file)) {
      return this;
    }
    ProcCapture filled = new ProcCapture();
    filled.contents.putAll(contents);
    filled.contents.put(file, content);
    filled.reasons = reasons;
    filled.truncated = truncated;
    return filled;
  }

  /** The content of a file, or null if it was not read: {@link #reason} then tells why. */
  public @Nullable Bytes get(ProcFile file) {
    return contents.get(file);
  }

  /**
   * Why a file is absent: {@link #GONE} or ENOENT when the process was gone, EACCES when it may not
   * be read; null if never tried.
   */
  public @Nullable Errno reason(ProcFile file) {
    return reasons == null ? null : reasons.get(file);
  }

  /** True if the file was longer than the reader's bound, so that only its beginning is here. */
  public boolean truncated(ProcFile file) {
    return truncated != null && truncated.contains(file);
  }

  /** True if nothing at all could be read. */
  public boolean isEmpty() {
    return contents.isEmpty();
  }
}
