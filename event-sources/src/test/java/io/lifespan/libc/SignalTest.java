package io.lifespan.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalTest {

  @ParameterizedTest
  @CsvSource({
    "1,SIGHUP",
    "2,SIGINT",
    "9,SIGKILL",
    "11,SIGSEGV",
    "15,SIGTERM",
    "31,SIGSYS",
    "32,SIG32",
    "33,SIG33",
    "34,SIGRTMIN",
    "37,SIGRTMIN+3",
    "64,SIGRTMIN+30",
    "0,SIG0",
    "65,SIG65"
  })
  void hasTheNameThatPeopleKnow(int number, String name) {
    assertThat(Signal.name(number)).isEqualTo(name);
  }

  @Test
  void setsAreMasksOfBits() {
    SignalSet set = SignalSet.of(Signal.HUP, Signal.INT, 64);
    assertThat(set.bits()).isEqualTo(0x8000_0000_0000_0003L);
    assertThat(set.contains(64)).isTrue();
    assertThat(set.contains(Signal.TERM)).isFalse();
  }

  @Test
  void setsCanBeAddedSubtractedAndCompared() {
    SignalSet both = SignalSet.of(Signal.HUP, Signal.INT);
    assertThat(SignalSet.of(Signal.HUP).plus(SignalSet.of(Signal.INT))).isEqualTo(both);
    assertThat(both.minus(SignalSet.of(Signal.INT, Signal.TERM)))
        .isEqualTo(SignalSet.of(Signal.HUP));
    assertThat(both.containsAll(SignalSet.of(Signal.INT))).isTrue();
    assertThat(both.containsAll(SignalSet.of(Signal.INT, Signal.TERM))).isFalse();
  }

  @Test
  void setsRefuseWhatIsNoSignal() {
    assertThatThrownBy(() -> SignalSet.of(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SignalSet.of(65)).isInstanceOf(IllegalArgumentException.class);
  }
}
