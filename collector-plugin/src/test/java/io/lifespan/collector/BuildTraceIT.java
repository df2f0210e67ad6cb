package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import io.lifespan.collector.testing.StraceLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real build: every process of it, as strace, which stops each one to look, sees them. */
class BuildTraceIT {

  private static final int FILES = 30;

  /** On a loaded machine a process may be gone before its program was read: one in so many. */
  private static final int MAX_PROGRAMS_UNKNOWN = 5;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"ebpf", "connector"})
  void everyProcessOfABuildIsInTheTraceAsStraceSawIt(String source) throws Exception {
    Path project = project();
    Path log = directory.resolve("strace.log");
    Program.Result result =
        Program.run(
            directory,
            Map.of("LC_ALL", "C"),
            "run",
            "--otlp-dir",
            directory.toString(),
            "-D",
            "lifespan.sources=" + source,
            "--",
            "strace",
            "-f",
            "-q",
            "-e",
            "signal=none",
            "-e",
            "trace=process",
            "-o",
            log.toString(),
            "make",
            "-C",
            project.toString(),
            "-j4");
    assertThat(result.exitCode()).as(result.err()).isEqualTo(2);

    Map<Integer, StraceLog.Seen> straced = StraceLog.read(log);
    Map<Integer, StraceLog.Seen> traced = traced(straced);
    assertThat(straced).hasSizeGreaterThan(2 * FILES);
    if (source.equals("ebpf")) {
      assertThat(traced).containsExactlyEntriesOf(straced);
    } else {
      assertThat(withKnownPrograms(traced, straced)).containsExactlyEntriesOf(straced);
      assertThat(traced.values())
          .filteredOn(seen -> seen.program() == null)
          .hasSizeLessThan(straced.size() / MAX_PROGRAMS_UNKNOWN);
    }
    assertThat(result.err())
        .containsPattern("make -C \\S+ -j4 .* exit 2\n")
        .containsPattern("gcc x 29 ")
        .containsPattern("gcc .*broken.c.* exit 1\n")
        .doesNotContain("events lost");
  }

  /**
   * The processes of the trace that strace knows: strace itself and its trials are not among them.
   */
  private Map<Integer, StraceLog.Seen> traced(Map<Integer, StraceLog.Seen> straced)
      throws IOException {
    Map<Integer, StraceLog.Seen> traced = new TreeMap<>();
    for (JsonObject span : Program.spans(directory)) {
      int pid = number(span, "process.pid");
      int parent = number(span, "process.parent_pid");
      if (straced.containsKey(pid) || straced.containsKey(parent)) {
        boolean executed = number(span, "lifespan.exec.generation") > 0;
        boolean first = !straced.containsKey(parent);
        traced.put(
            pid,
            new StraceLog.Seen(
                first ? 0 : parent,
                executed ? Program.attribute(span, "process.executable.path") : null,
                number(span, "process.exit.code")));
      }
    }
    return traced;
  }

  /** The same, but a program that is not known is taken from the others: all else must be equal. */
  private static Map<Integer, StraceLog.Seen> withKnownPrograms(
      Map<Integer, StraceLog.Seen> traced, Map<Integer, StraceLog.Seen> straced) {
    Map<Integer, StraceLog.Seen> completed = new TreeMap<>();
    traced.forEach(
        (pid, seen) -> {
          StraceLog.Seen other = straced.get(pid);
          boolean unknown = seen.program() == null && other != null;
          String program = unknown ? other.program() : seen.program();
          completed.put(pid, new StraceLog.Seen(seen.parent(), program, seen.exitCode()));
        });
    return completed;
  }

  private Path project() throws IOException {
    Path project = Files.createDirectory(directory.resolve("project"));
    StringBuilder objects = new StringBuilder();
    for (int i = 0; i < FILES; i++) {
      String name = i == 0 ? "main" : i == FILES - 1 ? "broken" : "file" + i;
      String body = i == 0 ? "int main(void) { return 0; }" : "int f" + i + "(void) { return 1; }";
      Files.writeString(
          project.resolve(name + ".c"), i == FILES - 1 ? "int broken = ;\n" : body + "\n");
      if (i < FILES - 1) {
        objects.append(' ').append(name).append(".o");
      }
    }
    Files.writeString(
        project.resolve("Makefile"),
        "all: program broken\n"
            + "program:"
            + objects
            + "\n\tgcc -o $@ $^ && $(CURDIR)/program; echo linked | cat > linked\n"
            + "%.o: %.c\n\tgcc -c -o $@ $<\n"
            + "broken: program\n\tgcc -c broken.c\n");
    return project;
  }

  private static int number(JsonObject span, String attribute) {
    String value = Program.attribute(span, attribute);
    return value == null ? -1 : Integer.parseInt(value);
  }
}
