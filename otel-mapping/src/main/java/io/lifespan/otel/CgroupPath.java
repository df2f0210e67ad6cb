package io.lifespan.otel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the path of a control group from the root down. What is further down wins, and a unit above
 * a container is not one of the container's processes.
 *
 * <p>The forms are those of: docker, podman, containerd and CRI-O with the cgroupfs and the systemd
 * driver, the kubelet with both, LXC 2 to 6, systemd and systemd-nspawn.
 */
final class CgroupPath {

  static final String SERVICE = ".service";

  private static final String SCOPE = ".scope";
  private static final String SLICE = ".slice";

  /** The per-user manager is the parent of a user's services, and no service of its own. */
  private static final String USER_MANAGER = "user@";

  private static final String NSPAWN = "systemd-nspawn@";
  private static final String LXC_PAYLOAD = "lxc.payload.";
  private static final int ID_LENGTH = 64;

  /** The API server's ids, and the hash that the kubelet gives a pod of its own files. */
  private static final Pattern POD_UID =
      Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}");

  private static final Pattern ESCAPE = Pattern.compile("\\\\x([0-9a-f]{2})");

  private @Nullable String containerId;
  private @Nullable String containerName;
  private @Nullable String podUid;
  private @Nullable String unit;

  CgroupOwner read(String path) {
    String before = "";
    for (int start = 0; start < path.length(); ) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      if (end > start) {
        String segment = path.substring(start, end);
        segment(segment, before);
        before = segment;
      }
      start = end + 1;
    }
    return containerId == null && containerName == null && podUid == null && unit == null
        ? CgroupOwner.NONE
        : new CgroupOwner(containerId, containerName, podUid, unit);
  }

  private void segment(String segment, String before) {
    // containerd writes slice:prefix:id where the kubelet and it disagree on the driver
    for (int start = 0; start <= segment.length(); ) {
      int colon = segment.indexOf(':', start);
      int end = colon < 0 ? segment.length() : colon;
      piece(segment.substring(start, end));
      start = end + 1;
    }
    String name = containerName(segment, before);
    if (name != null) {
      enter(null, name);
    } else if (isService(segment)) {
      unit = segment;
    }
  }

  private void piece(String piece) {
    String pod = podUid(piece);
    if (pod != null) {
      podUid = pod;
    }
    String id = containerId(piece);
    if (id != null) {
      enter(id, null);
    }
  }

  private void enter(@Nullable String id, @Nullable String name) {
    containerId = id;
    containerName = name;
    unit = null;
  }

  /** What is alone, or follows a prefix such as {@code docker-}; conmon watches from outside. */
  private static @Nullable String containerId(String piece) {
    int end = piece.endsWith(SCOPE) ? piece.length() - SCOPE.length() : piece.length();
    int start = end - ID_LENGTH;
    if (start < 0 || (start > 0 && piece.charAt(start - 1) != '-')) {
      return null;
    }
    for (int i = start; i < end; i++) {
      if (Character.digit(piece.charAt(i), 16) < 0 || Character.isUpperCase(piece.charAt(i))) {
        return null;
      }
    }
    return piece.startsWith("conmon-") || piece.contains("-conmon-")
        ? null
        : piece.substring(start, end);
  }

  /**
   * {@code podUID} of the cgroupfs driver, {@code kubepods-burstable-podUID.slice} of systemd's.
   */
  private static @Nullable String podUid(String piece) {
    boolean slice = piece.endsWith(SLICE);
    int start = slice ? piece.lastIndexOf("-pod") + 1 : 0;
    if (!piece.startsWith("pod", start) || (slice && start == 0)) {
      return null;
    }
    int end = slice ? piece.length() - SLICE.length() : piece.length();
    String uid = piece.substring(start + 3, Math.max(start + 3, end)).replace('_', '-');
    return POD_UID.matcher(uid).matches() ? uid : null;
  }

  private static @Nullable String containerName(String segment, String before) {
    String name = null;
    if (segment.startsWith(LXC_PAYLOAD)) {
      name = segment.substring(LXC_PAYLOAD.length());
    } else if (before.equals("lxc") || before.equals("lxc.payload")) {
      name = segment;
    } else if (segment.equals("payload") && before.startsWith(NSPAWN) && isService(before)) {
      name = before.substring(NSPAWN.length(), before.length() - SERVICE.length());
    } else if (segment.startsWith("machine-")
        && segment.endsWith(SCOPE)
        && !segment.startsWith("machine-qemu")) {
      name = segment.substring("machine-".length(), segment.length() - SCOPE.length());
    }
    return name == null || name.isEmpty() ? null : unescaped(name);
  }

  private static boolean isService(String segment) {
    return segment.endsWith(SERVICE)
        && segment.length() > SERVICE.length()
        && !segment.startsWith(USER_MANAGER);
  }

  /**
   * Undoes what systemd does to names of units, {@code \x2d} for a dash, and {@link Text} to that.
   */
  private static String unescaped(String name) {
    return name.indexOf('\\') < 0
        ? name
        : ESCAPE
            .matcher(name.replace("\\x5cx", "\\x"))
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(found.group(1), 16))));
  }
}
