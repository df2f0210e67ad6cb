package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {

  private final Redactor redactor = new Redactor("***");

  /** Arguments are parted by one blank; a tilde stands for a blank within an argument. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // by the name of an option
        "x --password=s3cret | x --password=***",
        "x --password s3cret y | x --password *** y",
        "x --db-password s3cret | x --db-password ***",
        "x -password s3cret | x -password ***",
        "x --api-key=s3cret | x --api-key=***",
        "x --apiKey s3cret | x --apiKey ***",
        "x --client-secret s3cret | x --client-secret ***",
        "x --token s3cret | x --token ***",
        "x --password -s3cret | x --password ***",
        "x --password --user=root | x --password --user=root",
        "x --password=s3~cret,with;all | x --password=***",
        "java -Ddb.password=s3cret -Dapp.secret=x -jar a.jar | java -Ddb.password=*** -Dapp.secret=*** -jar a.jar",
        "keytool -storepass s3cret -keypass:env X | keytool -storepass *** -keypass:env X",
        // by the name of a variable
        "env API_KEY=s3cret make | env API_KEY=*** make",
        "env PGPASSWORD=s3cret psql | env PGPASSWORD=*** psql",
        "docker run -e MYSQL_PWD=s3cret db | docker run -e MYSQL_PWD=*** db",
        "docker run --env=GITHUB_TOKEN=s3cret db | docker run --env=GITHUB_TOKEN=*** db",
        "helm install --set auth.rootPassword=s3cret | helm install --set auth.rootPassword=***",
        "aws configure set aws_secret_access_key s3cret | aws configure set aws_secret_access_key ***",
        // by the tool
        "mysql -uroot -ps3cret db | mysql -uroot -p*** db",
        "/usr/bin/mysqldump -ps3cret db | /usr/bin/mysqldump -p*** db",
        "docker exec db mysql -ps3cret | docker exec db mysql -p***",
        "sshpass -p s3cret ssh h | sshpass -p *** ssh h",
        "sshpass -ps3cret ssh h | sshpass -p*** ssh h",
        "docker login -u me -p s3cret r.example.com | docker login -u me -p *** r.example.com",
        "podman login -ps3cret | podman login -p***",
        "curl -u me:s3cret http://h/ | curl -u me:*** http://h/",
        "curl -ume:s3cret http://h/ | curl -ume:*** http://h/",
        "curl -sSLu me:s3cret http://h/ | curl -sSLu me:*** http://h/",
        "curl --user me:s3cret http://h/ | curl --user me:*** http://h/",
        "curl --user=me:s3cret http://h/ | curl --user=me:*** http://h/",
        "curl -b session=s3cret http://h/ | curl -b session=*** http://h/",
        "http -a me:s3cret GET h | http -a me:*** GET h",
        "redis-cli -a s3cret ping | redis-cli -a *** ping",
        "mongosh -u me -p s3cret | mongosh -u me -p ***",
        "ldapsearch -D cn=x -w s3cret | ldapsearch -D cn=x -w ***",
        "sqlcmd -U sa -P s3cret | sqlcmd -U sa -P ***",
        "smbclient -U me%s3cret //h/s | smbclient -U me%*** //h/s",
        "openssl rsa -in k -passin pass:s3cret | openssl rsa -in k -passin pass:***",
        "zip -P s3cret a.zip b | zip -P *** a.zip b",
        "7z x -ps3cret a.7z | 7z x -p*** a.7z",
        "kubectl create secret generic x --from-literal=k=s3cret | kubectl create secret generic x --from-literal=k=***",
        "nmcli dev wifi connect x password s3cret | nmcli dev wifi connect x password ***",
        // in URLs
        "psql postgres://me:s3cret@h/db | psql postgres://me:***@h/db",
        "psql postgres://me:s3@cret@h/db | psql postgres://me:***@h/db",
        "redis-cli -u redis://:s3cret@h | redis-cli -u redis://:***@h",
        "git clone https://0123456789abcdef0123456789@h/r | git clone https://***@h/r",
        "curl http://h/?access_token=s3cret&b=c | curl http://h/?access_token=***&b=c",
        "psql host=h~password=s3cret~user=me | psql host=h~password=***~user=me",
        // headers
        "curl -H Authorization:~Bearer~s3cret.x http://h/ | curl -H Authorization:~*** http://h/",
        "curl -H Authorization:Basic~bWU6czNjcmV0 | curl -H Authorization:***",
        "curl -H X-Api-Key:s3cret http://h/ | curl -H X-Api-Key:*** http://h/",
        "curl -H PRIVATE-TOKEN:~s3cret http://h/ | curl -H PRIVATE-TOKEN:~*** http://h/",
        "curl --header=Cookie:~a=s3cret;~b=c | curl --header=Cookie:~***",
        "echo got~bearer~abcdef123456 | echo got~bearer~***",
        "echo Basic~bWU6czNjcmV0 | echo Basic~***",
        // JSON
        "curl -d {\"user\":\"me\",\"password\":\"s3cret\"} | curl -d {\"user\":\"me\",\"password\":***}",
        "curl -d {\"token\":~\"s3~cret\"} | curl -d {\"token\":~***}",
        // commands within commands
        "sh -c mysql~-uroot~-ps3cret~db | sh -c mysql~-uroot~-p***~db",
        "sh -c PGPASSWORD=s3cret~psql~-h~x | sh -c PGPASSWORD=***~psql~-h~x",
        "sh -c ssh~h~'mysql~-ps3cret' | sh -c ssh~h~'mysql~-p***'",
        "bash -c curl~-u~'me:s3cret'~http://h/~&&~x~--token~s3cret | bash -c curl~-u~'me:***'~http://h/~&&~x~--token~***",
      })
  void secretsInArgumentsAreMasked(String command, String masked) {
    assertThat(redactor.arguments(split(command))).isEqualTo(split(masked));
    assertThat(redactor.redactions()).isEqualTo(command.equals(masked) ? 0 : countMasks(masked));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "github_pat_11ABCDEFG0123456789_abcdefghijklmnop",
        "glpat-0123456789abcdefABCD",
        "xoxb-1234567890-abcdefghij",
        "xapp-1-A0123-abcdefgh",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
        "AIzaSyA0123456789abcdefghijklmnopqrstuv",
        "sk_live_0123456789abcdefABCD",
        "npm_0123456789abcdefghijABCDEFGHIJ012345",
        "hf_0123456789abcdefghijABCDEFGHIJ",
        "sk-0123456789abcdefghijABCD",
        "-----BEGIN RSA PRIVATE KEY-----\\x0aMIIB\\x0aAAAA\\x0a-----END RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\\x0ab3Blb"
      })
  void secretsAreKnownByTheirForm(String secret) {
    assertThat(redactor.text(secret)).isEqualTo("***");
    assertThat(redactor.text("a " + secret)).isEqualTo("a ***");
    assertThat(redactor.arguments(List.of("x", "file=" + secret))).containsExactly("x", "file=***");
    assertThat(redactor.redactions()).isEqualTo(3);
  }

  @Test
  void theWebhookOfAChatIsMasked() {
    assertThat(redactor.text("https://hooks.slack.com/services/T0000/B0000/XXXXXXXX"))
        .isEqualTo("https://hooks.slack.com/services/***");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "make -j4 CC=gcc all",
        "cc1 -quiet -imultiarch x86_64-linux-gnu main.c -o /tmp/cc8a.s",
        "mysql -p db",
        "mysql -P 3306 -u root",
        "docker run -p 8080:80 nginx",
        "docker push example.com/my/secret:latest",
        "curl -u me http://h:8080/a@b?c=d",
        "ssh -p 2222 git@example.com",
        "git clone git@github.com:a/b.git",
        "git clone https://me@example.com/a/b.git",
        "x --password-file /run/secrets/db",
        "x --password-file=/run/secrets/db --no-password y",
        "x --max-tokens 100 --token-limit=5 --secret-name=db",
        "x --keyring a --key=k.pem --public-key=p.pem --monkey=x",
        "env PWD=/home/me OLDPWD=/ HOME=/home/me make",
        "bash -c exit~0",
        "java -Dbypass=true -Dcompass=n -jar a.jar",
        "rsync -a basic~configuration /backup",
        "sort -k 2,2 --key=1",
        "grep -r password src",
        "sed -e s/=.*// file",
        "node server.js --port 80",
        "ls --sort=time 12:30 C:x a==b ="
      })
  void whatIsNoSecretStays(String command) {
    assertThat(redactor.arguments(split(command))).isEqualTo(split(command));
    assertThat(redactor.redactions()).isZero();
  }

  @Test
  void theMaskIsAChoice() {
    assertThat(new Redactor("$1<gone>").arguments(List.of("x", "--token=a", "postgres://u:p@h")))
        .containsExactly("x", "--token=$1<gone>", "postgres://u:$1<gone>@h");
  }

  @Test
  void whatIsMaskedStaysMasked() {
    List<String> once =
        redactor.arguments(split("x --token=a postgres://u:p@h/ sh -c --password~y"));
    assertThat(redactor.arguments(once)).isEqualTo(once);
  }

  @Property(tries = 300)
  void noTextAtAllIsTooOdd(@ForAll List<String> arguments) {
    assertThat(redactor.arguments(arguments)).hasSameSizeAs(arguments);
  }

  @Property(tries = 300)
  void noWordsAreTooOdd(@ForAll("words") String text) {
    redactor.text(text);
    redactor.arguments(split(text.replace(' ', '~')));
    assertThat(redactor.arguments(List.of("mysql", "-p" + text)).get(1))
        .isEqualTo(text.isEmpty() ? "-p" : "-p***");
  }

  @Provide
  Arbitrary<String> words() {
    return Arbitraries.of(
            "password",
            "=",
            ":",
            "://",
            "@",
            "'",
            "\"",
            " ",
            "\\",
            "-",
            "curl",
            "-u",
            "a",
            "token",
            "Bearer ",
            "Basic ",
            "eyJ",
            "-----BEGIN PRIVATE KEY-----",
            "ghp_",
            "\\x0a")
        .list()
        .ofMaxSize(20)
        .map(list -> String.join("", list));
  }

  private static long countMasks(String masked) {
    return split(masked).stream().filter(argument -> argument.contains("***")).count();
  }

  private static List<String> split(String command) {
    return Arrays.stream(command.split(" ", -1)).map(a -> a.replace('~', ' ')).toList();
  }
}
