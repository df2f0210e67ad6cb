package io.lifespan.collector;

import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.SettingSources;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches, from within a JVM, the processes that this JVM starts and their descendants, and makes a
 * span of each when it ends. The JVM itself gets none. A child whose environment has a TRACEPARENT
 * that this JVM was not started with stands below the span that it names; every other one begins a
 * trace of its own.
 *
 * <p>It works on daemon threads of its own and never on the caller's. What goes wrong after the
 * start is told to {@link Builder#notices} and stops nothing else.
 *
 * <pre>{@code
 * try (Lifespan lifespan = Lifespan.builder(exporter).resource(resource).start()) {
 *   new ProcessBuilder("make").start().waitFor();
 * }
 * }</pre>
 */
public final class Lifespan implements AutoCloseable {

  private static final long FLUSH_SECONDS = 5;

  private final ServiceWatch watch;
  private final @Nullable SpanProcessor own;

  private Lifespan(ServiceWatch watch, @Nullable SpanProcessor own) {
    this.watch = watch;
    this.own = own;
  }

  /**
   * A watch that hands its spans, complete and with ids of their own, to a processor of an
   * OpenTelemetry SDK by {@link SpanProcessor#onEnd}: give it the same batch processor as the SDK's
   * tracer provider, and both share one queue and one sender. Whoever made the processor flushes
   * and closes it, after the watch.
   */
  public static Builder builder(SpanProcessor processor) {
    return new Builder(processor, null);
  }

  /**
   * A watch with a batch processor of its own before an exporter; both are closed with it, within 5
   * s.
   */
  public static Builder builder(SpanExporter exporter) {
    return new Builder(null, exporter);
  }

  /** By which source it watches, with its filter, for a line in a log. */
  public String describe() {
    return watch.describe();
  }

  /**
   * Ends the watch. Spans of what has ended are handed over before this returns; what is alive gets
   * none.
   */
  @Override
  public void close() {
    watch.close();
    if (own != null) {
      own.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** What a watch is to be like. */
  public static final class Builder {

    private final @Nullable SpanProcessor processor;
    private final @Nullable SpanExporter exporter;
    private final Map<String, String> settings = new TreeMap<>();
    private Function<String, @Nullable String> more = name -> null;
    private Resource resource = Resource.empty();
    private Consumer<String> notices = line -> {};

    private Builder(@Nullable SpanProcessor processor, @Nullable SpanExporter exporter) {
      this.processor = processor;
      this.exporter = exporter;
    }

    /**
     * The Resource of the spans, the service's own as a rule; the host is added where it does not
     * say, and what it says of the service's process (process.*) is left out. Without one,
     * service.name is unknown_service.
     */
    public Builder resource(Resource ofService) {
      resource = ofService;
      return this;
    }

    /**
     * Sets one of the {@code lifespan.*} settings; it wins over system properties and environment.
     */
    public Builder set(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /**
     * Where else {@code lifespan.*} settings are looked up by name: gives null for what it does not
     * have. Wins over system properties and environment.
     */
    public Builder settings(Function<String, @Nullable String> lookup) {
      more = lookup;
      return this;
    }

    /** Takes a line for a log now and then: a loss, the end of a source. On any thread. */
    public Builder notices(Consumer<String> lines) {
      notices = lines;
      return this;
    }

    /**
     * Begins to watch; what the JVM starts after the return is seen. Takes some tenths of a second.
     *
     * @throws IllegalArgumentException if settings are wrong; tells all that are
     * @throws IOException if nothing can be watched here; tells why and what to do
     */
    public Lifespan start() throws IOException {
      Settings read = read();
      SpanProcessor own = exporter == null ? null : BatchSpanProcessor.builder(exporter).build();
      SpanProcessor target = own == null ? processor : own;
      if (target == null) {
        throw new IllegalStateException("neither processor nor exporter");
      }
      try {
        return new Lifespan(ServiceWatch.start(read, resource, target, notices), own);
      } catch (CannotStartException e) {
        if (own != null) {
          own.shutdown();
        }
        throw new IOException(String.join("; ", e.lines()), e);
      }
    }

    private Settings read() {
      SettingSources sources =
          SettingSources.ofProcess(
              settings, name -> settings.containsKey(name) ? null : more.apply(name));
      try {
        Settings read = Settings.read(Profile.SERVICE, sources);
        List<String> problems = SpanEvents.problems(read.events(), read.trace().rules().records());
        if (problems.isEmpty()) {
          return read;
        }
        throw new IllegalArgumentException(String.join("; ", problems));
      } catch (SettingsException e) {
        throw new IllegalArgumentException(String.join("; ", e.errors()), e);
      }
    }
  }
}
