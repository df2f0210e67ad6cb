package io.lifespan.otel;

import io.lifespan.process.Image;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Commands decoded lately, found again by the bytes they were decoded from: machines run the same
 * few commands over and over, and decoding and masking is most of what a span costs.
 *
 * <p>Owned by the process table's thread.
 */
final class RecentCommands {

  /** A power of two. */
  private static final int SLOTS = 256;

  /** Longer command lines seldom come twice. */
  private static final int MAX_LENGTH = 1_024;

  private static final ProcFile[] DECODED = {
    ProcFile.CMDLINE, ProcFile.EXE, ProcFile.CWD, ProcFile.CGROUP, ProcFile.ENVIRON
  };

  private final @Nullable Entry[] slots = new Entry[SLOTS];

  /**
   * @param redactions how often something was masked in it
   */
  record Entry(Image image, Command command, long redactions) {}

  /** What was decoded from the same bytes, of whatever process; null if it is not remembered. */
  @Nullable Entry find(Image image) {
    ProcCapture capture = image.capture();
    if (capture == null || !isWorthIt(capture)) {
      return null;
    }
    Entry entry = slots[slot(capture)];
    return entry != null && isSame(entry.image, image) ? entry : null;
  }

  void remember(Entry entry) {
    ProcCapture capture = entry.image.capture();
    if (capture != null && isWorthIt(capture)) {
      slots[slot(capture)] = entry;
    }
  }

  private static boolean isWorthIt(ProcCapture capture) {
    Bytes commandLine = capture.get(ProcFile.CMDLINE);
    return commandLine != null
        && commandLine.length() <= MAX_LENGTH
        && !capture.truncated(ProcFile.ENVIRON);
  }

  private static int slot(ProcCapture capture) {
    int hash = Objects.hashCode(capture.get(ProcFile.CMDLINE));
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }

  private static boolean isSame(Image one, Image other) {
    ProcCapture first = Objects.requireNonNull(one.capture());
    ProcCapture second = Objects.requireNonNull(other.capture());
    for (ProcFile file : DECODED) {
      if (!Objects.equals(first.get(file), second.get(file))) {
        return false;
      }
    }
    return Objects.equals(one.comm(), other.comm());
  }
}
