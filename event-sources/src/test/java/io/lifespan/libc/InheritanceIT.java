package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a command sees when a virtual machine starts it, compared with what it sees when the same
 * shell starts it: there must be no difference.
 */
class InheritanceIT {

  private static final String RUN =
      String.join(" ", AnotherJvm.command(RunCommand.class, "--"))
          .replace(" -cp ", " -Dignored=$(sed -n 's/^SigIgn:.//p' /proc/self/status) -cp ");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec %s ls -l /proc/self/fd",
        "exec 5<settings 9>log 200<>pipe; exec %s ls -l /proc/self/fd",
        "exec <&-; exec %s ls -l /proc/self/fd",
        "exec 3<settings 4<settings 6<settings; exec 4<&-; exec %s ls -l /proc/self/fd",
      })
  void theSameDescriptorsAreOpen(String script) throws Exception {
    Files.writeString(directory.resolve("settings"), "");
    assertThat(shell("mkfifo pipe")).isEmpty();
    String format = " | sed -E -e '/proc/d' -e 's/.* ([0-9]+ -> [^:]*).*/\\1/' -e /total/d";
    assertThat(shell(script.formatted(RUN) + format).strip())
        .isEqualTo(shell(script.formatted("") + format).strip())
        .contains("2 -> ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec %s",
        "trap '' HUP INT TERM USR1 TSTP PIPE XFSZ; exec %s",
        "exec perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1, SIGCHLD, SIGALRM));"
            + " exec @ARGV' %s",
      })
  void theSameSignalsAreBlockedAndIgnored(String script) throws Exception {
    String grep = " grep -e SigBlk -e SigIgn -e SigCgt /proc/self/status";
    assertThat(shell(script.formatted(RUN + grep)))
        .isEqualTo(shell(script.formatted(grep)))
        .contains("SigIgn");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limits",
        "oom_score_adj",
        "cgroup",
        "mountinfo",
        "autogroup",
        "loginuid",
        "timerslack_ns",
        "personality",
        "setgroups"
      })
  void theRestIsTheSame(String file) throws Exception {
    String cat = " cat /proc/self/" + file + " /proc/self/comm";
    assertThat(shell("exec " + RUN + cat)).isEqualTo(shell("exec" + cat)).endsWith("cat\n");
  }

  @Test
  void argumentsAndEnvironmentArriveByteForByte() throws Exception {
    String print = "tr '\\\\0' '|' < /proc/self/cmdline; tr '\\\\0' '|' < /proc/self/environ";
    String script =
        "exec perl -e '%%ENV = (PATH => $ENV{PATH}, qq(odd\\xff) => qq(\\xfe=\\n)); exec @ARGV, q(sh),"
            + " q(-c), q("
            + print.replace("'", "\"").replace("(", "\\(").replace(")", "\\)")
            + "), qq(a\\xffb), q(), qq(new\\nline)' %s";
    String wrapped = shell(script.formatted(RUN));
    String plain = shell(script.formatted("env"));
    assertThat(plain).contains("|a\u00ffb||new\nline|").contains("odd\u00ff=\u00fe=\n|");
    assertThat(wrapped.replace("|TRACEPARENT=" + RunCommand.TRACEPARENT, "")).isEqualTo(plain);
    assertThat(wrapped).contains("|TRACEPARENT=" + RunCommand.TRACEPARENT + "|");
  }

  @Test
  void aTraceparentThatWasGivenIsReplacedNotDoubled() throws Exception {
    String found = shell("TRACEPARENT=old exec " + RUN + " env");
    assertThat(found.lines().filter(line -> line.startsWith("TRACEPARENT=")))
        .containsExactly("TRACEPARENT=" + RunCommand.TRACEPARENT);
  }

  @Test
  void theCommandStaysInTheProcessGroupAndSession() throws Exception {
    String ids = " sh -c 'cut -d\" \" -f5,6 /proc/$$/stat /proc/$PPID/stat'";
    List<String> lines = shell("exec " + RUN + ids).lines().toList();
    assertThat(lines.get(0)).isEqualTo(lines.get(1));
  }

  private String shell(String script) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", "-c", script));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    process.waitFor();
    return output;
  }
}
