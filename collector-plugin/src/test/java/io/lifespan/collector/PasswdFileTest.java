package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswdFileTest {

  private static final long LATER = TimeUnit.SECONDS.toNanos(11);

  @TempDir Path directory;
  private Path file;
  private PasswdFile users;

  @BeforeEach
  void makeReader() {
    file = directory.resolve("passwd");
    users = new PasswdFile(file);
  }

  @Test
  void theFirstLineWithANumberGivesTheName() throws IOException {
    Files.writeString(file, "root:x:0:0:root:/root:/bin/sh\ntoor:x:0:0::/:\nada:x:1001:1::/:\n");

    assertThat(users.of(0, 0)).isEqualTo("root");
    assertThat(users.of(1001, 0)).isEqualTo("ada");
    assertThat(users.of(1002, 0)).isNull();
  }

  @Test
  void oddLinesArePassedOver() throws IOException {
    Files.writeString(
        file,
        "# remark\n\n+::::::\n:x:5:5::/:\nx:y\na b:x:6:6::/:\nbig:x:99999999999:1::/:\nz:x:7:7::/:\n");

    assertThat(users.of(5, 0)).isNull();
    assertThat(users.of(6, 0)).isNull();
    assertThat(users.of(7, 0)).isEqualTo("z");
  }

  @Test
  void aUserWhoIsAddedIsKnownAtTheNextLook() throws IOException {
    Files.writeString(file, "root:x:0:0::/:\n");
    assertThat(users.of(5, 0)).isNull();
    Files.writeString(file, "root:x:0:0::/:\nnew:x:5:5::/:\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));

    assertThat(users.of(5, LATER / 2)).isNull();
    assertThat(users.of(5, LATER)).isEqualTo("new");
  }

  @Test
  void aFileThatIsNotThereNamesNobodyUntilItIs() throws IOException {
    assertThat(users.of(0, 0)).isNull();
    Files.writeString(file, "root:x:0:0::/:\n");

    assertThat(users.of(0, LATER)).isEqualTo("root");
  }

  @Test
  void aFileWithoutEndIsNotRead() throws IOException {
    byte[] line = "u:x:1:1::/:\n".getBytes(StandardCharsets.US_ASCII);
    Files.write(file, line);
    Files.write(file, new byte[5 << 20], java.nio.file.StandardOpenOption.APPEND);

    assertThat(users.of(1, 0)).isNull();
  }

  @Test
  void tenThousandUsersAreKnownAndNoMore() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int id = 0; id < 12_000; id++) {
      lines.append('u').append(id).append(":x:").append(id).append(":1::/:\n");
    }
    Files.writeString(file, lines);

    assertThat(users.of(9_999, 0)).isEqualTo("u9999");
    assertThat(users.of(10_000, 0)).isNull();
  }
}
