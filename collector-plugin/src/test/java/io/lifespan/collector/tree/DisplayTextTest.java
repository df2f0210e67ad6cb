package io.lifespan.collector.tree;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DisplayTextTest {

  @Test
  void wideCharactersTakeTwoColumnsAndCombiningOnesNone() {
    assertThat(DisplayText.width("abc")).isEqualTo(3);
    assertThat(DisplayText.width("日本")).isEqualTo(4);
    assertThat(DisplayText.width("e\u0301")).isEqualTo(1);
    assertThat(DisplayText.width("🎉")).isEqualTo(2);
  }

  @Test
  void aWideCharacterIsNeverHalved() {
    assertThat(DisplayText.cut("日本語", 4, '~')).isEqualTo("日~");
  }

  @Property
  void whatIsCutFits(@ForAll String text, @ForAll @IntRange(max = 50) int columns) {
    assertThat(DisplayText.width(DisplayText.cut(text, columns, '~'))).isLessThanOrEqualTo(columns);
  }
}
