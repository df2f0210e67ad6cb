package io.lifespan.process;

import io.lifespan.procfs.ProcStat;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended, as wait(2) encodes it.
 *
 * @param raw the raw status: exit code in bits 8 to 15, or the signal in bits 0 to 6 with 0x80 for
 *     a core dump
 */
public record WaitStatus(int raw) {

  /**
   * The status of a zombie as /proc tells it; null if it tells none. Without the right to trace the
   * process /proc shows 0 whatever the status was, so a 0 read there tells nothing.
   */
  static @Nullable WaitStatus of(ProcStat zombie) {
    Integer raw = zombie.exitStatus();
    return raw == null || raw == 0 ? null : new WaitStatus(raw);
  }

  /** True if it was ended by a signal. */
  public boolean signaled() {
    return (raw & 0x7f) != 0;
  }

  /** The signal that ended it; only if {@link #signaled()}. */
  public int signal() {
    return raw & 0x7f;
  }

  /** True if the kernel says that a core was dumped. */
  public boolean coreDumped() {
    return (raw & 0x80) != 0;
  }

  /** The exit code as a shell tells it: what was passed to exit(), or 128 + the signal. */
  public int exitCode() {
    return signaled() ? 128 + signal() : (raw >> 8) & 0xff;
  }

  /** True if it neither failed nor was killed. */
  public boolean success() {
    return raw == 0;
  }
}
