package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanEventsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fork,exec,exit |",
        "nonzero_exit |",
        "exit |",
        "exec,exit |",
        "nonzero_exit,coredump |",
        "fork,exec | add exit or nonzero_exit",
        "coredump | add exit or nonzero_exit",
        "exec,nonzero_exit | use exit, or nonzero_exit without",
        "fork,exit | add exec",
      })
  void aSelectionThatGivesNoSpansIsRefusedWithWhatToDo(String names, String problem) {
    EventSelection selection = EventSelection.of(List.of(names.split(",", -1))).orElseThrow();

    if (problem == null) {
      assertThat(SpanEvents.problems(selection, false)).isEmpty();
    } else {
      assertThat(SpanEvents.problems(selection, false))
          .singleElement()
          .asString()
          .contains(problem);
    }
  }
}
