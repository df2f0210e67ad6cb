package io.lifespan.event.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A FUSE file system whose answers can be held back. It is in a mount namespace of its server's
 * own, so nobody else can run into it; it ends with its server, and the server with this JVM.
 */
final class SlowFs implements AutoCloseable {

  private final Process server;
  private final Path mountPoint;
  private final BufferedReader answers;
  private final Writer commands;

  private SlowFs(Process server, Path mountPoint) {
    this.server = server;
    this.mountPoint = mountPoint;
    this.answers = server.inputReader(UTF_8);
    this.commands = server.outputWriter(UTF_8);
  }

  /** Compiles the server and mounts it on a new directory with an awkward name. */
  static SlowFs start(Path directory) throws IOException, InterruptedException {
    Path mountPoint = Files.createDirectories(directory.resolve("slow mount\\ \u00e9"));
    Process server =
        new ProcessBuilder(program(directory).toString(), mountPoint.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    SlowFs slow = new SlowFs(server, mountPoint);
    slow.awaitOk();
    return slow;
  }

  /** The compiled server. */
  static Path program(Path directory) throws IOException, InterruptedException {
    Path program = directory.resolve("slowfs");
    Process gcc =
        new ProcessBuilder("gcc", "-O1", "-Wall", "-o", program.toString(), "src/test/c/slowfs.c")
            .inheritIO()
            .start();
    if (gcc.waitFor() != 0) {
      throw new AssertionError("gcc failed: " + gcc.exitValue());
    }
    return program;
  }

  long pid() {
    return server.pid();
  }

  /** Where it is mounted, as its server sees it. */
  Path mountPoint() {
    return mountPoint;
  }

  /** The mounts that its server sees. */
  TimedFilesOptions mounts(TimedFilesOptions options) {
    return options.withMountsOf(pid());
  }

  /** A path as others reach it; everything below a name with "d" first is a directory. */
  FilePath path(String below) {
    return FilePath.of("/proc/" + pid() + "/root" + mountPoint + below);
  }

  /** Answers nothing any more. */
  void hang() throws IOException {
    command("hang");
  }

  /** Answers later. */
  void delay(int millis) throws IOException {
    command("delay " + millis);
  }

  /** Answers at once, what was held back too. */
  void go() throws IOException {
    command("go");
  }

  /** Stops the server: it reads nothing any more. */
  void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets a stopped server go on. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Kills the server, which aborts its connection: whatever hangs in it ends. */
  @Override
  public void close() {
    server.destroyForcibly();
    try {
      server.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void command(String line) throws IOException {
    commands.write(line + "\n");
    commands.flush();
    awaitOk();
  }

  private void awaitOk() throws IOException {
    String line = answers.readLine();
    if (!"ok".equals(line)) {
      throw new IOException("slowfs said " + line);
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start().waitFor();
  }
}
