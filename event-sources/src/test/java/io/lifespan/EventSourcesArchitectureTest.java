package io.lifespan;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.lifespan.libc.Errno;

/** Who may know whom among the event sources. */
@AnalyzeClasses(packages = "io.lifespan", importOptions = DoNotIncludeTests.class)
class EventSourcesArchitectureTest {

  @ArchTest
  static final ArchRule onlyLibcKnowsJnr =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.lifespan.libc..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jnr..", "com.kenai..");

  @ArchTest
  static final ArchRule libcKnowsNobodyInTheHouse =
      noClasses()
          .that()
          .resideInAPackage("io.lifespan.libc..")
          .should()
          .dependOnClassesThat(
              DescribedPredicate.describe(
                  "are in the house but not in libc",
                  type ->
                      type.getPackageName().startsWith("io.lifespan")
                          && !type.getPackageName().startsWith("io.lifespan.libc")));

  @ArchTest
  static final ArchRule parsersArePure =
      classes()
          .that()
          .resideInAPackage("io.lifespan.procfs..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "io.lifespan.procfs..",
                      "java.lang..",
                      "java.util..",
                      "java.nio",
                      "java.nio.charset",
                      "org.jspecify..")
                  .or(type(Errno.class)));

  @ArchTest
  static final ArchRule sourcesKnowNeitherOpenTelemetryNorGuice =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.opentelemetry..", "com.google.inject..", "jakarta.inject..", "picocli..");

  @ArchTest
  static final ArchRule theProcessTableKnowsNoSource =
      noClasses()
          .that()
          .resideInAPackage("io.lifespan.process..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.lifespan.event.*..");

  /** The pid cache asks the kernel; the process table is told. */
  @ArchTest
  static final ArchRule theProcessTableMakesNoCalls =
      noClasses()
          .that()
          .resideInAPackage("io.lifespan.process..")
          .and()
          .haveNameNotMatching(".*PidCache.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.lifespan.libc..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("io.lifespan.(**)").should().beFreeOfCycles();
}
