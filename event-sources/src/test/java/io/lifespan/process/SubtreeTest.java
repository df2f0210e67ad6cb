package io.lifespan.process;

import static io.lifespan.process.TableDriver.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import org.junit.jupiter.api.Test;

class SubtreeTest {

  private final TableDriver driver = TableDriver.subtree();

  @Test
  void onlyTheRootAndItsDescendantsAreFollowed() {
    driver.table.adoptRoot(200, 200, 100, null);
    driver.fork(2000, 100, 200).fork(2001, 100, 201).fork(2002, 200, 300).fork(2003, 300, 400);
    driver.exec(2004, 201, "stranger").exit(2005, 201, 0, 100).tick(2500);

    assertThat(driver.started).extracting(each -> each.key().pid()).containsExactly(200, 300, 400);
    assertThat(driver.started.get(0).startObserved()).isEqualTo(Observed.EVENT);
    assertThat(driver.started.get(0).startNanos()).isEqualTo(nanos(2000));
    assertThat(driver.table.stats().outOfScope()).isEqualTo(3);
  }

  @Test
  void aDescendantWhoseMakerIsGoneBelongsToItAllTheSame() {
    driver.table.adoptRoot(200, 200, 100, null);
    driver.fork(2001, 200, 300).exit(2002, 300, 0, 200).fork(2002, 300, 400);

    assertThat(driver.table.find(400).parentKey()).isEqualTo(new ProcessKey(300, 200));
  }

  @Test
  void theCommandLineThatItsStarterToldIsUsedWhereItCouldNotBeReadAndForTheFirstProgramOnly() {
    Bytes given = Bytes.of("sh\0-c\0exit 3\0");
    ProcCapture gone = new ProcCapture().without(ProcFile.CMDLINE, ProcCapture.GONE);
    driver.table.adoptRoot(200, 200, 100, given);
    driver.exec(2001, 200, gone);
    assertThat(driver.table.find(200).image().capture().get(ProcFile.CMDLINE)).isEqualTo(given);

    driver.exec(2002, 200, gone);
    assertThat(driver.table.find(200).image().capture().get(ProcFile.CMDLINE)).isNull();
  }

  @Test
  void afterALossDescendantsAreFoundByTheirParents() {
    driver.table.adoptRoot(200, 200, 100, null);
    driver.proc.shows(1, 0, "init", 0).shows(200, 100, "make", 200);
    driver.proc.shows(300, 200, "cc", 205).shows(400, 300, "as", 205).shows(500, 1, "cron", 205);
    driver.lose(2100, 5).tick(2200);

    assertThat(driver.table.find(300)).isNotNull();
    assertThat(driver.table.find(400)).isNotNull();
    assertThat(driver.table.find(500)).isNull();
  }
}
