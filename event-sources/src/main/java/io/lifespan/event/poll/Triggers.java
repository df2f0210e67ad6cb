package io.lifespan.event.poll;

import io.lifespan.libc.Epoll;
import io.lifespan.libc.FileWatch;
import io.lifespan.libc.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Signs that something is executed: the dynamic loaders and the shells are opened. For each mount
 * namespace that a process shows, as every container has its own files.
 */
final class Triggers implements AutoCloseable {

  private static final List<String> FILES =
      List.of(
          "/lib64/ld-linux-x86-64.so.2",
          "/lib/ld-linux-aarch64.so.1",
          "/lib/ld-musl-x86_64.so.1",
          "/lib/ld-musl-aarch64.so.1",
          "/etc/ld.so.cache",
          "/bin/sh",
          "/bin/bash",
          "/bin/busybox");

  private static final int MAX_NAMESPACES = 1_000;

  private final Set<String> namespaces = new HashSet<>();
  private final Set<Integer> files = new HashSet<>();
  private @Nullable FileWatch watch;

  Triggers() {
    try {
      watch = new FileWatch();
    } catch (SystemCallException tooMany) {
      watch = null; // then there are no signs, only looks
    }
  }

  /** Has what waits wait for signs too. */
  void addTo(Epoll epoll, long number) {
    if (watch != null) {
      epoll.add(watch.descriptor(), Epoll.IN, number);
    }
  }

  /** Watches the files that a process would open, if it may be looked into. */
  void watchFilesOf(int pid) {
    if (watch == null || namespaces.size() >= MAX_NAMESPACES) {
      return;
    }
    String root = "/proc/" + pid;
    try {
      if (!namespaces.add(Files.readSymbolicLink(Path.of(root, "ns/mnt")).toString())) {
        return;
      }
    } catch (IOException refusedOrGone) {
      return;
    }
    for (String file : FILES) {
      int number = watch.add(root + "/root" + file);
      if (number >= 0) {
        files.add(number);
      }
    }
  }

  /** Forgets the signs up to now. */
  void drain() {
    if (watch != null) {
      watch.drain();
    }
  }

  /** How many files are watched. */
  int files() {
    return files.size();
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
