package io.lifespan.collector.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code strace -f -e trace=process} wrote of processes; threads are left out. */
public final class StraceLog {

  private static final Pattern LINE = Pattern.compile("(\\d+) +(.*)");
  private static final Pattern UNFINISHED = Pattern.compile("(.*) <unfinished \\.\\.\\.>");
  private static final Pattern RESUMED = Pattern.compile("<\\.\\.\\. \\w+ resumed>(.*)");
  private static final Pattern MADE = Pattern.compile("(?:clone3?|v?fork)\\(.*\\) += (\\d+)");
  private static final Pattern EXECUTED = Pattern.compile("execve\\(\"([^\"]*)\".*\\) += 0");
  private static final Pattern ENDED = Pattern.compile("\\+\\+\\+ exited with (\\d+) \\+\\+\\+");

  private final Map<Integer, Integer> parents = new HashMap<>();
  private final Map<Integer, String> programs = new HashMap<>();
  private final Map<Integer, Seen> ended = new TreeMap<>();
  private final Map<Integer, String> pending = new HashMap<>();

  private StraceLog() {}

  /**
   * A process as it was seen.
   *
   * @param parent pid of the process that made it; 0 for the first
   * @param program the file it executed last, links followed; null if none
   */
  public record Seen(int parent, String program, int exitCode) {}

  /** Reads a log, by pid. */
  public static Map<Integer, Seen> read(Path file) throws IOException {
    StraceLog log = new StraceLog();
    for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        log.line(Integer.parseInt(matcher.group(1)), matcher.group(2));
      }
    }
    return log.ended;
  }

  private void line(int pid, String text) throws IOException {
    Matcher unfinished = UNFINISHED.matcher(text);
    if (unfinished.matches()) {
      pending.put(pid, unfinished.group(1));
      return;
    }
    Matcher resumed = RESUMED.matcher(text);
    String call = resumed.matches() ? pending.remove(pid) + resumed.group(1) : text;
    Matcher made = MADE.matcher(call);
    Matcher executed = EXECUTED.matcher(call);
    Matcher end = ENDED.matcher(call);
    if (made.matches() && !call.contains("CLONE_THREAD")) {
      parents.put(Integer.parseInt(made.group(1)), pid);
    } else if (executed.matches()) {
      programs.put(pid, Path.of(executed.group(1)).toRealPath().toString());
    } else if (end.matches()) {
      int parent = parents.getOrDefault(pid, 0);
      ended.put(pid, new Seen(parent, programs.get(pid), Integer.parseInt(end.group(1))));
    }
  }
}
