package io.lifespan.event.blocking;

import io.lifespan.libc.SystemCallException;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountInfo;
import io.lifespan.procfs.MountPoint;
import io.lifespan.procfs.TaskSyscall;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which path a blocked call of another process is about. A path lies in its memory, which
 * could itself be a file on the dead mount: it is read on a worker's thread, with a deadline. Links
 * are read, their targets not touched.
 */
final class TaskPaths {

  private static final long DEADLINE_NANOS = 50_000_000L;

  private final FileDesk desk;
  private final TaskFiles files;
  private final Place memory;
  private final @Nullable Bytes ownNamespace;

  TaskPaths(FileDesk desk, TaskFiles files) {
    this.desk = desk;
    this.files = files;
    this.memory = new Place(null, desk.lane());
    this.ownNamespace = files.link((int) ProcessHandle.current().pid(), "ns/mnt");
  }

  /** What a call is about; null if that cannot be read. */
  @Nullable Bytes path(int pid, FileSyscalls.FileSyscall call, TaskSyscall arguments) {
    return switch (call.subject()) {
      case DESCRIPTOR -> files.link(pid, "fd/" + (int) arguments.first());
      case PATH -> absolute(pid, "cwd", text(pid, arguments.first()));
      case PATH_AT -> {
        int directory = (int) arguments.first();
        yield absolute(
            pid, directory < 0 ? "cwd" : "fd/" + directory, text(pid, arguments.second()));
      }
    };
  }

  /** The mount that a path of a process leads to; null if none is known. */
  @Nullable MountPoint mount(int pid, Bytes path) {
    Bytes namespace = files.link(pid, "ns/mnt");
    if (namespace == null || ownNamespace == null) {
      return null;
    }
    return namespace.equals(ownNamespace) ? desk.ownMount(path) : mountsOf(pid, path);
  }

  private static @Nullable MountPoint mountsOf(int pid, Bytes path) {
    try (MountFile file = new MountFile("/proc/" + pid + "/mountinfo")) {
      MountInfo mounts = file.read();
      return mounts.mountOf(path);
    } catch (SystemCallException goneOrDenied) {
      return null;
    }
  }

  private @Nullable Bytes absolute(int pid, String from, @Nullable Bytes path) {
    if (path == null || (path.length() > 0 && path.array()[0] == '/')) {
      return path;
    }
    Bytes start = files.link(pid, from);
    if (start == null || path.length() == 0) {
      return start;
    }
    byte[] whole = Arrays.copyOf(start.array(), start.length() + 1 + path.length());
    whole[start.length()] = '/';
    System.arraycopy(path.array(), 0, whole, start.length() + 1, path.length());
    return new Bytes(whole);
  }

  private @Nullable Bytes text(int pid, long address) {
    if (address == 0) {
      return Bytes.EMPTY;
    }
    long now = System.nanoTime();
    FilePath file = FilePath.of("/proc/" + pid + "/mem");
    return memory
        .lane()
        .ask(FileCall.text(address), file, memory, now, now + DEADLINE_NANOS)
        .orNull();
  }
}
