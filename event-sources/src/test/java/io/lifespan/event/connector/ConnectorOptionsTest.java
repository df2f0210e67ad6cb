package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lifespan.event.EventSelection;
import io.lifespan.process.KernelClock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectorOptionsTest {

  private static final KernelClock CLOCK = new KernelClock(1, 2, 100);

  @Test
  void theDefaultsAreWhatTheProcessTableNeeds() {
    assertThat(ConnectorOptions.defaults(EventSelection.ALL, CLOCK))
        .isEqualTo(new ConnectorOptions(EventSelection.ALL, 16 << 20, true, true, CLOCK));
  }

  @Test
  void eachCanBeChangedAlone() {
    ConnectorOptions defaults = ConnectorOptions.defaults(EventSelection.ALL, CLOCK);

    assertThat(defaults.withReceiveBufferBytes(1).receiveBufferBytes()).isEqualTo(1);
    assertThat(defaults.withThreadEvents(false).threadEvents()).isFalse();
    assertThat(defaults.withCapture(false).capture()).isFalse();
    assertThat(defaults.withCapture(false).withCapture(true)).isEqualTo(defaults);
  }

  @ParameterizedTest
  @CsvSource({
    "exec, true, true, true",
    "fork sid, true, true, true",
    "exit, true, true, false",
    "exit, false, true, true",
    "nonzero_exit, true, true, true",
    "uid gid sid ptrace comm coredump, false, true, false",
    "fork exec exit, false, false, false",
  })
  void processesAreReadOnlyForSomeEvents(
      String names, boolean threads, boolean capture, boolean reads) {
    EventSelection selection = EventSelection.of(List.of(names.split(" "))).orElseThrow();

    ConnectorOptions options =
        ConnectorOptions.defaults(selection, CLOCK).withThreadEvents(threads).withCapture(capture);

    assertThat(options.readsProcesses()).isEqualTo(reads);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 1 << 30})
  void aReceiveBufferOfNoUseIsRefused(int bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ConnectorOptions.defaults(EventSelection.ALL, CLOCK).withReceiveBufferBytes(bytes))
        .withMessageContaining(Integer.toString(bytes));
  }
}
