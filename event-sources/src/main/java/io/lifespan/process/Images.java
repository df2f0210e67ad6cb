package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Makes the images of processes, small: they are held for as long as the processes live, and there
 * may be a hundred thousand. Left out is what is known otherwise or holds for the moment only.
 */
final class Images {

  private final SharedBytes shared = new SharedBytes();

  /**
   * @param stat what the capture's stat says; null if it has none
   */
  Image of(ProcCapture capture, @Nullable ProcStat stat) {
    ProcCapture kept = capture.copy();
    Bytes statText = capture.get(ProcFile.STAT);
    if (statText != null) {
      kept.with(ProcFile.STAT, ProcStat.beginning(statText));
    }
    Bytes status = capture.get(ProcFile.STATUS);
    if (status != null) {
      kept.with(ProcFile.STATUS, shared.of(ProcStatus.identity(status)));
    }
    Image image = new Image(kept, stat == null ? null : shared.of(stat.comm()));
    image.shareExecutableName(shared);
    return image;
  }
}
