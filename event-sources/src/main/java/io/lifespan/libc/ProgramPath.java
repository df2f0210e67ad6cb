package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import jnr.ffi.types.u_int64_t;

/**
 * Where a command's program may be, by the rules of execvp(3). In ISO 8859-1, a char for a byte.
 */
final class ProgramPath {

  private static final String VARIABLE = "PATH=";

  /** What the C library searches where PATH is not set. */
  private static final String DEFAULT = "/bin:/usr/bin";

  private static final int AT_FDCWD = -100;
  private static final int X_OK = 1;
  private static final int AT_EACCESS = 0x200;
  private static final Calls CALLS = Native.bind(Calls.class);

  private ProgramPath() {}

  /** The paths to try one after the other. */
  static List<String> candidates(Command command) {
    String program = new String(command.arguments().get(0), ISO_8859_1);
    List<String> candidates = new ArrayList<>();
    if (program.indexOf('/') >= 0) {
      candidates.add(program);
    } else if (!program.isEmpty()) {
      for (String directory : searchPath(command.environment()).split(":", -1)) {
        candidates.add(directory.isEmpty() ? program : directory + "/" + program);
      }
    }
    return candidates;
  }

  /** Throws if this user may not execute the file; a directory passes. */
  static void checkExecutable(String path) throws SystemCallException {
    NativeStrings text = NativeStrings.of(path.getBytes(ISO_8859_1));
    try {
      if (CALLS.faccessat(AT_FDCWD, text.first(), X_OK, AT_EACCESS) < 0) {
        throw new SystemCallException("exec(" + path + ")", Native.errno());
      }
    } finally {
      text.keep();
    }
  }

  private static String searchPath(List<byte[]> environment) {
    for (byte[] entry : environment) {
      String text = new String(entry, ISO_8859_1);
      if (text.startsWith(VARIABLE)) {
        return text.substring(VARIABLE.length());
      }
    }
    return DEFAULT;
  }

  /** The calls. */
  public interface Calls {
    int faccessat(int directory, @u_int64_t long path, int mode, int flags);
  }
}
