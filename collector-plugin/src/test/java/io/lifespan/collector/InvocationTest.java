package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class InvocationTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private @Nullable Recorded done;

  @Test
  void withoutACommandTheAgentIsMeant() {
    assertThat(execute()).isZero();
    assertThat(done.name).isEqualTo("agent");

    assertThat(execute("--events", "exit")).isZero();
    assertThat(done.name).isEqualTo("agent");
    assertThat(done.settings.events()).hasToString("exit");
  }

  @Test
  void everyErrorIsToldAtOnce() {
    int code =
        execute("run", "--wiat", "--events", "frok,exit", "-D", "lifespan.otpl.dir=x", "--", "a");

    assertThat(code).isEqualTo(2);
    assertThat(done).isNull();
    assertThat(errors())
        .anyMatch(line -> line.contains("--wiat: unknown option; did you mean --wait?"))
        .anyMatch(
            line ->
                line.contains("\"frok\" is not an event") && line.contains("did you mean fork?"))
        .anyMatch(line -> line.contains("lifespan.otpl.dir") && line.contains("lifespan.otlp.dir"))
        .anyMatch(line -> line.contains("lifespan run --help"));
  }

  @Test
  void anOptionWithoutItsValueIsAnError() {
    assertThat(execute("agent", "--otlp-dir")).isEqualTo(2);
    assertThat(errors().get(0)).contains("--otlp-dir");
  }

  @Test
  void aNumberThatIsNoneIsAnError() {
    assertThat(execute("run", "--count", "x")).isEqualTo(2);
    assertThat(errors().get(0)).contains("--count").contains("x");
  }

  @Test
  void anUnknownCommandIsAnErrorThatNamesTheNearest() {
    assertThat(execute("rnu")).isEqualTo(2);
    assertThat(errors().get(0)).contains("\"rnu\" is not a command; did you mean run?");
  }

  @Test
  void whatFollowsTheCommandIsTheCommandsOwn() {
    assertThat(execute("run", "--wait", "--", "make", "--help", "--wiat", "@file")).isZero();
    assertThat(done.command).containsExactly("make", "--help", "--wiat", "@file");

    assertThat(execute("run", "make", "--wait", "--")).isZero();
    assertThat(done.command).containsExactly("make", "--wait", "--");
    assertThat(done.wait).isFalse();
  }

  @Test
  void helpIsForStandardOutput() {
    assertThat(execute("--help")).isZero();
    assertThat(execute("run", "--help")).isZero();
    assertThat(done).isNull();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("lifespan tail")
        .contains("--otlp-dir");
    assertThat(errors()).isEmpty();
  }

  @Test
  void theVersionIsALine() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("lifespan ").hasLineCount(1);
  }

  @Test
  void whatKeepsACommandFromStartingIsTold() {
    assertThat(execute("run", "--", "fail")).isEqualTo(125);
    assertThat(errors()).containsExactly("lifespan: it cannot be; do something else");
  }

  private int execute(String... arguments) {
    done = null;
    Map<String, Supplier<Subcommand>> commands = new LinkedHashMap<>();
    commands.put("run", () -> new Recorded("run"));
    commands.put("agent", () -> new Recorded("agent"));
    return new Invocation(
            commands,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .execute(arguments);
  }

  private List<String> errors() {
    return err.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @CommandLine.Command(name = "lifespan run")
  private final class Recorded implements Subcommand {

    @Mixin private CommonOptions common = new CommonOptions();

    @Option(names = "--wait")
    private boolean wait;

    @Option(names = "--count")
    private int count;

    @Parameters private List<String> command = new ArrayList<>();

    private final String name;
    private Settings settings;

    Recorded(String name) {
      this.name = name;
    }

    @Override
    public CommonOptions common() {
      return common;
    }

    @Override
    public Profile profile() {
      return Profile.RUN;
    }

    @Override
    public int run(Settings given) throws CannotStartException {
      if (command.equals(List.of("fail"))) {
        throw new CannotStartException(125, List.of("it cannot be; do something else"));
      }
      settings = given;
      done = this;
      return count;
    }
  }
}
