/*
 * listener [--collect MILLIS] [--name NAME]: the least that a proc connector listener can be, in C, as the measure for
 * others. Wakes for each event and reads /proc/PID/cmdline at each exec; with --collect it pauses after each wake and
 * reads nothing. Prints "ready" when subscribed; at SIGTERM one JSON object:
 *
 *   received  events, of all kinds        lost      events the kernel dropped (Drops of the socket)
 *   forks, execs, exits  of processes     captured  execs whose arguments were read; with --name, that begin with NAME
 *   cpu       seconds of user and system time since "ready"
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif

enum { BATCH = 256, MESSAGE = 256, RECEIVE_BUFFER = 16 << 20 };

static volatile sig_atomic_t stopped;
static long received, forks, execs, exits, captured;
static const char *name;

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static void die(const char *what) {
  fprintf(stderr, "listener: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int subscribe(void) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
  struct {
    struct nlmsghdr header;
    struct cn_msg message;
    enum proc_cn_mcast_op operation;
  } __attribute__((packed)) request;
  int size = RECEIVE_BUFFER;
  int fd = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);
  if (fd < 0) die("socket");
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0) die("SO_RCVBUFFORCE");
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) die("bind");
  memset(&request, 0, sizeof request);
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = NLMSG_DONE;
  request.message.id.idx = CN_IDX_PROC;
  request.message.id.val = CN_VAL_PROC;
  request.message.len = sizeof request.operation;
  request.operation = PROC_CN_MCAST_LISTEN;
  if (send(fd, &request, sizeof request, 0) < 0) die("send");
  return fd;
}

static void capture(int pid) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return;
  text[length] = 0;
  captured += !name || strcmp(text, name) == 0;
}

/* Field offsets from the start of the datagram: netlink header 16, connector header 20, then the event. */
static void take(const unsigned char *datagram, int read_arguments) {
  unsigned what, first, second, third, fourth;
  memcpy(&what, datagram + 36, 4);
  memcpy(&first, datagram + 52, 4);
  memcpy(&second, datagram + 56, 4);
  memcpy(&third, datagram + 60, 4);
  memcpy(&fourth, datagram + 64, 4);
  received++;
  if (what == 0x1) {
    forks += third == fourth;
  } else if (what == 0x2) {
    execs++;
    if (read_arguments) capture(first);
  } else if (what == 0x80000000u) {
    exits += first == second;
  }
}

int main(int argc, char **argv) {
  static unsigned char memory[BATCH][MESSAGE];
  static struct mmsghdr messages[BATCH];
  static struct iovec vectors[BATCH];
  unsigned information[16] = {0};
  socklen_t length = sizeof information;
  long collect = 0;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && !strcmp(argv[i], "--collect")) {
      collect = atol(argv[i + 1]);
    } else if (i + 1 < argc && !strcmp(argv[i], "--name")) {
      name = argv[i + 1];
    } else {
      fprintf(stderr, "usage: listener [--collect MILLIS] [--name NAME]\n");
      return 2;
    }
  }
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  for (int i = 0; i < BATCH; i++) {
    vectors[i] = (struct iovec){memory[i], MESSAGE};
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &vectors[i], .msg_iovlen = 1};
  }
  int fd = subscribe();
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  struct timespec pause = {.tv_nsec = collect * 1000000};
  double before = cpu();
  printf("ready\n");
  fflush(stdout);
  for (;;) {
    int count;
    if (collect) {
      /* What is left is read before it stops. */
      if (!stopped && poll(&wait, 1, -1) > 0) nanosleep(&pause, NULL);
      count = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, NULL);
    } else {
      count = recv(fd, memory[0], MESSAGE, stopped ? MSG_DONTWAIT : 0) < 0 ? -1 : 1;
    }
    if (count < 0 && errno != EINTR && errno != ENOBUFS && errno != EAGAIN) die("recv");
    if (count < 0 && stopped && errno == EAGAIN) break;
    for (int i = 0; i < count; i++) take(memory[i], !collect);
    while (collect && count == BATCH && (count = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, NULL)) > 0) {
      for (int i = 0; i < count; i++) take(memory[i], 0);
    }
  }
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, information, &length) < 0) die("SO_MEMINFO");
  printf("{\"received\":%ld,\"forks\":%ld,\"execs\":%ld,\"exits\":%ld,\"captured\":%ld,\"lost\":%u,\"cpu\":%.3f}\n", received,
         forks, execs, exits, captured, information[8], cpu() - before);
  return 0;
}
