package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A run of the C program whose processes' events are known: see scenarios.c. */
final class Scenario implements AutoCloseable {

  private static final Path PROGRAM = compile();

  private final Process process;
  private final BufferedReader output;

  private Scenario(Process process) {
    this.process = process;
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  static Scenario start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
    command.addAll(List.of(arguments));
    return new Scenario(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Runs one to its end; returns its pid. */
  static int run(String... arguments) throws IOException, InterruptedException {
    try (Scenario scenario = start(arguments)) {
      scenario.end();
      return scenario.pid();
    }
  }

  static String program() {
    return PROGRAM.toString();
  }

  int pid() {
    return (int) process.pid();
  }

  /** The next line it says, which must have this name. */
  int said(String name) throws IOException {
    String line = output.readLine();
    assertThat(line).startsWith(name + " ");
    return Integer.parseInt(line.substring(name.length() + 1));
  }

  /** What it says under a name until its end: it must say nothing else. */
  Set<Integer> saidToTheEnd(String name) throws IOException {
    Set<Integer> values = new HashSet<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      assertThat(line).startsWith(name + " ");
      values.add(Integer.parseInt(line.substring(name.length() + 1)));
    }
    return values;
  }

  /** Ends its input and waits for its end; returns its exit code. */
  int end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static Path compile() {
    try (InputStream source = Scenario.class.getResourceAsStream("/connector/scenarios.c")) {
      Path directory =
          Files.createTempDirectory(
              "scenarios",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      Path code = directory.resolve("scenarios.c");
      Path program = directory.resolve("scenarios");
      directory.toFile().deleteOnExit();
      code.toFile().deleteOnExit();
      program.toFile().deleteOnExit();
      Files.copy(source, code);
      Process gcc =
          new ProcessBuilder(
                  "gcc", "-O1", "-w", "-pthread", "-o", program.toString(), code.toString())
              .inheritIO()
              .start();
      assertThat(gcc.waitFor()).isZero();
      return program;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
