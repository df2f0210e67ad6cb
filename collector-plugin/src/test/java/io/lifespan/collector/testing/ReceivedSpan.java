package io.lifespan.collector.testing;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A span as a receiver got it.
 *
 * @param parentSpanId empty for a root
 * @param attributes by key; each value as text, lists as JSON
 * @param resource the attributes of its Resource
 * @param json everything else
 */
public record ReceivedSpan(
    String traceId,
    String spanId,
    String parentSpanId,
    String name,
    Map<String, String> attributes,
    Map<String, String> resource,
    JsonObject json) {

  /**
   * The spans of a request as the receiver prints it: OTLP JSON, but attributes as one object; none
   * if it is of another kind.
   */
  static List<ReceivedSpan> of(JsonObject request) {
    List<ReceivedSpan> spans = new ArrayList<>();
    for (JsonObject resourceSpans : objects(request, "resourceSpans")) {
      JsonObject resource = resourceSpans.getAsJsonObject("resource");
      Map<String, String> about = resource == null ? Map.of() : attributes(resource);
      for (JsonObject scopeSpans : objects(resourceSpans, "scopeSpans")) {
        for (JsonObject span : objects(scopeSpans, "spans")) {
          spans.add(of(span, about));
        }
      }
    }
    return spans;
  }

  private static ReceivedSpan of(JsonObject span, Map<String, String> resource) {
    return new ReceivedSpan(
        text(span, "traceId"),
        text(span, "spanId"),
        text(span, "parentSpanId"),
        text(span, "name"),
        attributes(span),
        resource,
        span);
  }

  private static Map<String, String> attributes(JsonObject of) {
    Map<String, String> attributes = new TreeMap<>();
    if (of.has("attributes")) {
      of.getAsJsonObject("attributes")
          .entrySet()
          .forEach(
              entry -> {
                JsonElement value = entry.getValue();
                attributes.put(
                    entry.getKey(),
                    value.isJsonPrimitive() ? value.getAsString() : value.toString());
              });
    }
    return attributes;
  }

  private static List<JsonObject> objects(JsonObject of, String name) {
    List<JsonObject> objects = new ArrayList<>();
    if (of.has(name)) {
      of.getAsJsonArray(name).forEach(element -> objects.add(element.getAsJsonObject()));
    }
    return objects;
  }

  private static String text(JsonObject of, String name) {
    JsonElement value = of.get(name);
    return value == null || value.isJsonNull() ? "" : value.getAsString();
  }
}
