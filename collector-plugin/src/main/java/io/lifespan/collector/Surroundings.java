package io.lifespan.collector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What kind of place this is: kernel, namespaces, rights, limits. Only told, not judged. */
final class Surroundings {

  private static final Path ROOT = Path.of("/");

  /** The numbers that the kernel has given to the namespaces that it starts with, since 3.8. */
  private static final Map<String, String> INITIAL =
      Map.of("pid", "4026531836", "user", "4026531837", "cgroup", "4026531835");

  /** Capabilities that decide what can be seen, by their numbers. */
  private static final Map<Integer, String> CAPABILITIES = capabilities();

  private final Path root;

  private Surroundings(Path root) {
    this.root = root;
  }

  /** Of this process. */
  static List<Finding> here() {
    return in(ROOT);
  }

  /**
   * Read below another root.
   *
   * @param root of a tree with proc and sys
   */
  static List<Finding> in(Path root) {
    Surroundings place = new Surroundings(root);
    return List.of(
        Finding.info("kernel", place.kernel()),
        Finding.info(
            "java", System.getProperty("java.version") + ", " + System.getProperty("os.arch")),
        Finding.info("namespaces", place.namespaces()),
        Finding.info("rights", place.rights()),
        Finding.info("cgroup", place.cgroup()),
        Finding.info("clock", place.clock()));
  }

  private String kernel() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  private String namespaces() {
    List<String> nested = new ArrayList<>();
    List<String> initial = new ArrayList<>();
    for (String kind : List.of("pid", "user", "cgroup")) {
      String link = link("proc/self/ns/" + kind);
      if (link.contains(":[")) {
        boolean first = link.contains("[" + INITIAL.get(kind) + "]");
        (first ? initial : nested).add(kind);
      }
    }
    if (nested.isEmpty() && initial.isEmpty()) {
      return "unknown: /proc/self/ns cannot be read";
    }
    return nested.isEmpty()
        ? "those of the host: " + String.join(", ", initial)
        : "nested: "
            + String.join(", ", nested)
            + (initial.isEmpty() ? "" : "; those of the host: " + String.join(", ", initial));
  }

  private String rights() {
    String uid = field("Uid:");
    String effective = field("CapEff:");
    if (uid.isEmpty() || effective.isEmpty()) {
      return "unknown: /proc/self/status cannot be read";
    }
    long held = Long.parseUnsignedLong(effective, 16);
    List<String> names = new ArrayList<>();
    CAPABILITIES.forEach(
        (bit, name) -> {
          if ((held >>> bit & 1) != 0) {
            names.add(name);
          }
        });
    return "user "
        + uid
        + (names.isEmpty() ? ", without capabilities" : ", " + String.join(", ", names));
  }

  private String cgroup() {
    if (Files.exists(root.resolve("sys/fs/cgroup/cgroup.controllers"))) {
      return "v2";
    }
    if (Files.exists(root.resolve("sys/fs/cgroup/unified"))) {
      return "v1 and v2 (hybrid)";
    }
    return Files.exists(root.resolve("sys/fs/cgroup")) ? "v1" : "none mounted";
  }

  private String clock() {
    String source = text("sys/devices/system/clocksource/clocksource0/current_clocksource");
    return source.isEmpty() ? "unknown" : source;
  }

  /** The first value of a field of this process's status; empty if it cannot be read. */
  private String field(String name) {
    for (String line : text("proc/self/status").split("\n", -1)) {
      if (line.startsWith(name)) {
        return line.substring(name.length()).strip().split("\\s", 2)[0];
      }
    }
    return "";
  }

  private String text(String file) {
    try {
      return Files.readString(root.resolve(file)).strip();
    } catch (IOException unreadable) {
      return "";
    }
  }

  private String link(String file) {
    try {
      return Files.readSymbolicLink(root.resolve(file)).toString();
    } catch (IOException unreadable) {
      return "";
    }
  }

  private static Map<Integer, String> capabilities() {
    Map<Integer, String> names = new LinkedHashMap<>();
    names.put(2, "CAP_DAC_READ_SEARCH");
    names.put(12, "CAP_NET_ADMIN");
    names.put(19, "CAP_SYS_PTRACE");
    names.put(21, "CAP_SYS_ADMIN");
    names.put(38, "CAP_PERFMON");
    names.put(39, "CAP_BPF");
    return names;
  }
}
