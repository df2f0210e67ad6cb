/*
 * sleepers COUNT [PROGRAM]: makes COUNT processes that sleep and share one memory, or execute PROGRAM, prints "ready",
 * and ends them all when its standard input ends. The limits of pids are the caller's to raise (kernel.pid_max,
 * kernel.threads-max).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 4096 };

static int sleeper(void *program) {
  if (program) {
    execl(program, program, "--config", "/etc/an-ordinary-daemon/configuration.toml", "--verbose", (char *)NULL);
    _exit(127);
  }
  for (;;) pause();
  return 0;
}

int main(int argc, char **argv) {
  long count = argc >= 2 ? atol(argv[1]) : 0;
  if (count < 1) {
    fprintf(stderr, "usage: sleepers COUNT [PROGRAM]\n");
    return 2;
  }
  char *stacks = mmap(NULL, count * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pid_t *pids = calloc(count, sizeof *pids);
  if (stacks == MAP_FAILED || !pids) {
    perror("sleepers: memory");
    return 1;
  }
  char *program = argc > 2 ? argv[2] : NULL;
  int flags = CLONE_VM | SIGCHLD | (program ? CLONE_VFORK : 0);
  int status = 0;
  long made = 0;
  while (made < count) {
    pid_t pid = clone(sleeper, stacks + (made + 1) * STACK, flags, program);
    if (pid < 0) {
      fprintf(stderr, "sleepers: clone after %ld: %s\n", made, strerror(errno));
      status = 1;
      break;
    }
    pids[made++] = pid;
  }
  if (status == 0) {
    puts("ready");
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) {}
  }
  for (long i = 0; i < made; i++) kill(pids[i], SIGKILL);
  for (long i = 0; i < made; i++) waitpid(pids[i], NULL, 0);
  return status;
}
