// Load about many players: no two requests are the same, and answers differ in length.
#define _GNU_SOURCE
#include "exchange.h"
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct player_connection {
  int descriptor;
  size_t count, whole;
  uint64_t sent_at;
  char answer[16384];
};

struct cursor {
  const struct load_course *course;
  uint64_t count, random;
};

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

// The request that comes next; its length.
static int next_request(struct cursor *cursor, char *request, size_t request_bytes_max) {
  const struct load_course *course = cursor->course;
  uint64_t number = cursor->count++;
  if (course->request == LOAD_TOP)
    return snprintf(request, request_bytes_max, "GET /v1/games/wheresthedot/leaderboards/classic HTTP/1.1\r\nHost: localhost\r\n\r\n");
  if (course->request == LOAD_RANK) {
    uint64_t player = (number * 7919 + cursor->random) % course->players;
    return snprintf(request, request_bytes_max,
                    "GET /v1/games/wheresthedot/leaderboards/classic?limit=1&player=p%07" PRIu64 " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    player);
  }
  if (course->request == LOAD_COUNTERS) {
    // The stride has no divisor in common with any power of ten.
    uint64_t player = (number * 7919 + cursor->random) % course->players;
    return snprintf(request, request_bytes_max,
                    "GET /v1/games/wheresthedot/players/p%07" PRIu64 "/ads/game_over HTTP/1.1\r\nHost: localhost\r\n\r\n", player);
  }
  char body[256];
  uint64_t random = next_random(&cursor->random);
  int bytes;
  if (course->request == LOAD_EVENTS)
    bytes = snprintf(body, sizeof body,
                     "{\"event_id\":\"%s-%" PRIu64 "\",\"event\":\"game_over\",\"mode\":\"%s\",\"score\":%u,\"reason\":\"timeUp\"}",
                     course->ids, number, random & 1 ? "classic" : "arcade", (unsigned)(random >> 1 & 7));
  else
    bytes = snprintf(body, sizeof body,
                     "{\"event_id\":\"%s-%" PRIu64 "\",\"event\":\"game_over\",\"mode\":\"classic\",\"score\":%" PRIu64
                     ",\"reason\":\"timeUp\",\"details\":{\"stage\":3}}",
                     course->ids, number, course->request == LOAD_BETTER ? course->first_score + number : 0);
  return snprintf(request, request_bytes_max,
                  "POST /v1/games/wheresthedot/players/p%07" PRIu64 "/events HTTP/1.1\r\nHost: localhost\r\n"
                  "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                  (random >> 8) % course->players, bytes, body);
}

static int ask(struct player_connection *connection, struct cursor *cursor) {
  char request[1024];
  int bytes = next_request(cursor, request, sizeof request);
  connection->count = connection->whole = 0;
  connection->sent_at = load_now_ns();
  return load_write_all(connection->descriptor, request, (size_t)bytes);
}

// Reads what has come: 1 when the answer is whole, 0 when more must come, -1 with the reason in `fault`.
static int take(struct player_connection *connection, char fault[128]) {
  ssize_t got = recv(connection->descriptor, connection->answer + connection->count, sizeof connection->answer - connection->count, 0);
  if (got < 0 && errno == EINTR) return 0;
  if (got <= 0) {
    snprintf(fault, 128, "the answer ended after %zu bytes", connection->count);
    return -1;
  }
  connection->count += (size_t)got;
  if (connection->whole == 0) connection->whole = load_whole_length(connection->answer, connection->count);
  if (connection->whole == 0 || connection->count < connection->whole) return 0;
  if (strncmp(connection->answer, "HTTP/1.1 200", 12) != 0) {
    const char *body = memmem(connection->answer, connection->count, "\r\n\r\n", 4);
    snprintf(fault, 128, "%.12s %.100s", connection->answer, body ? body + 4 : "");
    return -1;
  }
  return 1;
}

int load_players(const char *path, const struct load_course *course, struct load_result *result, char fault[128]) {
  static uint32_t buckets[LOAD_BUCKETS];
  int connections = course->connections, status = -1;
  struct player_connection *all = calloc((size_t)connections, sizeof *all);
  struct epoll_event *ready = calloc((size_t)connections, sizeof *ready);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  struct cursor cursor = {.course = course, .random = load_now_ns() | 1};
  memset(buckets, 0, sizeof buckets);
  memset(result, 0, sizeof *result);
  for (int index = 0; index < connections; index++) all[index].descriptor = -1;
  for (int index = 0; index < connections; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[index]};
    all[index].descriptor = load_open_connection(path);
    if (all[index].descriptor < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, all[index].descriptor, &event) != 0 || ask(&all[index], &cursor) != 0) {
      snprintf(fault, 128, "connection %d: %s", index + 1, strerror(errno));
      goto end;
    }
  }

  uint64_t began = load_now_ns(), counts_from = began + (uint64_t)(course->warm_up_seconds * 1e9);
  uint64_t until = counts_from + (uint64_t)(course->seconds * 1e9), now = began;
  while (now < until && (course->exchanges_max == 0 || result->answers < course->exchanges_max)) {
    int count = epoll_wait(poll, ready, connections, 10000);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      snprintf(fault, 128, "no answer for ten seconds");
      goto end;
    }
    for (int index = 0; index < count; index++) {
      struct player_connection *connection = ready[index].data.ptr;
      int taken = take(connection, fault);
      if (taken < 0) goto end;
      if (taken == 0) continue;
      now = load_now_ns();
      if (now >= counts_from) {
        result->answers++;
        buckets[load_bucket_of(now - connection->sent_at)]++;
      }
      if (ask(connection, &cursor) != 0) {
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
  for (int index = 0; index < connections; index++)
    if (all[index].descriptor >= 0) close(all[index].descriptor);
  close(poll);
  free(all);
  free(ready);
  return status;
}

// The connections of a steady load, and those of them that wait for no answer.
struct steady {
  struct player_connection *all, **idle;
  struct epoll_event *ready;
  int count, idle_count, poll;
  // The number of the request that each connection has sent.
  int *numbers;
};

static int open_steady(struct steady *steady, const char *path, int connections) {
  steady->all = calloc((size_t)connections, sizeof *steady->all);
  steady->idle = calloc((size_t)connections, sizeof *steady->idle);
  steady->ready = calloc((size_t)connections, sizeof *steady->ready);
  steady->numbers = calloc((size_t)connections, sizeof *steady->numbers);
  steady->poll = epoll_create1(EPOLL_CLOEXEC);
  if (!steady->all || !steady->idle || !steady->ready || !steady->numbers) return -1;
  while (steady->count < connections) {
    struct player_connection *connection = &steady->all[steady->count];
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    connection->descriptor = load_open_connection(path);
    if (connection->descriptor < 0) return -1;
    steady->idle[steady->count++] = connection;
    if (epoll_ctl(steady->poll, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) return -1;
  }
  steady->idle_count = steady->count;
  return 0;
}

static void close_steady(struct steady *steady) {
  for (int index = 0; index < steady->count; index++) close(steady->all[index].descriptor);
  close(steady->poll);
  free(steady->all);
  free(steady->idle);
  free(steady->ready);
  free(steady->numbers);
}

int load_steady(const char *path, const struct load_course *course, double per_second, uint64_t *latencies, int count, char fault[128]) {
  struct steady steady = {.poll = -1};
  struct cursor cursor = {.course = course, .random = load_now_ns() | 1};
  int sent = 0, answered = 0, status = open_steady(&steady, path, course->connections);
  if (status != 0) snprintf(fault, 128, "connection %d: %s", steady.count + 1, strerror(errno));
  uint64_t began = load_now_ns(), interval = (uint64_t)(1e9 / per_second);
  while (status == 0 && answered < count) {
    uint64_t now = load_now_ns(), due = began + (uint64_t)sent * interval;
    for (; status == 0 && sent < count && steady.idle_count > 0 && due <= now; due += interval) {
      struct player_connection *connection = steady.idle[--steady.idle_count];
      steady.numbers[connection - steady.all] = sent++;
      status = ask(connection, &cursor);
      if (status != 0) snprintf(fault, 128, "send: %s", strerror(errno));
    }
    uint64_t patience = sent < count && steady.idle_count > 0 ? due > now ? due - now : 0 : 10000000000u;
    struct timespec wait = {.tv_sec = (time_t)(patience / 1000000000u), .tv_nsec = (long)(patience % 1000000000u)};
    int ready = status == 0 ? epoll_pwait2(steady.poll, steady.ready, steady.count, &wait, NULL) : 0;
    if (status == 0 && ready == 0 && patience == 10000000000u) {
      snprintf(fault, 128, "no answer for ten seconds");
      status = -1;
    }
    for (int index = 0; index < ready && status == 0; index++) {
      struct player_connection *connection = steady.ready[index].data.ptr;
      int taken = take(connection, fault), number = steady.numbers[connection - steady.all];
      if (taken < 0) status = -1;
      if (taken <= 0) continue;
      latencies[number] = load_now_ns() - (began + (uint64_t)number * interval);
      answered++;
      steady.idle[steady.idle_count++] = connection;
    }
  }
  close_steady(&steady);
  return status;
}

int load_copy(const char *from, const char *to) {
  int source = open(from, O_RDONLY | O_CLOEXEC), target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ssize_t copied = -1;
  // What is written back later would be measured with what comes next.
  if (source >= 0 && target >= 0 && fsync(source) == 0)
    while ((copied = copy_file_range(source, NULL, target, NULL, 1 << 26, 0)) > 0) {}
  if (copied == 0) copied = fsync(target);
  if (source >= 0) close(source);
  if (target >= 0) close(target);
  return copied == 0 ? 0 : -1;
}

int load_forget(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  fsync(descriptor);
  int status = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
  return status == 0 ? 0 : -1;
}
