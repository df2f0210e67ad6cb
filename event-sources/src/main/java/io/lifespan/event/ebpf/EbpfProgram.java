package io.lifespan.event.ebpf;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.libc.BpfObject;
import io.lifespan.libc.NativeBuffer;
import io.lifespan.libc.PageSize;
import io.lifespan.libc.SharedMemory;
import io.lifespan.libc.SystemCallException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The program of {@code lifespan.bpf.c} in the kernel: loaded, attached, its ring mapped. */
final class EbpfProgram implements AutoCloseable {

  private static final String OBJECT = "lifespan.bpf.o";
  private static final int LOG_LINES = 4;

  /** Bytes of a slot of the map of drops, and how many there are. */
  private static final int DROP_SLOT = 64;

  private static final int DROP_SLOTS = 4;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private @Nullable RingReader ring;
  private @Nullable ByteBuffer drops;
  private int ringDescriptor;

  private EbpfProgram() {}

  /**
   * Loads and attaches what a selection needs.
   *
   * @throws UnavailableException with the cause; nothing is left in the kernel
   */
  static EbpfProgram start(EbpfOptions options) throws UnavailableException {
    Unavailable obstacle = EbpfCauses.beforehand(options.btf());
    if (obstacle != null) {
      throw new UnavailableException(obstacle);
    }
    EbpfProgram program = new EbpfProgram();
    boolean started = false;
    try {
      program.start(open(options), options);
      started = true;
      return program;
    } finally {
      if (!started) {
        program.close();
      }
    }
  }

  RingReader ring() {
    if (ring == null) {
      throw new IllegalStateException("not started");
    }
    return ring;
  }

  /** Can be waited at for records. */
  int ringDescriptor() {
    return ringDescriptor;
  }

  /** How many records found no room in the ring, since it was loaded. */
  long dropped() {
    ByteBuffer counts = drops;
    long sum = 0;
    for (int slot = 0; counts != null && slot < DROP_SLOTS; slot++) {
      sum += counts.getLong(slot * DROP_SLOT);
    }
    return sum;
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static BpfObject open(EbpfOptions options) throws UnavailableException {
    try (InputStream object = EbpfProgram.class.getResourceAsStream(OBJECT)) {
      if (object == null) {
        throw new IllegalStateException(OBJECT + " is not in the jar");
      }
      return BpfObject.open(options.library(), object.readAllBytes());
    } catch (BpfObject.LibraryMissingException missing) {
      throw new UnavailableException(EbpfCauses.library(options.library()));
    } catch (SystemCallException failure) {
      throw new UnavailableException(EbpfCauses.of(failure, ""));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void start(BpfObject object, EbpfOptions options) throws UnavailableException {
    parts.push(object);
    try {
      Map<String, Boolean> programs = programs(options.selection());
      for (Map.Entry<String, Boolean> each : programs.entrySet()) {
        if (!each.getValue()) {
          object.leaveOut(each.getKey());
        }
      }
      object.size("ring", options.ringBytes());
      object.fill(".rodata", config(options.selection()), 8);
      object.load();
      map(object, options.ringBytes());
      for (Map.Entry<String, Boolean> each : programs.entrySet()) {
        if (each.getValue()) {
          object.attach(each.getKey());
        }
      }
    } catch (SystemCallException failure) {
      throw new UnavailableException(EbpfCauses.of(failure, object.log(LOG_LINES)));
    }
  }

  /** Exits first: of a process whose fork was not seen, the exit is nothing new. */
  private static Map<String, Boolean> programs(EventSelection selection) {
    Map<String, Boolean> programs = new LinkedHashMap<>();
    programs.put("on_exit", selection.kinds().contains(EventKind.EXIT));
    programs.put("on_exec", selection.kinds().contains(EventKind.EXEC));
    programs.put("on_fork", selection.kinds().contains(EventKind.FORK));
    return programs;
  }

  /** Who hears of nothing but failed exits knows nothing of the process. */
  private static NativeBuffer config(EventSelection selection) {
    NativeBuffer config = new NativeBuffer(8);
    config.bytes().putInt(0, selection.failedExitsOnly() ? 1 : 0);
    config.bytes().putInt(4, selection.tracksLives() ? 0 : 1);
    return config;
  }

  private void map(BpfObject object, int ringBytes) throws SystemCallException {
    int page = (int) PageSize.bytes();
    ringDescriptor = object.descriptor("ring");
    ByteBuffer consumer = map(ringDescriptor, 0, page, true);
    ByteBuffer rest = map(ringDescriptor, page, page + ringBytes, false);
    ring = new RingReader(consumer, rest, rest.slice(page, ringBytes).order(rest.order()));
    drops = map(object.descriptor("drops"), 0, page, false);
  }

  private ByteBuffer map(int descriptor, long offset, int size, boolean writable)
      throws SystemCallException {
    SharedMemory memory = SharedMemory.map(descriptor, offset, size, writable);
    parts.push(memory);
    return memory.bytes();
  }
}
