// The exchanges: blocking on one connection, by epoll on several.
#define _GNU_SOURCE
#include "exchange.h"
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

uint64_t load_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int load_open_connection(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  // Nothing here may wait for ever, but a large change of overrides may wait ten seconds for its share of the writer.
  struct timeval limit = {.tv_sec = 30};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    int problem = errno;
    close(descriptor);
    errno = problem;
    return -1;
  }
  return descriptor;
}

int load_accepts(const char *path) {
  int descriptor = load_open_connection(path);
  if (descriptor < 0) return 0;
  close(descriptor);
  return 1;
}

int load_write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

size_t load_whole_length(const char *answer, size_t count) {
  const char *end;
  if (count > 0 && answer[0] == '$') {
    end = memmem(answer, count, "\r\n", 2);
    return end ? (size_t)(end - answer) + 2 + strtoul(answer + 1, NULL, 10) + 2 : 0;
  }
  if (count > 0 && (answer[0] == '+' || answer[0] == '-')) {
    end = memmem(answer, count, "\r\n", 2);
    return end ? (size_t)(end - answer) + 2 : 0;
  }
  end = memmem(answer, count, "\r\n\r\n", 4);
  if (!end) return 0;
  const char *line = answer;
  while ((line = memmem(line, (size_t)(end + 2 - line), "\r\n", 2)) && line < end) {
    line += 2;
    if (strncasecmp(line, "content-length:", 15) == 0) return (size_t)(end - answer) + 4 + strtoul(line + 15, NULL, 10);
  }
  return (size_t)(end - answer) + 4;
}

ssize_t load_fetch(const char *path, const void *request, size_t request_bytes, char *answer, size_t answer_bytes_max, char fault[128]) {
  int descriptor = load_open_connection(path);
  size_t count = 0, whole = 0;
  if (descriptor < 0) {
    snprintf(fault, 128, "connect: %s", strerror(errno));
    return -1;
  }
  if (load_write_all(descriptor, request, request_bytes) != 0) {
    snprintf(fault, 128, "send: %s", strerror(errno));
    close(descriptor);
    return -1;
  }
  while (whole == 0 || count < whole) {
    ssize_t got = count < answer_bytes_max ? recv(descriptor, answer + count, answer_bytes_max - count, 0) : 0;
    if (got <= 0) {
      snprintf(fault, 128, "the answer ended after %zu bytes", count);
      close(descriptor);
      return -1;
    }
    count += (size_t)got;
    if (whole == 0) whole = load_whole_length(answer, count);
  }
  close(descriptor);
  return (ssize_t)count;
}

unsigned load_bucket_of(uint64_t ns) {
  if (ns < LOAD_SLICES) return (unsigned)ns;
  unsigned power = 63u - (unsigned)__builtin_clzll(ns);
  return (power - 4) * LOAD_SLICES + (unsigned)((ns >> (power - 5)) & (LOAD_SLICES - 1));
}

static uint64_t value_of(unsigned bucket) {
  if (bucket < LOAD_SLICES) return bucket;
  unsigned power = bucket / LOAD_SLICES + 4;
  return (1ull << power) + ((uint64_t)(bucket % LOAD_SLICES) << (power - 5));
}

uint64_t load_quantile(const uint32_t *buckets, uint64_t total, double part) {
  uint64_t wanted = (uint64_t)((double)total * part), seen = 0;
  for (unsigned bucket = 0; bucket < LOAD_BUCKETS; bucket++) {
    seen += buckets[bucket];
    if (seen > wanted) return value_of(bucket);
  }
  return 0;
}

struct connection {
  int descriptor;
  uint64_t sent_at;
  /// Bytes of the answer that are there, and how many it will be; 0 while its head has not arrived.
  size_t count, whole;
  /// The beginning of the answer.
  char head[1024];
};

/// The requests of a plan, and which is next.
struct requests {
  const struct load_plan *plan;
  int next;
  const char *at;
};

static int ask(struct connection *connection, struct requests *requests) {
  if (requests->next == requests->plan->request_count) {
    requests->next = 0;
    requests->at = requests->plan->requests;
  }
  const char *request = requests->at;
  size_t bytes = requests->plan->request_bytes[requests->next++];
  requests->at += bytes;
  connection->sent_at = load_now_ns();
  connection->count = 0;
  connection->whole = requests->plan->answer_bytes;
  return load_write_all(connection->descriptor, request, bytes);
}

/// Takes what has arrived of an answer. Returns 1 when it is whole, 0 when more is to come, -1 with the reason in `fault`.
static int take(struct connection *connection, int lengths_differ, char fault[128]) {
  static _Thread_local char buffer[1 << 20];
  int keeps_head = connection->count < sizeof connection->head - 1 && lengths_differ;
  ssize_t got = keeps_head
                    ? recv(connection->descriptor, connection->head + connection->count, sizeof connection->head - 1 - connection->count, 0)
                    : recv(connection->descriptor, buffer, sizeof buffer, 0);
  if (got < 0 && errno == EINTR) return 0;
  if (got <= 0) {
    snprintf(fault, 128, "%s after %zu bytes of an answer", got < 0 && errno == EAGAIN ? "nothing for thirty seconds" : "the connection ended",
             connection->count);
    return -1;
  }
  connection->count += (size_t)got;
  if (keeps_head) {
    connection->head[connection->count] = 0;
    if (connection->whole == 0) connection->whole = load_whole_length(connection->head, connection->count);
    if (connection->whole > 0 && strncmp(connection->head, "HTTP/1.1 2", 10) != 0) {
      snprintf(fault, 128, "%.*s", (int)strcspn(connection->head, "\r"), connection->head);
      return -1;
    }
    if (connection->whole == 0 && connection->count == sizeof connection->head - 1) {
      snprintf(fault, 128, "an answer's head is longer than %zu bytes", sizeof connection->head);
      return -1;
    }
  }
  if (connection->whole > 0 && connection->count > connection->whole) {
    snprintf(fault, 128, "an answer is longer than %zu bytes", connection->whole);
    return -1;
  }
  return connection->count == connection->whole;
}

int load_run(const struct load_plan *plan, struct load_result *result, char fault[128]) {
  uint32_t *buckets = calloc(LOAD_BUCKETS, sizeof *buckets);
  struct connection *all = calloc((size_t)plan->connections, sizeof *all);
  struct epoll_event *ready = calloc((size_t)plan->connections, sizeof *ready);
  struct requests requests = {.plan = plan, .at = plan->requests};
  int poll = epoll_create1(EPOLL_CLOEXEC), status = -1;
  memset(result, 0, sizeof *result);
  for (int index = 0; index < plan->connections; index++) all[index].descriptor = -1;

  for (int index = 0; index < plan->connections; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[index]};
    all[index].descriptor = load_open_connection(plan->path);
    if (all[index].descriptor < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, all[index].descriptor, &event) != 0 ||
        ask(&all[index], &requests) != 0) {
      snprintf(fault, 128, "connection %d: %s", index + 1, strerror(errno));
      goto end;
    }
  }

  uint64_t began = load_now_ns();
  uint64_t counts_from = began + (uint64_t)(plan->warm_up_seconds * 1e9), until = counts_from + (uint64_t)(plan->seconds * 1e9), now = began;
  while (now < until && (plan->exchanges_max == 0 || result->answers < plan->exchanges_max)) {
    int count = 1;
    if (plan->connections == 1) {
      ready[0].data.ptr = &all[0];
    } else if ((count = epoll_wait(poll, ready, plan->connections, 30000)) <= 0) {
      if (count < 0 && errno == EINTR) continue;
      snprintf(fault, 128, "no answer for thirty seconds");
      goto end;
    }
    for (int index = 0; index < count; index++) {
      struct connection *connection = ready[index].data.ptr;
      int is_whole = take(connection, plan->answer_bytes == 0, fault);
      if (is_whole < 0) goto end;
      if (!is_whole) continue;
      now = load_now_ns();
      if (now >= counts_from) {
        result->answers++;
        buckets[load_bucket_of(now - connection->sent_at)]++;
      }
      if (plan->exchanges_max > 0 && result->answers >= plan->exchanges_max) break;
      if (ask(connection, &requests) != 0) {
        snprintf(fault, 128, "send: %s", strerror(errno));
        goto end;
      }
    }
  }
  result->seconds = (double)(now - counts_from) / 1e9;
  result->median_ns = load_quantile(buckets, result->answers, 0.5);
  result->p99_ns = load_quantile(buckets, result->answers, 0.99);
  status = 0;
end:
  for (int index = 0; index < plan->connections; index++)
    if (all[index].descriptor >= 0) close(all[index].descriptor);
  close(poll);
  free(all);
  free(ready);
  free(buckets);
  return status;
}
