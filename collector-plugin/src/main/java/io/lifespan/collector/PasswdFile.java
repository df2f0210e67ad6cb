package io.lifespan.collector;

import io.lifespan.otel.UserNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Names of users from /etc/passwd and nowhere else: the name services of the C library may ask a
 * server and wait for it. The file is read when a name is first asked for, and again when it has
 * changed, which is looked at every ten seconds at most. See passwd(5).
 *
 * <p>Belongs to one thread.
 */
final class PasswdFile implements UserNames {

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MAX_BYTES = 4 << 20;
  private static final int MAX_USERS = 10_000;
  private static final int MAX_NAME = 256;

  private final Path file;
  private Map<Long, String> names = Map.of();
  private @Nullable FileTime readAt;
  private boolean looked;
  private long lookedNanos;

  PasswdFile(Path file) {
    this.file = file;
  }

  @Override
  public @Nullable String of(long userId) {
    return of(userId, System.nanoTime());
  }

  /** As above, at a time of System.nanoTime. */
  @Nullable String of(long userId, long nowNanos) {
    if (!looked || nowNanos - lookedNanos >= LOOK_NANOS) {
      looked = true;
      lookedNanos = nowNanos;
      look();
    }
    return names.get(userId);
  }

  private void look() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.lastModifiedTime().equals(readAt)) {
        names =
            attributes.size() > MAX_BYTES
                ? Map.of()
                : parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        readAt = attributes.lastModifiedTime();
      }
    } catch (IOException unreadable) {
      names = Map.of();
      readAt = null;
    }
  }

  /** The first line with a number gives its name, as getpwuid(3) has it. */
  private static Map<Long, String> parse(String content) {
    Map<Long, String> names = new HashMap<>();
    for (String line : content.split("\n", -1)) {
      String[] fields = line.split(":", 4);
      if (fields.length == 4 && isName(fields[0]) && fields[2].matches("[0-9]{1,10}")) {
        names.putIfAbsent(Long.parseLong(fields[2]), fields[0]);
      }
      if (names.size() >= MAX_USERS) {
        break;
      }
    }
    return names;
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME
        && name.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
