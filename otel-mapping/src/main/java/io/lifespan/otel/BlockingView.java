package io.lifespan.otel;

import io.lifespan.event.blocking.BlockedTask;
import io.lifespan.event.blocking.CallStatistics;
import io.lifespan.event.blocking.MountHealth;
import java.util.List;

/** What blocks, and how mounts fare, at the moment when it is asked; from any thread. */
public interface BlockingView {

  /** The threads that are blocked. */
  List<BlockedTask> blocked();

  /** How the mounts fare that are there. */
  List<MountHealth> mounts();

  /** How long Lifespan's own calls took, of the mounts that are there. */
  List<CallStatistics> calls();
}
