package io.lifespan.otel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a control group belongs to, as far as its path says.
 *
 * @param containerId the 64 hexadecimal digits that docker, containerd, CRI-O and podman put into
 *     the path
 * @param unit the systemd service, with its suffix
 */
record CgroupOwner(@Nullable String containerId, @Nullable String unit) {

  static final CgroupOwner NONE = new CgroupOwner(null, null);

  private static final Pattern CONTAINER =
      Pattern.compile("(?:^|[/:-])([0-9a-f]{64})(?:\\.scope)?(?=/|$)");

  private static final String SERVICE = ".service";

  /** The per-user manager is the parent of a user's services, and no service of its own. */
  private static final String USER_MANAGER = "user@";

  /** Reads a path of /proc/PID/cgroup. */
  static CgroupOwner of(String path) {
    Matcher matcher = CONTAINER.matcher(path);
    String container = null;
    int end = 0;
    while (matcher.find()) {
      container = matcher.group(1);
      end = matcher.end();
    }
    return new CgroupOwner(container, lastService(path.substring(end)));
  }

  /** The unit's name without its suffix and without the instance of a template. */
  @Nullable String unitName() {
    if (unit == null) {
      return null;
    }
    int at = unit.indexOf('@');
    return unit.substring(0, at > 0 ? at : unit.length() - SERVICE.length());
  }

  private static @Nullable String lastService(String path) {
    String last = null;
    for (int start = 0; start < path.length(); ) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      String segment = path.substring(start, end);
      if (segment.endsWith(SERVICE)
          && segment.length() > SERVICE.length()
          && !segment.startsWith(USER_MANAGER)) {
        last = segment;
      }
      start = end + 1;
    }
    return last;
  }
}
