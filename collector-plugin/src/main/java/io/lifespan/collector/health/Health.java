package io.lifespan.collector.health;

import java.util.List;

/** How a program is; asked from any thread. */
public interface Health {

  /** Why it should be started anew, one line each; empty while it lives. */
  List<String> dead();

  /** Why it does not do its work just now, one line each; empty while it does. */
  List<String> unready();
}
