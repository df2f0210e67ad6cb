/* The smallest program there is: exits with 0. Static, without a C library, so that an exec of it is as short as it gets. */
__attribute__((noreturn)) void _start(void) {
#if defined(__x86_64__)
  __asm__ volatile("syscall" : : "a"(231L), "D"(0L)); /* exit_group(0) */
#elif defined(__aarch64__)
  register long number __asm__("x8") = 94;
  register long status __asm__("x0") = 0;
  __asm__ volatile("svc #0" : : "r"(number), "r"(status));
#else
#error "no system call for this machine"
#endif
  __builtin_unreachable();
}
