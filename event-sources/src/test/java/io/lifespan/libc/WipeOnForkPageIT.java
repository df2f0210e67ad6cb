package io.lifespan.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import jnr.ffi.Pointer;
import org.junit.jupiter.api.Test;

class WipeOnForkPageIT {

  @Test
  void a_new_page_is_all_zeros_and_keeps_what_is_written() throws SystemCallException {
    WipeOnForkPage page = WipeOnForkPage.map();
    int last = WipeOnForkPage.WORDS - 1;

    assertThat(page.read(0)).isZero();
    assertThat(page.writeIfZero(0, 5)).isZero();
    assertThat(page.writeIfZero(0, 6)).isEqualTo(5);
    page.write(last, Long.MIN_VALUE);

    assertThat(page.read(0)).isEqualTo(5);
    assertThat(page.read(last)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void a_page_that_cannot_be_wiped_is_given_back() {
    Kernel kernel = new Kernel(List.of(-1, -1));

    assertThatThrownBy(() -> WipeOnForkPage.map(kernel))
        .isInstanceOf(SystemCallException.class)
        .hasMessageContaining("madvise(MADV_WIPEONFORK)");
    assertThat(kernel.unmapped).containsExactly(Kernel.ADDRESS);
  }

  @Test
  void a_kernel_that_accepts_nonsense_is_not_believed_and_the_page_given_back() {
    Kernel kernel = new Kernel(List.of(0, 0));

    assertThatThrownBy(() -> WipeOnForkPage.map(kernel))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(kernel.unmapped).containsExactly(Kernel.ADDRESS);
  }

  /** A kernel whose answers to madvise are given. */
  private static final class Kernel implements WipeOnForkPage.Calls {

    static final long ADDRESS = 0x7000_0000_0000L;

    final List<Long> unmapped = new ArrayList<>();
    private final List<Integer> answers;

    Kernel(List<Integer> answers) {
      this.answers = new ArrayList<>(answers);
    }

    @Override
    public Pointer mmap(Pointer address, long size, int protection, int flags, int fd, long from) {
      return Pointer.wrap(jnr.ffi.Runtime.getSystemRuntime(), ADDRESS);
    }

    @Override
    public int madvise(long address, long length, int advice) {
      return answers.remove(0);
    }

    @Override
    public int munmap(long address, long length) {
      unmapped.add(address);
      return 0;
    }
  }
}
