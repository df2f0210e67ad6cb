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
 * 132 u32 nested  136 s32 pids[8] 168 u64 peak before                  (176: EXIT with facts)
 * 176 arguments, variables, names of the executable, names of the working directory      (EXEC)
 *
 * After an EXIT with usage, u64 each: time on a CPU, user ticks, system ticks, bytes read, written,
 * delays for a CPU and for storage; u32 each: peak, switches voluntary and not, faults minor and
 * major, what is known
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
  static final int USAGE = 128;

  static final long IO = 1;
  static final long RUN_DELAY = 2;
  static final long BLOCK_DELAY = 4;

  static final int FORK_LENGTH = 32;
  static final int EXIT_LENGTH = 48;
  static final int PAYLOAD = 176;
  static final int USAGE_LENGTH = 7 * Long.BYTES + 6 * Integer.BYTES;
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
      case EXIT -> length == usageAt() + (has(USAGE) ? USAGE_LENGTH : 0);
      case EXEC -> length >= PAYLOAD && payloadIs(length - PAYLOAD);
      default -> false;
    };
  }

  private int usageAt() {
    return has(FACTS) ? PAYLOAD : EXIT_LENGTH;
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

  long formerPeakPages() {
    return s64(168);
  }

  long runtimeNanos() {
    return usage(0);
  }

  long userTicks() {
    return usage(1);
  }

  long systemTicks() {
    return usage(2);
  }

  long readBytes() {
    return usage(3);
  }

  long writtenBytes() {
    return usage(4);
  }

  long runDelayNanos() {
    return usage(5);
  }

  long blockDelayNanos() {
    return usage(6);
  }

  long peakPages() {
    return count(0);
  }

  long voluntarySwitches() {
    return count(1);
  }

  long involuntarySwitches() {
    return count(2);
  }

  long minorFaults() {
    return count(3);
  }

  long majorFaults() {
    return count(4);
  }

  /** True if the kernel measures what one of {@link #IO} and the others stands for. */
  boolean knows(long what) {
    return (count(5) & what) != 0;
  }

  private long usage(int index) {
    return s64(usageAt() + index * Long.BYTES);
  }

  private long count(int index) {
    return Integer.toUnsignedLong(s32(usageAt() + 7 * Long.BYTES + index * Integer.BYTES));
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
