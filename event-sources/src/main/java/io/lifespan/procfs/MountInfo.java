package io.lifespan.procfs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * /proc/PID/mountinfo: the mounts that a process sees, and which of them a path leads to.
 *
 * <p>A path is looked up by its names alone, as the kernel would walk it if no name on the way were
 * a symbolic link: from the topmost root into each mount that lies on the way. So a mount that
 * another was put over, or that lies below a directory that was mounted over later, is not found.
 */
public final class MountInfo {

  private static final Bytes TOP = Bytes.of("/");

  /** Fields before the type: mount id to mount options, and any number of tags up to a dash. */
  private static final int FIXED_FIELDS = 6;

  /** The parent, in the tree, of mounts whose parent is not listed. */
  private static final int UNLISTED = Integer.MIN_VALUE;

  private final List<MountPoint> mounts;
  private final Map<Integer, Map<Bytes, MountPoint>> children = new HashMap<>();
  private final int malformed;

  private MountInfo(List<MountPoint> mounts, int malformed) {
    this.mounts = List.copyOf(mounts);
    this.malformed = malformed;
    Set<Integer> listed = new HashSet<>();
    mounts.forEach(mount -> listed.add(mount.id()));
    for (MountPoint mount : mounts) {
      boolean top = mount.parentId() == mount.id() || !listed.contains(mount.parentId());
      int parent = top ? UNLISTED : mount.parentId();
      children.computeIfAbsent(parent, id -> new HashMap<>()).put(mount.path(), mount);
    }
  }

  /** Reads the content of the file; lines of another form are left out and counted. */
  public static MountInfo parse(Bytes content) {
    byte[] bytes = content.array();
    List<MountPoint> mounts = new ArrayList<>();
    int malformed = 0;
    for (int start = 0; start < bytes.length; ) {
      int end = indexOf(bytes, '\n', start, bytes.length);
      MountPoint mount = parseLine(bytes, start, end);
      if (mount != null) {
        mounts.add(mount);
      } else if (end > start) {
        malformed++;
      }
      start = end + 1;
    }
    return new MountInfo(mounts, malformed);
  }

  /** All mounts in the order of the file, hidden ones too. */
  public List<MountPoint> all() {
    return mounts;
  }

  /** The mounts that a path leads to: those that no other hides. */
  public List<MountPoint> reachable() {
    return mounts.stream().filter(mount -> mount.equals(mountOf(mount.path()))).toList();
  }

  /** How many lines were not understood. */
  public int malformed() {
    return malformed;
  }

  /**
   * The mount that an absolute path leads to; null if none is listed there, as in a root directory
   * that is no mount.
   *
   * @param path any bytes; empty names and {@code .} are skipped, {@code ..} goes back one name
   */
  public @Nullable MountPoint mountOf(Bytes path) {
    byte[] bytes = lexical(path.array());
    MountPoint found = descend(null, TOP);
    for (int end = 1; end <= bytes.length && bytes.length > 1; end++) {
      if (end == bytes.length || bytes[end] == '/') {
        found = descend(found, new Bytes(Arrays.copyOf(bytes, end)));
      }
    }
    return found;
  }

  private @Nullable MountPoint descend(@Nullable MountPoint from, Bytes at) {
    MountPoint here = from;
    int steps = 0;
    while (steps++ <= mounts.size()) {
      Map<Bytes, MountPoint> below = children.get(here == null ? UNLISTED : here.id());
      MountPoint next = below == null ? null : below.get(at);
      if (next == null) {
        break;
      }
      here = next;
    }
    return here;
  }

  /** The path from the root on, with single slashes and without dots; at least {@code /}. */
  private static byte[] lexical(byte[] path) {
    byte[] result = new byte[path.length + 1];
    int length = 0;
    for (int start = 0; start < path.length; ) {
      int end = indexOf(path, '/', start, path.length);
      int size = end - start;
      if (size == 2 && path[start] == '.' && path[start + 1] == '.') {
        while (length > 0 && result[--length] != '/') {
          // back to the slash before the last name
        }
      } else if (size > 0 && !(size == 1 && path[start] == '.')) {
        result[length++] = '/';
        System.arraycopy(path, start, result, length, size);
        length += size;
      }
      start = end + 1;
    }
    return length == 0 ? TOP.array() : Arrays.copyOf(result, length);
  }

  private static @Nullable MountPoint parseLine(byte[] bytes, int start, int end) {
    List<Bytes> fields = new ArrayList<>();
    for (int from = start; from < end; ) {
      int to = indexOf(bytes, ' ', from, end);
      fields.add(unescaped(bytes, from, to));
      from = to + 1;
    }
    int dash = FIXED_FIELDS;
    while (dash < fields.size() && !isDash(fields.get(dash))) {
      dash++;
    }
    if (fields.size() < dash + 2) {
      return null;
    }
    Scanner numbers = new Scanner(bytes, start, end);
    int id = numbers.decimalInt();
    int parentId = numbers.decimalInt();
    byte[] device = fields.get(2).array();
    int colon = indexOf(device, ':', 0, device.length);
    Scanner major = new Scanner(device, 0, colon);
    Scanner minor = new Scanner(device, Math.min(colon + 1, device.length), device.length);
    int majorNumber = major.decimalInt();
    int minorNumber = minor.decimalInt();
    if (numbers.failed()
        || major.failed()
        || minor.failed()
        || id < 0
        || fields.get(4).equals(Bytes.EMPTY)) {
      return null;
    }
    return new MountPoint(
        id,
        parentId,
        majorNumber,
        minorNumber,
        fields.get(3),
        fields.get(4),
        new String(fields.get(dash + 1).array(), StandardCharsets.UTF_8),
        fields.size() > dash + 2 ? fields.get(dash + 2) : Bytes.EMPTY);
  }

  private static boolean isDash(Bytes field) {
    return field.length() == 1 && field.array()[0] == '-';
  }

  /**
   * The kernel writes blank, tab, line feed and backslash as a backslash and three octal digits.
   */
  private static Bytes unescaped(byte[] bytes, int start, int end) {
    byte[] out = new byte[end - start];
    int length = 0;
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\\' && i + 3 < end && isOctal(bytes, i + 1)) {
        out[length++] =
            (byte) ((bytes[i + 1] - '0') << 6 | (bytes[i + 2] - '0') << 3 | (bytes[i + 3] - '0'));
        i += 3;
      } else {
        out[length++] = bytes[i];
      }
    }
    return new Bytes(Arrays.copyOf(out, length));
  }

  private static boolean isOctal(byte[] bytes, int from) {
    for (int i = from; i < from + 3; i++) {
      if (bytes[i] < '0' || bytes[i] > '7') {
        return false;
      }
    }
    return bytes[from] <= '3';
  }

  private static int indexOf(byte[] bytes, char wanted, int start, int end) {
    int i = start;
    while (i < end && bytes[i] != wanted) {
      i++;
    }
    return i;
  }
}
