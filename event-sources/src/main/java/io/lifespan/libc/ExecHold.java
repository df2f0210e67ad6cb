package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/**
 * Holds a child that posix_spawn(3) makes just before it executes its program, so that its pid can
 * be known first.
 *
 * <p>One of the child's file actions opens a file on which this process holds a write lease
 * (fcntl(2), F_SETLEASE): the kernel makes it wait until the lease is given up, at most for
 * /proc/sys/fs/lease-break-time (45 s as a rule), so that a child is never held for good. The file
 * is a memfd and needs no file system. Another memfd marks the child: a descriptor that names one
 * file here and another there.
 */
final class ExecHold implements AutoCloseable {

  private static final int MFD_CLOEXEC = 1;
  private static final int O_RDWR_CLOEXEC = 0x80002;
  private static final int O_RDONLY = 0;
  private static final int F_SETOWN = 8;
  private static final int F_SETLEASE = 1024;
  private static final int F_WRLCK = 1;
  private static final int F_UNLCK = 2;
  private static final String HELD = "lifespan-held";
  private static final Calls CALLS = Native.bind(Calls.class);

  private final int held;
  private final int mark;
  private final int lease;

  ExecHold() throws SystemCallException {
    int[] opened = {-1, -1, -1};
    try {
      opened[0] = memfd(HELD);
      opened[1] = memfd("lifespan-mark");
      opened[2] = reopen(opened[0]);
      checked("fcntl(F_SETLEASE, F_WRLCK)", CALLS.fcntl(opened[2], F_SETLEASE, F_WRLCK));
      // The holder would be sent SIGIO when someone opens the file, and end: nobody is to be told.
      checked("fcntl(F_SETOWN, 0)", CALLS.fcntl(opened[2], F_SETOWN, 0));
    } catch (SystemCallException e) {
      for (int descriptor : opened) {
        closeIfOpen(descriptor);
      }
      throw e;
    }
    held = opened[0];
    mark = opened[1];
    lease = opened[2];
  }

  /** A child that is being held. */
  record Child(int pid, long startTicks) {}

  /** Makes the child mark itself and wait; the descriptors it uses are to be closed afterwards. */
  void addTo(FileActions actions) throws SystemCallException {
    actions.duplicate(held, mark);
    actions.open(held, "/proc/self/fd/" + lease, O_RDONLY);
  }

  /** Looks for the child that the given thread has made; null if there is none yet. */
  @Nullable Child find(String spawningThread) throws IOException {
    Path children = Path.of("/proc/self/task", spawningThread, "children");
    if (!Files.exists(children)) {
      return findAmongAll();
    }
    for (String pid : Files.readString(children, US_ASCII).split(" ", -1)) {
      if (!pid.isBlank()) {
        Child child = child(pid.trim());
        if (child != null) {
          return child;
        }
      }
    }
    return null;
  }

  /** Lets the child go on. */
  void release() throws SystemCallException {
    checked("fcntl(F_SETLEASE, F_UNLCK)", CALLS.fcntl(lease, F_SETLEASE, F_UNLCK));
  }

  /** Lets a child go on that is still held. */
  @Override
  public void close() {
    RawFiles.close(lease);
    RawFiles.close(mark);
    RawFiles.close(held);
  }

  /** For kernels without CONFIG_PROC_CHILDREN. */
  private @Nullable Child findAmongAll() throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        Child child = child(process.getFileName().toString());
        if (child != null) {
          return child;
        }
      }
    }
    return null;
  }

  /** The process if it bears the mark, which it does from just before it waits. */
  private @Nullable Child child(String pid) {
    Path process = Path.of("/proc", pid);
    try {
      Path marked = Files.readSymbolicLink(process.resolve("fd/" + mark));
      if (!marked.toString().contains(HELD)) {
        return null;
      }
      String stat = Files.readString(process.resolve("stat"), ISO_8859_1);
      // Field 22 of proc_pid_stat(5), counted from field 3 behind the name.
      String startTicks = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
      return new Child(Integer.parseInt(pid), Long.parseLong(startTicks));
    } catch (IOException notOurs) {
      return null;
    }
  }

  private static int memfd(String name) throws SystemCallException {
    NativeStrings text = NativeStrings.of(name.getBytes(US_ASCII));
    try {
      return checked("memfd_create", CALLS.memfd_create(text.first(), MFD_CLOEXEC));
    } finally {
      text.keep();
    }
  }

  /** Another description of the memfd: a lease is given only on one made by open(2). */
  private static int reopen(int memfd) throws SystemCallException {
    NativeStrings path = NativeStrings.of(("/proc/self/fd/" + memfd).getBytes(US_ASCII));
    try {
      return checked("open(memfd)", CALLS.open(path.first(), O_RDWR_CLOEXEC));
    } finally {
      path.keep();
    }
  }

  /** Throws if a call failed; else gives back its result. */
  private static int checked(String call, int result) throws SystemCallException {
    if (result < 0) {
      throw new SystemCallException(call, Native.errno());
    }
    return result;
  }

  private static void closeIfOpen(int descriptor) {
    if (descriptor >= 0) {
      RawFiles.close(descriptor);
    }
  }

  /** The calls. */
  public interface Calls {
    int memfd_create(@u_int64_t long name, int flags);

    int open(@u_int64_t long path, int flags);

    int fcntl(int descriptor, int command, long argument);
  }
}
