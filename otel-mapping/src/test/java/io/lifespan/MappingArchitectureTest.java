package io.lifespan;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.lifespan.event.blocking.BlockedCall;
import io.lifespan.event.blocking.BlockedTask;
import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.CallKind;
import io.lifespan.event.blocking.CallStatistics;
import io.lifespan.event.blocking.Latencies;
import io.lifespan.event.blocking.LatencyHistogram;
import io.lifespan.event.blocking.MountChange;
import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountState;
import io.lifespan.event.blocking.Stall;
import io.lifespan.libc.Errno;
import io.lifespan.libc.Signal;

/**
 * Whom the mapping may know. Of libc these are the two classes that are only values; of the watch
 * for what blocks, what its listeners are told and what counts durations.
 */
@AnalyzeClasses(packages = "io.lifespan", importOptions = DoNotIncludeTests.class)
class MappingArchitectureTest {

  private static final Class<?>[] TOLD = {
    BlockedCall.class,
    BlockedTask.class,
    BlockingListener.class,
    CallKind.class,
    CallStatistics.class,
    Latencies.class,
    LatencyHistogram.class,
    MountChange.class,
    MountHealth.class,
    MountState.class,
    Stall.class
  };

  @ArchTest
  static final ArchRule theMappingKnowsNoSystemCallNoWiringAndNoTransport =
      noClasses()
          .that()
          .resideInAPackage("io.lifespan.otel..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "jnr..",
                      "io.lifespan.libc..",
                      "io.lifespan.event.*..",
                      "com.google.inject..",
                      "jakarta.inject..",
                      "picocli..",
                      "io.opentelemetry.exporter..",
                      "java.net..",
                      "java.io..",
                      "java.nio.file..")
                  .and(not(type(Errno.class).or(type(Signal.class))))
                  .and(not(belongToAnyOf(TOLD))));

  @ArchTest
  static final ArchRule nothingReachesBack =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.lifespan.otel..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.lifespan.otel..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("io.lifespan.(**)").should().beFreeOfCycles();
}
