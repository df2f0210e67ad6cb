/* Exits with 0 at once: the shortest life that an exec can have. Static, without a C library. */
__attribute__((noreturn)) void _start(void) {
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(231L), "D"(0L));
#else
    register long number __asm__("x8") = 94;
    register long status __asm__("x0") = 0;
    __asm__ volatile("svc #0" : : "r"(number), "r"(status));
#endif
    __builtin_unreachable();
}
