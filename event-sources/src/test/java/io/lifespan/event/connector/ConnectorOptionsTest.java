package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lifespan.event.EventKind;
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
    "exec, true, exec",
    "fork sid, true, ''",
    "exit, true, ''",
    "fork exec exit, true, exec",
    "nonzero_exit, true, exit",
    "exec nonzero_exit, true, exec exit",
    "uid gid sid ptrace comm coredump, true, ''",
    "fork exec exit, false, ''",
    "nonzero_exit, false, ''",
  })
  void onlyWhatIsSoonGoneIsUrgent(String names, boolean capture, String urgent) {
    EventSelection selection = EventSelection.of(List.of(names.split(" "))).orElseThrow();

    ConnectorOptions options = ConnectorOptions.defaults(selection, CLOCK).withCapture(capture);

    assertThat(options.urgentKinds())
        .extracting(EventKind::settingName)
        .isEqualTo(urgent.isEmpty() ? List.of() : List.of(urgent.split(" ")));
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
