package io.lifespan.collector;

/** What the program says about itself. */
final class Help {

  private static final String TEXT =
      """
      The life of every Linux process as OpenTelemetry.

        lifespan run [options] -- COMMAND...   the trace of a command: runs it, shows its process tree, exports it
        lifespan agent [options]               every process of this node until stopped; the default
        lifespan tail [options]                events as they come, one a line
        lifespan ps [options]                  the processes alive now, and how they hang together
        lifespan doctor                        what works here, what does not, why, and what to do about it
        lifespan COMMAND --help                the options of a command
        lifespan --version

      Settings are OpenTelemetry's own (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME ...) and lifespan.*, read
      from the command line, system properties, environment variables (LIFESPAN_EVENTS ...) and a properties file
      (lifespan.config), in this order.
      """;

  private Help() {}

  static String text() {
    return TEXT;
  }

  static String version() {
    String version = Help.class.getPackage().getImplementationVersion();
    return "lifespan " + (version == null ? "(not packaged)" : version);
  }
}
