package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.procfs.Bytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A view of one message of the proc connector, to be laid over many (linux/netlink.h, connector.h,
 * cn_proc.h). Values are in the machine's byte order; the time is not aligned.
 *
 * <pre>
 *  0 u32 nlmsg_len     4 u16 type     6 u16 flags     8 u32 seq    12 u32 port     struct nlmsghdr
 * 16 u32 idx = 1      20 u32 val = 1                                               struct cn_msg
 * 24 u32 seq          28 u32 ack     32 u16 len      34 u16 flags
 * 36 u32 what         40 u32 cpu     44 u64 nanoseconds                            struct proc_event
 * 52 ... its data, by what:
 *
 *           what         52          56           60           64            68          72
 * NONE      0            err
 * FORK      1            parent pid  parent tgid  child pid    child tgid
 * EXEC      2            pid         tgid
 * UID       4            pid         tgid         real uid     effective uid
 * GID       0x40         pid         tgid         real gid     effective gid
 * SID       0x80         pid         tgid
 * PTRACE    0x100        pid         tgid         tracer pid   tracer tgid
 * COMM      0x200        pid         tgid         16 bytes, NUL-terminated
 * COREDUMP  0x40000000   pid         tgid         parent pid   parent tgid
 * EXIT      0x80000000   pid         tgid         exit code    exit signal   parent pid  parent tgid
 * 76
 * </pre>
 *
 * NONE answers a request: {@link #ack} is then the request's plus one.
 */
final class ProcEventFlyweight {

  static final int WHAT_NONE = 0;
  static final int WHAT_FORK = 1;
  static final int WHAT_EXEC = 2;
  static final int WHAT_UID = 4;
  static final int WHAT_GID = 0x40;
  static final int WHAT_SID = 0x80;
  static final int WHAT_PTRACE = 0x100;
  static final int WHAT_COMM = 0x200;

  /** Only in a filter: exits with a status other than 0. What arrives is {@link #WHAT_EXIT}. */
  static final int WHAT_NONZERO_EXIT = 0x20000000;

  static final int WHAT_COREDUMP = 0x40000000;
  static final int WHAT_EXIT = 0x80000000;

  /** The size of a message of every kind; a newer kernel may append to it. */
  static final int LENGTH = 76;

  static final int CN_IDX_PROC = 1;
  static final int CN_VAL_PROC = 1;

  static final int IDX = 16;
  static final int VAL = 20;
  static final int ACK = 28;
  static final int DATA_LENGTH = 32;
  static final int WHAT = 36;
  static final int TIME = 44;
  static final int DATA = 52;

  private static final int CN_HEADER = 20;
  private static final int COMM_LENGTH = 16;

  private ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
  private int offset;

  /**
   * Lays the view over a message.
   *
   * @param length of the datagram, which lies wholly inside the buffer
   * @return false if it is no whole message of the proc connector: no getter may then be called
   */
  boolean wrap(ByteBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    if (length < LENGTH) {
      return false;
    }
    int messageLength = word(0);
    int dataLength = Short.toUnsignedInt(buffer.getShort(offset + DATA_LENGTH));
    return messageLength >= LENGTH
        && messageLength <= length
        && word(IDX) == CN_IDX_PROC
        && word(VAL) == CN_VAL_PROC
        && dataLength >= LENGTH - WHAT
        && IDX + CN_HEADER + dataLength <= messageLength;
  }

  /** One of the constants WHAT_*, or of a kind that is not known yet. */
  int what() {
    return word(WHAT);
  }

  /** The kind of the event; null for an answer and for a kind that is not known. */
  @Nullable EventKind kind() {
    return switch (what()) {
      case WHAT_FORK -> EventKind.FORK;
      case WHAT_EXEC -> EventKind.EXEC;
      case WHAT_UID -> EventKind.UID;
      case WHAT_GID -> EventKind.GID;
      case WHAT_SID -> EventKind.SID;
      case WHAT_PTRACE -> EventKind.PTRACE;
      case WHAT_COMM -> EventKind.COMM;
      case WHAT_COREDUMP -> EventKind.COREDUMP;
      case WHAT_EXIT -> EventKind.EXIT;
      default -> null;
    };
  }

  /** Nanoseconds of CLOCK_MONOTONIC. */
  long timeNanos() {
    return buffer.getLong(offset + TIME);
  }

  /** Of an answer: what the request carried, plus one. */
  int ack() {
    return word(ACK);
  }

  /** Of an answer: 0, or a positive error number. */
  int error() {
    return word(DATA);
  }

  /** The thread that it happened to. */
  int pid() {
    return word(DATA);
  }

  /** The process that it happened to. */
  int tgid() {
    return word(DATA + 4);
  }

  int forkParentPid() {
    return word(DATA);
  }

  int forkParentTgid() {
    return word(DATA + 4);
  }

  int forkChildPid() {
    return word(DATA + 8);
  }

  int forkChildTgid() {
    return word(DATA + 12);
  }

  /** Of UID and GID. */
  int realId() {
    return word(DATA + 8);
  }

  /** Of UID and GID. */
  int effectiveId() {
    return word(DATA + 12);
  }

  int tracerPid() {
    return word(DATA + 8);
  }

  int tracerTgid() {
    return word(DATA + 12);
  }

  /** The new name: any bytes up to the first NUL. */
  Bytes comm() {
    int length = 0;
    while (length < COMM_LENGTH && buffer.get(offset + DATA + 8 + length) != 0) {
      length++;
    }
    byte[] name = new byte[length];
    buffer.get(offset + DATA + 8, name);
    return new Bytes(name);
  }

  int coreDumpParentPid() {
    return word(DATA + 8);
  }

  int coreDumpParentTgid() {
    return word(DATA + 12);
  }

  /** The raw wait status. */
  int exitCode() {
    return word(DATA + 8);
  }

  int exitSignal() {
    return word(DATA + 12);
  }

  int exitParentPid() {
    return word(DATA + 16);
  }

  int exitParentTgid() {
    return word(DATA + 20);
  }

  /** True for the fork or exit of a thread that is not the first of its process. */
  boolean isOfThread() {
    return switch (what()) {
      case WHAT_FORK -> forkChildPid() != forkChildTgid();
      case WHAT_EXIT -> pid() != tgid();
      default -> false;
    };
  }

  private int word(int at) {
    return buffer.getInt(offset + at);
  }
}
