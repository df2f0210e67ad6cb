package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.annotations.In;
import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to start a program. The calling thread is in posix_spawn(3) until the child has
 * executed it, as the child runs in this process's memory until then. Meanwhile a second thread
 * finds the child held by {@link ExecHold}, asks the callback, and writes the answer into the
 * environment that the child is about to pass on.
 */
final class HeldSpawn {

  private static final String VARIABLE = "TRACEPARENT=";

  /** Of the right length, and invalid by the W3C's rules: nobody takes it for a parent. */
  private static final byte[] PLACEHOLDER =
      "00-00000000000000000000000000000000-0000000000000000-00".getBytes(US_ASCII);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_MILLIS = 1;

  /** POSIX_SPAWN_SETSIGDEF and POSIX_SPAWN_SETSIGMASK. */
  private static final short FLAGS = 4 | 8;

  /**
   * Signals that glibc keeps to itself, and lets a child of posix_spawn ignore unless told not to.
   */
  private static final SignalSet LIBRARY_SIGNALS = SignalSet.of(32, 33);

  /** {@code posix_spawnattr_t} takes 336 bytes in glibc and musl. */
  private static final int ATTRIBUTES_SIZE = 1024;

  /** Below this, gaps between inherited descriptors are closed whether they are open or not. */
  private static final int MAX_GAP = 4096;

  /** Signals it handles only to survive them: being ignored does as well. */
  private static final int[] HANDLED_BY_HOTSPOT = {Signal.PIPE, Signal.XFSZ};

  private static final Calls CALLS = Native.bind(Calls.class);

  private final Command command;
  private final NativeStrings path;
  private final NativeStrings arguments;
  private final NativeStrings environment;
  private final int traceparentIndex;
  private final ChildProcess.Held callback;
  private final String thread;

  private final NativeBuffer pid = new NativeBuffer(Integer.BYTES);

  private volatile boolean spawnReturned;
  private ExecHold.@Nullable Child child;
  private @Nullable Exception failure;

  HeldSpawn(Command command, String path, List<byte[]> arguments, ChildProcess.Held callback)
      throws IOException {
    this.command = command;
    this.path = NativeStrings.of(path.getBytes(ISO_8859_1));
    this.arguments = new NativeStrings(arguments);
    this.callback = callback;
    List<byte[]> variables = new ArrayList<>();
    for (byte[] variable : command.environment()) {
      if (!new String(variable, ISO_8859_1).startsWith(VARIABLE)) {
        variables.add(variable);
      }
    }
    traceparentIndex = variables.size();
    variables.add((VARIABLE + new String(PLACEHOLDER, US_ASCII)).getBytes(US_ASCII));
    environment = new NativeStrings(variables);
    thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
  }

  /**
   * Makes the attempt.
   *
   * @throws SystemCallException if the program could not be executed
   * @throws IOException if the child could not be held; nothing was executed
   */
  ChildProcess start() throws IOException {
    int error;
    try (ExecHold hold = new ExecHold();
        FileActions actions = new FileActions()) {
      hold.addTo(actions);
      closeWhatIsNotInherited(actions);
      ignoreWhatHotspotHandles();
      Thread watcher = new Thread(() -> watch(hold), "lifespan-exec-hold");
      watcher.setDaemon(true);
      watcher.start();
      try {
        error = spawn(actions);
      } finally {
        spawnReturned = true;
        join(watcher);
      }
    }
    return result(error);
  }

  private int spawn(FileActions actions) {
    NativeBuffer attributes = new NativeBuffer(ATTRIBUTES_SIZE);
    NativeBuffer blocked = command.blocked().toNative();
    NativeBuffer reset = LIBRARY_SIGNALS.minus(command.ignored()).toNative();
    try {
      CALLS.posix_spawnattr_init(attributes.address());
      CALLS.posix_spawnattr_setflags(attributes.address(), FLAGS);
      CALLS.posix_spawnattr_setsigmask(attributes.address(), blocked.address());
      CALLS.posix_spawnattr_setsigdefault(attributes.address(), reset.address());
      int error =
          CALLS.posix_spawn(
              pid.address(),
              path.first(),
              actions.address(),
              attributes.address(),
              arguments.address(),
              environment.pointer());
      CALLS.posix_spawnattr_destroy(attributes.address());
      return error;
    } finally {
      Reference.reachabilityFence(attributes);
      Reference.reachabilityFence(blocked);
      Reference.reachabilityFence(reset);
      Reference.reachabilityFence(this);
    }
  }

  private ChildProcess result(int error) throws IOException {
    if (failure != null) {
      throw new IOException("the command was not started: " + failure.getMessage(), failure);
    }
    if (child == null) {
      throw new IOException(
          "the command was not started: its process could not be held before exec"
              + (error == 0 ? "" : " (posix_spawn: " + new Errno(error) + ")"));
    }
    if (error != 0) {
      throw new SystemCallException("exec", new Errno(error));
    }
    return new ChildProcess(pid.bytes().getInt(0), child.startTicks());
  }

  /** Runs in the second thread. The child goes on in any case, but without a program on failure. */
  private void watch(ExecHold hold) {
    try {
      ExecHold.Child found = awaitChild(hold);
      if (found != null) {
        byte[] traceparent = callback.traceparent(found.pid(), found.startTicks());
        if (traceparent.length != PLACEHOLDER.length) {
          throw new IllegalArgumentException("a traceparent has " + PLACEHOLDER.length + " bytes");
        }
        environment.overwrite(traceparentIndex, VARIABLE.length(), traceparent);
        child = found;
      }
    } catch (IOException | RuntimeException e) {
      path.overwrite(0, 0, new byte[] {0});
      failure = e;
    }
    try {
      hold.release();
    } catch (SystemCallException e) {
      failure = e;
    }
  }

  private ExecHold.@Nullable Child awaitChild(ExecHold hold) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!spawnReturned) {
      ExecHold.Child found = hold.find(thread);
      if (found != null) {
        return found;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("its process did not appear in /proc; is /proc mounted?");
      }
      pause();
    }
    return null;
  }

  /**
   * File actions that close a descriptor do not mind if it is closed already. So everything up to
   * the highest inherited one is closed by number, and everything above by one call: what another
   * thread opens meanwhile is closed too.
   */
  private void closeWhatIsNotInherited(FileActions actions) throws IOException {
    NavigableSet<Integer> inherited = command.descriptors().descriptors();
    int highest = inherited.isEmpty() ? -1 : inherited.last();
    NavigableSet<Integer> others = new TreeSet<>(InheritedDescriptors.open());
    for (int descriptor = 0; descriptor <= Math.min(highest, MAX_GAP); descriptor++) {
      others.add(descriptor);
    }
    others.removeAll(inherited);
    for (int descriptor : others) {
      actions.close(descriptor);
    }
    actions.closeFrom(highest + 1);
  }

  private void ignoreWhatHotspotHandles() throws SystemCallException {
    for (int signal : HANDLED_BY_HOTSPOT) {
      if (command.ignored().contains(signal)) {
        SignalGate.ignore(signal);
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The watcher ends by itself as soon as posix_spawn has returned. */
  private static void join(Thread watcher) {
    boolean interrupted = false;
    while (true) {
      try {
        watcher.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * All return their error number; those on attributes cannot fail. The Pointer is on purpose: of
   * six plain numbers jnr-ffi 2.3.4 hands over garbage for the sixth on x86-64.
   */
  public interface Calls {
    @IgnoreError
    int posix_spawn(
        @u_int64_t long pid,
        @u_int64_t long path,
        @u_int64_t long actions,
        @u_int64_t long attributes,
        @u_int64_t long arguments,
        @In Pointer environment);

    @IgnoreError
    int posix_spawnattr_init(@u_int64_t long attributes);

    @IgnoreError
    int posix_spawnattr_setflags(@u_int64_t long attributes, short flags);

    @IgnoreError
    int posix_spawnattr_setsigmask(@u_int64_t long attributes, @u_int64_t long set);

    @IgnoreError
    int posix_spawnattr_setsigdefault(@u_int64_t long attributes, @u_int64_t long set);

    @IgnoreError
    int posix_spawnattr_destroy(@u_int64_t long attributes);
  }
}
