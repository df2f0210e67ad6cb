package io.lifespan.procfs;

import io.lifespan.libc.Errno;
import java.util.Arrays;
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

  private static final int FILES = ProcFile.values().length;

  /** For each file its {@link Bytes}, or the {@link Errno} why it is absent. */
  private final @Nullable Object[] files;

  /** A bit for each file of which only the beginning is here. */
  private int truncated;

  /** Nothing so far. */
  public ProcCapture() {
    this(new Object[FILES], 0);
  }

  private ProcCapture(@Nullable Object[] files, int truncated) {
    this.files = files;
    this.truncated = truncated;
  }

  /** The same, to be written to. */
  public ProcCapture copy() {
    return new ProcCapture(Arrays.copyOf(files, FILES), truncated);
  }

  /** Sets what was read of a file. Only for whoever reads. */
  public ProcCapture with(ProcFile file, Bytes content) {
    files[index(file)] = content;
    return this;
  }

  /** Sets the beginning of a file whose rest was cut off. Only for whoever reads. */
  public ProcCapture withBeginning(ProcFile file, Bytes content) {
    truncated |= 1 << index(file);
    return with(file, content);
  }

  /** Sets why a file could not be read. Only for whoever reads. */
  public ProcCapture without(ProcFile file, Errno reason) {
    files[index(file)] = reason;
    return this;
  }

  /** The same with this content of a file, if that file could not be read. */
  public ProcCapture orElse(ProcFile file, Bytes content) {
    return get(file) == null ? copy().with(file, content) : this;
  }

  /** The content of a file, or null if it was not read: {@link #reason} then tells why. */
  public @Nullable Bytes get(ProcFile file) {
    return files[index(file)] instanceof Bytes content ? content : null;
  }

  /**
   * Why a file is absent: {@link #GONE} or ENOENT when the process was gone, EACCES when it may not
   * be read; null if never tried.
   */
  public @Nullable Errno reason(ProcFile file) {
    return files[index(file)] instanceof Errno reason ? reason : null;
  }

  /** True if the file was longer than the reader's bound, so that only its beginning is here. */
  public boolean truncated(ProcFile file) {
    return (truncated & 1 << index(file)) != 0;
  }

  /** True if nothing at all could be read. */
  public boolean isEmpty() {
    for (Object file : files) {
      if (file instanceof Bytes) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("EnumOrdinal") // in memory only, never written anywhere
  private static int index(ProcFile file) {
    return file.ordinal();
  }
}
