package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironSelectorTest {

  private static final String REAL =
      "PATH=/bin\0TRACEPARENT=00-a\0PASSWORD=TRACESTATE=x\0OTEL_SERVICE_NAME=shop\0"
          + "OTEL_RESOURCE_ATTRIBUTES=a=b\0TRACESTATE=k=v\0";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      value = {
        "PATH=/bin$TRACEPARENT=x$HOME=/$|TRACEPARENT=x$",
        "TRACEPARENT=x|TRACEPARENT=x$",
        "TRACEPARENT=$|TRACEPARENT=$",
        "TRACEPARENT$|''",
        "XTRACEPARENT=x$|''",
        "TRACEPARENTX=x$|''",
        "traceparent=x$|''",
        "SECRET=TRACEPARENT=x$|''",
        "=TRACEPARENT=x$|''",
        "$$TRACESTATE=a$$|TRACESTATE=a$",
        "OTEL_SERVICE_NAME=a$OTEL_SERVICE_KEY=b$|OTEL_SERVICE_NAME=a$",
        "OTEL_RESOURCE_ATTRIBUTES=k=v,l=w$|OTEL_RESOURCE_ATTRIBUTES=k=v,l=w$",
        "TRACEPARENT=1$TRACEPARENT=2$|TRACEPARENT=1$TRACEPARENT=2$",
      })
  void keepsOnlyTheAllowList(String environment, String kept) {
    EnvironSelector selector = new EnvironSelector(1000);
    String expected = kept.equals("''") ? "" : kept.replace('$', '\0');
    assertThat(select(selector, bytes(environment), 1000)).isEqualTo(Bytes.of(expected));
  }

  @Property
  void doesNotCareHowTheEnvironmentIsCutIntoPieces(
      @ForAll("environments") Bytes environment, @ForAll @IntRange(min = 1, max = 40) int piece) {
    EnvironSelector selector = new EnvironSelector(10_000);
    Bytes whole = select(selector, environment.array(), environment.length() + 1);
    assertThat(select(selector, environment.array(), piece)).isEqualTo(whole);
  }

  @Property
  void keepsNothingThatIsNotOnTheList(@ForAll("environments") Bytes environment) {
    Bytes kept = select(new EnvironSelector(10_000), environment.array(), 7);
    for (Bytes variable : Cmdline.split(kept)) {
      assertThat(EnvironSelector.ALLOWED).contains(variable.toString().split("=", 2)[0]);
    }
  }

  @Test
  void leavesOutAVariableThatDoesNotFitAndSaysSo() {
    EnvironSelector selector = new EnvironSelector(40);
    byte[] environment = bytes("TRACEPARENT=0123456789$OTEL_SERVICE_NAME=0123456789$TRACESTATE=a$");
    selector.feed(environment, environment.length);
    assertThat(selector.truncated()).isTrue();
    assertThat(selector.finish())
        .isEqualTo(new Bytes(bytes("TRACEPARENT=0123456789$TRACESTATE=a$")));
    assertThat(selector.truncated()).isFalse();
  }

  @Test
  void leavesOutTheVariableInWhichTheEnvironmentWasCut() {
    EnvironSelector selector = new EnvironSelector(1000);
    byte[] environment = bytes("TRACESTATE=a$TRACEPARENT=0123");
    selector.feed(environment, environment.length);
    selector.cut();
    assertThat(selector.truncated()).isTrue();
    assertThat(selector.finish()).isEqualTo(new Bytes(bytes("TRACESTATE=a$")));
  }

  @Provide
  Arbitrary<Bytes> environments() {
    return Mutations.of(REAL);
  }

  private static Bytes select(EnvironSelector selector, byte[] environment, int piece) {
    for (int start = 0; start < environment.length; start += piece) {
      int end = Math.min(environment.length, start + piece);
      selector.feed(Arrays.copyOfRange(environment, start, end), end - start);
    }
    return selector.finish();
  }

  private static byte[] bytes(String text) {
    return text.replace('$', '\0').getBytes(ISO_8859_1);
  }
}
