package io.lifespan.event.capture;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.SystemPid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether /proc is that of the pid namespace in which this process is. */
public final class OwnProc {

  private static final Path SELF = Path.of("/proc/self");

  private OwnProc() {}

  /** What is wrong with /proc: its pids are not those that the kernel tells; null if nothing is. */
  public static @Nullable Unavailable problem() {
    String self;
    try {
      self = Files.readSymbolicLink(SELF).toString();
    } catch (IOException unreadable) {
      self = "";
    }
    return self.equals(Integer.toString(SystemPid.get()))
        ? null
        : new Unavailable(
            "readlink(/proc/self)",
            null,
            "/proc is not that of this pid namespace",
            "mount proc on /proc within the namespace");
  }
}
