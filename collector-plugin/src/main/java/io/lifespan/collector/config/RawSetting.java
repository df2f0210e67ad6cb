package io.lifespan.collector.config;

/**
 * A setting as it was found.
 *
 * @param name as it was written, for example {@code LIFESPAN_QUEUE_SIZE}
 * @param value not blank, without surrounding white space
 */
record RawSetting(Layer layer, String name, String value) {

  /** A line of an error about this setting. */
  String error(String problem) {
    return name + ": " + problem + " (" + layer.title() + ")";
  }

  /** A line of an error about this setting's value, which it shows. */
  String badValue(String allowed) {
    return error("\"" + value + "\" is not " + allowed);
  }
}
