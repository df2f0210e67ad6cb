/*
 * slowfs DIRECTORY: a file system whose answers can be held back, for tests.
 *
 * Speaks the protocol of /dev/fuse itself. It is mounted in a mount namespace of this process's own, so that nobody
 * else can run into it: others reach it by /proc/PID/root. With -s as the first argument it is mounted where all see it.
 *
 * The root directory holds the regular file "file" and, below any name that begins with "d", more of the same.
 * Commands on standard input, a line each: "delay MS" answers so much later, "hang" not at all, "go" at once, with all
 * that was held back. Each is acknowledged by "ok". The end of its input, or of its parent, ends it, and with it the mount.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_REQUEST (1 << 20)
#define ROOT 1
#define FILE_NODE 2
#define DIRECTORY_NODE 3

struct held {
  struct held *next;
  long due;
  char request[512];
};

static int device;
static long delay;
static int hanging;
static struct held *waiting;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void die(const char *what) {
  fprintf(stderr, "slowfs: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void answer(struct fuse_in_header *in, int error, void *body, size_t length) {
  struct fuse_out_header out = {sizeof out + (error ? 0 : length), -error, in->unique};
  char buffer[sizeof out + 4096];
  memcpy(buffer, &out, sizeof out);
  if (!error) memcpy(buffer + sizeof out, body, length);
  if (write(device, buffer, out.len) < 0 && errno != ENOENT) die("write");
}

static struct fuse_attr attributes(uint64_t node) {
  struct fuse_attr attr = {.ino = node, .nlink = 1, .blksize = 4096};
  attr.mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755;
  return attr;
}

static void serve(struct fuse_in_header *in) {
  const char *name = (char *)(in + 1);
  struct fuse_entry_out entry = {.generation = 1};
  struct fuse_attr_out attr = {.attr = attributes(in->nodeid)};
  struct fuse_statfs_out fs = {.st = {.blocks = 100, .bsize = 4096, .namelen = 255, .frsize = 4096}};
  struct fuse_open_out open = {.fh = 1};

  switch (in->opcode) {
    case FUSE_LOOKUP:
      entry.nodeid = name[0] == 'd' ? DIRECTORY_NODE : FILE_NODE;
      entry.attr = attributes(entry.nodeid);
      if (name[0] != 'd' && strcmp(name, "file")) answer(in, ENOENT, 0, 0);
      else answer(in, 0, &entry, sizeof entry);
      break;
    case FUSE_GETATTR: answer(in, 0, &attr, sizeof attr); break;
    case FUSE_STATFS: answer(in, 0, &fs, sizeof fs); break;
    case FUSE_OPEN:
    case FUSE_OPENDIR: answer(in, 0, &open, sizeof open); break;
    case FUSE_READ:
    case FUSE_READDIR: answer(in, 0, "", 0); break;
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_FLUSH: answer(in, 0, "", 0); break;
    default: answer(in, ENOSYS, 0, 0);
  }
}

static void take(char *request) {
  struct fuse_in_header *in = (void *)request;
  if (in->opcode == FUSE_INIT) {
    struct fuse_init_in *theirs = (void *)(in + 1);
    struct fuse_init_out init = {.major = 7, .minor = 31, .max_readahead = theirs->max_readahead, .max_write = 4096,
                                 .max_background = 4096, .congestion_threshold = 4096, .time_gran = 1};
    answer(in, 0, &init, sizeof init);
  } else if (in->opcode == FUSE_FORGET || in->opcode == FUSE_BATCH_FORGET || in->opcode == FUSE_INTERRUPT) {
    return;
  } else if (hanging || delay) {
    struct held *held = malloc(sizeof *held);
    memcpy(held->request, request, sizeof held->request);
    held->due = now() + delay;
    struct held **end = &waiting;
    while (*end) end = &(*end)->next;
    held->next = 0;
    *end = held;
  } else {
    serve(in);
  }
}

static int due(void) {
  if (!waiting || hanging) return -1;
  long left = waiting->due - now();
  return left < 0 ? 0 : left;
}

static void serve_due(void) {
  while (waiting && !hanging && waiting->due <= now()) {
    struct held *first = waiting;
    waiting = first->next;
    serve((void *)first->request);
    free(first);
  }
}

static void command(char *line) {
  if (!strncmp(line, "delay ", 6)) {
    hanging = 0;
    delay = atol(line + 6);
  } else if (!strcmp(line, "hang")) {
    hanging = 1;
  } else if (!strcmp(line, "go")) {
    hanging = 0;
    delay = 0;
    for (struct held *h = waiting; h; h = h->next) h->due = 0;
  }
  printf("ok\n");
  fflush(stdout);
}

static void commands(void) {
  static char input[4096];
  static size_t filled;
  ssize_t got = read(0, input + filled, sizeof input - filled - 1);
  if (got <= 0) exit(0);
  filled += got;
  input[filled] = 0;
  char *end;
  while ((end = strchr(input, '\n'))) {
    *end = 0;
    command(input);
    filled -= end + 1 - input;
    memmove(input, end + 1, filled + 1);
  }
}

int main(int argc, char **argv) {
  int shared = argc > 2 && !strcmp(argv[1], "-s");
  const char *directory = argv[argc - 1];
  static char request[MAX_REQUEST];
  char options[128];

  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!shared) {
    if (unshare(CLONE_NEWNS)) die("unshare");
    if (mount(0, "/", 0, MS_REC | MS_PRIVATE, 0)) die("private mounts");
  }
  if ((device = open("/dev/fuse", O_RDWR | O_CLOEXEC)) < 0) die("/dev/fuse");
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", device);
  if (mount("slowfs", directory, "fuse.slowfs", MS_NOSUID | MS_NODEV, options)) die("mount");
  printf("ok\n");
  fflush(stdout);
  while (1) {
    struct pollfd ready[] = {{.fd = device, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    if (poll(ready, 2, due()) < 0 && errno != EINTR) die("poll");
    if (ready[1].revents) commands();
    if (ready[0].revents & POLLERR) return 0;
    if (ready[0].revents & POLLIN) {
      ssize_t got = read(device, request, sizeof request);
      if (got < 0 && errno == ENODEV) return 0;
      if (got > 0) take(request);
    }
    serve_due();
  }
}
