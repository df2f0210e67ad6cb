package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.Unavailable;
import io.lifespan.libc.Errno;
import io.lifespan.libc.SystemCallException;
import org.junit.jupiter.api.Test;

class PidCacheFallbackIT {

  @Test
  void an_old_kernel_is_named_with_what_to_do_and_each_answer_is_asked_for() {
    PidCache cache = failing("madvise(MADV_WIPEONFORK)", Errno.EINVAL);

    assertThat(cache.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(cache.forkGeneration()).isZero();
    assertThat(cache.savedCalls()).isZero();
    assertThat(cause(cache).call()).isEqualTo("madvise(MADV_WIPEONFORK)");
    assertThat(cause(cache).errno()).isEqualTo(Errno.EINVAL);
    assertThat(cause(cache).remedy()).contains("4.14");
  }

  @Test
  void a_lack_of_memory_is_not_blamed_on_the_kernel() {
    assertThat(cause(failing("mmap of a page", Errno.ENOMEM)).remedy()).contains("limit");
  }

  @Test
  void a_mapping_that_is_refused_is_not_blamed_on_the_age_of_the_kernel() {
    assertThat(cause(failing("mmap of a page", Errno.EINVAL)).remedy()).doesNotContain("4.14");
    assertThat(cause(failing("mmap of a page", Errno.EPERM)).remedy()).contains("seccomp");
  }

  @Test
  void a_kernel_that_accepts_any_advice_is_not_trusted() {
    PidCache cache =
        CurrentPidCache.make(
            () -> {
              throw new UnsupportedOperationException();
            });

    assertThat(cache.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(cause(cache).errno()).isNull();
    assertThat(cause(cache).call()).isEqualTo("madvise(-1)");
  }

  private static PidCache failing(String call, Errno errno) {
    return CurrentPidCache.make(
        () -> {
          throw new SystemCallException(call, errno);
        });
  }

  private static Unavailable cause(PidCache cache) {
    return cache.unavailability().orElseThrow();
  }
}
