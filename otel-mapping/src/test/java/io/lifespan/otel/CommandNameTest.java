package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandNameTest {

  /** Arguments are parted by one blank; an empty cell is unknown. */
  @ParameterizedTest(name = "{0} is {3}")
  @CsvSource({
    // programs, links, long names
    "make -j4, /usr/bin/make, make, make",
    "/usr/bin/cc -c x.c, /usr/bin/x86_64-linux-gnu-gcc-12, cc, cc",
    "awk {print}, /usr/bin/mawk, awk, awk",
    "/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet, /usr/lib/gcc/x86_64-linux-gnu/12/cc1, cc1, cc1",
    "x86_64-linux-gnu-gcc-12 -v, /usr/bin/x86_64-linux-gnu-gcc-12, x86_64-linux-gn, x86_64-linux-gnu-gcc-12",
    "prog, /opt/a-program-with-a-long-name, a-program-with-, a-program-with-a-long-name",
    "[ a = b ], /usr/bin/[, [, [",
    "anything at all, /usr/bin/sleep, sleep, sleep",
    "-bash, /usr/bin/bash, bash, bash",
    "-zsh -l, /usr/bin/zsh, zsh, zsh",
    // scripts executed by their own name
    "/bin/sh ./build.sh all, /usr/bin/dash, build.sh, build.sh",
    "/bin/bash -e /usr/local/bin/a-script-with-a-long-name.sh, /usr/bin/bash, a-script-with-a, a-script-with-a-long-name.sh",
    "/usr/bin/make -f debian/rules build, /usr/bin/make, rules, rules",
    "/usr/bin/env python3 ./tool.py, /usr/bin/env, tool.py, tool.py",
    // interpreters told to run a script
    "bash deploy.sh -c x, /usr/bin/bash, bash, deploy.sh",
    "sh -x -o pipefail ./a/run.sh, /usr/bin/dash, sh, run.sh",
    "bash -euo pipefail run.sh, /usr/bin/bash, bash, run.sh",
    "bash --norc --rcfile rc run.sh, /usr/bin/bash, bash, run.sh",
    "bash -- run.sh, /usr/bin/bash, bash, run.sh",
    "python3 -W ignore -u manage.py migrate, /usr/bin/python3.11, python3, manage.py",
    "python3.11 app.py, /usr/bin/python3.11, python3.11, app.py",
    "perl -w -I lib t/run.pl, /usr/bin/perl, perl, run.pl",
    "perl -Mstrict -MData::Dumper x.pl, /usr/bin/perl, perl, x.pl",
    "ruby -r bundler/setup bin/rails server, /usr/bin/ruby3.1, ruby, rails",
    "node --max-old-space-size=4096 -r dotenv/config /srv/app/server.js, /usr/bin/node, node, server.js",
    "php -d memory_limit=1G artisan queue:work, /usr/bin/php8.2, php, artisan",
    "php -f cron.php, /usr/bin/php8.2, php, cron.php",
    "lua5.4 -e x=1 main.lua, /usr/bin/lua5.4, lua5.4, main.lua",
    "expect -f login.exp, /usr/bin/expect, expect, login.exp",
    // modules, classes
    "python3 -m http.server 8000, /usr/bin/python3.11, python3, http.server",
    "python3 -Im pip install x, /usr/bin/python3.11, python3, pip",
    "java -Xmx1g -jar /opt/app/app-1.2.jar --port 80, /usr/lib/jvm/java-17/bin/java, java, app-1.2.jar",
    "java -cp a.jar:b.jar -Dx=y org.example.Main a, /usr/lib/jvm/java-17/bin/java, java, org.example.Main",
    "java -p mods -m app/org.example.Main, /usr/lib/jvm/java-17/bin/java, java, org.example.Main",
    "java @options, /usr/lib/jvm/java-17/bin/java, java, java",
    // the text of a program is no name
    "sh -c make, /usr/bin/dash, sh, sh",
    "bash -ec exit, /usr/bin/bash, bash, bash",
    "python3 -c pass, /usr/bin/python3.11, python3, python3",
    "perl -lane print, /usr/bin/perl, perl, perl",
    "node -e 1, /usr/bin/node, node, node",
    "ruby -ne puts, /usr/bin/ruby, ruby, ruby",
    "bash -s, /usr/bin/bash, bash, bash",
    "python3 -, /usr/bin/python3, python3, python3",
    "bash /dev/fd/63, /usr/bin/bash, bash, bash",
    "bash, /usr/bin/bash, bash, bash",
    // multi-call binaries
    "ls -l, /bin/busybox, ls, ls",
    "busybox wget x, /bin/busybox, busybox, wget",
    "busybox sh ./run.sh, /bin/busybox, busybox, run.sh",
    "sh ./run.sh, /bin/busybox, sh, run.sh",
    "busybox, /bin/busybox, busybox, busybox",
    "busybox --help, /bin/busybox, busybox, busybox",
    "coreutils --coreutils-prog=sort -u, /usr/bin/coreutils, coreutils, sort",
    "/usr/bin/coreutils --coreutils-prog-shebang=ls /usr/bin/ls, /usr/bin/coreutils, ls, ls",
    // renamed, found late
    "node server.js, /usr/bin/node, MainThread, server.js",
    // deleted, in memory, by descriptor
    "./a.out, /tmp/a.out (deleted), a.out, a.out",
    "[kworker/u8:2], /memfd:payload (deleted), 3, payload",
    "payload, /memfd: (deleted), 3, payload",
    // parts that vary
    "bash /tmp/jenkins1234567890123.sh, /usr/bin/bash, bash, jenkins*.sh",
    "bash /tmp/0f8fad5b-d9cb-469f-a165-70867728950e.sh, /usr/bin/bash, bash, *.sh",
    "bash /tmp/tmp.Xy12Zq9aB0, /usr/bin/bash, bash, tmp.*",
    "python3 tmpabc123de, /usr/bin/python3, python3, tmp*",
    "backup-20240131, /opt/backup-20240131, backup-20240131, backup-*",
    // arguments unknown
    ", /usr/bin/make, make, make",
    ", /usr/bin/dash, build.sh, build.sh",
    ", /usr/bin/x86_64-linux-gnu-gcc-12, x86_64-linux-gn, x86_64-linux-gnu-gcc-12",
    ", , make, make",
    ", , kworker/0:1-events, kworker",
    ", , ksoftirqd/3, ksoftirqd",
    ", , rcu_preempt, rcu_preempt",
    ", , , process",
    "make, , , make",
    "bash x.sh, , , x.sh"
  })
  void aCommandIsNamedAsAPersonWould(
      String arguments, String executable, String comm, String name) {
    assertThat(
            CommandName.of(
                arguments == null ? List.of() : split(arguments),
                executable == null ? null : Bytes.of(executable),
                comm == null ? null : Bytes.of(comm)))
        .isEqualTo(name);
  }

  @Test
  void bytesThatAreNotTextAreEscaped() {
    Bytes odd = new Bytes(new byte[] {'a', (byte) 0xff, '\n'});
    assertThat(CommandName.of(List.of(odd), null, odd)).isEqualTo("a\\xff\\x0a");
  }

  @Test
  void aLongNameIsCut() {
    String long0 = "n".repeat(200);
    assertThat(CommandName.of(List.of(), Bytes.of("/bin/" + long0), null))
        .isEqualTo("n".repeat(80) + "…[200 bytes]");
  }

  @Property(tries = 300)
  void anythingAtAllHasAName(
      @ForAll List<byte[]> arguments, @ForAll byte[] executable, @ForAll byte[] comm) {
    List<Bytes> given = arguments.stream().map(Bytes::new).toList();
    assertThat(CommandName.of(given, new Bytes(executable), new Bytes(comm))).isNotEmpty();
    assertThat(CommandName.of(given, null, null)).isNotEmpty();
  }

  private static List<Bytes> split(String arguments) {
    return Arrays.stream(arguments.split(" ", -1)).map(Bytes::of).toList();
  }
}
