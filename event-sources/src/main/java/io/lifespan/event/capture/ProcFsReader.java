package io.lifespan.event.capture;

import io.lifespan.libc.Errno;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.RawFiles;
import io.lifespan.process.ProcReader;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.EnvironSelector;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Reads processes from /proc with few system calls and no garbage beyond what it gives back. It
 * never waits: links are read, their targets never touched, so that a dead mount cannot hold it.
 *
 * <p>Every file is opened by its whole path. Through a descriptor of the process's directory, all
 * files of a process take 1.04 times as long, and the first one, the arguments, for which the race
 * is run, 1.5 times (through jnr-ffi on Linux 6.18; with O_PATH nearly as with O_RDONLY). One read
 * takes a whole file: these files come short only at their end.
 *
 * <p>Of the environment only the variables that {@link EnvironSelector#ALLOWED} names leave this
 * class. A file longer than its bound is cut, and the capture says so.
 *
 * <p>Not thread-safe: one reader for each thread.
 */
public final class ProcFsReader implements ProcReader {

  /** How much of a file is kept: arguments may have two megabytes and more. */
  static final int MAX_CONTENT = 128 * 1024;

  /** How much of an environment is looked through, in pieces. */
  static final int MAX_ENVIRON = 2 * 1024 * 1024;

  /** How much of the chosen variables is kept. */
  static final int MAX_SELECTED = 32 * 1024;

  private static final String DEFAULT_ROOT = "/proc";
  private static final int INITIAL_CAPACITY = 16 * 1024;
  private static final int ENTRIES_CAPACITY = 32 * 1024;

  /** Newer kernels refuse to open the environment of a process without memory, older show none. */
  private static final int NO_MEMORY_LEFT = -Errno.ESRCH.number();

  private static final byte[] ZEROS = new byte[INITIAL_CAPACITY];

  private static final ProcFile[] ALL = ProcFile.values();
  private static final ProcFile[] STAT_ONLY = {ProcFile.STAT};
  private static final ProcFile[] STAT_AND_EXE = {ProcFile.STAT, ProcFile.EXE};
  private static final ProcFile[] OF_A_DYING_PROCESS = {
    ProcFile.STAT, ProcFile.STATUS, ProcFile.CGROUP
  };

  private final ProcPaths paths;
  private final EnvironSelector selector = new EnvironSelector(MAX_SELECTED);

  private final NativeBuffer entries = new NativeBuffer(ENTRIES_CAPACITY);

  /** Reused for every read; grows up to twice {@link #MAX_CONTENT}. */
  private NativeBuffer buffer = new NativeBuffer(INITIAL_CAPACITY);

  /** What {@link #buffer} holds, as an array; reused like it. */
  private byte[] scratch = new byte[INITIAL_CAPACITY];

  private final RecentBytes recent = new RecentBytes();

  /** True if not a byte of the environment came, which may mean that the process is exiting. */
  private boolean environWasEmpty;

  /** A reader of /proc. */
  public ProcFsReader() {
    this(DEFAULT_ROOT);
  }

  /** A reader of a proc file system that is mounted elsewhere. */
  public ProcFsReader(String root) {
    paths = new ProcPaths(root);
  }

  @Override
  public ProcCapture read(int pid) {
    environWasEmpty = false;
    ProcCapture capture = readFiles(pid, ALL);
    if (environWasEmpty) {
      if (capture.get(ProcFile.CMDLINE) == null && !isKernelThread(capture)) {
        capture.without(ProcFile.ENVIRON, ProcCapture.GONE);
      } else {
        capture.with(ProcFile.ENVIRON, Bytes.EMPTY);
      }
    }
    return capture;
  }

  @Override
  public ProcCapture readStat(int pid) {
    return readFiles(pid, STAT_ONLY);
  }

  /** Reads only stat and where the executable is. */
  public ProcCapture readIdentity(int pid) {
    return readFiles(pid, STAT_AND_EXE);
  }

  /** Reads what a dying process still shows until it is reaped: stat, status and cgroup. */
  public ProcCapture readExit(int pid) {
    return readFiles(pid, OF_A_DYING_PROCESS);
  }

  @Override
  public void list(IntConsumer pids) {
    int directory = RawFiles.open(paths.root());
    if (directory < 0) {
      return;
    }
    try {
      int filled;
      while ((filled = RawFiles.readEntries(directory, entries, ENTRIES_CAPACITY)) > 0) {
        for (int entry = 0; entry < filled; entry += entryLength(entry)) {
          int pid = pidOf(entry);
          if (pid > 0) {
            pids.accept(pid);
          }
        }
      }
    } finally {
      RawFiles.close(directory);
    }
  }

  private ProcCapture readFiles(int pid, ProcFile[] files) {
    ProcCapture capture = new ProcCapture();
    paths.process(pid);
    for (ProcFile file : files) {
      if (Errno.ENOENT.equals(capture.reason(files[0]))) {
        capture.without(file, Errno.ENOENT);
        continue;
      }
      switch (file) {
        case EXE, CWD -> readLink(file, capture);
        case ENVIRON -> readEnviron(capture);
        default -> readContent(file, capture);
      }
    }
    return capture;
  }

  private void readLink(ProcFile file, ProcCapture capture) {
    int length = RawFiles.readLink(paths.file(file), buffer, buffer.bytes().capacity());
    if (length < 0) {
      capture.without(file, new Errno(-length));
    } else {
      capture.with(file, copy(length));
    }
  }

  private void readContent(ProcFile file, ProcCapture capture) {
    int descriptor = RawFiles.open(paths.file(file));
    if (descriptor < 0) {
      capture.without(file, new Errno(-descriptor));
      return;
    }
    int length;
    try {
      length = fill(descriptor);
    } finally {
      RawFiles.close(descriptor);
    }
    if (length < 0) {
      capture.without(file, new Errno(-length));
    } else if (length == 0) {
      capture.without(file, ProcCapture.GONE);
    } else if (length > MAX_CONTENT) {
      capture.withBeginning(file, copy(MAX_CONTENT));
    } else {
      capture.with(file, file == ProcFile.STATUS ? identity(length) : copy(length));
    }
  }

  /** Keeps of status who the process is: the whole is as long as all other files together. */
  private Bytes identity(int length) {
    byte[] bytes = scratch(length);
    return recent.of(bytes, ProcStatus.keepIdentity(bytes, length));
  }

  /** Reads until the end or until one byte more than is kept. A short read is the end. */
  private int fill(int descriptor) {
    int length = 0;
    while (true) {
      int room = buffer.bytes().capacity() - length;
      int read = RawFiles.read(descriptor, buffer, length, room);
      if (read < 0) {
        return read;
      }
      length += read;
      if (read < room || length > MAX_CONTENT) {
        return length;
      }
      grow();
    }
  }

  private void readEnviron(ProcCapture capture) {
    int descriptor = RawFiles.open(paths.file(ProcFile.ENVIRON));
    if (descriptor == NO_MEMORY_LEFT) {
      environWasEmpty = true;
      return;
    }
    if (descriptor < 0) {
      capture.without(ProcFile.ENVIRON, new Errno(-descriptor));
      return;
    }
    int room = INITIAL_CAPACITY;
    int total = 0;
    int read;
    try {
      do {
        read = RawFiles.read(descriptor, buffer, 0, room);
        if (read > 0) {
          selector.feed(scratch(read), read);
          wipe(read);
          total += read;
        }
      } while (read == room && total < MAX_ENVIRON);
    } finally {
      RawFiles.close(descriptor);
    }
    keepSelected(capture, total, read, read == room);
  }

  private void keepSelected(ProcCapture capture, int total, int lastRead, boolean cut) {
    if (cut) {
      selector.cut();
    }
    boolean truncated = selector.truncated();
    Bytes selected = selector.finish();
    if (lastRead < 0) {
      capture.without(ProcFile.ENVIRON, new Errno(-lastRead));
    } else if (total == 0) {
      environWasEmpty = true;
    } else if (truncated) {
      capture.withBeginning(ProcFile.ENVIRON, selected);
    } else {
      capture.with(ProcFile.ENVIRON, selected);
    }
  }

  private static boolean isKernelThread(ProcCapture capture) {
    Bytes content = capture.get(ProcFile.STAT);
    ProcStat stat = content == null ? null : ProcStat.parse(content);
    return stat != null && stat.isKernelThread();
  }

  private int entryLength(int entry) {
    return Short.toUnsignedInt(entries.bytes().getShort(entry + 16));
  }

  /** The number that an entry's name is, or -1 if it is none. */
  private int pidOf(int entry) {
    int pid = 0;
    for (int i = entry + 19; entries.bytes().get(i) != 0; i++) {
      int digit = entries.bytes().get(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      pid = pid * 10 + digit;
    }
    return pid;
  }

  private void grow() {
    NativeBuffer larger = new NativeBuffer(buffer.bytes().capacity() * 2);
    larger.bytes().put(0, buffer.bytes(), 0, buffer.bytes().capacity());
    buffer = larger;
  }

  private void wipe(int length) {
    Arrays.fill(scratch, 0, length, (byte) 0);
    buffer.bytes().put(0, ZEROS, 0, length);
  }

  private Bytes copy(int length) {
    return recent.of(scratch(length), length);
  }

  /** What was read, where bytes are cheap to look at one by one. */
  private byte[] scratch(int length) {
    if (scratch.length < length) {
      scratch = new byte[buffer.bytes().capacity()];
    }
    buffer.bytes().get(0, scratch, 0, length);
    return scratch;
  }
}
