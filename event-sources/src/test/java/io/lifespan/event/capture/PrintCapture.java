package io.lifespan.event.capture;

import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;

/** Prints of each file of a process whether it could be read, or the reason. */
public final class PrintCapture {

  private PrintCapture() {}

  public static void main(String[] args) {
    ProcCapture capture = new ProcFsReader().read(Integer.parseInt(args[0]));
    for (ProcFile file : ProcFile.values()) {
      boolean read = capture.get(file) != null;
      System.out.println(file + "=" + (read ? "read" : capture.reason(file).symbol()));
    }
  }
}
