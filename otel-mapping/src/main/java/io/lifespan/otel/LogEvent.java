package io.lifespan.otel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What log events can be made of, by the names of the setting {@code lifespan.logs.events}. */
public enum LogEvent {
  EXEC("exec"),
  EXIT("exit"),
  FAILED_EXIT("failed_exit"),
  CORE_DUMP("coredump"),
  CREDENTIALS("credentials"),
  START("start"),
  LOSS("loss"),
  BLOCKED("blocked"),
  MOUNT("mount"),
  STALL("stall");

  private final String settingName;

  LogEvent(String settingName) {
    this.settingName = settingName;
  }

  /** The name in the setting: lower case. */
  public String settingName() {
    return settingName;
  }

  /** Every name. */
  public static List<String> names() {
    return Arrays.stream(values()).map(LogEvent::settingName).toList();
  }

  /** The one of this name; null if there is none. */
  public static @Nullable LogEvent of(String name) {
    for (LogEvent event : values()) {
      if (event.settingName.equals(name)) {
        return event;
      }
    }
    return null;
  }
}
