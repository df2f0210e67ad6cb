package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WantedEventsTest {

  @ParameterizedTest
  @CsvSource({
    "fork, 0x1, 0x1",
    "exec, 0x2, 0x2",
    "uid, 0x4, 0x4",
    "gid, 0x40, 0x40",
    "sid, 0x80, 0x80",
    "ptrace, 0x100, 0x100",
    "comm, 0x200, 0x200",
    "coredump, 0x40000000, 0x40000000",
    "exit, 0x80000000, 0x80000000",
    "nonzero_exit, 0x80000000, 0x20000000",
    "fork exec exit, 0x80000003, 0x80000003",
    "nonzero_exit exit, 0x80000000, 0x80000000",
    "coredump nonzero_exit, 0xc0000000, 0x60000000",
  })
  void aSelectionBecomesTheBitsThatTheKernelKnows(String names, String mask, String filter) {
    EventSelection selection = EventSelection.of(List.of(names.split(" "))).orElseThrow();

    WantedEvents wanted = new WantedEvents(selection, true);

    assertThat(Integer.toUnsignedLong(wanted.mask())).isEqualTo(Long.decode(mask));
    assertThat(Integer.toUnsignedLong(wanted.kernelFilter())).isEqualTo(Long.decode(filter));
  }
}
