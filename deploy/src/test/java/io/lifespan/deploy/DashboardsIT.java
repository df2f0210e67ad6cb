package io.lifespan.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dashboards and alerts, asked of the metrics of a real run. */
class DashboardsIT {

  @TempDir static Path directory;
  private static MetricsRun run;

  @BeforeAll
  static void start() throws Exception {
    run = MetricsRun.start(directory);
  }

  @AfterAll
  static void stop() {
    if (run != null) {
      run.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"node-overview", "failing-processes", "fork-storms", "mounts-blocked", "agent"})
  void everyPanelShowsSomething(String name) throws Exception {
    String dashboard = Expressions.read("dashboards/" + name + ".json");

    assertThat(Expressions.ofDashboard(dashboard)).hasSizeGreaterThan(5);
    assertThat(withoutData(dashboard)).isEmpty();
    assertThat(run.names()).containsAll(Expressions.metricsOfVariables(dashboard));
  }

  @Test
  void aPanelWithAMetricThatIsNotThereIsFound() throws Exception {
    String wrong =
        Expressions.read("dashboards/agent.json")
            .replace("lifespan_cache_lookups_total", "lifespan_cache_lookup_total");

    assertThat(withoutData(wrong))
        .singleElement()
        .asString()
        .contains("lifespan_cache_lookup_total");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"node-overview", "failing-processes", "fork-storms", "mounts-blocked", "agent"})
  void noTwoPanelsAreInOnePlaceAndEachSaysWhatItShows(String name) throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(Expressions.read("dashboards/" + name + ".json"));
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      JsonNode place = panel.path("gridPos");
      assertThat(panel.path("title").asText()).isNotBlank();
      assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
      for (int x = 0; x < place.path("w").asInt(); x++) {
        for (int y = 0; y < place.path("h").asInt(); y++) {
          assertThat(cells.add((place.path("x").asInt() + x) + " " + (place.path("y").asInt() + y)))
              .as(panel.path("title").asText())
              .isTrue();
        }
      }
    }
    assertThat(dashboard.path("uid").asText()).startsWith("lifespan-");
  }

  @Test
  void alertsAskForMetricsThatThereAreAndAreAnswered() throws Exception {
    List<String> expressions = Expressions.ofRules(Expressions.read("alerts/lifespan.yaml"));

    assertThat(expressions).hasSizeGreaterThan(5);
    for (String expression : expressions) {
      assertThat(Expressions.metrics(expression)).isNotEmpty();
      assertThat(run.names()).containsAll(Expressions.metrics(expression));
      run.query(expression);
    }
    assertThat(run.query(alert(expressions, "lifespan_process_coredumps_total"))).isNotEmpty();
    assertThat(run.query(alert(expressions, "lifespan_mount_status")))
        .singleElement()
        .satisfies(
            stuck ->
                assertThat(stuck.at("/metric/system_filesystem_mountpoint").asText())
                    .isEqualTo(directory.resolve("mount").toString()));
    assertThat(run.query(alert(expressions, "lifespan_blocked_tasks"))).isNotEmpty();
    assertThat(run.query(alert(expressions, "lifespan_events_lost_total"))).isEmpty();
  }

  @Test
  void alertsFireWhenTheyShouldAndOnlyThen() throws Exception {
    Path rules = directory.resolve("lifespan.yaml");
    Files.writeString(rules, Expressions.read("alerts/lifespan.yaml"));
    Path tests = directory.resolve("lifespan_test.yaml");
    Files.writeString(tests, Expressions.read("alerts/lifespan_test.yaml"));

    assertThat(promtool("check", "rules", rules.toString())).contains("SUCCESS");
    assertThat(promtool("test", "rules", tests.toString())).contains("SUCCESS");

    Files.writeString(rules, Expressions.read("alerts/lifespan.yaml").replace("> 500", "> 5000"));
    assertThat(promtool("test", "rules", tests.toString())).contains("FAILED");
  }

  private static String alert(List<String> expressions, String metric) {
    return expressions.stream().filter(one -> one.contains(metric)).findAny().orElseThrow();
  }

  /** The expressions that give nothing, or nothing but NaN. */
  private static List<String> withoutData(String dashboard) throws Exception {
    List<String> empty = new ArrayList<>();
    for (String expression : Expressions.ofDashboard(dashboard)) {
      boolean data = false;
      for (JsonNode series : run.query(expression)) {
        data |= !series.at("/value/1").asText().equals("NaN");
      }
      if (!data || !run.names().containsAll(Expressions.metrics(expression))) {
        empty.add(expression);
      }
    }
    return empty;
  }

  private static String promtool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(MetricsRun.tool("promtool").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
