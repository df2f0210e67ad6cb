package io.lifespan.libc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;
import jnr.ffi.Pointer;
import jnr.ffi.types.size_t;
import org.jspecify.annotations.Nullable;

/**
 * A compiled BPF object, brought into the kernel by the system's libbpf (version 1). Open it, set
 * it up, load it, attach its programs; closing detaches and frees everything, however far it got.
 */
public final class BpfObject implements AutoCloseable {

  /** The library as its package installs it. */
  public static final String LIBRARY = "libbpf.so.1";

  /** Bytes of struct bpf_object_open_opts as of libbpf 1.0; later versions take it too. */
  private static final int OPTIONS = 80;

  private static final int OBJECT_NAME = 8;
  private static final int LOG_BUFFER = 56;
  private static final int LOG_SIZE = 64;
  private static final int MAX_LOG = 256 * 1024;

  private final Calls calls;
  private final Pointer object;
  private final NativeBuffer log;
  private final List<Pointer> links = new ArrayList<>();
  private boolean closed;

  private BpfObject(Calls calls, Pointer object, NativeBuffer log) {
    this.calls = calls;
    this.object = object;
    this.log = log;
  }

  /**
   * Reads an object file.
   *
   * @param library for example {@link #LIBRARY}
   * @throws LibraryMissingException there is no such library here
   * @throws SystemCallException it does not take the object
   */
  public static BpfObject open(String library, byte[] content)
      throws LibraryMissingException, SystemCallException {
    Calls calls = bind(library);
    calls.libbpf_set_print(null);
    NativeBuffer file = new NativeBuffer(content.length);
    file.bytes().put(0, content);
    NativeBuffer name = new NativeBuffer(16);
    name.bytes().put(0, "lifespan".getBytes(StandardCharsets.US_ASCII));
    NativeBuffer log = new NativeBuffer(MAX_LOG);
    NativeBuffer options = new NativeBuffer(OPTIONS);
    options.bytes().putLong(0, OPTIONS).putLong(OBJECT_NAME, name.address());
    options.bytes().putLong(LOG_BUFFER, log.address()).putLong(LOG_SIZE, MAX_LOG);
    Pointer object = calls.bpf_object__open_mem(file.pointer(), content.length, options.pointer());
    if (object == null) {
      throw new SystemCallException("bpf_object__open_mem", Native.errno());
    }
    return new BpfObject(calls, object, log);
  }

  /** Leaves a program out. Before {@link #load}. */
  public void leaveOut(String program) throws SystemCallException {
    check("bpf_program__set_autoload", calls.bpf_program__set_autoload(program(program), false));
  }

  /** Sets how many entries, or for a ring buffer bytes, a map has. Before {@link #load}. */
  public void size(String map, int entries) throws SystemCallException {
    check("bpf_map__set_max_entries", calls.bpf_map__set_max_entries(map(map), entries));
  }

  /** Sets what a map holds at first. Before {@link #load}. */
  public void fill(String map, NativeBuffer content, int length) throws SystemCallException {
    int result = calls.bpf_map__set_initial_value(map(map), content.pointer(), length);
    check("bpf_map__set_initial_value", result);
  }

  /** Has the kernel check and take its maps and programs; {@link #log} tells why it did not. */
  public void load() throws SystemCallException {
    check("bpf_object__load", calls.bpf_object__load(object));
  }

  /** Attaches a program where its section says. */
  public void attach(String program) throws SystemCallException {
    Pointer link = calls.bpf_program__attach(program(program));
    if (link == null) {
      throw new SystemCallException("bpf_program__attach " + program, Native.errno());
    }
    links.add(link);
  }

  /** The descriptor of a map, once loaded; closed with this. */
  public int descriptor(String map) throws SystemCallException {
    int descriptor = calls.bpf_map__fd(map(map));
    check("bpf_map__fd", descriptor);
    return descriptor;
  }

  /** The end of what the kernel's verifier said of the program that it refused; may be empty. */
  public String log(int lines) {
    byte[] bytes = new byte[MAX_LOG];
    log.bytes().get(0, bytes);
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    String[] all = new String(bytes, 0, length, StandardCharsets.UTF_8).strip().split("\n", -1);
    int from = Math.max(0, all.length - lines);
    return String.join("\n", List.of(all).subList(from, all.length));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      links.forEach(calls::bpf_link__destroy);
      calls.bpf_object__close(object);
    }
  }

  private static Calls bind(String library) throws LibraryMissingException {
    try {
      return LibraryLoader.create(Calls.class)
          .option(LibraryOption.SaveError, true)
          .failImmediately()
          .load(library);
    } catch (UnsatisfiedLinkError missing) {
      throw new LibraryMissingException(library, missing);
    }
  }

  private Pointer program(String name) throws SystemCallException {
    return found(name, calls.bpf_object__find_program_by_name(object, name));
  }

  private Pointer map(String name) throws SystemCallException {
    return found(name, calls.bpf_object__find_map_by_name(object, name));
  }

  private static Pointer found(String name, @Nullable Pointer part) throws SystemCallException {
    if (part == null) {
      throw new SystemCallException("find " + name + " in the BPF object", Errno.ENOENT);
    }
    return part;
  }

  private static void check(String call, int result) throws SystemCallException {
    if (result < 0) {
      throw new SystemCallException(call, new Errno(-result));
    }
  }

  /** A library that is not installed. */
  public static final class LibraryMissingException extends IOException {
    private static final long serialVersionUID = 1L;

    LibraryMissingException(String library, Throwable cause) {
      super(library, cause);
    }
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface Calls {
    @Nullable Pointer libbpf_set_print(@Nullable Pointer function);

    @Nullable Pointer bpf_object__open_mem(Pointer content, @size_t long size, Pointer options);

    int bpf_object__load(Pointer object);

    void bpf_object__close(Pointer object);

    @Nullable Pointer bpf_object__find_program_by_name(Pointer object, String name);

    @Nullable Pointer bpf_object__find_map_by_name(Pointer object, String name);

    int bpf_program__set_autoload(Pointer program, boolean autoload);

    @Nullable Pointer bpf_program__attach(Pointer program);

    int bpf_link__destroy(Pointer link);

    int bpf_map__set_max_entries(Pointer map, int entries);

    int bpf_map__set_initial_value(Pointer map, Pointer data, @size_t long size);

    int bpf_map__fd(Pointer map);
  }
}
