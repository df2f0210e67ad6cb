package io.lifespan.libc;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.types.pid_t;
import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/**
 * Takes signals one by one instead of letting them interrupt or end the process: they are blocked,
 * and one thread asks for them.
 *
 * <p>This works only if every thread blocks them, the virtual machine's own too. A thread inherits
 * the set of the one that made it, so they must be blocked before the virtual machine starts: see
 * {@link OwnProcess#restart}. Hotspot must also be told to leave them alone: {@code -Xrs} (and
 * {@code -XX:+DisableAttachMechanism}, else that opens a socket), and for SIGUSR2, which it
 * otherwise unblocks for itself in every thread, the environment variable {@code
 * _JAVA_SR_SIGNUM=62}, not to be handed on.
 *
 * <p>Not thread-safe.
 */
public final class SignalGate {

  private static final int SIG_SETMASK = 2;
  private static final long SIG_IGN = 1;
  private static final long SIG_ERR = -1;
  private static final int SI_KERNEL = 0x80;
  private static final int SIGINFO_SIZE = 128;
  private static final Calls CALLS = Native.bind(Calls.class);

  private final NativeBuffer signals;
  private final NativeBuffer info = new NativeBuffer(SIGINFO_SIZE);
  private final NativeBuffer timeout = new NativeBuffer(16);

  /** A gate for signals that all threads block. */
  public SignalGate(SignalSet signals) {
    this.signals = signals.toNative();
  }

  /**
   * A signal that came.
   *
   * @param number which
   * @param code why, {@code si_code} of siginfo_t: 0 for kill(2), 0x80 from the kernel
   * @param senderPid who sent it; 0 if the kernel did, or someone outside of this pid namespace
   */
  public record Received(int number, int code, int senderPid) {

    /**
     * True if the kernel sent it: for a key pressed at the terminal, so that the whole foreground
     * process group has it already, or for a terminal that hung up.
     */
    public boolean fromKernel() {
      return code == SI_KERNEL;
    }
  }

  /**
   * Waits for one of the signals.
   *
   * @return null if none came in time
   */
  public @Nullable Received await(int timeoutMillis) throws SystemCallException {
    timeout.bytes().putLong(0, timeoutMillis / 1000);
    timeout.bytes().putLong(8, timeoutMillis % 1000 * 1_000_000L);
    int number;
    Errno errno;
    try {
      number = CALLS.sigtimedwait(signals.address(), info.address(), timeout.address());
      errno = Native.errno();
    } finally {
      Reference.reachabilityFence(this);
    }
    if (number < 0) {
      if (errno.equals(Errno.EAGAIN) || errno.equals(Errno.EINTR)) {
        return null;
      }
      throw new SystemCallException("sigtimedwait", errno);
    }
    // siginfo_t: si_signo @0, si_errno @4, si_code @8, si_pid @16
    return new Received(number, info.bytes().getInt(8), info.bytes().getInt(16));
  }

  /**
   * Sets what the calling thread blocks; threads and programs it starts inherit that.
   *
   * @return what it blocked before
   */
  static SignalSet setBlocked(SignalSet signals) throws SystemCallException {
    NativeBuffer wanted = signals.toNative();
    NativeBuffer former = SignalSet.NONE.toNative();
    int error;
    try {
      error = CALLS.pthread_sigmask(SIG_SETMASK, wanted.address(), former.address());
    } finally {
      Reference.reachabilityFence(wanted);
    }
    if (error != 0) {
      throw new SystemCallException("pthread_sigmask(SIG_SETMASK)", new Errno(error));
    }
    return new SignalSet(former.bytes().getLong(0));
  }

  /**
   * The signals that were blocked when this program was started: its first thread's set, which the
   * virtual machine never changes.
   */
  public static SignalSet blockedAtStart() throws IOException {
    return fromStatus("SigBlk:");
  }

  /** The signals that this process ignores, among them those it was started to ignore. */
  public static SignalSet ignored() throws IOException {
    return fromStatus("SigIgn:");
  }

  /** Ignores a signal from now on, which programs started inherit. */
  static void ignore(int signal) throws SystemCallException {
    if (CALLS.signal(signal, SIG_IGN) == SIG_ERR) {
      throw new SystemCallException("signal(" + Signal.name(signal) + ")", Native.errno());
    }
  }

  /** Sends a signal to a process. */
  public static void send(int pid, int signal) throws SystemCallException {
    if (CALLS.kill(pid, signal) < 0) {
      throw new SystemCallException(
          "kill(" + pid + ", " + Signal.name(signal) + ")", Native.errno());
    }
  }

  /** Stops this process until someone continues it, as a wrapper does after its command stopped. */
  public static void stopSelf() throws SystemCallException {
    send((int) ProcessHandle.current().pid(), Signal.STOP);
  }

  private static SignalSet fromStatus(String key) throws IOException {
    // The name in the first line may be of any bytes: none is refused in this encoding.
    Path status = Path.of("/proc/self/status");
    for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith(key)) {
        return new SignalSet(Long.parseUnsignedLong(line.substring(key.length()).trim(), 16));
      }
    }
    throw new IOException("/proc/self/status has no line " + key);
  }

  /** The calls; {@code pthread_sigmask} returns its error number. */
  public interface Calls {
    int sigtimedwait(@u_int64_t long set, @u_int64_t long info, @u_int64_t long timeout);

    int pthread_sigmask(int how, @u_int64_t long set, @u_int64_t long former);

    long signal(int signal, long handler);

    int kill(@pid_t int pid, int signal);
  }
}
