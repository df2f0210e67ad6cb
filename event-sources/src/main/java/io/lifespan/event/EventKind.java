package io.lifespan.event;

/**
 * The nine kinds of event in the life of a process, by the names that the setting {@code
 * lifespan.events} uses.
 */
public enum EventKind {
  FORK("fork"),
  EXEC("exec"),
  UID("uid"),
  GID("gid"),
  SID("sid"),
  PTRACE("ptrace"),
  COMM("comm"),
  COREDUMP("coredump"),
  EXIT("exit");

  private final String settingName;

  EventKind(String settingName) {
    this.settingName = settingName;
  }

  /** The name in settings and in the output of {@code lifespan tail}: lower case. */
  public String settingName() {
    return settingName;
  }
}
