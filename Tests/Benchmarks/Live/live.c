// Reads at a steady rate, without viewers and with eight of whom one does not read: what a game's read takes, and whether the counts add up.
//
//   live GAMES-SOCKET ADMIN-SOCKET GAME KEY READS-A-SECOND SECONDS
#include "../exchange.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { VIEWERS = 8, LATENCIES_MAX = 4 << 20 };

static const char *admin_socket, *game;
static uint64_t latencies[LATENCIES_MAX];
static atomic_int is_over;

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct viewer {
  int descriptor, reads;
  uint64_t lines, left_out, bytes;
};

static void count_line(struct viewer *viewer, const char *line) {
  if (strstr(line, "\"kind\":\"read\"")) viewer->lines++;
  const char *count = strstr(line, "\"kind\":\"left_out\"") ? strstr(line, "\"count\":") : NULL;
  if (count) viewer->left_out += strtoull(count + 8, NULL, 10);
}

static void *view(void *given) {
  struct viewer *viewer = given;
  static _Thread_local char text[1 << 17];
  size_t used = 0;
  while (!viewer->reads && !atomic_load(&is_over)) usleep(10000);
  for (;;) {
    ssize_t got = recv(viewer->descriptor, text + used, sizeof text - 1 - used, 0);
    if (got <= 0) return NULL;
    viewer->bytes += (uint64_t)got;
    used += (size_t)got;
    text[used] = 0;
    char *start = text, *end;
    while ((end = memchr(start, '\n', used - (size_t)(start - text)))) {
      *end = 0;
      count_line(viewer, start);
      start = end + 1;
    }
    used -= (size_t)(start - text);
    memmove(text, start, used);
    if (used == sizeof text - 1) used = 0;
  }
}

static int opened_viewer(void) {
  char request[512];
  int count = snprintf(request, sizeof request, "GET /v1/games/%s/live HTTP/1.1\r\nHost: localhost\r\n\r\n", game);
  int descriptor = connected(admin_socket, 3);
  send_all(descriptor, request, (size_t)count);
  char first[4096];
  if (recv(descriptor, first, sizeof first, 0) <= 0) fail("a viewer");
  return descriptor;
}

static int by_size(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

/// Reads at a rate, each at its time whatever became of the one before, and prints what they took from that time on.
static uint64_t reads(const char *path, const char *request, uint64_t rate, uint64_t seconds, const char *what) {
  int descriptor = connected(path, 10);
  uint64_t count = rate * seconds, began = now_ns();
  if (count > LATENCIES_MAX) count = LATENCIES_MAX;
  for (uint64_t number = 0; number < count; number++) {
    uint64_t due = began + number * 1000000000u / rate;
    while (now_ns() < due) {
    }
    exchange(descriptor, request, strlen(request));
    latencies[number] = now_ns() - due;
  }
  double took = (double)(now_ns() - began) / 1e9;
  close(descriptor);
  qsort(latencies, count, sizeof *latencies, by_size);
  printf("%-28s %8.0f reads/s  median %7.1f µs  p99 %8.1f µs  p99.9 %8.1f µs\n", what, (double)count / took,
         (double)latencies[count / 2] / 1e3, (double)latencies[count * 99 / 100] / 1e3, (double)latencies[count * 999 / 1000] / 1e3);
  return count;
}

int main(int count, char **arguments) {
  if (count < 7) return fprintf(stderr, "usage: live GAMES ADMIN GAME KEY RATE SECONDS\n"), 2;
  const char *games_socket = arguments[1];
  admin_socket = arguments[2];
  game = arguments[3];
  char request[1024];
  uint64_t rate = strtoull(arguments[5], NULL, 10), seconds = strtoull(arguments[6], NULL, 10), all = 0;
  snprintf(request, sizeof request, "GET /v1/games/%s/config/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", game, arguments[4]);
  reads(games_socket, request, rate, 1, "warm-up");
  reads(games_socket, request, rate, seconds, "no viewer");
  struct viewer viewers[VIEWERS] = {0};
  pthread_t threads[VIEWERS];
  for (int number = 0; number < VIEWERS; number++) {
    viewers[number].descriptor = opened_viewer();
    viewers[number].reads = number > 0;
    pthread_create(&threads[number], NULL, view, &viewers[number]);
  }
  all += reads(games_socket, request, rate, seconds, "eight viewers, one asleep");
  reads(games_socket, request, 1, 1, "the last read");
  all++;
  usleep(500000);
  atomic_store(&is_over, 1);
  for (int number = 0; number < VIEWERS; number++) pthread_join(threads[number], NULL);
  int is_right = 1;
  for (int number = 0; number < VIEWERS; number++) {
    uint64_t seen = viewers[number].lines + viewers[number].left_out;
    printf("viewer %d%s: %llu lines, %llu left out, of %llu reads%s\n", number, number ? "" : " (asleep)", (unsigned long long)viewers[number].lines,
           (unsigned long long)viewers[number].left_out, (unsigned long long)all, seen == all ? "" : ": THE COUNTS DO NOT ADD UP");
    is_right = is_right && seen == all;
  }
  return !is_right;
}
