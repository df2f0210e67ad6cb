package io.lifespan.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The PromQL in dashboards and alert rules. */
final class Expressions {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:lifespan|system|process|otel|host)_[a-z_]+");
  private static final Pattern LABELS =
      Pattern.compile("\\{[^}]*}|\\b(?:by|on|without|ignoring|group_left) *\\([^)]*\\)");
  private static final Pattern VARIABLE_METRIC = Pattern.compile("label_values\\(([a-z_]+)");

  private Expressions() {}

  /** Those of a dashboard's panels, as Grafana sends them with everything chosen. */
  static List<String> ofDashboard(String json) throws IOException {
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : new ObjectMapper().readTree(json).path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        if (target.has("expr")) {
          expressions.add(
              target
                  .path("expr")
                  .asText()
                  .replace("$__rate_interval", "5m")
                  .replace("$node", ".*")
                  .replace("$service", ".*"));
        }
      }
    }
    return expressions;
  }

  /** The metrics that a dashboard's variables look at. */
  static Set<String> metricsOfVariables(String json) throws IOException {
    Set<String> metrics = new TreeSet<>();
    for (JsonNode variable : new ObjectMapper().readTree(json).at("/templating/list")) {
      Matcher matcher = VARIABLE_METRIC.matcher(variable.at("/query/query").asText());
      while (matcher.find()) {
        metrics.add(matcher.group(1));
      }
    }
    return metrics;
  }

  /** Those of a file of alert rules, in order. */
  static List<String> ofRules(String yaml) throws IOException {
    List<String> expressions = new ArrayList<>();
    for (JsonNode group : Manifests.documents(yaml).get(0).path("groups")) {
      group.path("rules").forEach(rule -> expressions.add(rule.path("expr").asText()));
    }
    return expressions;
  }

  /** The names of metrics in an expression. */
  static Set<String> metrics(String expression) {
    Set<String> metrics = new TreeSet<>();
    Matcher matcher = METRIC.matcher(LABELS.matcher(expression).replaceAll(" "));
    while (matcher.find()) {
      metrics.add(matcher.group());
    }
    return metrics;
  }

  static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }
}
