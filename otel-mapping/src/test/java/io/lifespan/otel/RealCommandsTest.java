package io.lifespan.otel;

import static io.lifespan.otel.Watch.BEGIN;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_COMMAND_ARGS;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.ProcFile;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten commands as people run them, whole: what a backend gets to see of each. */
class RealCommandsTest {

  /**
   * The executable file; the arguments, parted by one blank, a tilde for a blank within one; the
   * name of the span; the arguments exported.
   */
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/usr/bin/curl | curl -fsSL -u deploy:hunter2 -H Authorization:~Bearer~abcdef0123456 https://api.example.com/v1/hooks?token=9f8e7d"
            + " | curl | curl -fsSL -u deploy:*** -H Authorization:~*** https://api.example.com/v1/hooks?token=***",
        "/usr/bin/mysqldump | mysqldump --single-transaction -h db1 -u backup -phunter2 shop orders"
            + " | mysqldump | mysqldump --single-transaction -h db1 -u backup -p*** shop orders",
        "/usr/lib/postgresql/15/bin/psql | psql postgresql://shop:hunter2@db1:5432/shop -c select~1"
            + " | psql | psql postgresql://shop:***@db1:5432/shop -c select~1",
        "/usr/bin/docker | docker run --rm -e POSTGRES_PASSWORD=hunter2 -e TZ=UTC -p 5432:5432 postgres:16"
            + " | docker | docker run --rm -e POSTGRES_PASSWORD=*** -e TZ=UTC -p 5432:5432 postgres:16",
        "/usr/lib/jvm/java-17/bin/java | java -Xmx2g -Djavax.net.ssl.trustStorePassword=hunter2 -Ddb.url=jdbc:postgresql://db1/shop -jar /srv/shop/shop.jar --server.port=8080"
            + " | shop.jar | java -Xmx2g -Djavax.net.ssl.trustStorePassword=*** -Ddb.url=jdbc:postgresql://db1/shop -jar /srv/shop/shop.jar --server.port=8080",
        "/usr/bin/python3.11 | /usr/bin/python3 /usr/local/bin/ansible-playbook -i hosts site.yml -e vault_password=hunter2~env=prod"
            + " | ansible-playbook | /usr/bin/python3 /usr/local/bin/ansible-playbook -i hosts site.yml -e vault_password=***",
        "/usr/bin/git | git clone --depth 1 https://oauth2:glpat-0123456789abcdefABCD@gitlab.example.com/shop/web.git"
            + " | git | git clone --depth 1 https://oauth2:***@gitlab.example.com/shop/web.git",
        "/usr/bin/sshpass | sshpass -p hunter2 ssh -o StrictHostKeyChecking=no admin@10.0.0.7 uptime"
            + " | sshpass | sshpass -p *** ssh -o StrictHostKeyChecking=no admin@10.0.0.7 uptime",
        "/usr/bin/dash | sh -c AWS_SECRET_ACCESS_KEY=abcd/efgh+ijkl~aws~s3~sync~/srv/backup~s3://backup~--delete"
            + " | sh | sh -c AWS_SECRET_ACCESS_KEY=***~aws~s3~sync~/srv/backup~s3://backup~--delete",
        "/usr/bin/make | make -j8 DESTDIR=/tmp/root PREFIX=/usr install"
            + " | make | make -j8 DESTDIR=/tmp/root PREFIX=/usr install"
      })
  void areNamedAsAPersonWouldAndTellNoSecret(
      String executable, String arguments, String name, String exported) {
    Watch watch = new Watch(Watch.node());
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN, 9, 20);
    watch.exec(
        BEGIN + 1,
        20,
        Captured.of(20, executable, split(arguments)).with(ProcFile.EXE, executable));
    watch.exit(BEGIN + 2, 20, 0);

    ProcessSpan span = watch.span(20);
    assertThat(span.getName()).isEqualTo(name);
    assertThat(span.getAttribute(PROCESS_COMMAND_ARGS)).isEqualTo(Arrays.asList(split(exported)));
    assertThat(span.getAttribute(PROCESS_EXECUTABLE_NAME))
        .isEqualTo(executable.substring(executable.lastIndexOf('/') + 1));
    assertThat(span.getAttributes().toString())
        .doesNotContain("hunter2", "abcdef0123456", "9f8e7d", "glpat", "efgh");
  }

  private static String[] split(String text) {
    String[] arguments = text.split(" ", -1);
    Arrays.setAll(arguments, i -> arguments[i].replace('~', ' '));
    return arguments;
  }
}
