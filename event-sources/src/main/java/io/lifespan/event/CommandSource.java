package io.lifespan.event;

import io.lifespan.libc.ChildProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A source that follows one command which this process starts, and what descends from it, instead
 * of watching a machine. It learns of the command's end in this process's place: nobody else may
 * wait for it.
 */
public interface CommandSource extends EventSource {

  /**
   * Begins to follow a process that has not yet executed its program. The source must be polled
   * meanwhile. May be called again if that process could not execute anything.
   *
   * @param pid a child of this process, held before its exec
   * @throws IOException if it cannot be followed, with the remedy
   */
  void follow(int pid) throws IOException;

  /**
   * Waits until the command ends, is stopped or is continued.
   *
   * @return null if this source cannot tell any more: it is to be waited for as usual
   */
  ChildProcess.@Nullable Change waitForChange();
}
