package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.FileIncubatingAttributes.FILE_PATH;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static io.opentelemetry.semconv.incubating.SystemIncubatingAttributes.SYSTEM_DEVICE_NAME;
import static io.opentelemetry.semconv.incubating.SystemIncubatingAttributes.SYSTEM_FILESYSTEM_MOUNTPOINT;
import static io.opentelemetry.semconv.incubating.SystemIncubatingAttributes.SYSTEM_FILESYSTEM_TYPE;
import static io.opentelemetry.semconv.incubating.ThreadIncubatingAttributes.THREAD_ID;
import static io.opentelemetry.semconv.incubating.ThreadIncubatingAttributes.THREAD_NAME;

import io.lifespan.event.blocking.BlockedTask;
import io.lifespan.process.Image;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountPoint;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import org.jspecify.annotations.Nullable;

/** What is said of mounts and of threads that are blocked, as far as it may leave the machine. */
final class BlockingAttributes {

  private static final int MAX_LENGTH = 1024;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Redactor redactor;

  BlockingAttributes(Redactor redactor) {
    this.redactor = redactor;
  }

  /** A mount, as metrics keep it apart. */
  Attributes mount(MountPoint mount) {
    AttributesBuilder attributes = Attributes.builder();
    putMount(attributes, mount);
    return attributes.build();
  }

  /** Adds where a mount is, and its type. */
  void putMount(AttributesBuilder attributes, @Nullable MountPoint mount) {
    if (mount != null) {
      attributes.put(SYSTEM_FILESYSTEM_MOUNTPOINT, text(mount.path()));
      attributes.put(SYSTEM_FILESYSTEM_TYPE, mount.type());
    }
  }

  /** Adds what is mounted. */
  void putSource(AttributesBuilder attributes, MountPoint mount) {
    attributes.put(SYSTEM_DEVICE_NAME, text(mount.source()));
  }

  /** A blocked thread, as metrics keep it apart: by call, mount and executable. */
  Attributes series(BlockedTask task) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(Semconv.CALL, task.call());
    MountPoint mount = task.mount();
    attributes.put(SYSTEM_FILESYSTEM_MOUNTPOINT, mount == null ? null : text(mount.path()));
    attributes.put(PROCESS_EXECUTABLE_NAME, executable(task));
    return attributes.build();
  }

  /** What stands for all that have no room in a metric. */
  static Attributes otherSeries() {
    return Attributes.of(
        Semconv.CALL,
        ExecutableNames.OTHER,
        SYSTEM_FILESYSTEM_MOUNTPOINT,
        ExecutableNames.OTHER,
        PROCESS_EXECUTABLE_NAME,
        ExecutableNames.OTHER);
  }

  /** What stands for all mounts that have no room in a metric. */
  static Attributes otherMount() {
    return Attributes.of(
        SYSTEM_FILESYSTEM_MOUNTPOINT, ExecutableNames.OTHER,
        SYSTEM_FILESYSTEM_TYPE, ExecutableNames.OTHER);
  }

  /** Adds all that is known of where a thread is blocked. */
  void putBlock(AttributesBuilder attributes, BlockedTask task) {
    attributes.put(THREAD_ID, task.tid());
    attributes.put(THREAD_NAME, text(task.comm()));
    attributes.put(Semconv.CALL, task.call());
    attributes.put(FILE_PATH, path(task));
    attributes.put(Semconv.WCHAN, task.wchan());
    putMount(attributes, task.mount());
  }

  /** The path that a call is about; null if it is unknown. */
  @Nullable String path(BlockedTask task) {
    return task.path() == null ? null : text(task.path());
  }

  /** A text of the kernel's as it may leave the machine. */
  String text(Bytes bytes) {
    return redactor.text(Text.of(bytes, MAX_LENGTH));
  }

  /** Nanoseconds as seconds. */
  static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }

  /** The name of the program's file; of one whose file is unknown, the name of the thread. */
  private String executable(BlockedTask task) {
    Bytes path = task.executable();
    ProcCapture capture = path == null ? null : new ProcCapture().with(ProcFile.EXE, path);
    Bytes name = new Image(capture, task.comm()).executableName();
    return name == null ? ExecutableNames.UNKNOWN : text(name);
  }
}
