package io.lifespan.collector.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.otel.Redactor;
import io.lifespan.process.ForkCounter;
import io.lifespan.process.ForkCounter.Totals;
import io.lifespan.procfs.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkLinesTest {

  @Test
  void theOneThatMadeMostComesFirstWithItsRate() {
    List<String> lines =
        new ForkLines(new Redactor(Redactor.DEFAULT_MASK), Duration.ofSeconds(4))
            .of(
                Map.of(
                    Bytes.of("sh"),
                    new Totals(10, 3, 12),
                    Bytes.of("nginx"),
                    new Totals(201, 0, 200),
                    ForkCounter.UNKNOWN,
                    new Totals(0, 0, 7),
                    ForkCounter.OTHER,
                    new Totals(0, 5, 0)));

    assertThat(lines)
        .containsExactly(
            "   FORKS  FORKS/S    EXECS    EXITS  EXECUTABLE",
            "     201     50.3        0      200  nginx",
            "      10      2.5        3       12  sh",
            "       0      0.0        5        0  (others)",
            "       0      0.0        0        7  (unknown)");
  }

  @Test
  void aNameThatIsNoTextIsEscaped() {
    List<String> lines =
        new ForkLines(new Redactor(Redactor.DEFAULT_MASK), Duration.ofSeconds(1))
            .of(Map.of(new Bytes(new byte[] {'a', '\n', (byte) 0xff}), new Totals(1, 0, 0)));

    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).doesNotContain("\n").contains("  a");
  }
}
