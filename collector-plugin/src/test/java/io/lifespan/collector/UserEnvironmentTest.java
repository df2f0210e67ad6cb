package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserEnvironmentTest {

  @Test
  void whatTheLauncherAddedIsRemovedAndWhatItSetAsideIsBack() {
    assertThat(
            user(
                "PATH=/bin",
                "LC_ALL=C.UTF-8",
                "_LIFESPAN_USER_LC_ALL=de_DE",
                "_JAVA_SR_SIGNUM=50",
                "_LIFESPAN_USER_JAVA_TOOL_OPTIONS=-Xmx1g",
                "_LIFESPAN_ADDED=_LIFESPAN_ADDED,LC_ALL,_JAVA_SR_SIGNUM"))
        .containsExactly("PATH=/bin", "LC_ALL=de_DE", "JAVA_TOOL_OPTIONS=-Xmx1g");
  }

  @Test
  void withoutTheLauncherNothingChanges() {
    assertThat(user("A=b=c", "LC_ALL=C", "odd", "=also odd"))
        .containsExactly("A=b=c", "LC_ALL=C", "odd", "=also odd");
  }

  @Test
  void bytesThatAreNoTextAreKept() {
    byte[] entry = {'A', '=', (byte) 0xff, (byte) 0xc3};

    assertThat(UserEnvironment.of(List.of(entry)).entries()).containsExactly(entry);
  }

  @Test
  void theFirstOfTwoVariablesCounts() {
    assertThat(UserEnvironment.of(bytes("A=1", "A=2", "B=x=y")).variables())
        .containsEntry("A", "1")
        .containsEntry("B", "x=y");
  }

  private static List<String> user(String... entries) {
    return UserEnvironment.of(bytes(entries)).entries().stream()
        .map(entry -> new String(entry, StandardCharsets.UTF_8))
        .toList();
  }

  private static List<byte[]> bytes(String... entries) {
    return Arrays.stream(entries).map(e -> e.getBytes(StandardCharsets.UTF_8)).toList();
  }
}
