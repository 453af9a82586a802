// Many watchers on one thread, by epoll: how long an override takes to the last of them.
#define _GNU_SOURCE
#include "watch.h"

#include "exchange.h"
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct watch_crowd {
  int poller;
  int count;
  int *descriptors;
  // How many bytes of the word that ends an event each has matched, and whether it has heard of this round.
  unsigned char *heard;
  char buffer[262144];
};

static int exchange_head(int descriptor, const char *game, int number, int with_player) {
  char request[256];
  int length = with_player ? snprintf(request, sizeof request,
                                      "GET /v1/games/%s/watch?player=w%d HTTP/1.1\r\nHost: l\r\n\r\n", game, number)
                           : snprintf(request, sizeof request, "GET /v1/games/%s/watch HTTP/1.1\r\nHost: l\r\n\r\n", game);
  return send(descriptor, request, (size_t)length, MSG_NOSIGNAL) == length ? 0 : -1;
}

// Reads until each has had an event of that name; returns how many have not by the deadline.
static int wait_for(watch_crowd *crowd, const char *word, uint64_t began, uint64_t *times, uint64_t patience_ns) {
  memset(crowd->heard, 0, (size_t)crowd->count);
  int missing = crowd->count;
  struct epoll_event events[256];
  while (missing > 0 && load_now_ns() - began < patience_ns) {
    int ready = epoll_wait(crowd->poller, events, 256, 100);
    for (int at = 0; at < ready; at++) {
      int number = (int)events[at].data.u32;
      ssize_t got = recv(crowd->descriptors[number], crowd->buffer, sizeof crowd->buffer, MSG_DONTWAIT);
      if (got <= 0) {
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        return missing;
      }
      if (crowd->heard[number] || !memmem(crowd->buffer, (size_t)got, word, strlen(word))) continue;
      crowd->heard[number] = 1;
      if (times) times[crowd->count - missing] = load_now_ns() - began;
      missing--;
    }
  }
  return missing;
}

watch_crowd *watch_open(const char *path, const char *game, int count, int with_player, uint64_t *nanoseconds) {
  watch_crowd *crowd = calloc(1, sizeof *crowd);
  if (!crowd) return NULL;
  crowd->poller = epoll_create1(EPOLL_CLOEXEC);
  crowd->descriptors = calloc((size_t)count, sizeof *crowd->descriptors);
  crowd->heard = calloc((size_t)count, 1);
  uint64_t began = load_now_ns();
  for (int number = 0; number < count; number++) {
    int descriptor = load_open_connection(path);
    if (descriptor < 0) goto failed;
    crowd->descriptors[crowd->count++] = descriptor;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)number};
    if (epoll_ctl(crowd->poller, EPOLL_CTL_ADD, descriptor, &event) != 0) goto failed;
    if (exchange_head(descriptor, game, number, with_player) != 0) goto failed;
  }
  if (wait_for(crowd, "event: state", began, NULL, 60000000000u) != 0) goto failed;
  *nanoseconds = load_now_ns() - began;
  return crowd;
failed:
  watch_close(crowd);
  return NULL;
}

int watch_round(watch_crowd *crowd, const char *admin, const char *request, uint64_t *times, uint64_t *write_ns) {
  int writer = load_open_connection(admin);
  if (writer < 0) return crowd->count;
  uint64_t began = load_now_ns();
  if (send(writer, request, strlen(request), MSG_NOSIGNAL) < 0) {
    close(writer);
    return crowd->count;
  }
  char answer[4096];
  recv(writer, answer, sizeof answer, 0);
  *write_ns = load_now_ns() - began;
  int missing = wait_for(crowd, "event: change", began, times, 20000000000u);
  close(writer);
  return missing;
}

void watch_close(watch_crowd *crowd) {
  for (int number = 0; number < crowd->count; number++) close(crowd->descriptors[number]);
  close(crowd->poller);
  free(crowd->descriptors);
  free(crowd->heard);
  free(crowd);
}
