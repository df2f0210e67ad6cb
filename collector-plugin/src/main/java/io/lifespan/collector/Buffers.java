package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** How much the kernel may hold for Lifespan to read, for the doctor. */
final class Buffers {

  private static final Path LIMIT = Path.of("/proc/sys/net/core/rmem_max");

  private Buffers() {}

  static String text(Settings settings) {
    return String.format(
        Locale.ROOT,
        "connector %,d bytes (without CAP_NET_ADMIN at most net.core.rmem_max, %s); ebpf %,d bytes;"
            + " queue %,d events",
        settings.connector().receiveBufferBytes(),
        limit(),
        settings.ebpf().ringBytes(),
        settings.queueSize());
  }

  /** In one read: the kernel gives such a number to the first only, however short it is. */
  private static String limit() {
    byte[] bytes = new byte[32];
    try (InputStream file = Files.newInputStream(LIMIT)) {
      int length = Math.max(0, file.read(bytes));
      String text = new String(bytes, 0, length, StandardCharsets.US_ASCII).strip();
      return String.format(Locale.ROOT, "%,d", Long.parseLong(text));
    } catch (IOException | NumberFormatException unreadable) {
      return "unknown";
    }
  }
}
