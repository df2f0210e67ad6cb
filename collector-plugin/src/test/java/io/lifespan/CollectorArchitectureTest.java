package io.lifespan;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Whom the program may know, and who may know the program. */
@AnalyzeClasses(packages = "io.lifespan", importOptions = DoNotIncludeTests.class)
class CollectorArchitectureTest {

  @ArchTest
  static final ArchRule onlyTheCollectorKnowsGuiceAndTheCommandLine =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.lifespan.collector..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.google.inject..", "jakarta.inject..", "picocli..");

  @ArchTest
  static final ArchRule theCollectorMakesNoSystemCallByItself =
      noClasses()
          .that()
          .resideInAPackage("io.lifespan.collector..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jnr..");

  @ArchTest
  static final ArchRule nothingReachesBack =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.lifespan.collector..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.lifespan.collector..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("io.lifespan.(**)").should().beFreeOfCycles();
}
