package io.lifespan.libc;

import java.util.Locale;

/**
 * An error number of the Linux kernel with its name and a short meaning. Numbers are those of the
 * generic Linux ABI (x86-64 and arm64 share them; see errno(3)).
 *
 * @param number the value of {@code errno}, positive
 */
public record Errno(int number) {

  public static final Errno EPERM = new Errno(1);
  public static final Errno ENOENT = new Errno(2);
  public static final Errno ESRCH = new Errno(3);
  public static final Errno EINTR = new Errno(4);
  public static final Errno ENOEXEC = new Errno(8);
  public static final Errno EBADF = new Errno(9);
  public static final Errno ECHILD = new Errno(10);
  public static final Errno EAGAIN = new Errno(11);
  public static final Errno ENOMEM = new Errno(12);
  public static final Errno EACCES = new Errno(13);
  public static final Errno ENOTDIR = new Errno(20);
  public static final Errno EINVAL = new Errno(22);
  public static final Errno ENOBUFS = new Errno(105);
  public static final Errno ECONNREFUSED = new Errno(111);

  /**
   * The name as in errno.h, for example {@code EACCES}; {@code errno 4242} for a number without
   * one.
   */
  public String symbol() {
    return switch (number) {
      case 1 -> "EPERM";
      case 2 -> "ENOENT";
      case 3 -> "ESRCH";
      case 4 -> "EINTR";
      case 5 -> "EIO";
      case 6 -> "ENXIO";
      case 7 -> "E2BIG";
      case 8 -> "ENOEXEC";
      case 9 -> "EBADF";
      case 10 -> "ECHILD";
      case 11 -> "EAGAIN";
      case 12 -> "ENOMEM";
      case 13 -> "EACCES";
      case 14 -> "EFAULT";
      case 16 -> "EBUSY";
      case 17 -> "EEXIST";
      case 19 -> "ENODEV";
      case 20 -> "ENOTDIR";
      case 21 -> "EISDIR";
      case 22 -> "EINVAL";
      case 23 -> "ENFILE";
      case 24 -> "EMFILE";
      case 26 -> "ETXTBSY";
      case 32 -> "EPIPE";
      case 36 -> "ENAMETOOLONG";
      case 38 -> "ENOSYS";
      case 40 -> "ELOOP";
      case 92 -> "ENOPROTOOPT";
      case 93 -> "EPROTONOSUPPORT";
      case 95 -> "EOPNOTSUPP";
      case 97 -> "EAFNOSUPPORT";
      case 103 -> "ECONNABORTED";
      case 105 -> "ENOBUFS";
      case 107 -> "ENOTCONN";
      case 108 -> "ESHUTDOWN";
      case 110 -> "ETIMEDOUT";
      case 111 -> "ECONNREFUSED";
      case 112 -> "EHOSTDOWN";
      case 113 -> "EHOSTUNREACH";
      case 116 -> "ESTALE";
      case 117 -> "EUCLEAN";
      case 121 -> "EREMOTEIO";
      default -> String.format(Locale.ROOT, "errno %d", number);
    };
  }

  /**
   * The symbol with the words a person would say, for example {@code EACCES (permission denied)}.
   */
  @Override
  public String toString() {
    String words =
        switch (number) {
          case 1 -> "operation not permitted";
          case 2 -> "no such file or directory";
          case 3 -> "no such process";
          case 8 -> "exec format error";
          case 12 -> "out of memory";
          case 13 -> "permission denied";
          case 22 -> "invalid argument";
          case 24 -> "too many open files in this process";
          case 38 -> "not known to this kernel";
          case 93 -> "protocol not supported";
          case 105 -> "receive buffer overrun";
          case 107 -> "not connected";
          case 111 -> "connection refused";
          case 116 -> "stale file handle";
          default -> "";
        };
    return words.isEmpty() ? symbol() : symbol() + " (" + words + ")";
  }
}
