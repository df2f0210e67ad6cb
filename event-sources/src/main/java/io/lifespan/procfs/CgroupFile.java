package io.lifespan.procfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * /proc/PID/cgroup: the control group of a process in each hierarchy; see cgroups(7).
 *
 * @param entries one for each line that was understood, in the order of the file
 */
public record CgroupFile(List<Entry> entries) {

  private static final Bytes ROOT = Bytes.of("/");
  private static final Bytes SYSTEMD = Bytes.of("name=systemd");

  /** The kernel says so of a group that was removed before its last process was reaped. */
  private static final byte[] DELETED = Bytes.of(" (deleted)").array();

  public CgroupFile {
    entries = List.copyOf(entries);
  }

  /**
   * A control group.
   *
   * @param hierarchy number of the hierarchy; 0 for the unified one (v2)
   * @param controllers the controllers of a v1 hierarchy, comma-separated, or {@code name=...};
   *     empty for v2
   * @param path where the group is in its hierarchy, seen from the reader's cgroup namespace:
   *     begins with a slash; any other bytes
   */
  public record Entry(int hierarchy, Bytes controllers, Bytes path) {

    /** True for the unified hierarchy. */
    public boolean isUnified() {
      return hierarchy == 0 && controllers.length() == 0;
    }
  }

  /** Reads the content of the file; lines of another form are left out. */
  public static CgroupFile parse(Bytes content) {
    byte[] bytes = content.array();
    List<Entry> entries = new ArrayList<>();
    for (int start = 0; start < bytes.length; ) {
      int end = indexOf(bytes, '\n', start, bytes.length);
      Entry entry = parseLine(bytes, start, end);
      if (entry != null) {
        entries.add(entry);
      }
      start = end + 1;
    }
    return new CgroupFile(entries);
  }

  /**
   * The paths that say something, without doubles, the most telling first: that of the unified
   * hierarchy, then systemd's, then the rest in the order of the file. The root says nothing.
   */
  public List<Bytes> tellingPaths() {
    return entries.stream()
        .sorted(Comparator.comparingInt(CgroupFile::rank))
        .map(entry -> withoutDeleted(entry.path()))
        .filter(path -> !path.equals(ROOT))
        .distinct()
        .toList();
  }

  /** The first of {@link #tellingPaths()}; null if the process is in the root of all of them. */
  public @Nullable Bytes tellingPath() {
    List<Bytes> paths = tellingPaths();
    return paths.isEmpty() ? null : paths.get(0);
  }

  private static int rank(Entry entry) {
    return entry.isUnified() ? 0 : entry.controllers().equals(SYSTEMD) ? 1 : 2;
  }

  private static Bytes withoutDeleted(Bytes path) {
    int end = path.length() - DELETED.length;
    return end > 0 && Arrays.equals(path.array(), end, path.length(), DELETED, 0, DELETED.length)
        ? new Bytes(Arrays.copyOf(path.array(), end))
        : path;
  }

  private static @Nullable Entry parseLine(byte[] bytes, int start, int end) {
    int first = indexOf(bytes, ':', start, end);
    int second = indexOf(bytes, ':', Math.min(first + 1, end), end);
    if (second >= end - 1 || bytes[second + 1] != '/') {
      return null;
    }
    Scanner number = new Scanner(bytes, start, first);
    int hierarchy = number.decimalInt();
    if (number.failed() || hierarchy < 0) {
      return null;
    }
    return new Entry(hierarchy, copy(bytes, first + 1, second), copy(bytes, second + 1, end));
  }

  private static Bytes copy(byte[] bytes, int start, int end) {
    return new Bytes(Arrays.copyOfRange(bytes, start, end));
  }

  private static int indexOf(byte[] bytes, char wanted, int start, int end) {
    int i = start;
    while (i < end && bytes[i] != wanted) {
      i++;
    }
    return i;
  }
}
