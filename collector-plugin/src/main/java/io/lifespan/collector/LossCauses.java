package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.ProcessEvent;
import io.lifespan.otel.LossCause;

/** Says why events were lost, and which setting would have prevented it. */
record LossCauses(Settings settings) {

  LossCause of(ProcessEvent.Loss.Where where) {
    return switch (where) {
      case RECEIVE_BUFFER ->
          new LossCause(
              "the kernel's receive buffer was full",
              "lifespan.connector.receive-buffer",
              settings.connector().receiveBufferBytes(),
              " bytes");
      case RING ->
          new LossCause(
              "the ring in the kernel was full",
              "lifespan.ebpf.ring-buffer",
              settings.ebpf().ringBytes(),
              " bytes");
      case QUEUE ->
          new LossCause("the queue was full", "lifespan.queue.size", settings.queueSize(), "");
    };
  }
}
