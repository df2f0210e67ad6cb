package io.lifespan.event.ebpf;

/**
 * A flyweight over a record of {@code lifespan.bpf.c}, in the byte order of x86-64 and arm64.
 *
 * <pre>
 *   0 u16 kind      2 u16 flags     4 s32 tgid        8 u64 time            16 u64 start, boot time
 *  24 s32 parent   28 s32 its tgid                                                    (32: FORK)
 *  32 s32 status   36 s32 signal   40 s32 threads    44 s32 pid                       (48: EXIT)
 *  48 s32 group    52 s32 session  56 u32 terminal   60 u32 flags of the task
 *  64 u32 uid      68 u32 euid     72 u32 gid        76 u32 egid
 *  80 u64 css_set  88 u64 cgroups  96 comm[16]
 * 112 u32 argc    116 u32 args    120 u32 env       124 u32 exe          128 u32 cwd: lengths
 * 132 u32 nested  136 s32 pids[8]                                      (168: EXIT with facts)
 * 168 arguments, variables, names of the executable, names of the working directory      (EXEC)
 * </pre>
 */
final class RingRecord {

  static final int FORK = 1;
  static final int EXEC = 2;
  static final int EXIT = 3;

  static final int ARGS_CUT = 1;
  static final int ENV_CUT = 2;
  static final int EXE_CUT = 4;
  static final int CWD_CUT = 8;
  static final int ENDED = 16;
  static final int HAD_THREADS = 32;
  static final int FACTS = 64;

  static final int FORK_LENGTH = 32;
  static final int EXIT_LENGTH = 48;
  static final int PAYLOAD = 168;
  static final int COMM = 96;
  static final int COMM_LENGTH = 16;

  /** Deeper nested namespaces are not told; the kernel allows 32. */
  static final int MAX_NAMESPACES = 8;

  /** The longest record that the program writes. */
  static final int MAX_LENGTH = PAYLOAD + 2 * 8192 + 2 * 4096 + 4096;

  private final byte[] bytes = new byte[MAX_LENGTH];

  /** Where a record is put. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * True if a record of this length is whole: of a known kind, with all that its lengths speak of.
   */
  boolean isValid(int length) {
    if (length < FORK_LENGTH || tgid() <= 0) {
      return false;
    }
    return switch (kind()) {
      case FORK -> length == FORK_LENGTH;
      case EXIT -> length == (has(FACTS) ? PAYLOAD : EXIT_LENGTH);
      case EXEC -> length >= PAYLOAD && payloadIs(length - PAYLOAD);
      default -> false;
    };
  }

  int kind() {
    return u16(0);
  }

  boolean has(int flag) {
    return (u16(2) & flag) != 0;
  }

  int tgid() {
    return s32(4);
  }

  long timeNanos() {
    return s64(8);
  }

  long startBootNanos() {
    return s64(16);
  }

  int parentPid() {
    return s32(24);
  }

  int parentTgid() {
    return s32(28);
  }

  int status() {
    return s32(32);
  }

  int exitSignal() {
    return s32(36);
  }

  int threadsAlive() {
    return s32(40);
  }

  int processGroup() {
    return s32(48);
  }

  int session() {
    return s32(52);
  }

  int terminal() {
    return s32(56);
  }

  long taskFlags() {
    return Integer.toUnsignedLong(s32(60));
  }

  long realUid() {
    return Integer.toUnsignedLong(s32(64));
  }

  long effectiveUid() {
    return Integer.toUnsignedLong(s32(68));
  }

  long realGid() {
    return Integer.toUnsignedLong(s32(72));
  }

  long effectiveGid() {
    return Integer.toUnsignedLong(s32(76));
  }

  long cssSet() {
    return s64(80);
  }

  long cgroupIds() {
    return s64(88);
  }

  int argumentsLength() {
    return s32(116);
  }

  int environmentLength() {
    return s32(120);
  }

  int executableLength() {
    return s32(124);
  }

  int directoryLength() {
    return s32(128);
  }

  int namespaces() {
    return Math.max(0, Math.min(s32(132), MAX_NAMESPACES));
  }

  int namespacePid(int level) {
    return s32(136 + 4 * level);
  }

  private boolean payloadIs(int length) {
    int arguments = argumentsLength();
    int environment = environmentLength();
    int executable = executableLength();
    int directory = directoryLength();
    return (arguments | environment | executable | directory) >= 0
        && (long) arguments + environment + executable + directory == length;
  }

  private int u16(int at) {
    return (bytes[at] & 0xff) | (bytes[at + 1] & 0xff) << 8;
  }

  private int s32(int at) {
    return u16(at) | u16(at + 2) << 16;
  }

  private long s64(int at) {
    return Integer.toUnsignedLong(s32(at)) | (long) s32(at + 4) << 32;
  }
}
