package io.lifespan.event.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathWriterTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          'ls|bin|usr|', /usr/bin/ls
          '', /
          '|', / (deleted)
          '|ls|bin|', /bin/ls (deleted)
          'a b|', /a b
          '|memfd:in memory|', /memfd:in memory (deleted)
          """)
  void namesFromTheFileUpAreAPathFromTheRootDown(String names, String path) {
    byte[] bytes = ("before" + names + "after").replace('|', '\0').getBytes(StandardCharsets.UTF_8);
    PathWriter writer = new PathWriter();

    int length = writer.write(bytes, 6, names.length());

    assertThat(new String(writer.bytes(), 0, length, StandardCharsets.UTF_8)).isEqualTo(path);
  }
}
