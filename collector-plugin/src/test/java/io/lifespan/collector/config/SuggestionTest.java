package io.lifespan.collector.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

  @ParameterizedTest
  @CsvSource({
    "exec,exec,0",
    "exek,exec,1",
    "excec,exec,1",
    "eexc,exec,1",
    "ex,exec,2",
    "'',exec,4"
  })
  void the_distance_counts_letters_put_in_left_out_replaced_or_swapped(
      String word, String other, int distance) {
    assertThat(Suggestion.distance(word, other)).isEqualTo(distance);
    assertThat(Suggestion.distance(other, word)).isEqualTo(distance);
  }

  @Test
  void the_nearest_name_is_suggested_whatever_its_case() {
    assertThat(Suggestion.text("EXIST", List.of("exec", "exit", "fork")))
        .isEqualTo("; did you mean exit?");
  }

  @Test
  void nothing_is_suggested_when_no_name_is_near() {
    assertThat(Suggestion.nearest("everything", List.of("exec", "exit", "fork"))).isNull();
    assertThat(Suggestion.text("everything", List.of("exec", "exit", "fork"))).isEmpty();
  }
}
