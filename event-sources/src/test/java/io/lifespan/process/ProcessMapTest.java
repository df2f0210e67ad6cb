package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ProcessMapTest {

  private final ProcessMap map = new ProcessMap();

  private static TrackedProcess process(int pid) {
    return new TrackedProcess(new ProcessKey(pid, 5), 5, 0, 0, Observed.PROC);
  }

  @Property(tries = 300)
  void itHoldsWhatAHashMapHolds(
      @ForAll @Size(max = 600) List<@IntRange(min = 1, max = 400) Integer> pids) {
    ProcessMap tested = new ProcessMap();
    Map<Integer, TrackedProcess> expected = new HashMap<>();
    for (int pid : pids) {
      TrackedProcess held = expected.get(pid);
      if (held != null && pid % 3 != 0) {
        tested.remove(held);
        expected.remove(pid);
      } else {
        TrackedProcess fresh = process(pid);
        tested.put(fresh);
        expected.put(pid, fresh);
      }
    }

    assertThat(tested.size()).isEqualTo(expected.size());
    assertThat(tested.all()).containsExactlyInAnyOrderElementsOf(expected.values());
    for (int pid = 1; pid <= 400; pid++) {
      assertThat(tested.get(pid)).isSameAs(expected.get(pid));
    }
  }

  @Test
  void everyPidThatLinuxCanGiveIsFound() {
    for (int pid = 1; pid < 4_194_304; pid += 41) {
      map.put(process(pid));
    }
    for (int pid = 1; pid < 4_194_304; pid += 41) {
      assertThat(map.get(pid).key().pid()).isEqualTo(pid);
    }
    assertThat(map.get(2)).isNull();
  }

  @Test
  void onlyTheVeryProcessIsRemoved() {
    TrackedProcess present = process(7);
    map.put(present);
    map.remove(process(7));
    map.remove(process(8));
    assertThat(map.get(7)).isSameAs(present);

    map.remove(present);
    assertThat(map.get(7)).isNull();
    assertThat(map.size()).isZero();
  }
}
