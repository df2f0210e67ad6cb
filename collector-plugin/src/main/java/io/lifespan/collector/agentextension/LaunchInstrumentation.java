package io.lifespan.collector.agentextension;

import static net.bytebuddy.matcher.ElementMatchers.isPrivate;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.opentelemetry.javaagent.extension.instrumentation.TypeInstrumentation;
import io.opentelemetry.javaagent.extension.instrumentation.TypeTransformer;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * Where the JDK starts a process: {@code ProcessBuilder.start(Redirect[])}, through which {@code
 * start()}, {@code startPipeline()} and {@code Runtime.exec()} all go.
 */
final class LaunchInstrumentation implements TypeInstrumentation {

  static final String LAUNCHER = "java.lang.ProcessBuilder";

  @Override
  public ElementMatcher<TypeDescription> typeMatcher() {
    return named(LAUNCHER);
  }

  @Override
  public void transform(TypeTransformer transformer) {
    transformer.applyAdviceToMethod(
        isPrivate().and(named("start")).and(takesArguments(1)), LaunchAdvice.class.getName());
  }
}
