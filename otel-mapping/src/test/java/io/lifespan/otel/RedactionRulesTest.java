package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user adds to redaction. */
class RedactionRulesTest {

  @Test
  void whatAPatternMatchesIsMaskedEverywhere() {
    Redactor redactor = with("corp-[0-9]{4}");

    assertThat(redactor.arguments(List.of("x", "--id", "corp-1234", "a=corp-5678,b")))
        .containsExactly("x", "--id", "***", "a=***,b");
    assertThat(redactor.text("/srv/corp-1234/bin/corp-0000")).isEqualTo("/srv/***/bin/***");
    assertThat(redactor.redactions()).isEqualTo(3);
  }

  @Test
  void ofAPatternWithGroupsTheFirstIsTheSecret() {
    assertThat(with("badge:(\\d+)", "nr (\\d)(\\d)").text("badge:77 nr 12 badge:8"))
        .isEqualTo("badge:*** nr ***2 badge:***");
  }

  @Test
  void aGroupThatTookNoPartMasksNothing() {
    assertThat(with("(secret)?x").text("x secretx")).isEqualTo("x ***x");
  }

  @Test
  void aTextThatTakesAPatternTooLongIsMaskedWhole() {
    assertThat(with("(?:a+)+b").text("a".repeat(5_000))).isEqualTo("***");
    assertThat(with("(?:x|ab)*c").text("ab".repeat(4_000))).isEqualTo("***");
  }

  @Test
  void aNameThatIsAllowedIsNoSecretHoweverItIsWritten() {
    Redactor redactor =
        new Redactor(new RedactionRules("***", List.of(), Set.of("--token-style", "PASS_RATE")));

    assertThat(
            redactor.arguments(
                List.of("x", "--token-style=long", "--token-style", "long", "pass_rate=9", "-p")))
        .containsExactly("x", "--token-style=long", "--token-style", "long", "pass_rate=9", "-p");
    assertThat(redactor.text("see token-style=long and token=s3cret"))
        .isEqualTo("see token-style=long and token=***");
    assertThat(redactor.redactions()).isEqualTo(1);
  }

  @Test
  void anotherMaskIsTakenAsItIs() {
    Redactor redactor =
        new Redactor(new RedactionRules("<$1\\>", List.of(Pattern.compile("corp")), Set.of()));

    assertThat(redactor.arguments(List.of("x", "--password=a", "postgres://u:p@h", "corp")))
        .containsExactly("x", "--password=<$1\\>", "postgres://u:<$1\\>@h", "<$1\\>");
  }

  /** Arguments are parted by one blank. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "htpasswd -b /etc/users ada s3cret | htpasswd -b /etc/users ada ***",
        "htpasswd -bB -C 10 /etc/users ada s3cret | htpasswd -bB -C 10 /etc/users ada ***",
        "htpasswd -cbBC 10 /etc/users ada s3cret | htpasswd -cbBC 10 /etc/users ada ***",
        "htpasswd -nb ada s3cret | htpasswd -nb ada ***",
        "htpasswd -c /etc/users ada | htpasswd -c /etc/users ada",
        "sudo htpasswd -b /etc/users ada s3cret | sudo htpasswd -b /etc/users ada ***",
        "sqlplus scott/tiger@orcl | sqlplus scott/***@orcl",
        "sqlplus -s scott/tiger @load.sql | sqlplus -s scott/*** @load.sql",
        "sqlplus -M HTML scott/ti@ger@//h:1521/x | sqlplus -M HTML scott/***@//h:1521/x",
        "sqlplus scott@//h:1521/x | sqlplus scott@//h:1521/x",
        "sqlplus / as sysdba | sqlplus / as sysdba",
        "expdp system/manager directory=d | expdp system/*** directory=d",
        "imp userid=system/manager@x file=f | imp userid=system/***@x file=f",
        "rman target sys/pw@db catalog rco/pw2@c | rman target sys/***@db catalog rco/***@c",
        "wpa_passphrase home s3cret | wpa_passphrase home ***",
        "mc alias set m http://h AKEY s3cret | mc alias set m http://h *** ***",
        "isql -v dsn sa s3cret | isql -v dsn sa ***",
        "mysqladmin -u root password s3cret | mysqladmin -u root password ***",
        "openssl passwd -6 -salt xyz s3cret | openssl passwd -6 -salt xyz ***",
        "openssl x509 -in cert.pem -noout | openssl x509 -in cert.pem -noout",
        "smbclient //h/s s3cret -U ada | smbclient //h/s *** -U ada",
        "smbclient -U ada%s3cret //h/s | smbclient -U ada%*** //h/s",
        "radtest ada s3cret h 0 shared | radtest ada *** h 0 ***",
        "net ads join -U ada%s3cret | net ads join -U ada%***",
        "xfreerdp /u:ada /p:s3cret /v:h | xfreerdp /u:ada /p:*** /v:h",
        "ssh-keygen -t ed25519 -N s3cret -f k | ssh-keygen -t ed25519 -N *** -f k"
      })
  void secretsThatToolsTakeByTheirPlaceAreMasked(String command, String masked) {
    assertThat(new Redactor("***").arguments(split(command))).isEqualTo(split(masked));
  }

  @Test
  void aCommandThatEndsWhereASecretIsExpectedIsRead() {
    for (String tool : List.of("htpasswd", "sqlplus", "mc", "rman", "smbclient")) {
      assertThatCode(() -> new Redactor("***").arguments(List.of(tool, "-b")))
          .doesNotThrowAnyException();
    }
  }

  private static Redactor with(String... patterns) {
    return new Redactor(
        new RedactionRules("***", Stream.of(patterns).map(Pattern::compile).toList(), Set.of()));
  }

  private static List<String> split(String command) {
    return Arrays.asList(command.split(" ", -1));
  }
}
