package io.lifespan.collector.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeStyleTest {

  @Test
  void aTerminalGivesItsWidthAndColour() {
    assertThat(TreeStyle.of(Map.of(), 100)).isEqualTo(new TreeStyle(100, true, true));
  }

  @Test
  void aPipeHasNoColour() {
    assertThat(TreeStyle.of(Map.of(), null)).isEqualTo(new TreeStyle(120, false, true));
  }

  @Test
  void noColorIsHonouredUnlessEmpty() {
    assertThat(TreeStyle.of(Map.of("NO_COLOR", "1"), 80).colour()).isFalse();
    assertThat(TreeStyle.of(Map.of("NO_COLOR", ""), 80).colour()).isTrue();
    assertThat(TreeStyle.of(Map.of("TERM", "dumb"), 80).colour()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "LANG, de_DE.UTF-8, true",
    "LANG, C.utf8, true",
    "LANG, C, false",
    "LC_ALL, POSIX, false",
    "LC_CTYPE, de_DE.ISO-8859-1, false",
  })
  void theLocaleDecidesAboutLinesAndBars(String name, String value, boolean unicode) {
    assertThat(TreeStyle.of(Map.of(name, value), 80).unicode()).isEqualTo(unicode);
  }

  @ParameterizedTest
  @CsvSource({"0, 120", "1, 40", "500, 200"})
  void anUnreasonableWidthIsNotTaken(int terminal, int columns) {
    assertThat(TreeStyle.of(Map.of(), terminal).columns()).isEqualTo(columns);
  }
}
