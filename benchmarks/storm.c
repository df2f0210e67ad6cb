/*
 * storm MODE COUNT WORKERS [PROGRAM ARG...]: makes COUNT processes as fast as it can, WORKERS at a time, and prints how
 * fast that was as one JSON object, with the pids of the workers that were their parents.
 *
 *   vfork   vfork, then exit at once: the most processes a second there can be
 *   fork    fork, then exit at once
 *   exec    vfork, then execve of PROGRAM
 *   mixed   the same, but each hundredth executes ARG instead, which must end with 1
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORKERS = 64 };

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void die(const char *what) {
  fprintf(stderr, "storm: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* Returns the child's pid; a child never returns. */
static pid_t start(char mode, char **command) {
  pid_t pid = mode == 'f' ? fork() : vfork();
  if (pid == 0) {
    if (command[0]) execve(command[0], command, environ);
    _exit(command[0] ? 127 : 0);
  }
  return pid;
}

static void work(char mode, long count, char **command) {
  for (long i = 0; i < count; i++) {
    int status, fails = mode == 'm' && i % 100 == 99;
    char *alone[] = {command[fails], NULL};
    pid_t pid = start(mode, mode == 'm' ? alone : command);
    if (pid < 0) die("fork");
    if (waitpid(pid, &status, 0) < 0) die("waitpid");
    if (status != fails << 8) {
      fprintf(stderr, "storm: a child ended with status %d\n", status);
      exit(1);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 4 || !strchr("vfem", argv[1][0]) || !!strchr("em", argv[1][0]) != (argc > 4) ||
      (argv[1][0] == 'm' && argc != 6)) {
    fprintf(stderr, "usage: storm vfork|fork|exec|mixed COUNT WORKERS [PROGRAM ARG...]\n");
    return 2;
  }
  char mode = argv[1][0];
  long count = atol(argv[2]);
  int workers = atoi(argv[3]), failed = 0;
  pid_t pids[MAX_WORKERS];
  if (count < 1 || workers < 1 || workers > MAX_WORKERS) {
    fprintf(stderr, "storm: COUNT must be at least 1, WORKERS 1 to %d\n", MAX_WORKERS);
    return 2;
  }
  double begin = now();
  for (int i = 0; i < workers; i++) {
    pids[i] = fork();
    if (pids[i] < 0) die("fork");
    if (pids[i] == 0) {
      work(mode, count / workers + (i < count % workers), argv + 4);
      _exit(0);
    }
  }
  for (int i = 0; i < workers; i++) {
    int status;
    if (waitpid(pids[i], &status, 0) < 0) die("waitpid");
    failed |= status != 0;
  }
  double seconds = now() - begin;
  printf("{\"mode\":\"%s\",\"count\":%ld,\"seconds\":%.4f,\"rate\":%.0f,\"workers\":[", argv[1], count, seconds,
         count / seconds);
  for (int i = 0; i < workers; i++) printf("%s%d", i ? "," : "", pids[i]);
  printf("]}\n");
  return failed;
}
