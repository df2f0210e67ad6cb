package io.lifespan.procfs;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class EnvironTest {

  private static final String REAL =
      "TRACEPARENT=00-1-2-01\0OTEL_SERVICE_NAME=\0TRACEPARENT=second\0TRACESTATE=a=b";

  @Test
  void findsAVariable() {
    assertThat(get("TRACEPARENT")).isEqualTo(Bytes.of("00-1-2-01"));
    assertThat(get("OTEL_SERVICE_NAME")).isEqualTo(Bytes.EMPTY);
    assertThat(get("TRACESTATE")).isEqualTo(Bytes.of("a=b"));
  }

  @Test
  void doesNotFindWhatIsNotThere() {
    assertThat(get("TRACE")).isNull();
    assertThat(get("OTEL_RESOURCE_ATTRIBUTES")).isNull();
    assertThat(Environ.get(Bytes.EMPTY, "TRACEPARENT")).isNull();
  }

  @Property
  void neverThrows(@ForAll("contents") Bytes content) {
    Bytes value = Environ.get(content, "TRACEPARENT");
    assertThat(value == null || value.length() < content.length()).isTrue();
  }

  @Provide
  Arbitrary<Bytes> contents() {
    return Mutations.of(REAL);
  }

  private static Bytes get(String name) {
    return Environ.get(Bytes.of(REAL), name);
  }
}
