package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.ProcessEvent;
import io.lifespan.otel.LossCause;
import io.lifespan.process.LifecycleListener;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Tells of lost events, and which setting would have prevented it. Bounded: each tenfold of the sum
 * is told, not each loss.
 */
final class LossTeller implements LifecycleListener {

  private final LossCauses causes;
  private final Consumer<String> lines;
  private long sum;
  private long toldAt = 1;

  LossTeller(Settings settings, Consumer<String> lines) {
    this.causes = new LossCauses(settings);
    this.lines = lines;
  }

  @Override
  public void eventsLost(ProcessEvent.Loss loss) {
    sum += loss.count();
    if (sum < toldAt) {
      return;
    }
    while (toldAt <= sum) {
      toldAt *= 10;
    }
    LossCause cause = causes.of(loss.where());
    lines.accept(
        String.format(
            Locale.ROOT,
            "%,d events were lost so far: %s (%s, now %,d%s); what can be is repaired from /proc",
            sum,
            cause.text(),
            cause.setting(),
            cause.value(),
            cause.unit()));
  }
}
