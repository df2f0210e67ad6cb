package io.lifespan.event.ebpf;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SystemCallException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why capture in the kernel cannot be had, told from what was found and what the kernel refused.
 */
final class EbpfCauses {

  private static final String INITIAL_PID_NAMESPACE = "pid:[4026531836]";
  private static final Path OWN_PID_NAMESPACE = Path.of("/proc/self/ns/pid");
  private static final Path OWN_STATUS = Path.of("/proc/self/status");
  private static final Path LOCKDOWN = Path.of("/sys/kernel/security/lockdown");
  private static final Pattern EFFECTIVE = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]{1,16})$");

  /** The mode SECCOMP_MODE_FILTER (linux/seccomp.h). */
  private static final Pattern FILTERED = Pattern.compile("(?m)^Seccomp:\\s*2$");

  /** Numbers of capabilities (linux/capability.h). */
  private static final int CAP_SYS_ADMIN = 21;

  private static final int CAP_PERFMON = 38;
  private static final int CAP_BPF = 39;

  private EbpfCauses() {}

  /**
   * What can be seen before anything is tried: namespace and types. Null if nothing speaks against
   * it.
   */
  static @Nullable Unavailable beforehand(Path btf) {
    String namespace = namespace();
    if (namespace != null && !namespace.equals(INITIAL_PID_NAMESPACE)) {
      return new Unavailable(
          "readlink /proc/self/ns/pid",
          null,
          "the kernel tells pids of the initial pid namespace, and this is another",
          "run on the host, in a pod with hostPID: true, or in a container with --pid=host");
    }
    if (!Files.isReadable(btf)) {
      return new Unavailable(
          "open " + btf,
          Files.exists(btf) ? Errno.EACCES : Errno.ENOENT,
          "this kernel does not tell its types",
          "use a kernel with CONFIG_DEBUG_INFO_BTF=y, 5.11 or newer");
    }
    return null;
  }

  /** The library is not installed. */
  static Unavailable library(String name) {
    return new Unavailable(
        "dlopen " + name,
        null,
        "libbpf is not installed",
        "install libbpf 1.0 or newer: the package libbpf1 on Debian and Ubuntu, libbpf on Fedora");
  }

  /**
   * A call failed.
   *
   * @param log the end of what the kernel's verifier said; may be empty
   */
  static Unavailable of(SystemCallException failure, String log) {
    return of(failure, log, effectiveCapabilities(), lockdown(), filtered());
  }

  /**
   * A call failed.
   *
   * @param capabilities the effective ones, a bit each; null if unknown
   * @param lockdown what the kernel shows of its lockdown; empty if it has none
   * @param filtered whether a filter decides which system calls this process may make
   */
  static Unavailable of(
      SystemCallException failure,
      String log,
      @Nullable Long capabilities,
      String lockdown,
      boolean filtered) {
    String call = failure.call();
    Errno errno = failure.errno();
    List<String> missing = missing(capabilities);
    boolean refused = errno.equals(Errno.EPERM) || errno.equals(Errno.EACCES);
    if (refused && !missing.isEmpty()) {
      return new Unavailable(
          call,
          errno,
          "this user may not load programs into the kernel: without "
              + String.join(" and ", missing),
          "run as root or with the capabilities CAP_BPF and CAP_PERFMON");
    }
    if (refused && lockdown.contains("[confidentiality]")) {
      return new Unavailable(
          call,
          errno,
          "the kernel is locked down: its memory may not be read",
          "boot without lockdown=confidentiality");
    }
    if (refused && filtered && log.isEmpty()) {
      return new Unavailable(
          call,
          errno,
          "a seccomp profile refuses the call, as the default ones of container runtimes do",
          "run with a profile that allows bpf: seccompProfile Unconfined in a pod, --security-opt"
              + " seccomp=unconfined of podman and docker");
    }
    if (!log.isEmpty()) {
      return new Unavailable(
          call,
          errno,
          "the kernel's verifier refused the program, saying: " + log.replace("\n", " | "),
          "report this with the version of the kernel; the connector needs no program");
    }
    return new Unavailable(
        call,
        errno,
        "the kernel refused the program",
        "use a kernel 5.11 or newer with CONFIG_BPF_SYSCALL=y and CONFIG_DEBUG_INFO_BTF=y");
  }

  private static List<String> missing(@Nullable Long capabilities) {
    List<String> missing = new ArrayList<>();
    if (capabilities != null && (capabilities & 1L << CAP_SYS_ADMIN) == 0) {
      if ((capabilities & 1L << CAP_BPF) == 0) {
        missing.add("CAP_BPF");
      }
      if ((capabilities & 1L << CAP_PERFMON) == 0) {
        missing.add("CAP_PERFMON");
      }
    }
    return missing;
  }

  private static @Nullable Long effectiveCapabilities() {
    Matcher line = EFFECTIVE.matcher(text(OWN_STATUS));
    return line.find() ? (Long) Long.parseUnsignedLong(line.group(1), 16) : null;
  }

  private static boolean filtered() {
    return FILTERED.matcher(text(OWN_STATUS)).find();
  }

  private static String lockdown() {
    return text(LOCKDOWN);
  }

  private static @Nullable String namespace() {
    try {
      return Files.readSymbolicLink(OWN_PID_NAMESPACE).toString();
    } catch (IOException absent) {
      return null;
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException absent) {
      return "";
    }
  }
}
