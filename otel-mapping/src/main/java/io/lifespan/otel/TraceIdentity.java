package io.lifespan.otel;

import io.lifespan.process.ProcessKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes the ids of spans and traces from the identity of processes, so that whoever watches a
 * process gives it the same ids: a restarted agent, a second agent, or {@code lifespan run} beside
 * an agent.
 *
 * <p>The hash is SHA-256 of the text {@code lifespan BOOT_ID PID START_TICKS}, numbers in decimal,
 * one space between. Its first 16 bytes are the id of the trace that begins with the process, the
 * next 8 bytes the id of the process's span. A person can check both: {@code printf 'lifespan %s %d
 * %d' "$boot_id" "$pid" "$ticks" | sha256sum}.
 *
 * <p>Thread-safe.
 */
public final class TraceIdentity {

  private static final int TRACE_ID_BYTES = 16;
  private static final int SPAN_ID_BYTES = 8;

  private final String prefix;
  private final MessageDigest digest;

  /**
   * @param bootId what makes this boot of this machine unique, as /proc/sys/kernel/random/boot_id
   *     says it
   */
  public TraceIdentity(String bootId) {
    this.prefix = "lifespan " + bootId + ' ';
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The id of the trace that begins with this process: 32 lower-case hex digits, never all zero.
   */
  public String traceId(ProcessKey key) {
    byte[] id = new byte[TRACE_ID_BYTES];
    System.arraycopy(hash(key), 0, id, 0, TRACE_ID_BYTES);
    return TraceId.fromBytes(notZero(id));
  }

  /** The id of this process's span: 16 lower-case hex digits, never all zero. */
  public String spanId(ProcessKey key) {
    byte[] id = new byte[SPAN_ID_BYTES];
    System.arraycopy(hash(key), TRACE_ID_BYTES, id, 0, SPAN_ID_BYTES);
    return SpanId.fromBytes(notZero(id));
  }

  /**
   * Sets the last bit of an id that is all zero, which the trace context specification calls
   * invalid.
   */
  static byte[] notZero(byte[] id) {
    for (byte b : id) {
      if (b != 0) {
        return id;
      }
    }
    id[id.length - 1] = 1;
    return id;
  }

  private synchronized byte[] hash(ProcessKey key) {
    String text = prefix + key.pid() + ' ' + key.startTicks();
    return digest.digest(text.getBytes(StandardCharsets.US_ASCII));
  }
}
