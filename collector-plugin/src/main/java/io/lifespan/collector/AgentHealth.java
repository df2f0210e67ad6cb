package io.lifespan.collector;

import io.lifespan.collector.export.Telemetry;
import io.lifespan.collector.health.Health;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How an agent is. It lives while events are read and applied; it is ready while, besides, what it
 * sends arrives. That its subscription was proven is so from the first answer on: a source that
 * cannot prove it does not open.
 *
 * <p>A receiver that is down makes it unready, never dead: a new start would bring nothing back.
 */
record AgentHealth(Pipeline pipeline, Telemetry telemetry) implements Health {

  private static final Duration HANGING_AFTER = Duration.ofSeconds(10);

  @Override
  public List<String> dead() {
    List<String> reasons = new ArrayList<>();
    IOException failure = pipeline.failure();
    if (failure != null) {
      reasons.add("no more events: " + failure.getMessage());
    }
    for (String hanging : pipeline.hanging(HANGING_AFTER)) {
      reasons.add(hanging + " has not turned for " + HANGING_AFTER.toSeconds() + " s");
    }
    return reasons;
  }

  @Override
  public List<String> unready() {
    List<String> reasons = dead();
    reasons.addAll(telemetry.failing());
    return reasons;
  }
}
