package io.lifespan.otel;

import io.lifespan.libc.Errno;
import io.lifespan.process.Image;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;

/** Makes captures of processes by hand. */
final class Captured {

  private final ProcCapture capture = new ProcCapture();
  private final int pid;
  private int parent = 1;
  private long ticks;
  private int terminal;
  private String comm = "";

  private Captured(int pid) {
    this.pid = pid;
  }

  /** A process that executed this, found by its path. */
  static Captured of(int pid, String executable, String... arguments) {
    String path = arguments.length == 0 ? executable : arguments[0];
    String base = path.substring(path.lastIndexOf('/') + 1);
    return new Captured(pid)
        .comm(base.length() > 15 ? base.substring(0, 15) : base)
        .with(ProcFile.EXE, executable)
        .with(ProcFile.CMDLINE, String.join("\0", arguments) + "\0");
  }

  /** A process of which only this much was seen. */
  static Captured nothingBut(int pid, String comm) {
    return new Captured(pid)
        .comm(comm)
        .without(ProcFile.CMDLINE, ProcCapture.GONE)
        .without(ProcFile.EXE, Errno.ENOENT);
  }

  Captured comm(String name) {
    comm = name;
    return this;
  }

  Captured startedAt(int parentPid, long startTicks) {
    parent = parentPid;
    ticks = startTicks;
    return this;
  }

  Captured terminal(int device) {
    terminal = device;
    return this;
  }

  Captured environment(String... variables) {
    return with(ProcFile.ENVIRON, variables.length == 0 ? "" : String.join("\0", variables) + "\0");
  }

  Captured status(String lines) {
    return with(ProcFile.STATUS, lines);
  }

  Captured with(ProcFile file, String content) {
    capture.with(file, Bytes.of(content));
    return this;
  }

  Captured without(ProcFile file, Errno reason) {
    capture.without(file, reason);
    return this;
  }

  ProcCapture capture() {
    String stat =
        "%d (%s) R %d %d %d %d -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n"
            .formatted(pid, comm, parent, pid, pid, terminal, ticks);
    return capture.with(ProcFile.STAT, Bytes.of(stat));
  }

  Image image() {
    return new Image(capture(), Bytes.of(comm));
  }
}
