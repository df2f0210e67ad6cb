/*
 * uses MEGABYTES MILLISECONDS FILE THREADS: forks a child that touches so much memory, computes for so long, in so many
 * further threads each, and writes a megabyte to FILE and on to storage; then prints the child's pid and what wait4(2)
 * says that it used: microseconds in user and in kernel mode, kilobytes resident, page faults minor and major,
 * context switches voluntary and not, blocks of 512 bytes read and written; last its own pid.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long millis;

static void *compute(void *unused) {
    struct timespec used;
    do {
        for (volatile int i = 0; i < 100000; i++) continue;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < millis);
    return unused;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    millis = atol(argv[2]);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        size_t size = atol(argv[1]) << 20;
        char *memory = malloc(size);
        memset(memory, 1, size);
        int file = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (write(file, memory, 1 << 20) != 1 << 20 || fsync(file) != 0) _exit(3);
        pthread_t threads[16];
        int count = atoi(argv[4]);
        for (int i = 0; i < count && i < 16; i++) pthread_create(&threads[i], NULL, compute, NULL);
        for (int i = 0; i < count && i < 16; i++) pthread_join(threads[i], NULL);
        compute(NULL);
        _exit(0);
    }
    int status;
    struct rusage used;
    if (wait4(pid, &status, 0, &used) != pid || status != 0) return 1;
    printf("%d %ld %ld %ld %ld %ld %ld %ld %ld %ld %d\n", pid, used.ru_utime.tv_sec * 1000000L + used.ru_utime.tv_usec,
           used.ru_stime.tv_sec * 1000000L + used.ru_stime.tv_usec, used.ru_maxrss, used.ru_minflt, used.ru_majflt,
           used.ru_nvcsw, used.ru_nivcsw, used.ru_inblock, used.ru_oublock,
           getpid());
    return 0;
}
