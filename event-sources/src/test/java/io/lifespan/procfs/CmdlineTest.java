package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CmdlineTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "make$-j4$|make,-j4",
        "sh$-c$$|sh,-c,''",
        "$|''",
        "$$|'',''",
        "a$b|a,b",
        "sh$-c$true; false$|sh,-c,true; false",
        "/opt/my app/run$|/opt/my app/run",
        "cmd$a b$c$|cmd,a b,c",
        "java$$$|java,'',''",
      })
  void tellsTheArguments(String content, String arguments) {
    Cmdline cmdline = parse(content);
    assertThat(cmdline.title()).isFalse();
    assertThat(texts(cmdline.arguments()))
        .isEqualTo(Stream.of(arguments.split(",", -1)).map(a -> a.equals("''") ? "" : a).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nginx: worker process$$$$$|nginx: worker process",
        "sshd: deploy [priv]$|sshd: deploy [priv]",
        "postgres: checkpointer   |postgres: checkpointer",
        "renamed|renamed",
        "gunicorn: worker [app] |gunicorn: worker [app]",
      })
  void knowsATitle(String content, String title) {
    assertThat(parse(content).title()).isTrue();
    assertThat(texts(parse(content).arguments())).containsExactly(title);
  }

  @Test
  void takesTheBeginningOfALongCommandForArguments() {
    Cmdline cmdline = Cmdline.parse(Bytes.of("a-very-long-name"), true);
    assertThat(cmdline.title()).isFalse();
    assertThat(texts(cmdline.arguments())).containsExactly("a-very-long-name");
  }

  @Test
  void hasNoArgumentsWhenEmpty() {
    assertThat(Cmdline.parse(Bytes.EMPTY, false)).isEqualTo(new Cmdline(List.of(), false));
  }

  @Property(tries = 200)
  void splitsWhatWasJoined(@ForAll List<byte[]> arguments) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    List<Bytes> expected = new ArrayList<>();
    for (byte[] argument : arguments) {
      byte[] legal = new String(argument, ISO_8859_1).replace("\0", "").getBytes(ISO_8859_1);
      expected.add(new Bytes(legal));
      joined.writeBytes(legal);
      joined.write(0);
    }
    assertThat(Cmdline.split(new Bytes(joined.toByteArray()))).isEqualTo(expected);
  }

  @Property
  void neverThrows(@ForAll("contents") Bytes content, @ForAll boolean truncated) {
    Cmdline cmdline = Cmdline.parse(content, truncated);
    assertThat(cmdline.arguments().isEmpty()).isEqualTo(content.length() == 0);
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Mutations.of("make\0-j4\0", "nginx: worker process\0\0\0", "sh\0-c\0\0");
  }

  /** A dollar sign stands for a NUL; an outer bar for the end of blanks. */
  private static Cmdline parse(String content) {
    return Cmdline.parse(Bytes.of(content.replace('$', '\0')), false);
  }

  private static List<String> texts(List<Bytes> arguments) {
    return arguments.stream().map(Bytes::toString).toList();
  }
}
