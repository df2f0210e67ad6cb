package io.lifespan.collector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.otel.LogEvent;
import io.lifespan.otel.MetricOptions;
import io.lifespan.otel.RedactionRules;
import io.lifespan.otel.SpanRules;
import io.lifespan.otel.TraceSampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final Map<String, String> NONE = Map.of();

  @Test
  void withoutAnythingGivenEverySettingHasItsDefault() throws SettingsException {
    Settings node = read(Profile.AGENT, NONE);

    assertThat(node.events()).isEqualTo(EventSelection.ALL);
    assertThat(node.connector()).isEqualTo(new Settings.Connector(16 << 20, true));
    assertThat(node.sources())
        .isEqualTo(new Settings.Sources(List.of("ebpf", "connector", "ptrace", "poll"), true));
    assertThat(node.ebpf()).isEqualTo(new Settings.Ebpf(4 << 20));
    assertThat(node.queueSize()).isEqualTo(65_536);
    assertThat(node.arguments()).isEqualTo(Arguments.COUNT);
    assertThat(node.redaction()).isEqualTo(RedactionRules.DEFAULT);
    assertThat(node.trace())
        .isEqualTo(
            new Settings.Trace(
                Duration.ofSeconds(60), 10_000, TraceSampler.DEFAULT, SpanRules.ALL));
    assertThat(node.health()).isNull();
    assertThat(node.export())
        .isEqualTo(new Settings.Export(EnumSet.allOf(Signal.class), null, NONE, List.of()));
  }

  @Test
  void oneCommandShowsArgumentsRedactedAndExportsNothingByItself() throws SettingsException {
    Settings command = read(Profile.RUN, NONE);

    assertThat(command.arguments()).isEqualTo(Arguments.REDACTED);
    assertThat(command.export().toEndpoint()).isEmpty();
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("goodValues")
  void aGoodValueIsTaken(
      String name, String value, Object expected, Function<Settings, Object> getter)
      throws SettingsException {
    assertThat(getter.apply(read(Profile.AGENT, Map.of(name, value)))).isEqualTo(expected);
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> goodValues() {
    Function<Settings, Object> events = Settings::events;
    Function<Settings, Object> buffer = settings -> settings.connector().receiveBufferBytes();
    Function<Settings, Object> sources = settings -> settings.sources().names();
    Function<Settings, Object> pollInterval = settings -> settings.poll().interval();
    Function<Settings, Object> pollShare = settings -> settings.poll().share();
    Function<Settings, Object> ring = settings -> settings.ebpf().ringBytes();
    Function<Settings, Object> threads = settings -> settings.connector().threads();
    Function<Settings, Object> told = Settings::arguments;
    Function<Settings, Object> sampler = settings -> settings.trace().sampler();
    Function<Settings, Object> after = settings -> settings.trace().longLivedAfter();
    return Stream.of(
        arguments(
            "lifespan.events",
            "fork, Exec,exit",
            new EventSelection(EnumSet.of(EventKind.FORK, EventKind.EXEC, EventKind.EXIT), false),
            events),
        arguments(
            "lifespan.events",
            "nonzero_exit",
            new EventSelection(EnumSet.of(EventKind.EXIT), true),
            events),
        arguments("lifespan.sources", "connector", List.of("connector"), sources),
        arguments("lifespan.sources", "Connector, ebpf", List.of("connector", "ebpf"), sources),
        arguments(
            "lifespan.sources", "AUTO", List.of("ebpf", "connector", "ptrace", "poll"), sources),
        arguments("lifespan.ebpf.ring-buffer", "64k", 65_536, ring),
        arguments("lifespan.poll.interval", "250ms", Duration.ofMillis(250), pollInterval),
        arguments("lifespan.poll.cpu-percent", "50", 0.5, pollShare),
        arguments("lifespan.connector.receive-buffer", "4096", 4096, buffer),
        arguments("lifespan.connector.receive-buffer", "64k", 65_536, buffer),
        arguments("lifespan.connector.receive-buffer", "32 MiB", 32 << 20, buffer),
        arguments("lifespan.connector.receive-buffer", "1g", 1 << 30, buffer),
        arguments("lifespan.connector.threads", "FALSE", false, threads),
        arguments("lifespan.arguments", "off", Arguments.OFF, told),
        arguments("lifespan.arguments", "Redacted", Arguments.REDACTED, told),
        arguments("lifespan.trace.long-lived-after", "1500", Duration.ofMillis(1500), after),
        arguments("lifespan.trace.long-lived-after", "5m", Duration.ofMinutes(5), after),
        arguments("lifespan.trace.long-lived-after", "2 d", Duration.ofDays(2), after),
        arguments(
            "lifespan.trace.max-spans",
            "7",
            7,
            (Function<Settings, Object>) settings -> settings.trace().maxSpans()),
        arguments("lifespan.redaction.mask", "<gone>", "<gone>", redaction(RedactionRules::mask)),
        arguments(
            "lifespan.redaction.patterns",
            "corp-\\d+  (x|y)z",
            List.of("corp-\\d+", "(x|y)z"),
            redaction(rules -> rules.patterns().stream().map(Pattern::pattern).toList())),
        arguments(
            "lifespan.redaction.allow",
            "--Token-Style, PASS_RATE",
            Set.of("token-style", "pass_rate"),
            redaction(RedactionRules::allowed)),
        arguments(
            "lifespan.health.port",
            "13134",
            new Settings.Health("127.0.0.1", 13_134),
            (Function<Settings, Object>) Settings::health),
        arguments("lifespan.traces.only-failed", "true", true, rule(SpanRules::onlyFailed)),
        arguments("lifespan.kernel-threads", "true", true, rule(SpanRules::kernelThreads)),
        arguments(
            "lifespan.traces.min-duration",
            "10ms",
            Duration.ofMillis(10),
            rule(SpanRules::minDuration)),
        arguments("lifespan.traces.record", "60s", Duration.ofSeconds(60), rule(SpanRules::record)),
        arguments("lifespan.traces.max-recorded", "5", 5, rule(SpanRules::maxRecorded)),
        arguments("otel.traces.sampler", "always_off", new TraceSampler(false, 0), sampler),
        arguments(
            "otel.traces.sampler", "parentbased_traceidratio", new TraceSampler(true, 1), sampler),
        arguments("otel.traces.sampler.arg", "0.5", TraceSampler.DEFAULT, sampler),
        arguments(
            "lifespan.metrics.max-executables",
            "5",
            new MetricOptions(5, 200, 20, false),
            (Function<Settings, Object>) Settings::metrics),
        arguments(
            "lifespan.metrics.max-resources",
            "5",
            new MetricOptions(200, 5, 20, false),
            (Function<Settings, Object>) Settings::metrics),
        arguments(
            "lifespan.metrics.top-processes",
            "0",
            new MetricOptions(200, 200, 0, false),
            (Function<Settings, Object>) Settings::metrics),
        arguments(
            "otel.exporter.otlp.metrics.default.histogram.aggregation",
            "EXPLICIT_BUCKET_HISTOGRAM",
            new MetricOptions(200, 200, 20, true),
            (Function<Settings, Object>) Settings::metrics),
        arguments("lifespan.logs.events", "none", Set.of(), logEvents()),
        arguments(
            "lifespan.logs.events",
            "Exec, exit",
            EnumSet.of(LogEvent.EXEC, LogEvent.EXIT),
            logEvents()),
        arguments(
            "lifespan.blocking.enabled",
            "false",
            false,
            (Function<Settings, Object>) settings -> settings.blocking().enabled()),
        arguments(
            "lifespan.blocking.stuck-after",
            "5s",
            Duration.ofSeconds(5),
            (Function<Settings, Object>) settings -> settings.blocking().prober().stuckAfter()),
        arguments(
            "lifespan.blocking.mounts.include",
            "nfs*, /data",
            List.of("nfs*", "/data"),
            (Function<Settings, Object>)
                settings -> settings.blocking().prober().filter().include()),
        arguments(
            "lifespan.blocking.cpu-percent",
            "5",
            0.05,
            (Function<Settings, Object>) settings -> settings.blocking().sampler().cpuShare()),
        arguments(
            "lifespan.queue.size", "64", 64, (Function<Settings, Object>) Settings::queueSize),
        arguments(
            "lifespan.otlp.dir",
            "/var/tmp/x",
            Path.of("/var/tmp/x"),
            (Function<Settings, Object>) settings -> settings.export().otlpDir()));
  }

  private static Function<Settings, Object> redaction(Function<RedactionRules, Object> part) {
    return settings -> part.apply(settings.redaction());
  }

  private static Function<Settings, Object> logEvents() {
    return Settings::logEvents;
  }

  private static Function<Settings, Object> rule(Function<SpanRules, Object> part) {
    return settings -> part.apply(settings.trace().rules());
  }

  @Test
  void theShareOfTracesIsTheSamplersArgument() throws SettingsException {
    Settings settings =
        read(
            Profile.AGENT,
            Map.of("otel.traces.sampler", "traceidratio", "otel.traces.sampler.arg", "0.25"));

    assertThat(settings.trace().sampler()).isEqualTo(new TraceSampler(false, 0.25));
  }

  @Test
  void aWrongShareOfTracesIsTold() {
    assertThat(
            errors(
                Profile.AGENT,
                Map.of("otel.traces.sampler", "traceidratio", "otel.traces.sampler.arg", "10%")))
        .singleElement()
        .asString()
        .contains("\"10%\" is not a share of all traces, from 0 to 1");
  }

  @Test
  void whatDidNotFailIsEitherRecordedOrLeftOut() {
    assertThat(
            errors(
                Profile.AGENT,
                Map.of("lifespan.traces.record", "60s", "lifespan.traces.only-failed", "true")))
        .singleElement()
        .asString()
        .contains("set one of the two");
  }

  /** What the environment says of exporters and samplers is the traced command's too. */
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "OTEL_TRACES_EXPORTER, console, false, 1",
    "OTEL_TRACES_EXPORTER, 'console,otlp', true, 0",
    "OTEL_TRACES_EXPORTER, zipkin, false, 1",
    "OTEL_TRACES_SAMPLER, xray, false, 0"
  })
  void aVariableMeantForTheTracedCommandDoesNotStopRun(
      String name, String value, boolean exported, int warnings) throws SettingsException {
    SettingSources sources = SettingSources.of(NONE, NONE, Map.of(name, value));
    Settings settings = Settings.read(Profile.RUN, sources);

    assertThat(settings.export().toEndpoint().contains(Signal.TRACES)).isEqualTo(exported);
    assertThat(settings.export().warnings()).hasSize(warnings);
    assertThat(settings.trace().sampler()).isEqualTo(TraceSampler.DEFAULT);
    assertThat(errors(Profile.AGENT, sources)).singleElement().asString().contains(value);
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lifespan.events                   | fork,exek   | "exek" is not an event (fork, exec, uid, gid, sid, ptrace, comm, coredump, exit, nonzero_exit); did you mean exec?
          lifespan.events                   | ,           | is not a list of events: fork, exec
          lifespan.sources                  | epbf        | "epbf" is not a source (ebpf, connector, ptrace, poll); did you mean ebpf?
          lifespan.sources                  | auto,ebpf   | "auto" is not a source (ebpf, connector, ptrace, poll)
          lifespan.ebpf.ring-buffer         | 3m          | is not a power of two from 64k to 1g
          lifespan.ebpf.ring-buffer         | 4k          | is not a power of two from 64k to 1g
          lifespan.connector.receive-buffer | 16x         | is not a size from 4k to 1g
          lifespan.connector.receive-buffer | 2g          | is not a size from 4k to 1g
          lifespan.connector.receive-buffer | 999999999g  | is not a size from 4k to 1g
          lifespan.connector.receive-buffer | -1          | is not a size from 4k to 1g
          lifespan.connector.threads        | yes         | "yes" is not true or false
          lifespan.queue.size               | many        | "many" is not a whole number from 64 to 16777216
          lifespan.queue.size               | 1           | "1" is not a whole number from 64 to 16777216
          lifespan.poll.cpu-percent         | 0           | "0" is not a whole number from 1 to 100
          lifespan.poll.interval            | 0           | is not a duration above 0
          lifespan.blocking.cpu-percent     | 0           | "0" is not a whole number from 1 to 100
          lifespan.arguments                | all         | "all" is not off, count or redacted
          lifespan.trace.long-lived-after   | 1w          | "1w" is not a duration
          lifespan.trace.long-lived-after   | 0           | "0" is not a duration above 0
          lifespan.trace.long-lived-after   | 200000000d  | is not a duration
          lifespan.trace.max-spans          | 0           | "0" is not a whole number from 1
          otel.exporter.otlp.protocol       | gprc        | "gprc" is not grpc or http/protobuf
          otel.exporter.otlp.endpoint       | localhost:4317 | is not a URL that begins with http:// or https://
          otel.exporter.otlp.endpoint       | http://a b  | is not a URL such as http://localhost:4317
          otel.exporter.otlp.endpoint       | http://:4317 | is not a URL
          otel.exporter.otlp.endpoint       | http://h:70000 | is not a URL with a port from 1 to 65535
          otel.exporter.otlp.endpoint       | http://h/x?y=z | is not a URL without ? and #
          otel.exporter.otlp.endpoint       | http://h/v1/traces | set otel.exporter.otlp.protocol=http/protobuf
          otel.exporter.otlp.compression    | zip         | "zip" is not gzip or none
          otel.exporter.otlp.timeout        | soon        | "soon" is not a duration
          otel.exporter.otlp.certificate    | /no/such    | "/no/such" is not a file that can be read
          otel.exporter.otlp.client.key     | /dev/null   | set both
          otel.traces.exporter              | otlb        | "otlb" is not otlp or none
          otel.traces.sampler               | sometimes   | "sometimes" is not a sampler that is built in: always_on, always_off, traceidratio, parentbased_always_on
          lifespan.redaction.patterns       | ok (x       | "(x" is not a regular expression: Unclosed group
          lifespan.traces.record            | -1          | "-1" is not a duration
          lifespan.traces.max-recorded      | 0           | "0" is not a whole number from 1
          lifespan.health.port              | 0           | "0" is not a whole number from 1 to 65535
          otel.metrics.exporter             | prometheus  | "prometheus" is not otlp or none
          otel.logs.exporter                | console     | "console" is not otlp or none
          otel.metric.export.interval       | often       | "often" is not a duration
          otel.blrp.max.queue.size          | 0           | "0" is not a whole number
          otel.exporter.otlp.metrics.protocol | http/json | "http/json" is not grpc or http/protobuf
          otel.exporter.otlp.logs.endpoint  | here        | is not a URL
          otel.exporter.otlp.metrics.temporality.preference | gamma | "gamma" is not cumulative, delta or lowmemory
          otel.exporter.otlp.metrics.default.histogram.aggregation | none | is not explicit_bucket_histogram or base2_exponential_bucket_histogram
          lifespan.metrics.max-executables  | -1          | "-1" is not a whole number from 0
          lifespan.metrics.top-processes    | all         | "all" is not a whole number from 0
          lifespan.logs.events              | exits       | "exits" is not a log event (exec, exit, failed_exit, coredump, credentials, start, loss, blocked, mount, stall); did you mean exit?
          otel.sdk.disabled                 | yes         | "yes" is not true or false
          otel.bsp.max.queue.size           | big         | "big" is not a whole number
          otel.config.file                  | x.yaml      | Lifespan has no configuration by such files
          """)
  void aBadValueIsToldWithWhatIsAllowed(String name, String value, String message) {
    assertThat(errors(Profile.AGENT, Map.of(name, value)))
        .anySatisfy(
            error ->
                assertThat(error)
                    .startsWith(name + ": ")
                    .contains(message)
                    .contains("(system property)"));
  }

  @Test
  void aMountThatWouldBeStuckBeforeItIsSlowIsAnError() {
    assertThat(errors(Profile.AGENT, Map.of("lifespan.blocking.stuck-after", "50ms")))
        .containsExactly(
            "lifespan.blocking.stuck-after: a mount is slow before it is stuck; set it above"
                + " lifespan.blocking.slow-after");
  }

  @Test
  void aSecretInHeadersIsNotShownWhenTheyAreWrong() {
    assertThat(errors(Profile.AGENT, Map.of("otel.exporter.otlp.headers", "Bearer hunter2")))
        .singleElement()
        .asString()
        .contains("not a list of name=value")
        .doesNotContain("hunter2");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "LIFESPAN_QUEU_SIZE, LIFESPAN_QUEUE_SIZE",
    "LIFESPAN_EVENT, LIFESPAN_EVENTS",
    "LIFESPAN_OTLPDIR, LIFESPAN_OTLP_DIR",
    "OTEL_EXPORTER_OTLP_ENDPIONT, OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_PROTCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
  })
  void aMisspeltVariableIsAnErrorWithTheRightName(String wrong, String right) {
    SettingSources sources = SettingSources.of(NONE, NONE, Map.of(wrong, "1"));

    assertThat(errors(Profile.RUN, sources))
        .containsExactly(
            wrong + ": unknown setting; did you mean " + right + "? (environment variable)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OTEL_PYTHON_LOG_LEVEL",
        "OTEL_EXPORTER_OTLP_INSECURE",
        "OTEL_EXPORTER_OTLP_SOMETHING_ELSE",
        "LIFESPAN_JAVA_HOME",
        "_LIFESPAN_ADDED",
        "HOME"
      })
  void aVariableThatIsMeantForOthersIsNoError(String name) throws SettingsException {
    Settings.read(Profile.RUN, SettingSources.of(NONE, NONE, Map.of(name, "x")));
  }

  @Test
  void everyErrorIsToldAtOnce() {
    SettingSources sources =
        SettingSources.of(
            Map.of("lifespan.queue.size", "x"),
            Map.of("lifespan.nonsense.of.all.kinds", "1", "lifespan.arguments", "y"),
            Map.of("LIFESPAN_TRACE_MAX_SPANS", "z", "OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere"));

    assertThat(errors(Profile.RUN, sources))
        .containsExactlyInAnyOrder(
            "lifespan.nonsense.of.all.kinds: unknown setting (system property)",
            "lifespan.queue.size: \"x\" is not a whole number from 64 to 16777216 (command line)",
            "lifespan.arguments: \"y\" is not off, count or redacted (system property)",
            "LIFESPAN_TRACE_MAX_SPANS: \"z\" is not a whole number from 1 to 10000000"
                + " (environment variable)",
            "OTEL_EXPORTER_OTLP_ENDPOINT: \"nowhere\" is not a URL that begins with http:// or"
                + " https://, such as http://localhost:4317 (environment variable)");
  }

  @Test
  void theCommandLineWinsOverPropertiesOverVariablesOverTheFile(@TempDir Path dir)
      throws IOException, SettingsException {
    Path file = Files.writeString(dir.resolve("l.properties"), all("400"));
    Map<String, String> variables =
        Map.of(
            "LIFESPAN_CONFIG", file.toString(),
            "LIFESPAN_QUEUE_SIZE", "300",
            "LIFESPAN_TRACE_MAX_SPANS", "300",
            "LIFESPAN_CONNECTOR_RECEIVE_BUFFER", "30000");
    Map<String, String> properties =
        Map.of("lifespan.queue.size", "200", "lifespan.trace.max-spans", "200");

    Settings settings =
        Settings.read(
            Profile.RUN,
            SettingSources.of(Map.of("lifespan.queue.size", "100"), properties, variables));

    assertThat(settings.queueSize()).isEqualTo(100);
    assertThat(settings.trace().maxSpans()).isEqualTo(200);
    assertThat(settings.connector().receiveBufferBytes()).isEqualTo(30_000);
    assertThat(settings.trace().longLivedAfter()).isEqualTo(Duration.ofMillis(400));
    assertThat(settings.export().otel()).containsEntry("otel.service.name", "from the file");
  }

  private static String all(String number) {
    return """
        lifespan.queue.size = %1$s
        lifespan.trace.max-spans = %1$s
        lifespan.trace.long-lived-after = %1$s
        lifespan.connector.receive-buffer = 40000
        otel.service.name = from the file
        """
        .formatted(number);
  }

  @Test
  void aFileWithAnUnknownKeyIsAnError(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("l.properties"), "queue.size = 5\n");

    assertThat(errors(Profile.RUN, Map.of("lifespan.config", file.toString())))
        .containsExactly("queue.size: unknown setting (settings file)");
  }

  @Test
  void aFileThatIsNotThereIsAnError() {
    assertThat(errors(Profile.RUN, Map.of("lifespan.config", "/no/such/file")))
        .containsExactly("lifespan.config: there is no file \"/no/such/file\" (system property)");
  }

  @Test
  void aFileThatCannotBeReadIsAnError(@TempDir Path dir) {
    assertThat(errors(Profile.RUN, Map.of("lifespan.config", dir.toString())))
        .singleElement()
        .asString()
        .startsWith("lifespan.config: the file \"" + dir + "\" cannot be read");
  }

  @Test
  void aBlankValueCountsAsNotGiven() throws SettingsException {
    Settings settings =
        Settings.read(
            Profile.RUN,
            SettingSources.of(
                NONE, NONE, Map.of("LIFESPAN_QUEUE_SIZE", " ", "OTEL_EXPORTER_OTLP_ENDPOINT", "")));

    assertThat(settings.queueSize()).isEqualTo(65_536);
    assertThat(settings.export()).isEqualTo(new Settings.Export(Set.of(), null, NONE, List.of()));
  }

  @ParameterizedTest(name = "{0}: {1} -> {2}")
  @CsvSource({
    "RUN, otel.exporter.otlp.endpoint=http://h:1, true",
    "RUN, otel.exporter.otlp.traces.endpoint=http://h:1, true",
    "RUN, otel.traces.exporter=otlp, true",
    "RUN, otel.exporter.otlp.protocol=http/protobuf, false",
    "AGENT, otel.traces.exporter=none, false",
    "AGENT, otel.sdk.disabled=true, false",
    "AGENT, otel.sdk.disabled=false, true"
  })
  void whetherSpansAreSentFollowsFromOpenTelemetrysSettings(
      Profile profile, String setting, boolean sent) throws SettingsException {
    int equals = setting.indexOf('=');
    Map<String, String> given = Map.of(setting.substring(0, equals), setting.substring(equals + 1));

    assertThat(read(profile, given).export().toEndpoint().contains(Signal.TRACES)).isEqualTo(sent);
  }

  private static Settings read(Profile profile, Map<String, String> properties)
      throws SettingsException {
    return Settings.read(profile, SettingSources.of(NONE, properties, NONE));
  }

  private static List<String> errors(Profile profile, Map<String, String> properties) {
    return errors(profile, SettingSources.of(NONE, properties, NONE));
  }

  private static List<String> errors(Profile profile, SettingSources sources) {
    return catchThrowableOfType(SettingsException.class, () -> Settings.read(profile, sources))
        .errors();
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AGENT | otel.service.name=a                            | TRACES METRICS LOGS
          AGENT | otel.logs.exporter=none                        | TRACES METRICS
          AGENT | otel.sdk.disabled=true                         |
          RUN   | otel.service.name=a                            |
          RUN   | otel.exporter.otlp.endpoint=http://h:1         | TRACES METRICS LOGS
          RUN   | otel.exporter.otlp.metrics.endpoint=http://h:1 | METRICS
          RUN   | otel.logs.exporter=otlp                        | LOGS
          """)
  void eachSignalGoesWhereOpenTelemetrysSettingsSay(Profile profile, String given, String signals)
      throws SettingsException {
    String[] pair = given.split("=", 2);
    Set<Signal> expected = EnumSet.noneOf(Signal.class);
    for (String signal : signals == null ? new String[0] : signals.split(" ", -1)) {
      expected.add(Signal.valueOf(signal));
    }

    assertThat(read(profile, Map.of(pair[0], pair[1])).export().toEndpoint()).isEqualTo(expected);
  }
}
