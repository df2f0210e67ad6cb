package io.lifespan.event.blocking;

import io.lifespan.procfs.MountPoint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Which mounts are probed. A pattern that begins with a slash is a path, any other a type of file
 * system; {@code *} stands for any characters.
 *
 * @param include only mounts that match one of these, pseudo file systems too; if there is none,
 *     all but pseudo file systems
 * @param exclude mounts that match one of these are not probed
 */
public record MountFilter(List<String> include, List<String> exclude) {

  /** All but pseudo file systems. */
  public static final MountFilter DEFAULT = new MountFilter(List.of(), List.of());

  /**
   * Types that hold nobody's data and that no server answers for; and autofs, which would mount
   * something when asked.
   */
  private static final Set<String> PSEUDO =
      Set.of(
          "autofs",
          "binfmt_misc",
          "bpf",
          "cgroup",
          "cgroup2",
          "configfs",
          "debugfs",
          "devpts",
          "devtmpfs",
          "efivarfs",
          "fuse.lxcfs",
          "fusectl",
          "hugetlbfs",
          "mqueue",
          "nsfs",
          "proc",
          "pstore",
          "rpc_pipefs",
          "securityfs",
          "selinuxfs",
          "sysfs",
          "tracefs");

  public MountFilter {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** True if a mount is to be probed. */
  public boolean accepts(MountPoint mount) {
    boolean wanted =
        include.isEmpty() ? !PSEUDO.contains(mount.type()) : matchesAny(include, mount);
    return wanted && !matchesAny(exclude, mount);
  }

  private static boolean matchesAny(List<String> patterns, MountPoint mount) {
    String path = new String(mount.path().array(), StandardCharsets.UTF_8);
    return patterns.stream()
        .anyMatch(pattern -> matches(pattern, pattern.startsWith("/") ? path : mount.type()));
  }

  private static boolean matches(String pattern, String text) {
    String[] parts = pattern.split("\\*", -1);
    if (parts.length == 1) {
      return pattern.equals(text);
    }
    String last = parts[parts.length - 1];
    if (!text.startsWith(parts[0]) || !text.endsWith(last)) {
      return false;
    }
    int at = parts[0].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = text.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    return at <= text.length() - last.length();
  }
}
