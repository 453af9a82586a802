// Attackers on many connections by epoll, and samples at a fixed rate on threads of their own.
#define _GNU_SOURCE
#include "attack.h"

#include "exchange.h"
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int attack_become(unsigned uid) { return setgroups(0, NULL) == 0 && setgid(uid) == 0 && setuid(uid) == 0 ? 0 : -1; }

enum { PIPELINED_BYTES = 1 << 18, HOLD_MS = 2000 };

struct attacker {
  int descriptor;
  /// How much of the present request was sent.
  size_t sent;
  /// Bytes of the answer that are there, and how many it will be; 0 while its head has not arrived.
  size_t count, whole;
  char head[2048];
  uint64_t opened_at;
};

static void close_attacker(int poll, struct attacker *attacker) {
  if (attacker->descriptor < 0) return;
  epoll_ctl(poll, EPOLL_CTL_DEL, attacker->descriptor, NULL);
  close(attacker->descriptor);
  attacker->descriptor = -1;
}

static void open_attacker(int poll, struct attacker *attacker, const struct attack_plan *plan, struct attack_result *result) {
  attacker->descriptor = load_open_connection(plan->path);
  attacker->sent = attacker->count = attacker->whole = 0;
  attacker->opened_at = load_now_ns();
  if (attacker->descriptor < 0) return;
  fcntl(attacker->descriptor, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = attacker};
  epoll_ctl(poll, EPOLL_CTL_ADD, attacker->descriptor, &event);
  result->opened++;
}

/// Sends as much as the way of attacking has it. Returns -1 when the connection is gone.
static int push(struct attacker *attacker, const struct attack_plan *plan, struct attack_result *result) {
  size_t end = plan->way == ATTACK_HOLD ? plan->request_bytes - 1 : plan->request_bytes;
  for (;;) {
    if (attacker->sent == end) {
      if (plan->way != ATTACK_PIPELINE) return 0;
      attacker->sent = 0;
    }
    ssize_t sent = send(attacker->descriptor, plan->request + attacker->sent, end - attacker->sent, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    attacker->sent += (size_t)sent;
    result->sent_bytes += (uint64_t)sent;
  }
}

/// Reads what came. Returns -1 when the connection is gone.
static int pull(struct attacker *attacker, const struct attack_plan *plan, struct attack_result *result) {
  static char buffer[1 << 18];
  for (;;) {
    ssize_t got = recv(attacker->descriptor, buffer, sizeof buffer, 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (got == 0) return -1;
    result->received_bytes += (uint64_t)got;
    if (plan->way != ATTACK_EXCHANGE) continue;
    size_t capacity = sizeof attacker->head - 1;
    if (attacker->count < capacity) {
      size_t part = (size_t)got < capacity - attacker->count ? (size_t)got : capacity - attacker->count;
      memcpy(attacker->head + attacker->count, buffer, part);
    }
    attacker->count += (size_t)got;
    size_t known = attacker->count < capacity ? attacker->count : capacity;
    if (attacker->whole == 0) attacker->whole = load_whole_length(attacker->head, known);
    if (attacker->whole > 0 && attacker->count >= attacker->whole) {
      attacker->count = attacker->whole = attacker->sent = 0;
      if (push(attacker, plan, result) != 0) return -1;
    }
  }
}

int attack_run(const struct attack_plan *plan, struct attack_result *result) {
  memset(result, 0, sizeof *result);
  struct attacker *all = calloc((size_t)plan->connections, sizeof *all);
  struct epoll_event ready[256];
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (!all || poll < 0) return -1;
  for (int index = 0; index < plan->connections; index++) open_attacker(poll, &all[index], plan, result);
  uint64_t end = load_now_ns() + (uint64_t)(plan->seconds * 1e9);
  while (load_now_ns() < end) {
    int count = epoll_wait(poll, ready, 256, 50);
    for (int index = 0; index < count; index++) {
      struct attacker *attacker = ready[index].data.ptr;
      int gone = push(attacker, plan, result) != 0;
      if (!gone && plan->way != ATTACK_UNREAD && plan->way != ATTACK_HOLD) gone = pull(attacker, plan, result) != 0;
      if (ready[index].events & (EPOLLERR | EPOLLHUP)) gone = 1;
      if (gone) close_attacker(poll, attacker);
    }
    uint64_t now = load_now_ns();
    for (int index = 0; index < plan->connections; index++) {
      struct attacker *attacker = &all[index];
      if (plan->way == ATTACK_HOLD && attacker->descriptor >= 0 && now - attacker->opened_at > HOLD_MS * 1000000ull) {
        close_attacker(poll, attacker);
      }
      // Who is refused comes again at once, but not in a loop that measures this program.
      if (attacker->descriptor < 0 && now - attacker->opened_at > 10000000ull) open_attacker(poll, attacker, plan, result);
    }
  }
  for (int index = 0; index < plan->connections; index++) close_attacker(poll, &all[index]);
  close(poll);
  free(all);
  return 0;
}

struct open_course {
  const struct open_plan *plan;
  uint64_t begins;
  uint64_t *times;
  atomic_int next, refused, broken, unranked;
};

static void wait_until(uint64_t ns) {
  struct timespec until = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
  }
}

/// One exchange. Returns the status, or -1 when it broke off.
static int exchange(int descriptor, const struct open_plan *plan, char *buffer, size_t capacity) {
  if (load_write_all(descriptor, plan->request, plan->request_bytes) != 0) return -1;
  size_t count = 0, whole = 0;
  while (whole == 0 || count < whole) {
    size_t at = count < capacity - 1 ? count : capacity / 2;
    ssize_t got = recv(descriptor, buffer + at, capacity - 1 - at, 0);
    if (got <= 0) return -1;
    count += (size_t)got;
    if (whole == 0) whole = load_whole_length(buffer, count < capacity ? count : capacity);
  }
  buffer[12] = 0;
  return atoi(buffer + 9);
}

static void *sample(void *given) {
  struct open_course *course = given;
  const struct open_plan *plan = course->plan;
  size_t capacity = 1 << 16;
  char *buffer = malloc(capacity);
  // Who looks must not wait for a processor: that would be told as the daemon's time.
  struct sched_param rank = {.sched_priority = 1};
  if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &rank) != 0) atomic_fetch_add(&course->unranked, 1);
  // The call itself, and not the library's function, which would make every thread of this program that user.
  if (plan->uid != 0 && syscall(SYS_setresuid, plan->uid, plan->uid, plan->uid) != 0) atomic_fetch_add(&course->broken, plan->samples);
  int descriptor = load_open_connection(plan->path);
  for (;;) {
    int index = atomic_fetch_add(&course->next, 1);
    if (index >= plan->samples) break;
    uint64_t due = course->begins + (uint64_t)((double)index * 1e9 / plan->per_second);
    wait_until(due);
    if (descriptor < 0) descriptor = load_open_connection(plan->path);
    int status = descriptor < 0 ? -1 : exchange(descriptor, plan, buffer, capacity);
    course->times[index] = load_now_ns() - due;
    if (status < 0) {
      atomic_fetch_add(&course->broken, 1);
      if (descriptor >= 0) close(descriptor);
      descriptor = -1;
    } else if (status / 100 != 2) {
      atomic_fetch_add(&course->refused, 1);
    }
  }
  if (descriptor >= 0) close(descriptor);
  free(buffer);
  return NULL;
}

static int by_time(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

int open_run(const struct open_plan *plan, struct open_result *result, char fault[128]) {
  struct open_course course = {.plan = plan, .begins = load_now_ns() + 10000000u};
  pthread_t *threads = calloc((size_t)plan->connections, sizeof *threads);
  course.times = calloc((size_t)plan->samples, sizeof *course.times);
  int made = 0;
  if (!threads || !course.times) return -1;
  for (; made < plan->connections; made++) {
    if (pthread_create(&threads[made], NULL, sample, &course) != 0) break;
  }
  for (int index = 0; index < made; index++) pthread_join(threads[index], NULL);
  free(threads);
  if (made == 0) {
    snprintf(fault, 128, "no threads for samples");
    free(course.times);
    return -1;
  }
  qsort(course.times, (size_t)plan->samples, sizeof *course.times, by_time);
  size_t last = (size_t)plan->samples - 1;
  result->median_ns = course.times[last / 2];
  result->p99_ns = course.times[last * 99 / 100];
  result->max_ns = course.times[last];
  result->refused = atomic_load(&course.refused);
  result->broken = atomic_load(&course.broken);
  result->unranked = atomic_load(&course.unranked);
  free(course.times);
  return 0;
}
