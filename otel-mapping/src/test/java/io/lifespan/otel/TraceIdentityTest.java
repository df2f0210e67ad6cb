package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.process.ProcessKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceIdentityTest {

  private static final String BOOT_ID = "8d3e9e2c-5b1f-4c83-9d5c-0a1b2c3d4e5f";

  private final TraceIdentity identity = new TraceIdentity(BOOT_ID);

  /** Made with printf and sha256sum, as the class says. */
  @ParameterizedTest
  @CsvSource({
    "4242, 123456, 06f0c819588baaab1c660e8ccd272e8c, 57d4ad9a5db6cecc",
    "1, 0, 23814a7eaa6a1a2036855a0f0551c70c, 638200a2f80c7e59",
    "4194304, 9223372036854775807, 8c1de9267c6b3f96f8c12ec2e708049a, 0a3565929b34a36a"
  })
  void idsNeverChange(int pid, long ticks, String traceId, String spanId) {
    ProcessKey key = new ProcessKey(pid, ticks);
    assertThat(identity.traceId(key)).isEqualTo(traceId);
    assertThat(identity.spanId(key)).isEqualTo(spanId);
  }

  @Test
  void idsDifferByPidByStartAndByBoot() {
    Set<String> ids = new HashSet<>();
    for (String boot : new String[] {BOOT_ID, "another"}) {
      for (int pid = 1; pid <= 50; pid++) {
        for (long ticks = 0; ticks < 50; ticks++) {
          ids.add(new TraceIdentity(boot).spanId(new ProcessKey(pid, ticks)));
        }
      }
    }
    assertThat(ids).hasSize(5_000);
  }

  @Test
  void anIdIsNeverAllZero() {
    assertThat(TraceIdentity.notZero(new byte[8])).containsExactly(0, 0, 0, 0, 0, 0, 0, 1);
    assertThat(TraceIdentity.notZero(new byte[] {0, 1, 0})).containsExactly(0, 1, 0);
  }
}
