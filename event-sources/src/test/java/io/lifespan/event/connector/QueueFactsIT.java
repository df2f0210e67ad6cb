package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.DatagramBatch;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What docs/kernel-facts.md says of the queue of events: seen in the datagrams themselves. */
class QueueFactsIT {

  /** In the datagram: cn_msg.seq, and the processor of the event. */
  private static final int SEQUENCE = 24;

  private static final int PROCESSOR = 40;

  private static final int PROCESSES = 2_000;

  private static Subscription toEverything(int receiveBuffer) throws Exception {
    ConnectorOptions options = Listening.options();
    return Subscription.open(
        new WantedEvents(options.selection(), true), receiveBuffer, Subscription.FILTERING_REQUEST);
  }

  @Test
  void theSequenceOfEachProcessorHasNoGapWhileNothingIsFilteredAndNothingIsLost() throws Exception {
    try (Subscription subscription = toEverything(16 << 20)) {
      Scenario.run("storm", Integer.toString(PROCESSES));
      Map<Integer, Integer> last = new HashMap<>();
      int seen = 0;
      int gaps = 0;
      DatagramBatch batch = subscription.batch();
      int count;
      while ((count = subscription.socket().receive(batch)) > 0) {
        for (int i = 0; i < count; i++) {
          int at = batch.offset(i);
          int processor = batch.bytes().getInt(at + PROCESSOR);
          int sequence = batch.bytes().getInt(at + SEQUENCE);
          Integer before = processor < 0 ? null : last.put(processor, sequence);
          if (before != null && sequence != before + 1) {
            gaps++;
          }
          seen++;
        }
      }

      assertThat(seen).isGreaterThan(2 * PROCESSES);
      assertThat(gaps).isZero();
    }
  }

  @Test
  void anEventTakesTenTimesItsLengthOfTheReceiveBuffer() throws Exception {
    try (Subscription subscription = toEverything(1 << 17)) {
      int size = subscription.receiveBuffer();
      Scenario.run("storm", Integer.toString(PROCESSES));
      int queued = 0;
      DatagramBatch batch = subscription.batch();
      int count;
      while ((count = subscription.socket().receive(batch)) > 0 && queued < size / 76) {
        queued += count;
      }

      assertThat(2 * size / queued).isBetween(300, 1_600);
    }
  }
}
