package io.lifespan.libc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jnr.ffi.types.u_int64_t;

/** What this program was started with, in bytes, and how to start it anew in the same process. */
public final class OwnProcess {

  private static final Path SELF = Path.of("/proc/self");
  private static final int F_SETFD = 2;
  private static final int FD_CLOEXEC = 1;
  private static final Calls CALLS = Native.bind(Calls.class);

  private OwnProcess() {}

  /** The arguments, the program first: those of the Java launcher, options for it included. */
  public static List<byte[]> arguments() throws IOException {
    return split(Files.readAllBytes(SELF.resolve("cmdline")));
  }

  /** The environment it was started with: {@code NAME=value} each. */
  public static List<byte[]> environment() throws IOException {
    return split(Files.readAllBytes(SELF.resolve("environ")));
  }

  /**
   * Executes this program again, in the same process: the way to have signals blocked from the very
   * start, in every thread. Returns only by failing.
   *
   * @param blocked the signals that all of its threads are to block
   * @param descriptors what stays open
   */
  public static void restart(
      List<byte[]> arguments,
      List<byte[]> environment,
      SignalSet blocked,
      InheritedDescriptors descriptors)
      throws IOException {
    String executable = Files.readSymbolicLink(SELF.resolve("exe")).toString();
    NativeStrings path = NativeStrings.of(executable.getBytes(StandardCharsets.UTF_8));
    NativeStrings argv = new NativeStrings(arguments);
    NativeStrings envp = new NativeStrings(environment);
    for (int descriptor : InheritedDescriptors.open()) {
      if (!descriptors.descriptors().contains(descriptor)) {
        // Fails only for the descriptor of the directory that was read, closed by now.
        CALLS.fcntl(descriptor, F_SETFD, FD_CLOEXEC);
      }
    }
    SignalSet former = SignalGate.setBlocked(blocked);
    Errno errno;
    try {
      CALLS.execve(path.first(), argv.address(), envp.address());
      errno = Native.errno();
      SignalGate.setBlocked(former);
    } finally {
      path.keep();
      argv.keep();
      envp.keep();
    }
    throw new SystemCallException("execve(" + executable + ")", errno);
  }

  private static List<byte[]> split(byte[] strings) {
    List<byte[]> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < strings.length; i++) {
      if (strings[i] == 0) {
        parts.add(Arrays.copyOfRange(strings, start, i));
        start = i + 1;
      }
    }
    return parts;
  }

  /** The calls. */
  public interface Calls {
    int fcntl(int descriptor, int command, long argument);

    int execve(@u_int64_t long path, @u_int64_t long arguments, @u_int64_t long environment);
  }
}
