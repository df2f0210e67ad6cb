package io.lifespan.event.ebpf;

import io.lifespan.event.EventSelection;
import io.lifespan.libc.BpfObject;
import io.lifespan.process.KernelClock;
import java.nio.file.Path;

/**
 * What an {@link EbpfSource} is to do.
 *
 * @param selection the events wanted; the kernel's program writes no others
 * @param ringBytes how much the kernel may hold while this process does not come to read: a power
 *     of two, at least a page. A process that is made, executes and ends takes some 500 bytes of it
 * @param clock tells which starts of processes do not follow from the time of their fork
 * @param library libbpf by the name that the loader of libraries knows
 * @param btf where the kernel shows its types
 */
public record EbpfOptions(
    EventSelection selection, int ringBytes, KernelClock clock, String library, Path btf) {

  /** 4 MiB: a second of the worst fork storm of a small machine. */
  public static final int DEFAULT_RING_BYTES = 4 << 20;

  public EbpfOptions {
    if (ringBytes < 4096 || Integer.bitCount(ringBytes) != 1) {
      throw new IllegalArgumentException("ring of " + ringBytes + " bytes: no power of two");
    }
  }

  /** A ring of 4 MiB, the system's libbpf and the running kernel's types. */
  public static EbpfOptions defaults(EventSelection selection, KernelClock clock) {
    return new EbpfOptions(
        selection,
        DEFAULT_RING_BYTES,
        clock,
        BpfObject.LIBRARY,
        Path.of("/sys/kernel/btf/vmlinux"));
  }

  /** The same with another size of the ring. */
  public EbpfOptions withRingBytes(int bytes) {
    return new EbpfOptions(selection, bytes, clock, library, btf);
  }

  /** The same with another library. */
  public EbpfOptions withLibrary(String name) {
    return new EbpfOptions(selection, ringBytes, clock, name, btf);
  }

  /** The same with the kernel's types elsewhere. */
  public EbpfOptions withBtf(Path path) {
    return new EbpfOptions(selection, ringBytes, clock, library, path);
  }
}
