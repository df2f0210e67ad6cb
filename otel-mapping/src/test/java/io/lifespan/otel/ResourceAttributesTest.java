package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceAttributesTest {

  @Test
  void pairsAreReadAndDecoded() {
    assertThat(
            ResourceAttributes.parse(
                "service.name=shop, deployment.environment.name = prod ,a=x%3Dy%2Cz,u=%C3%A9,e=,plus=a+b,"))
        .isEqualTo(
            Attributes.builder()
                .put("service.name", "shop")
                .put("deployment.environment.name", "prod")
                .put("a", "x=y,z")
                .put("u", "é")
                .put("e", "")
                .put("plus", "a+b")
                .build());
  }

  @Test
  void nothingGivesNone() {
    assertThat(ResourceAttributes.parse("")).isEqualTo(Attributes.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "=b", "a=b,c", "a=%", "a=%4", "a=%zz", "a=%ff", "%ff=b", "a=b,=c"})
  void anyFaultDiscardsTheWhole(String text) {
    assertThat(ResourceAttributes.parse(text)).isNull();
  }

  @Test
  void tooManyAreDiscarded() {
    String many =
        IntStream.range(0, 65).mapToObj(i -> "k" + i + "=v").collect(Collectors.joining(","));
    assertThat(ResourceAttributes.parse(many)).isNull();
    assertThat(ResourceAttributes.parse(many.substring(0, many.lastIndexOf(',')))).isNotNull();
  }

  @Property(tries = 300)
  void anyTextIsReadOrDiscarded(@ForAll String text) {
    Attributes attributes = ResourceAttributes.parse(text);
    assertThat(attributes == null || attributes.size() <= 64).isTrue();
  }
}
