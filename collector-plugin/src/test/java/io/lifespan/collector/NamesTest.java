package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.DocumentedNames;
import io.lifespan.otel.Metric;
import io.lifespan.otel.Semconv;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.AttributeType;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/names.md says, and what the code can export: neither may know a name alone. */
class NamesTest {

  private final DocumentedNames documented;

  NamesTest() throws Exception {
    documented = DocumentedNames.read();
  }

  @Test
  void everyMetricIsDocumentedWithItsKindAndUnitAndNoOther() {
    Map<String, String> inCode = new TreeMap<>();
    for (Metric metric : Metric.values()) {
      inCode.put(metric.metricName(), metric.kind() + " " + metric.unit());
    }
    Map<String, String> inDocument = new TreeMap<>();
    documented
        .metrics()
        .forEach((name, metric) -> inDocument.put(name, metric.kind() + " " + metric.unit()));

    assertThat(inDocument).isEqualTo(inCode);
  }

  @Test
  void everyAttributeOfOurOwnIsDocumentedWithItsTypeAndNoOther() throws Exception {
    Map<String, String> inCode = new TreeMap<>();
    for (Field field : Semconv.class.getFields()) {
      if (field.get(null) instanceof AttributeKey<?> key) {
        inCode.put(key.getKey(), word(key.getType()));
      }
    }

    assertThat(documented.attributes().entrySet())
        .filteredOn(attribute -> attribute.getKey().startsWith("lifespan."))
        .containsExactlyInAnyOrderElementsOf(inCode.entrySet());
  }

  @Test
  void everyEventIsDocumentedAndNoOther() throws Exception {
    Set<String> inCode = new TreeSet<>();
    for (Field field : Semconv.class.getFields()) {
      if (field.getName().startsWith("EVENT_")) {
        inCode.add((String) field.get(null));
      }
    }

    assertThat(
            Stream.concat(documented.logEvents().stream(), documented.spanEvents().stream())
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(inCode);
  }

  @Test
  void everyAttributeOfAMetricIsAmongTheAttributes() {
    assertThat(documented.metrics().values())
        .flatExtracting(DocumentedNames.DocumentedMetric::attributes)
        .allSatisfy(name -> assertThat(documented.attributes()).containsKey(name));
  }

  private static String word(AttributeType type) {
    return switch (type) {
      case STRING -> "string";
      case LONG -> "int";
      case BOOLEAN -> "boolean";
      case DOUBLE -> "double";
      case STRING_ARRAY -> "string[]";
      default -> throw new AssertionError("no word for " + type);
    };
  }
}
