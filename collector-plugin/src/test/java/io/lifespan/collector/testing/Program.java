package io.lifespan.collector.testing;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The real program, packaged, as a process of its own; what it prints goes to files. */
public final class Program implements AutoCloseable {

  /** Far more than anything takes on a loaded machine. */
  public static final Duration BOUND = Duration.ofMinutes(2);

  /** A shell starts its background jobs with these ignored, and whatever they start inherits it. */
  private static final List<String> HEEDING_SIGNALS = List.of("env", "--default-signal=INT,QUIT");

  private final Process process;
  private final Path out;
  private final Path err;

  private Program(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** What it ended with. */
  public record Result(int exitCode, String out, String err) {}

  /** A command line that starts the program, for a shell to complete. */
  public static List<String> commandLine(String... arguments) {
    return commandLine(jar(), arguments);
  }

  /** The packaged program. */
  public static Path jar() {
    Path jar = Path.of(System.getProperty("basedir", "")).resolve("target/lifespan.jar");
    if (!Files.exists(jar)) {
      throw new IllegalStateException("no " + jar + ": to be run by mvn verify");
    }
    return jar.toAbsolutePath();
  }

  /** A command line that starts a copy of the program. */
  public static List<String> commandLine(Path jar, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts the program with more variables in its environment. */
  public static Program start(Path directory, Map<String, String> variables, String... arguments)
      throws IOException {
    return startCommand(directory, variables, commandLine(arguments));
  }

  /** Starts any command; output goes to new files in the directory. */
  public static Program startCommand(
      Path directory, Map<String, String> variables, List<String> command) throws IOException {
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    List<String> heeding = new ArrayList<>(HEEDING_SIGNALS);
    heeding.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(heeding).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("OTEL_"));
    builder.environment().putAll(variables);
    return new Program(builder.start(), out, err);
  }

  /** Runs the program to its end. */
  public static Result run(Path directory, Map<String, String> variables, String... arguments)
      throws IOException, InterruptedException {
    try (Program program = start(directory, variables, arguments)) {
      return program.await();
    }
  }

  /** As above, with nothing added to the environment. */
  public static Result run(Path directory, String... arguments)
      throws IOException, InterruptedException {
    return run(directory, Map.of(), arguments);
  }

  /** Waits for its end. */
  public Result await() throws IOException, InterruptedException {
    if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it did not end; it printed: " + out() + err());
    }
    return new Result(process.exitValue(), out(), err());
  }

  /** Its pid. */
  public long pid() {
    return process.pid();
  }

  /** What it has written to standard output up to now; a char for a byte. */
  public String out() throws IOException {
    return Files.readString(out, StandardCharsets.ISO_8859_1);
  }

  /** What it has written to standard error up to now. */
  public String err() throws IOException {
    return Files.readString(err, StandardCharsets.UTF_8);
  }

  /** Sends it a signal. */
  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Waits until it has printed a text on standard output. */
  public void awaitOut(String text) throws InterruptedException {
    awaitUntil("it prints " + text, () -> contains(out, text));
  }

  /** Waits until it has printed a text on standard error. */
  public void awaitErr(String text) throws InterruptedException {
    awaitUntil("it prints " + text, () -> contains(err, text));
  }

  /** Waits for a condition; fails with what it printed if it never holds. */
  public void awaitUntil(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited in vain until " + what);
      }
      Thread.sleep(10);
    }
  }

  /** The state letter of a process in /proc; empty if it is gone. */
  public static String state(long pid) {
    try {
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    } catch (IOException gone) {
      return "";
    }
  }

  /** The spans that it wrote into a directory. */
  public static List<JsonObject> spans(Path directory) throws IOException {
    List<JsonObject> spans = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve("traces.jsonl"))) {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      for (JsonElement resource : request.getAsJsonArray("resourceSpans")) {
        for (JsonElement scope : resource.getAsJsonObject().getAsJsonArray("scopeSpans")) {
          scope
              .getAsJsonObject()
              .getAsJsonArray("spans")
              .forEach(span -> spans.add(span.getAsJsonObject()));
        }
      }
    }
    return spans;
  }

  /** An attribute of a span as text; null if it has none of this name. */
  public static String attribute(JsonObject span, String name) {
    for (JsonElement element : span.getAsJsonArray("attributes")) {
      JsonObject attribute = element.getAsJsonObject();
      if (attribute.get("key").getAsString().equals(name)) {
        JsonObject value = attribute.getAsJsonObject("value");
        JsonElement any = value.entrySet().iterator().next().getValue();
        return any.isJsonPrimitive() ? any.getAsString() : any.toString();
      }
    }
    return null;
  }

  /** Ends it if it is alive. */
  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      return false;
    }
  }
}
