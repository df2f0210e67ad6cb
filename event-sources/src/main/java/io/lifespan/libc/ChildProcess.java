package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jnr.ffi.types.pid_t;
import jnr.ffi.types.u_int64_t;

/**
 * A command that runs as if a shell had started it in this program's place: its terminal, process
 * group, descriptors, arguments and environment are those that this program was given, byte for
 * byte; of its signals those blocked are as asked for, those ignored are those ignored here.
 *
 * <p>Hotspot changes two more things that a command inherits, unless told not to: the limit of open
 * files ({@code -XX:-MaxFDLimit}) and what a core dump contains ({@code
 * -XX:+UnlockDiagnosticVMOptions -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore}).
 */
public final class ChildProcess {

  private static final String SHELL = "/bin/sh";
  private static final int WUNTRACED = 2;
  private static final int WCONTINUED = 8;
  private static final int CONTINUED = 0xffff;
  private static final int STOPPED = 0x7f;
  private static final Calls CALLS = Native.bind(Calls.class);

  private final int pid;
  private final long startTicks;
  private final NativeBuffer status = new NativeBuffer(Integer.BYTES);

  ChildProcess(int pid, long startTicks) {
    this.pid = pid;
    this.startTicks = startTicks;
  }

  /** Is asked while the command's process exists and has not yet executed its program. */
  @FunctionalInterface
  public interface Held {

    /**
     * Gives the value of TRACEPARENT for the command. Called in a thread of its own, again if a
     * program found in one directory of PATH could not be executed and another is tried; must not
     * take long.
     *
     * @param startTicks the start of the process in clock ticks since boot
     * @return 55 bytes
     * @throws IOException if the command must not be started after all
     */
    byte[] traceparent(int pid, long startTicks) throws IOException;
  }

  /** Something that happened to a child. */
  public sealed interface Change {

    /**
     * It ended.
     *
     * @param status raw, as wait(2) gives it
     */
    record Ended(int status) implements Change {}

    /**
     * It was stopped.
     *
     * @param signal by which signal
     */
    record Stopped(int signal) implements Change {}

    /** It was continued. */
    record Continued() implements Change {}
  }

  /** Binds the calls that {@link #start} makes, which takes a while. */
  public static void prepare() {
    Native.initialize(ChildProcess.class, HeldSpawn.class, ExecHold.class, FileActions.class);
  }

  /**
   * Starts a command; a script without an interpreter line is given to the shell.
   *
   * @throws SystemCallException if its program could not be executed: ENOENT if there is none (exit
   *     code 127 by custom), else 126
   * @throws IOException if its process could not be held before it executed; nothing was executed
   */
  public static ChildProcess start(Command command, Held callback) throws IOException {
    SystemCallException denied = null;
    for (String path : ProgramPath.candidates(command)) {
      try {
        ProgramPath.checkExecutable(path);
        return startAt(path, command, callback);
      } catch (SystemCallException e) {
        switch (e.errno().symbol()) {
          case "EACCES" -> denied = e;
          case "ENOENT", "ENOTDIR", "ESTALE", "ENODEV", "ETIMEDOUT" -> {
            // Not in this directory: the next one, as execvp(3) does.
          }
          default -> throw e;
        }
      }
    }
    if (denied != null) {
      throw denied;
    }
    String name = new String(command.arguments().get(0), ISO_8859_1);
    throw new SystemCallException("exec(" + name + ")", Errno.ENOENT);
  }

  /** Its pid. */
  public int pid() {
    return pid;
  }

  /** When it was made, in clock ticks since boot: field 22 of /proc/PID/stat. */
  public long startTicks() {
    return startTicks;
  }

  /**
   * Waits until it ends, is stopped or is continued. After its end, which reaps it, not to be
   * called again; from one thread only.
   */
  public Change waitForChange() throws SystemCallException {
    while (CALLS.waitpid(pid, status.address(), WUNTRACED | WCONTINUED) < 0) {
      Errno errno = Native.errno();
      if (!errno.equals(Errno.EINTR)) {
        throw new SystemCallException("waitpid(" + pid + ")", errno);
      }
    }
    int raw = status.bytes().getInt(0);
    if (raw == CONTINUED) {
      return new Change.Continued();
    }
    return (raw & 0xff) == STOPPED ? new Change.Stopped(raw >> 8) : new Change.Ended(raw);
  }

  private static ChildProcess startAt(String path, Command command, Held callback)
      throws IOException {
    try {
      return new HeldSpawn(command, path, command.arguments(), callback).start();
    } catch (SystemCallException e) {
      if (!e.errno().equals(Errno.ENOEXEC)) {
        throw new SystemCallException("exec(" + path + ")", e.errno());
      }
    }
    List<byte[]> arguments = new ArrayList<>(command.arguments());
    arguments.set(0, path.getBytes(ISO_8859_1));
    arguments.add(0, SHELL.getBytes(ISO_8859_1));
    return new HeldSpawn(command, SHELL, arguments, callback).start();
  }

  /** The calls. */
  public interface Calls {
    int waitpid(@pid_t int pid, @u_int64_t long status, int options);
  }
}
