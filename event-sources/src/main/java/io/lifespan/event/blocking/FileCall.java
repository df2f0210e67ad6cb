package io.lifespan.event.blocking;

import io.lifespan.libc.Errno;
import io.lifespan.libc.FileCalls;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.RawFiles;
import io.lifespan.procfs.Bytes;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call that can be made with a deadline.
 *
 * @param <T> what it gives
 */
final class FileCall<T> {

  static final FileCall<Boolean> EXISTS = new FileCall<>(CallKind.ACCESS, FileCall::exists);
  static final FileCall<FileStatus> STAT =
      new FileCall<>(CallKind.STAT, (p, b) -> status(p, b, true, FileCalls.STATX_BASIC));
  static final FileCall<FileStatus> LSTAT =
      new FileCall<>(CallKind.LSTAT, (p, b) -> status(p, b, false, FileCalls.STATX_BASIC));
  static final FileCall<FileStatus> ATTRIBUTES =
      new FileCall<>(CallKind.STAT, (p, b) -> status(p, b, true, FileCalls.STATX_WITH_BIRTH));
  static final FileCall<FileSystemStatus> STATFS =
      new FileCall<>(CallKind.STATFS, FileCall::fileSystem);
  static final FileCall<Bytes> READLINK = new FileCall<>(CallKind.READLINK, FileCall::link);

  /** statfs, then stat: what a mount is asked to see whether it lives. */
  static final FileCall<FileSystemStatus> PROBE = new FileCall<>(CallKind.PROBE, FileCall::probe);

  private static final int MAX_MODE = 7;
  private static final FileCall<?>[] ACCESS = new FileCall<?>[MAX_MODE + 1];

  private static final Timed<Boolean> TRUE = new Timed.Value<>(true);
  private static final Timed<Boolean> FALSE = new Timed.Value<>(false);

  static {
    for (int mode = 0; mode <= MAX_MODE; mode++) {
      int wanted = mode;
      ACCESS[mode] = new FileCall<>(CallKind.ACCESS, (p, b) -> access(p, wanted));
    }
  }

  private final CallKind kind;
  private final Body<T> body;

  private interface Body<T> {
    Timed<T> make(NativeBuffer path, CallBuffers buffers);
  }

  private FileCall(CallKind kind, Body<T> body) {
    this.kind = kind;
    this.body = body;
  }

  @SuppressWarnings("unchecked")
  static FileCall<Boolean> access(int mode) {
    if (mode < 0 || mode > MAX_MODE) {
      throw new IllegalArgumentException("mode " + mode + " is not a sum of 4, 2 and 1");
    }
    return (FileCall<Boolean>) ACCESS[mode];
  }

  /** Text that ends with a NUL in a process's memory, whose file in /proc the path is. */
  static FileCall<Bytes> text(long address) {
    return new FileCall<>(CallKind.MEMORY, (path, buffers) -> text(path, buffers, address));
  }

  CallKind kind() {
    return kind;
  }

  /** Makes the call on this thread, however long it takes. */
  Timed<T> make(FilePath path, CallBuffers buffers) {
    return body.make(buffers.path(path), buffers);
  }

  private static Timed<Boolean> exists(NativeBuffer path, CallBuffers buffers) {
    int result = FileCalls.access(path, FileCalls.F_OK);
    if (result == 0) {
      return TRUE;
    }
    boolean absent = result == -Errno.ENOENT.number() || result == -Errno.ENOTDIR.number();
    return absent ? FALSE : failed(result);
  }

  private static Timed<Boolean> access(NativeBuffer path, int mode) {
    int result = FileCalls.access(path, mode);
    if (result == 0) {
      return TRUE;
    }
    return result == -Errno.EACCES.number() ? FALSE : failed(result);
  }

  private static Timed<FileStatus> status(
      NativeBuffer path, CallBuffers buffers, boolean follow, int mask) {
    int result = FileCalls.statx(path, follow, mask, buffers.result());
    return result < 0 ? failed(result) : new Timed.Value<>(status(buffers.result().bytes()));
  }

  /** Offsets of {@code struct statx} (linux/stat.h). */
  private static FileStatus status(ByteBuffer statx) {
    int mask = statx.getInt(0);
    return new FileStatus(
        Short.toUnsignedInt(statx.getShort(28)),
        statx.getLong(32),
        (long) statx.getInt(136) << 32 | Integer.toUnsignedLong(statx.getInt(140)),
        Integer.toUnsignedLong(statx.getInt(16)),
        Integer.toUnsignedLong(statx.getInt(20)),
        Integer.toUnsignedLong(statx.getInt(24)),
        statx.getLong(40),
        statx.getLong(48),
        time(statx, 64),
        time(statx, 112),
        time(statx, 96),
        (mask & 0x800) == 0 ? null : time(statx, 80),
        (mask & 0x1000) == 0 ? null : statx.getLong(144));
  }

  private static Instant time(ByteBuffer statx, int offset) {
    return Instant.ofEpochSecond(statx.getLong(offset), statx.getInt(offset + 8));
  }

  private static Timed<FileSystemStatus> fileSystem(NativeBuffer path, CallBuffers buffers) {
    int result = FileCalls.statfs(path, buffers.result());
    return result < 0 ? failed(result) : new Timed.Value<>(fileSystem(buffers.result().bytes()));
  }

  /** Offsets of {@code struct statfs} of 64-bit Linux (asm-generic/statfs.h). */
  private static FileSystemStatus fileSystem(ByteBuffer statfs) {
    return new FileSystemStatus(
        statfs.getLong(0),
        statfs.getLong(8),
        statfs.getLong(16),
        statfs.getLong(24),
        statfs.getLong(32),
        statfs.getLong(40),
        statfs.getLong(48));
  }

  private static Timed<Bytes> link(NativeBuffer path, CallBuffers buffers) {
    NativeBuffer into = buffers.result();
    int length = RawFiles.readLink(path, into, into.bytes().capacity());
    if (length < 0) {
      return failed(length);
    }
    byte[] target = new byte[length];
    into.bytes().get(0, target);
    return new Timed.Value<>(new Bytes(target));
  }

  private static Timed<FileSystemStatus> probe(NativeBuffer path, CallBuffers buffers) {
    Timed<FileSystemStatus> fileSystem = fileSystem(path, buffers);
    if (fileSystem instanceof Timed.Value) {
      int result = FileCalls.statx(path, true, FileCalls.STATX_BASIC, buffers.result());
      if (result < 0) {
        return failed(result);
      }
    }
    return fileSystem;
  }

  private static Timed<Bytes> text(NativeBuffer path, CallBuffers buffers, long address) {
    int descriptor = RawFiles.open(path);
    if (descriptor < 0) {
      return failed(descriptor);
    }
    NativeBuffer into = buffers.result();
    int read = RawFiles.readAt(descriptor, into, into.bytes().capacity(), address);
    RawFiles.close(descriptor);
    if (read < 0) {
      return failed(read);
    }
    int length = 0;
    while (length < read && into.bytes().get(length) != 0) {
      length++;
    }
    byte[] text = new byte[length];
    into.bytes().get(0, text);
    return new Timed.Value<>(new Bytes(text));
  }

  private static <T> Timed<T> failed(int result) {
    return new Timed.Failed<>(new Errno(-result));
  }

  /** The error of an answer; null if it is a value. */
  static @Nullable Errno errno(Timed<?> answer) {
    return answer instanceof Timed.Failed<?> failed ? failed.errno() : null;
  }
}
