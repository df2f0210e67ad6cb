package io.lifespan.event.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lifespan.libc.Errno;
import io.lifespan.libc.FileCalls;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.RawFiles;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.TaskSyscall;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the sampler needs from /proc. Links are read, their targets never touched, and no
 * memory of another process is: none of this waits for a file system. Not thread-safe.
 */
final class TaskFiles {

  private static final String EFFECTIVE = "CapEff:";
  private static final int CAP_SYS_PTRACE = 19;
  private static final int PATH = 64;
  private static final int CONTENT = 4096;
  private static final int ENTRIES = 32 * 1024;

  private final NativeBuffer path = new NativeBuffer(PATH);
  private final NativeBuffer content = new NativeBuffer(CONTENT);
  private final NativeBuffer entries = new NativeBuffer(ENTRIES);
  private final byte[] bytes = new byte[CONTENT];
  private int denied;

  /** How often a file of a process could not be read for want of rights. */
  int denied() {
    return denied;
  }

  /** Every process. */
  int[] processes() {
    return list("/proc");
  }

  /** Every thread of a process. */
  int[] threads(int pid) {
    return list("/proc/" + pid + "/task");
  }

  /** True if it has more threads than one: a directory has a link for each below it. */
  boolean hasThreads(int pid) {
    int result =
        FileCalls.statx(path("/proc/" + pid + "/task"), true, FileCalls.STATX_BASIC, content);
    return result == 0 && content.bytes().getInt(16) > 3;
  }

  /** The call that a thread is in; null if it runs, is gone, or may not be asked. */
  @Nullable TaskSyscall syscall(int pid, int tid) {
    int length = read("/proc/" + pid + "/task/" + tid + "/syscall");
    return length <= 0 ? null : TaskSyscall.parse(bytes, length);
  }

  /** The state of a thread, its name and its process's start; null if it is gone. */
  @Nullable ProcStat stat(int pid, int tid) {
    int length = read("/proc/" + pid + "/task/" + tid + "/stat");
    return length <= 0 ? null : ProcStat.parse(new Bytes(copy(length)));
  }

  /**
   * How often a thread was given a processor: as long as this stays, it has not run. Null if it is
   * gone or the kernel does not count.
   */
  @Nullable Long timesRun(int pid, int tid) {
    int length = read("/proc/" + pid + "/task/" + tid + "/schedstat");
    if (length <= 0) {
      return null;
    }
    String[] words = new String(bytes, 0, length, UTF_8).strip().split(" ", -1);
    try {
      return words.length == 3 ? Long.valueOf(words[2]) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The kernel's function that a thread waits in; null if it may not be known. */
  @Nullable String wchan(int pid, int tid) {
    int length = read("/proc/" + pid + "/task/" + tid + "/wchan");
    String name = length <= 0 ? "0" : new String(bytes, 0, length, UTF_8);
    return name.equals("0") ? null : name;
  }

  /** Whether this process has the capability that opens /proc/PID/syscall of others. */
  boolean mayTrace() {
    int length = read("/proc/self/status");
    String status = length <= 0 ? "" : new String(bytes, 0, length, UTF_8);
    for (String line : status.split("\n", -1)) {
      if (line.startsWith(EFFECTIVE)) {
        long held = Long.parseUnsignedLong(line.substring(EFFECTIVE.length()).strip(), 16);
        return (held >>> CAP_SYS_PTRACE & 1) != 0;
      }
    }
    return true;
  }

  /** Where a link below a process's directory points to; null if that cannot be read. */
  @Nullable Bytes link(int pid, String name) {
    int length = RawFiles.readLink(path("/proc/" + pid + "/" + name), content, CONTENT);
    return length < 0 ? null : new Bytes(copyOf(content, length));
  }

  private int read(String name) {
    int descriptor = RawFiles.open(path(name));
    int length = descriptor;
    if (descriptor >= 0) {
      length = RawFiles.read(descriptor, content, 0, CONTENT);
      RawFiles.close(descriptor);
    }
    if (length == -Errno.EACCES.number() || length == -Errno.EPERM.number()) {
      denied++;
    }
    if (length > 0) {
      content.bytes().get(0, bytes, 0, length);
    }
    return length;
  }

  private int[] list(String directory) {
    int descriptor = RawFiles.open(path(directory));
    if (descriptor < 0) {
      return new int[0];
    }
    IntStream.Builder numbers = IntStream.builder();
    try {
      int filled;
      while ((filled = RawFiles.readEntries(descriptor, entries, ENTRIES)) > 0) {
        for (int entry = 0;
            entry < filled;
            entry += Short.toUnsignedInt(entries.bytes().getShort(entry + 16))) {
          int number = number(entry + 19);
          if (number > 0) {
            numbers.accept(number);
          }
        }
      }
    } finally {
      RawFiles.close(descriptor);
    }
    return numbers.build().toArray();
  }

  private int number(int start) {
    int number = 0;
    for (int i = start; entries.bytes().get(i) != 0; i++) {
      int digit = entries.bytes().get(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private NativeBuffer path(String name) {
    byte[] name8 = name.getBytes(UTF_8);
    path.bytes().put(0, name8).put(name8.length, (byte) 0);
    return path;
  }

  private byte[] copy(int length) {
    return Arrays.copyOf(bytes, length);
  }

  private static byte[] copyOf(NativeBuffer buffer, int length) {
    byte[] copy = new byte[length];
    buffer.bytes().get(0, copy);
    return copy;
  }
}
