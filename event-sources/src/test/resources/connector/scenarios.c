/* Processes whose events are known. Each scenario says on stdout who did what, one "name number" a line,
 * and waits for its standard input to end before it lets go of what a test has to look at. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *name, long value) {
  printf("%s %ld\n", name, value);
  fflush(stdout);
}

static void wait_for_end_of_input(void) {
  char c;
  while (read(0, &c, 1) > 0) {
  }
}

/* Every kind of event, by one child that ends by a signal that dumps core. */
static void kinds(void) {
  int go[2];
  pipe(go);
  pid_t child = fork();
  if (child == 0) {
    char c;
    read(go[0], &c, 1);
    setsid();
    prctl(PR_SET_NAME, "a) R 1 \xff(");
    syscall(SYS_setresgid, 2001, 2002, -1);
    syscall(SYS_setresuid, 1001, 1002, -1);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    _exit(99);
  }
  ptrace(PTRACE_SEIZE, child, 0, 0);
  ptrace(PTRACE_INTERRUPT, child, 0, 0);
  waitpid(child, NULL, 0);
  ptrace(PTRACE_DETACH, child, 0, 0);
  write(go[1], "", 1);
  say("child", child);
  wait_for_end_of_input();
  int status;
  waitpid(child, &status, 0);
  say("status", status);
}

static void *nothing(void *unused) {
  return unused;
}

/* Threads that come and go, then a process that does. */
static void threads(int count) {
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
  }
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  say("child", child);
}

static void *survive(void *unused) {
  wait_for_end_of_input();
  exit(7);
  return unused;
}

/* The first thread leaves while another lives on until the input ends. */
static void leader(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, survive, NULL);
  syscall(SYS_exit, 5);
}

/* A child that failed and stays a zombie until the input ends. */
static void zombie(void) {
  pid_t child = fork();
  if (child == 0) _exit(3);
  say("child", child);
  wait_for_end_of_input();
}

/* Children that end at once, as fast as can be. */
static void storm(int count) {
  for (int i = 0; i < count; i++) {
    pid_t child = vfork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
  }
}

/* Children that execute a program which ends at once. */
static void programs(const char *program, int count) {
  for (int i = 0; i < count; i++) {
    pid_t child = vfork();
    if (child == 0) {
      execl(program, program, "end", "0", (char *)NULL);
      _exit(127);
    }
    waitpid(child, NULL, 0);
  }
}

/* Children that end with 0 and 1 in turn; tells those that failed. */
static void exits(int count) {
  for (int i = 0; i < count; i++) {
    pid_t child = fork();
    if (child == 0) _exit(i & 1);
    waitpid(child, NULL, 0);
    if (i & 1) say("failed", child);
  }
}

/* Changes of the group ids, all of one process. */
static void groups(int count) {
  for (int i = 0; i < count; i++) {
    syscall(SYS_setresgid, -1, 3000 + i, -1);
  }
}

int main(int argc, char **argv) {
  int count = argc > 2 ? atoi(argv[2]) : 0;
  if (argc < 2) return 2;
  if (!strcmp(argv[1], "kinds")) kinds();
  else if (!strcmp(argv[1], "threads")) threads(count);
  else if (!strcmp(argv[1], "leader")) leader();
  else if (!strcmp(argv[1], "zombie")) zombie();
  else if (!strcmp(argv[1], "storm")) storm(count);
  else if (!strcmp(argv[1], "programs")) programs(argv[0], count);
  else if (!strcmp(argv[1], "exits")) exits(count);
  else if (!strcmp(argv[1], "groups")) groups(count);
  else if (!strcmp(argv[1], "wait")) wait_for_end_of_input();
  else if (!strcmp(argv[1], "end")) return count;
  else return 2;
  return 0;
}
