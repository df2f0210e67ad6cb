package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SystemCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CausesTest {

  @ParameterizedTest
  @CsvSource({
    "93, without the connector, CONFIG_CONNECTOR=y",
    "97, without the connector, CONFIG_CONNECTOR=y",
    "1, may not listen, CAP_NET_ADMIN",
    "13, may not listen, CAP_NET_ADMIN",
    "111, initial network namespace, hostNetwork: true",
    "24, refused, ulimit -n",
    "12, refused, memory",
    "22, refused, manual page",
  })
  void aCallThatFailedHasACauseAndARemedy(int errno, String cause, String remedy) {
    Unavailable unavailable = Causes.of(new SystemCallException("a call", new Errno(errno)));

    assertThat(unavailable.call()).isEqualTo("a call");
    assertThat(unavailable.errno()).isEqualTo(new Errno(errno));
    assertThat(unavailable.cause()).contains(cause);
    assertThat(unavailable.remedy()).contains(remedy);
  }

  @Test
  void anAnswerWithAnErrorIsAsIfTheCallHadFailed() {
    assertThat(Causes.refused(1).toString())
        .isEqualTo(
            "this user may not listen to process events (send PROC_CN_MCAST_LISTEN: EPERM); run as"
                + " root or with the capability CAP_NET_ADMIN, which kernels before 6.6 ask for");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "user:[4026531837], pid:[4026531836], without them, CONFIG_PROC_EVENTS=y",
        "user:[4026532201], pid:[4026531836], initial user namespace, hostUsers",
        "user:[4026531837], pid:[4026532202], initial pid namespace, hostPID: true",
        "user:[4026532201], pid:[4026532202], initial user namespace, hostUsers",
        "-, -, initial pid namespace, hostPID: true",
        "-, pid:[4026531836], without them, CONFIG_PROC_EVENTS=y",
      })
  void silenceIsExplainedByTheNamespaces(String user, String pid, String cause, String remedy) {
    Unavailable unavailable = Causes.silence(user, pid);

    assertThat(unavailable.errno()).isNull();
    assertThat(unavailable.cause()).contains(cause);
    assertThat(unavailable.remedy()).contains(remedy);
  }

  @Test
  void aSubscriptionThatGivesNothingIsACauseToo() {
    assertThat(Causes.noEvents().cause()).contains("sends no process events");
  }
}
