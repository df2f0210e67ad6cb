package io.lifespan.libc;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** The class path of the tests for users who may not read where it lies. */
public final class ReadableClassPath {

  private ReadableClassPath() {}

  /** Copies it into a directory that every user can then read. */
  public static List<String> copiedTo(Path directory) throws IOException {
    List<String> copies = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path from = Path.of(entry);
      if (Files.exists(from)) {
        Path to = directory.resolve(copies.size() + "-" + from.getFileName());
        copy(from, to);
        copies.add(to.toString());
      }
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    return copies;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(target(visited));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path visited, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(visited, target(visited));
            return FileVisitResult.CONTINUE;
          }

          private Path target(Path visited) {
            return to.resolve(from.relativize(visited).toString());
          }
        });
  }
}
