/* execs COUNT WORKERS PROGRAM: each worker executes its share, back to back; every one has an argument of its own. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int count = atoi(argv[1]), workers = atoi(argv[2]);
    for (int worker = 0; worker < workers; worker++) {
        if (fork() == 0) {
            char number[16];
            char *arguments[] = {argv[3], number, NULL};
            char *environment[] = {"SECRET=hidden", "TRACEPARENT=00-1-2-01", "OTEL_SERVICE_NAMES=no", NULL};
            for (int i = worker; i < count; i += workers) {
                sprintf(number, "%d", i);
                pid_t pid = vfork();
                if (pid == 0) {
                    execve(argv[3], arguments, environment);
                    _exit(127);
                }
                waitpid(pid, NULL, 0);
            }
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {}
    return 0;
}
