/*
 * Odd lives of processes. Each scenario plays one and prints the truth about it, as it knows it itself:
 *
 *     process NAME PID PPID          a process was made, by that parent
 *     end NAME STATUS                how it ended: the raw wait status, as wait told it
 *     fact KEY VALUE                 anything else
 *
 * The first thread of the program is the scenario's own process; it reaps what it makes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *self;

static void say(const char *format, ...) {
    char line[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (write(1, line, length) != length) _exit(99);
}

static void die(const char *what) {
    say("error %s: %s\n", what, strerror(errno));
    _exit(99);
}

static void nap(int millis) {
    struct timespec t = {millis / 1000, millis % 1000 * 1000000L};
    while (nanosleep(&t, &t) != 0) {}
}

static void reap(const char *name, pid_t pid) {
    int status;
    if (waitpid(pid, &status, __WALL) != pid) die("waitpid");
    say("end %s %d\n", name, status);
}

static pid_t make(void) {
    pid_t pid = fork();
    if (pid < 0) die("fork");
    return pid;
}

/* exit(), _exit and signals */

static void code77(void) {
    pid_t pid = make();
    if (pid == 0) _exit(77);
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void killed(void) {
    pid_t pid = make();
    if (pid == 0) for (;;) pause();
    say("process child %d %d\n", pid, getpid());
    kill(pid, SIGKILL);
    reap("child", pid);
}

static void segv(void) {
    pid_t pid = make();
    if (pid == 0) {
        struct rlimit core = {RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_CORE, &core);
        kill(getpid(), SIGSEGV);
        for (;;) pause();
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void stopped(void) {
    pid_t pid = make();
    if (pid == 0) {
        raise(SIGSTOP);
        _exit(3);
    }
    say("process child %d %d\n", pid, getpid());
    int status;
    if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status)) die("stop");
    kill(pid, SIGCONT);
    reap("child", pid);
}

static void zombie(void) {
    pid_t pid = make();
    if (pid == 0) _exit(6);
    say("process child %d %d\n", pid, getpid());
    siginfo_t info;
    if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT) != 0) die("waitid");
    say("fact zombie %d\n", pid);
    char byte;
    if (read(0, &byte, 1) < 0) die("read"); /* unreaped until the test says so */
    reap("child", pid);
}

/* threads */

static void *exits_later(void *code) {
    nap(200);
    exit((int) (intptr_t) code);
}

static void *leader_leaves(void *unused) {
    (void) unused;
    return NULL;
}

static void leader(void) {
    pid_t pid = make();
    if (pid == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, exits_later, (void *) (intptr_t) 7);
        syscall(SYS_exit, 5);
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void *execs(void *program) {
    nap(20);
    execl(self, self, (char *) program, (char *) NULL);
    die("execl");
    return NULL;
}

static void *sleeps(void *unused) {
    (void) unused;
    for (;;) pause();
    return NULL;
}

static void thread_exec(void) {
    pid_t pid = make();
    if (pid == 0) {
        pthread_t thread;
        for (int i = 0; i < 10; i++) pthread_create(&thread, NULL, sleeps, NULL);
        pthread_create(&thread, NULL, execs, "exit:9");
        for (;;) pause();
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void *execs_at_once(void *program) {
    execl(self, self, (char *) program, (char *) NULL);
    die("execl");
    return NULL;
}

/* One process that replaces itself from a thread again and again: argument rounds left, threads beside. */
static void thread_execs(int rounds) {
    if (rounds == 0) _exit(0);
    char next[32];
    snprintf(next, sizeof next, "again:%d", rounds - 1);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_t thread;
    for (int i = 0; i < 49; i++)
        if (pthread_create(&thread, &small, sleeps, NULL) != 0) die("pthread_create");
    pthread_create(&thread, &small, execs_at_once, next);
    for (;;) pause();
}

static void many_threads(void) {
    pid_t pid = make();
    if (pid == 0) {
        pthread_t threads[300];
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 65536);
        for (int i = 0; i < 300; i++)
            if (pthread_create(&threads[i], &small, leader_leaves, NULL) != 0) die("pthread_create");
        for (int i = 0; i < 300; i++) pthread_join(threads[i], NULL);
        for (int i = 0; i < 300; i++) pthread_create(&threads[i], &small, sleeps, NULL);
        _exit(4);
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

/* parents */

static void double_fork(void) {
    int pipes[2];
    if (pipe(pipes) != 0) die("pipe");
    pid_t middle = make();
    if (middle == 0) {
        pid_t daemon = fork();
        if (daemon == 0) {
            close(pipes[0]);
            while (getppid() == middle) nap(1);
            nap(50);
            _exit(11);
        }
        say("process daemon %d %d\n", daemon, getpid());
        _exit(0);
    }
    say("process middle %d %d\n", middle, getpid());
    reap("middle", middle);
    close(pipes[1]);
    char byte;
    if (read(pipes[0], &byte, 1) != 0) die("daemon");
}

static void subreaper(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t middle = make();
    if (middle == 0) {
        pid_t orphan = fork();
        if (orphan == 0) {
            nap(50);
            _exit(12);
        }
        say("process orphan %d %d\n", orphan, getpid());
        _exit(0);
    }
    say("process middle %d %d\n", middle, getpid());
    reap("middle", middle);
    int status;
    pid_t orphan = wait(&status);
    say("end orphan %d\nfact adopter %d\nfact orphan %d\n", status, getpid(), orphan);
}

static void clone_parent(void) {
    pid_t child = make();
    if (child == 0) {
        pid_t sibling = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (sibling == 0) _exit(13);
        if (sibling < 0) die("clone");
        say("process sibling %d %d\n", sibling, getppid());
        _exit(1);
    }
    say("process child %d %d\n", child, getpid());
    for (int i = 0; i < 2; i++) {
        int status;
        pid_t pid = wait(&status);
        say("end %s %d\n", pid == child ? "child" : "sibling", status);
    }
}

static void deep(void) {
    pid_t top = getpid();
    for (int depth = 1; depth <= 12; depth++) {
        pid_t pid = make();
        if (pid > 0) {
            say("process level%d %d %d\n", depth, pid, getpid());
            int status;
            if (waitpid(pid, &status, 0) != pid) die("waitpid");
            say("end level%d %d\n", depth, status);
            if (getpid() == top) return;
            _exit(depth - 1);
        }
    }
    _exit(12);
}

/* pids used again: needs root */

static pid_t with_pid(pid_t pid) {
    struct clone_args args = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t) &pid, .set_tid_size = 1};
    return syscall(SYS_clone3, &args, sizeof args);
}

static void reuse(void) {
    pid_t first = make();
    if (first == 0) {
        execl(self, self, "exit:21", (char *) NULL);
        die("execl");
    }
    int status;
    waitpid(first, &status, 0);
    say("process first %d %d\nend first %d\n", first, getpid(), status);
    pid_t second = with_pid(first);
    if (second == 0) _exit(22);
    if (second != first) die("clone3 set_tid");
    say("process second %d %d\n", second, getpid());
    reap("second", second);
}

/* The same pid again as fast as can be, many times within a clock tick. */
static void reuse_at_once(int rounds) {
    int *statuses = calloc(rounds, sizeof *statuses);
    pid_t pid = 0;
    int made = 0;
    while (made < rounds) {
        pid_t next = made == 0 ? make() : with_pid(pid);
        if (next == 0) _exit(1 + made % 200);
        if (next < 0) break; /* somebody else got it */
        pid = next;
        if (waitpid(pid, &statuses[made++], 0) != pid) die("waitpid");
    }
    for (int i = 0; i < made; i++) say("end round%d %d\n", i, statuses[i]);
    say("fact pid %d\nfact made %d\n", pid, made);
}

/* A server that keeps some workers, and makes a new one whenever one has served its time. */
static void prefork(int all) {
    int alive = 0, made = 0;
    while (made < all || alive > 0) {
        if (made < all && alive < 4) {
            if (make() == 0) {
                nap(2);
                _exit(0);
            }
            made++, alive++;
        } else {
            if (wait(NULL) < 0) die("wait");
            alive--;
        }
    }
    say("fact made %d\n", made);
}

/* execs */

static void chain(void) {
    pid_t pid = make();
    if (pid == 0) {
        execl(self, self, "chain:5", (char *) NULL);
        die("execl");
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void chained(int left) {
    if (left == 0) _exit(14);
    nap(2);
    char next[32];
    snprintf(next, sizeof next, "chain:%d", left - 1);
    execl(self, self, next, (char *) NULL);
    die("execl");
}

static void vforked(void) {
    pid_t pid = vfork();
    if (pid == 0) {
        execl(self, self, "exit:15", (char *) NULL);
        _exit(98);
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void spawned(void) {
    char *const arguments[] = {(char *) self, "exit:16", NULL};
    char *const environment[] = {NULL};
    pid_t pid;
    if (posix_spawn(&pid, self, NULL, NULL, arguments, environment) != 0) die("posix_spawn");
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void memfd(void) {
    pid_t pid = make();
    if (pid == 0) {
        int file = memfd_create("in memory", MFD_CLOEXEC);
        FILE *program = fopen(self, "rb");
        char buffer[65536];
        size_t length;
        while ((length = fread(buffer, 1, sizeof buffer, program)) > 0)
            if (write(file, buffer, length) != (ssize_t) length) die("write");
        char *const arguments[] = {"nowhere", "exit:17", NULL};
        char *const environment[] = {NULL};
        fexecve(file, arguments, environment);
        die("fexecve");
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

/* changes: needs root */

static void changes(void) {
    pid_t pid = make();
    if (pid == 0) {
        prctl(PR_SET_NAME, "a) R 1 \xff(");
        if (setsid() < 0) die("setsid");
        if (setgid(4321) != 0) die("setgid");
        if (setuid(1234) != 0) die("setuid");
        _exit(18);
    }
    say("process child %d %d\n", pid, getpid());
    reap("child", pid);
}

static void traced(void) {
    pid_t pid = make();
    if (pid == 0) for (;;) pause();
    say("process child %d %d\n", pid, getpid());
    int status;
    if (ptrace(PTRACE_ATTACH, pid, 0, 0) != 0) die("ptrace");
    waitpid(pid, &status, __WALL);
    ptrace(PTRACE_DETACH, pid, 0, 0);
    kill(pid, SIGTERM);
    reap("child", pid);
}

/* Every process of a random tree prints what wait told it of its children. */

static unsigned random_state;

static unsigned roll(unsigned sides) {
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % sides;
}

static int grow(int budget) {
    while (budget > 0) {
        int share = 1 + (int) roll(budget);
        unsigned seed = random_state ^ (unsigned) budget * 2654435761u;
        pid_t pid = roll(4) == 0 ? (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
        if (pid < 0) die("fork");
        if (pid == 0) {
            random_state = seed;
            _exit(grow(share - 1));
        }
        int status;
        if (waitpid(pid, &status, 0) != pid) die("waitpid");
        say("tree %d %d %d\n", pid, getpid(), status);
        budget -= share;
    }
    return (int) roll(3) == 0 ? (int) roll(256) : 0;
}

/* that many random trees after one another, each of that many processes at most */
static void forest(int trees, int size) {
    unsigned seed = random_state;
    for (int i = 0; i < trees; i++) {
        pid_t pid = fork();
        if (pid < 0) die("fork");
        if (pid == 0) {
            random_state = seed + (unsigned) i * 2654435761u;
            _exit(grow(1 + (int) roll((unsigned) size)));
        }
        int status;
        if (waitpid(pid, &status, 0) != pid) die("waitpid");
        say("tree %d %d %d\n", pid, getpid(), status);
    }
}

static const struct {
    const char *name;
    void (*play)(void);
} scenarios[] = {
    {"code77", code77},       {"killed", killed},     {"segv", segv},
    {"stopped", stopped},     {"zombie", zombie},     {"leader", leader},
    {"thread-exec", thread_exec}, {"many-threads", many_threads}, {"double-fork", double_fork},
    {"subreaper", subreaper}, {"clone-parent", clone_parent}, {"deep", deep},
    {"reuse", reuse},         {"chain", chain},       {"vfork", vforked},
    {"spawn", spawned},       {"memfd", memfd},       {"changes", changes},
    {"traced", traced},
};

int main(int count, char **arguments) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (count < 2 || length < 0) return 99;
    path[length] = 0;
    self = path;
    const char *what = arguments[1];
    int number;
    if (sscanf(what, "exit:%d", &number) == 1) {
        usleep(300000); /* whoever reads /proc at the exec must find it there, on a busy machine too */
        return number;
    }
    if (sscanf(what, "chain:%d", &number) == 1) chained(number);
    if (sscanf(what, "again:%d", &number) == 1) thread_execs(number);
    if (sscanf(what, "reuse:%d", &number) == 1) {
        say("fact self %d\n", getpid());
        reuse_at_once(number);
        return 0;
    }
    if (sscanf(what, "prefork:%d", &number) == 1) {
        say("fact self %d\n", getpid());
        prefork(number);
        return 0;
    }
    if (sscanf(what, "tree:%u:%d", &random_state, &number) == 2) {
        say("fact self %d\n", getpid());
        grow(number);
        return 0;
    }
    int size;
    if (sscanf(what, "forest:%u:%d:%d", &random_state, &number, &size) == 3) {
        say("fact self %d\n", getpid());
        forest(number, size);
        return 0;
    }
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (strcmp(what, scenarios[i].name) == 0) {
            say("fact self %d\n", getpid());
            scenarios[i].play();
            return 0;
        }
    return 99;
}
