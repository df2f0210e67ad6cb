package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.replay.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Odd lives as the kernel once told them, each recording with the truth that the program told:
 * plays without root or Linux.
 */
class ReplayTest {

  static List<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/recordings"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void aRecordingGivesTheLivesThatTheProgramTold(Path file) throws IOException {
    Recording recording;
    try (var text = Files.newBufferedReader(file)) {
      recording = Recording.read(text);
    }
    List<TrackedProcess> ended = new ArrayList<>();
    LifecycleListener listener =
        new LifecycleListener() {
          @Override
          public void ended(TrackedProcess process) {
            ended.add(process);
          }
        };
    ProcessTable table =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.NODE),
            recording,
            recording::clock,
            List.of(listener));
    recording.events().forEach(table::apply);
    table.settleAll();

    int told = 0;
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", -1);
      if (line.startsWith("# process ")) {
        told++;
        int pid = Integer.parseInt(words[3]);
        assertThat(ended)
            .as(line)
            .anySatisfy(
                process -> {
                  assertThat(process.key().pid()).isEqualTo(pid);
                  assertThat(process.parentPid()).isEqualTo(Integer.parseInt(words[4]));
                });
      } else if (line.startsWith("# end ")) {
        assertThat(ended)
            .as(line)
            .extracting(TrackedProcess::status)
            .contains(new WaitStatus(Integer.parseInt(words[3])));
      }
    }
    assertThat(told).isPositive();
    assertThat(ended).extracting(TrackedProcess::key).doesNotHaveDuplicates();
    assertThat(table.alive()).isZero();
  }
}
