// Programs to measure: started on a CPU of their own, stopped in any case.
#define _GNU_SOURCE
#include "load.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t load_processor_ns(pid_t pid) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void load_pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

pid_t load_start(char *const arguments[], char *const environment[], int cpu, const char *output) {
  pid_t parent = getpid(), pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
  if (cpu >= 0) {
    load_pin(cpu);
  } else {
    cpu_set_t all;
    memset(&all, 0xFF, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
  }
  int file = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file >= 0) {
    dup2(file, 1);
    dup2(file, 2);
  }
  execve(arguments[0], arguments, environment);
  _exit(127);
}

void load_stop(pid_t pid) {
  kill(pid, SIGTERM);
  for (int tries = 0; tries < 1000; tries++) {
    if (waitpid(pid, NULL, WNOHANG) != 0) return;
    usleep(10000);
  }
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
}

int load_notify_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  unlink(path);
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

uint64_t load_wait_ready(int descriptor, int timeout_ms) {
  char message[4096];
  uint64_t until = load_now_ns() + (uint64_t)timeout_ms * 1000000u;
  for (;;) {
    uint64_t now = load_now_ns();
    struct pollfd wait = {.fd = descriptor, .events = POLLIN};
    if (now >= until || poll(&wait, 1, (int)((until - now) / 1000000u) + 1) <= 0) return 0;
    ssize_t count = recv(descriptor, message, sizeof message - 1, 0);
    uint64_t arrived = load_now_ns();
    if (count < 0) return 0;
    message[count] = 0;
    if (strstr(message, "READY=1")) return arrived;
  }
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  remove(path);
  return 0;
}

void load_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

void load_print_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
