package io.lifespan.procfs;

/**
 * A mount, as a line of /proc/PID/mountinfo tells of it; see proc_pid_mountinfo(5).
 *
 * @param id number of the mount; used again after it is gone
 * @param parentId the mount it is mounted on; one that is not listed, or itself, at the top
 * @param major device number of the file system, major part; mounts of one file system share it
 * @param minor its minor part
 * @param root the directory of the file system that is mounted
 * @param path where it is mounted, seen from the reader's root; any bytes, octal escapes undone
 * @param type type of the file system, for example {@code nfs4}
 * @param source what is mounted, for example {@code server:/export}; octal escapes undone
 */
public record MountPoint(
    int id, int parentId, int major, int minor, Bytes root, Bytes path, String type, Bytes source) {

  /** The device number in one: equal for all mounts of one file system. */
  public long device() {
    return ((long) major << 32) | minor;
  }
}
