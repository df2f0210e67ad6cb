package io.lifespan.procfs;

/**
 * The parts of /proc/PID that are read of a process, in the order in which they vanish when it
 * dies.
 */
public enum ProcFile {
  /**
   * Its arguments, each ended by a NUL; empty for a kernel thread and for a process that has begun
   * to exit.
   */
  CMDLINE("cmdline"),
  /**
   * Link to the executable file; {@code " (deleted)"} is appended by the kernel when the file is
   * gone.
   */
  EXE("exe"),
  /** The environment; only the variables on the allow-list are ever kept. */
  ENVIRON("environ"),
  /** Link to the working directory. */
  CWD("cwd"),
  /** Name, parent, terminal, start time and times; readable until the process is reaped. */
  STAT("stat"),
  /** Control groups; readable until the process is reaped. */
  CGROUP("cgroup"),
  /**
   * User and group ids, pids in nested namespaces, threads; readable until the process is reaped.
   */
  STATUS("status");

  private final String fileName;

  ProcFile(String fileName) {
    this.fileName = fileName;
  }

  /** The name below /proc/PID. */
  public String fileName() {
    return fileName;
  }
}
