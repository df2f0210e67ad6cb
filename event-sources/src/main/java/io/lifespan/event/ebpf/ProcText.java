package io.lifespan.event.ebpf;

import io.lifespan.procfs.Bytes;
import java.util.Arrays;

/**
 * Writes what a record tells in the form of /proc/PID/stat and status, which everything that reads
 * a capture understands. Fields that nobody reads and the record does not have are 0.
 */
final class ProcText {

  private static final char RUNNING = 'R';
  private static final char ZOMBIE = 'Z';

  private byte[] text = new byte[256];
  private int length;

  /** The stat of a process that runs, at its exec: it has one thread. */
  Bytes stat(RingRecord record, long startTicks) {
    return stat(record, RUNNING, 1, startTicks);
  }

  /** The stat of a process whose first thread has exited: that one still counts. */
  Bytes deadStat(RingRecord record, long startTicks) {
    return stat(record, ZOMBIE, record.threadsAlive() + 1, startTicks);
  }

  /**
   * The lines of status that tell who a process is and are the same for many: without pid and
   * parent. The content is in {@link #bytes()}; returns its length.
   */
  int status(RingRecord record) {
    length = 0;
    ids("Uid:", record.realUid(), record.effectiveUid());
    ids("Gid:", record.realGid(), record.effectiveGid());
    if (record.namespaces() > 0) {
      put("NSpid:");
      value('\t', record.tgid());
      for (int level = 0; level < record.namespaces(); level++) {
        value('\t', record.namespacePid(level));
      }
      put('\n');
    }
    return length;
  }

  byte[] bytes() {
    return text;
  }

  private Bytes stat(RingRecord record, char state, int threads, long startTicks) {
    boolean whole = record.kind() == RingRecord.EXEC || record.has(RingRecord.FACTS);
    length = 0;
    put(record.tgid());
    put(" (");
    if (whole) {
      comm(record.bytes());
    }
    put(") ");
    put(state);
    value(' ', record.parentTgid());
    value(' ', whole ? record.processGroup() : 0);
    value(' ', whole ? record.session() : 0);
    value(' ', whole ? record.terminal() : 0);
    put(" -1");
    value(' ', whole ? record.taskFlags() : 0);
    put(" 0 0 0 0 0 0 0 0 20 0");
    value(' ', threads);
    put(" 0");
    value(' ', startTicks);
    put('\n');
    return new Bytes(Arrays.copyOf(text, length));
  }

  private void comm(byte[] record) {
    for (int i = 0; i < RingRecord.COMM_LENGTH && record[RingRecord.COMM + i] != 0; i++) {
      put(record[RingRecord.COMM + i]);
    }
  }

  private void ids(String name, long real, long effective) {
    put(name);
    value('\t', real);
    value('\t', effective);
    put('\n');
  }

  private void value(char before, long value) {
    put(before);
    put(value);
  }

  private void put(long value) {
    long rest = Math.abs(value);
    if (value < 0) {
      put('-');
    }
    int digits = 1;
    for (long more = rest / 10; more > 0; more /= 10) {
      digits++;
    }
    room(digits);
    for (int i = length + digits - 1; i >= length; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void put(String ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  private void put(char ascii) {
    put((byte) ascii);
  }

  private void put(byte value) {
    room(1);
    text[length++] = value;
  }

  private void room(int more) {
    if (length + more > text.length) {
      text = Arrays.copyOf(text, text.length * 2);
    }
  }
}
