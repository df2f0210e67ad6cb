package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ForkWordTest {

  @Property
  void a_word_gives_back_what_it_was_made_of(
      @ForAll int generation, @ForAll @IntRange(min = 1) int pid) {
    long word = ForkWord.of(generation, pid);

    assertThat(ForkWord.generation(word)).isEqualTo(generation);
    assertThat(ForkWord.pid(word)).isEqualTo(pid);
    assertThat(word).isNotZero();
  }

  @Test
  void a_child_is_one_generation_further_with_a_pid_of_its_own() {
    long child = ForkWord.child(ForkWord.of(6, 4000), 31);

    assertThat(child).isEqualTo(ForkWord.of(7, 31));
  }

  @Test
  void the_first_process_is_generation_0() {
    assertThat(ForkWord.generation(ForkWord.child(ForkWord.NONE, 1))).isZero();
  }
}
