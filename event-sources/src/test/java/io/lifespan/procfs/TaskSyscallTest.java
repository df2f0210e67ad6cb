package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskSyscallTest {

  private static final String STAT =
      "262 0xffffff9c 0x7fffabcd 0x1 0x0 0x0 0x0 0x7ffe12345678 0x7f0000001234\n";

  @Test
  void readsNumberArgumentsAndStack() {
    assertThat(parse(STAT))
        .isEqualTo(new TaskSyscall(262L, 0xffffff9cL, 0x7fffabcdL, 0x7ffe12345678L));
  }

  @Test
  void aThreadThatSleepsOutsideOfACallHasNoNumber() {
    assertThat(parse("-1 0x7ffe12345678 0x7f0000001234\n"))
        .isEqualTo(new TaskSyscall(null, 0, 0, 0x7ffe12345678L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"running\n", "", "x", "262\n", "262 0x1 1 0 0 0 0 0x1 0x1\n", "4 0xz\n"})
  void anythingElseIsNothing(String content) {
    assertThat(parse(content)).isNull();
  }

  @Property(tries = 500)
  void anyContentIsReadWithoutFailing(@ForAll("contents") Bytes content) {
    TaskSyscall call = TaskSyscall.parse(content.array(), content.length());

    assertThat(call == null || call.number() == null || call.number() >= 0).isTrue();
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Mutations.of(STAT, "running\n", "-1 0x7ffe12345678 0x7f0000001234\n");
  }

  private static TaskSyscall parse(String content) {
    return TaskSyscall.parse(content.getBytes(US_ASCII), content.length());
  }
}
