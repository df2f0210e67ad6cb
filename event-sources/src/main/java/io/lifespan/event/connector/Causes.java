package io.lifespan.event.connector;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Why the proc connector cannot be had, told from what the kernel did when asked. */
final class Causes {

  /** What /proc/PID/ns shows of the namespaces that the machine started with (linux/proc_ns.h). */
  static final String INITIAL_PID_NAMESPACE = "pid:[4026531836]";

  static final String INITIAL_USER_NAMESPACE = "user:[4026531837]";

  private static final String LISTEN = "send PROC_CN_MCAST_LISTEN";

  private static final int ENOMEM = 12;
  private static final int EMFILE = 24;
  private static final int EPROTONOSUPPORT = 93;
  private static final int EAFNOSUPPORT = 97;

  private Causes() {}

  /** A call failed. */
  static Unavailable of(SystemCallException failure) {
    return of(failure.call(), failure.errno());
  }

  /** The kernel answered the request with an error number. */
  static Unavailable refused(int error) {
    return of(LISTEN, new Errno(error));
  }

  /** The kernel did not answer the request: it drops those from other namespaces. */
  static Unavailable silence() {
    return silence(namespace("user"), namespace("pid"));
  }

  /**
   * The kernel did not answer the request.
   *
   * @param user the user namespace of this process as /proc shows it; null if it does not
   * @param pid its pid namespace
   */
  static Unavailable silence(@Nullable String user, @Nullable String pid) {
    if (user != null && !user.equals(INITIAL_USER_NAMESPACE)) {
      return new Unavailable(
          LISTEN,
          null,
          "process events are given only to the initial user namespace, and this is another",
          "run outside user namespaces: on the host, or in a pod without hostUsers: false");
    }
    if (pid == null || !pid.equals(INITIAL_PID_NAMESPACE)) {
      return new Unavailable(
          LISTEN,
          null,
          "process events are given only to the initial pid namespace, and this is another",
          "run on the host, in a pod with hostPID: true, or in a container with --pid=host");
    }
    return new Unavailable(
        LISTEN,
        null,
        "this kernel did not answer the request for process events: it was built without them",
        "use a kernel with CONFIG_PROC_EVENTS=y");
  }

  /** The kernel confirmed the subscription, but did not tell of a thread that was started. */
  static Unavailable noEvents() {
    return new Unavailable(
        LISTEN,
        null,
        "the kernel confirmed the subscription, but sends no process events",
        "use a kernel with CONFIG_PROC_EVENTS=y");
  }

  private static Unavailable of(String call, Errno errno) {
    if (errno.number() == EPROTONOSUPPORT || errno.number() == EAFNOSUPPORT) {
      return new Unavailable(
          call,
          errno,
          "this kernel was built without the connector",
          "use a kernel with CONFIG_CONNECTOR=y and CONFIG_PROC_EVENTS=y");
    }
    if (errno.equals(Errno.EPERM) || errno.equals(Errno.EACCES)) {
      return new Unavailable(
          call,
          errno,
          "this user may not listen to process events",
          "run as root or with the capability CAP_NET_ADMIN, which kernels before 6.6 ask for");
    }
    if (errno.equals(Errno.ECONNREFUSED)) {
      return new Unavailable(
          call,
          errno,
          "process events are given only to the initial network namespace, and this is another",
          "run on the host, in a pod with hostNetwork: true, or in a container with --network=host");
    }
    String remedy =
        switch (errno.number()) {
          case EMFILE -> "raise the limit of open files (ulimit -n)";
          case ENOMEM -> "free some of the kernel's memory";
          default -> "see what the manual page of this call says about the error";
        };
    return new Unavailable(call, errno, "the kernel refused a call", remedy);
  }

  private static @Nullable String namespace(String kind) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString();
    } catch (IOException absent) {
      return null;
    }
  }
}
