package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code lifespan doctor} finds here. Mounts are left out: other tests make them hang. */
class DoctorIT {

  private static final String NO_MOUNTS = "lifespan.blocking.enabled=false";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void allIsWellWhereAProcessIsSeenAndAnEmptyRequestIsTaken(String protocol) throws Exception {
    try (MockOtlpServer receiver = MockOtlpServer.start()) {
      Map<String, String> endpoint =
          Map.of(
              "OTEL_EXPORTER_OTLP_PROTOCOL",
              protocol,
              "OTEL_EXPORTER_OTLP_ENDPOINT",
              protocol.equals("grpc") ? receiver.grpcEndpoint() : receiver.httpEndpoint());
      Program.Result result = doctor(endpoint);

      assertThat(result.out())
          .containsPattern("kernel: +Linux ")
          .containsPattern("namespaces: +those of the host")
          .containsPattern("rights: +user 0, .*CAP_NET_ADMIN")
          .containsPattern("connector: +works")
          .containsPattern("proof: +process \\d+ was started here and seen by .* exit code 7")
          .containsPattern("exporter: .* an empty request is answered")
          .containsPattern("verdict: +all is well");
      assertThat(result.exitCode()).isZero();
    }
  }

  @Test
  void anEndpointThatRefusesIsSaidWithItsCause() throws Exception {
    Program.Result result = doctor(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"));

    assertThat(result.exitCode()).isOne();
    assertThat(result.out())
        .containsPattern("exporter: +spans are not delivered to .*:1: .*refused")
        .containsPattern("verdict: +something is missing, see exporter");
  }

  @Test
  void whereNoSourceWorksItSaysThatItCannotWork() throws Exception {
    Program.Result result =
        doctor(Map.of("OTEL_SDK_DISABLED", "true"), "-D", "lifespan.sources=ptrace");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).containsPattern("verdict: +cannot work here, see proof");
  }

  @Test
  void whereOnlyFailedExitsAreWantedOneIsSeen() throws Exception {
    Program.Result result =
        doctor(Map.of("OTEL_SDK_DISABLED", "true"), "-D", "lifespan.events=nonzero_exit");

    assertThat(result.out()).containsPattern("proof: .* exit code 7");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void eventsOfWhichNoSpansCanBeMadeAreSaid() throws Exception {
    Program.Result result =
        doctor(Map.of("OTEL_SDK_DISABLED", "true"), "-D", "lifespan.events=fork");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out())
        .containsPattern("events: +lifespan.events: ")
        .containsPattern("verdict: +cannot work here, see events");
  }

  @Test
  void aProgramReadsAnObjectALine() throws Exception {
    Program.Result result = doctor(Map.of("OTEL_SDK_DISABLED", "true"), "--json");

    List<JsonObject> findings =
        result.out().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    assertThat(findings)
        .allSatisfy(
            finding -> assertThat(finding.keySet()).containsExactly("subject", "status", "text"));
    assertThat(findings)
        .extracting(finding -> finding.get("subject").getAsString())
        .contains("kernel", "ebpf", "proof", "events", "exporter")
        .endsWith("verdict");
    assertThat(findings.get(findings.size() - 1).get("status").getAsString()).isEqualTo("ok");
  }

  private Program.Result doctor(Map<String, String> environment, String... options)
      throws Exception {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "doctor";
    arguments[1] = "-D";
    arguments[2] = NO_MOUNTS;
    System.arraycopy(options, 0, arguments, 3, options.length);
    return Program.run(directory, environment, arguments);
  }
}
