package io.lifespan.event.ebpf;

import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of /proc/PID/cgroup by the set of control groups that a process is in: nearly all
 * processes share theirs with others, so it is read once for each set, and again after a while,
 * since the kernel may use the address of a set again.
 */
final class CgroupTexts {

  private static final int MAX_SETS = 4096;
  private static final long KEPT_NANOS = 10_000_000_000L;

  private final ProcFsReader procFs;
  private final Map<Key, Text> known =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Text> eldest) {
          return size() > MAX_SETS;
        }
      };

  private record Key(long cssSet, long cgroupIds) {}

  private record Text(Bytes content, long readNanos) {}

  CgroupTexts(ProcFsReader procFs) {
    this.procFs = procFs;
  }

  /** The text for the process of a record; null if it is not known and the process is gone. */
  @Nullable Bytes of(RingRecord record, long startTicks) {
    Key key = new Key(record.cssSet(), record.cgroupIds());
    Text text = known.get(key);
    if (text != null && record.timeNanos() - text.readNanos < KEPT_NANOS) {
      return text.content;
    }
    Bytes read = read(record.tgid(), startTicks);
    if (read != null) {
      known.put(key, new Text(read, record.timeNanos()));
      return read;
    }
    return text == null ? null : text.content;
  }

  private @Nullable Bytes read(int pid, long startTicks) {
    ProcCapture capture = procFs.readExit(pid);
    Bytes statText = capture.get(ProcFile.STAT);
    ProcStat stat = statText == null ? null : ProcStat.parse(statText);
    return stat == null || stat.startTicks() != startTicks ? null : capture.get(ProcFile.CGROUP);
  }
}
