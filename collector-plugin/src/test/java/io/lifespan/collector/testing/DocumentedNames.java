package io.lifespan.collector.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables of docs/names.md: what users are told that there is. */
public final class DocumentedNames {

  /** A line of the table of metrics. */
  public record DocumentedMetric(String kind, String unit, List<String> attributes) {}

  private final Map<String, DocumentedMetric> metrics = new TreeMap<>();
  private final Map<String, String> attributes = new TreeMap<>();
  private final List<String> logEvents = new ArrayList<>();
  private final List<String> spanEvents = new ArrayList<>();

  private DocumentedNames(List<String> lines) {
    String section = "";
    for (String line : lines) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (line.startsWith("| `")) {
        add(section, cells(line));
      }
    }
  }

  /** Reads the document. */
  public static DocumentedNames read() throws IOException {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null && !Files.exists(directory.resolve("docs/names.md"))) {
      directory = directory.getParent();
    }
    if (directory == null) {
      throw new IOException("docs/names.md is nowhere above");
    }
    return new DocumentedNames(Files.readAllLines(directory.resolve("docs/names.md")));
  }

  /** Every metric by its name. */
  public Map<String, DocumentedMetric> metrics() {
    return metrics;
  }

  /** The type of every attribute, of whatever it is one, by its name. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** The names of log events. */
  public List<String> logEvents() {
    return logEvents;
  }

  /** The names of span events. */
  public List<String> spanEvents() {
    return spanEvents;
  }

  private void add(String section, List<String> cells) {
    String name = cells.get(0);
    switch (section) {
      case "Metrics" -> metrics.put(name, metric(cells));
      case "Log events" -> logEvents.add(name);
      case "Span events" -> spanEvents.add(name);
      default -> attributes.put(name, cells.get(1));
    }
  }

  private static DocumentedMetric metric(List<String> cells) {
    List<String> attributes =
        cells.get(3).equals("none") ? List.of() : Arrays.asList(cells.get(3).split(", ", -1));
    return new DocumentedMetric(cells.get(1), cells.get(2), attributes);
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1, line.length() - 1).split(" \\| ", -1))
        .map(cell -> cell.replace("`", "").replace("|", "").strip())
        .toList();
  }
}
