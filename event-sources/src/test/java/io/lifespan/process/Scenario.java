package io.lifespan.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One run of the C program of odd lives, and the truth that it prints about itself. */
final class Scenario implements AutoCloseable {

  /** What the program says of a process: who it is and who made it. */
  record Made(int pid, int parentPid) {}

  /** A process of a random tree, and how wait said that it ended. */
  record Node(int pid, int parentPid, int status) {}

  final Map<String, Made> processes = new ConcurrentHashMap<>();
  final Map<String, Integer> ends = new ConcurrentHashMap<>();
  final Map<String, Integer> facts = new ConcurrentHashMap<>();
  final Map<Integer, Node> tree = new ConcurrentHashMap<>();
  final Process process;
  private final Thread reader;

  private Scenario(Process process) {
    this.process = process;
    reader = new Thread(this::read, "scenario");
    reader.start();
  }

  /** Compiles the program into a directory. */
  static Path compile(Path directory) throws IOException, InterruptedException {
    Path program = directory.resolve("scenarios");
    Process gcc =
        new ProcessBuilder(
                "gcc", "-O1", "-pthread", "-o", program.toString(), "src/test/c/scenarios.c")
            .inheritIO()
            .start();
    if (gcc.waitFor() != 0) {
      throw new AssertionError("gcc failed: " + gcc.exitValue());
    }
    return program;
  }

  static Scenario play(Path program, String name) throws IOException {
    return new Scenario(
        new ProcessBuilder(program.toString(), name)
            .directory(program.getParent().toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** True once the program has ended and all that it said was read. */
  boolean isOver() {
    return !process.isAlive() && !reader.isAlive();
  }

  /** Its own pid, as the kernel knows it. */
  int pid() {
    return (int) process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(this::take);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void take(String line) {
    List<String> words = List.of(line.split(" "));
    switch (words.get(0)) {
      case "process" -> processes.put(words.get(1), new Made(number(words, 2), number(words, 3)));
      case "end" -> ends.put(words.get(1), number(words, 2));
      case "fact" -> facts.put(words.get(1), number(words, 2));
      case "tree" ->
          tree.put(
              number(words, 1), new Node(number(words, 1), number(words, 2), number(words, 3)));
      default -> throw new AssertionError("scenario says: " + line);
    }
  }

  private static int number(List<String> words, int index) {
    return Integer.parseInt(words.get(index));
  }

  @Override
  public String toString() {
    return new LinkedHashMap<>(processes) + " " + ends + " " + facts;
  }
}
