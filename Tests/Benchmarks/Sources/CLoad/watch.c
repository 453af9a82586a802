// Many watchers on one thread, by epoll: how long an override takes to the last of them.
#define _GNU_SOURCE
#include "watch.h"

#include "exchange.h"
#include "load.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { id_bytes = 80 };

struct watch_crowd {
  int poller;
  int count;
  int *descriptors;
  // How many bytes of the word that ends an event each has matched, and whether it has heard of this round.
  unsigned char *notified;
  // The id of the newest event of each.
  char (*ids)[id_bytes];
  // The process that writes where there is no daemon, and the socket that lets it begin.
  pid_t writer;
  int trigger;
  char buffer[262144];
};

static const char event[] = "id: 1234567890123456789.1234.0.1795262400000\nevent: change\ndata: {\"game\":\"wheresthedot\",\"revision\":1234,"
                            "\"values\":{\"arcade_time_limit_base\":{\"value\":3.5,\"source\":\"override.game\",\"reason\":"
                            "\"TARGETING_MATCH\"}}}\n\n";

// An empty crowd of up to so many.
static watch_crowd *crowd_of(int count) {
  watch_crowd *crowd = calloc(1, sizeof *crowd);
  if (!crowd) return NULL;
  crowd->trigger = -1;
  crowd->poller = epoll_create1(EPOLL_CLOEXEC);
  crowd->descriptors = calloc((size_t)count, sizeof *crowd->descriptors);
  crowd->notified = calloc((size_t)count, 1);
  crowd->ids = calloc((size_t)count, sizeof *crowd->ids);
  return crowd;
}

// Takes in one more, whose descriptor it owns from now on.
static int take_in(watch_crowd *crowd, int descriptor) {
  struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = (uint32_t)crowd->count};
  crowd->descriptors[crowd->count++] = descriptor;
  return epoll_ctl(crowd->poller, EPOLL_CTL_ADD, descriptor, &wanted);
}

static int exchange_head(int descriptor, const char *game, int number, int with_player, const char *id) {
  char request[384], player[32] = "", since[128] = "";
  if (with_player) snprintf(player, sizeof player, "?player=w%d", number);
  if (*id) snprintf(since, sizeof since, "Last-Event-ID: %s\r\n", id);
  int length = snprintf(request, sizeof request, "GET /v1/games/%s/watch%s HTTP/1.1\r\nHost: l\r\n%s\r\n", game, player, since);
  return send(descriptor, request, (size_t)length, MSG_NOSIGNAL) == length ? 0 : -1;
}

// Reads until each has had an event of that name; returns how many have not by the deadline.
static int wait_for(watch_crowd *crowd, const char *word, uint64_t began, uint64_t *times, uint64_t patience_ns) {
  memset(crowd->notified, 0, (size_t)crowd->count);
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
      char *id = memmem(crowd->buffer, (size_t)got, "id: ", 4);
      if (id) {
        size_t space = (size_t)(crowd->buffer + got - (id + 4)), length = 0;
        while (length < space && length + 1 < id_bytes && id[4 + length] != '\n') length++;
        memcpy(crowd->ids[number], id + 4, length);
        crowd->ids[number][length] = 0;
      }
      if (crowd->notified[number] || !memmem(crowd->buffer, (size_t)got, word, strlen(word))) continue;
      crowd->notified[number] = 1;
      if (times) times[crowd->count - missing] = load_now_ns() - began;
      missing--;
    }
  }
  return missing;
}

watch_crowd *watch_open(const char *path, const char *game, int count, int with_player, uint64_t *nanoseconds) {
  watch_crowd *crowd = crowd_of(count);
  if (!crowd) return NULL;
  uint64_t began = load_now_ns();
  for (int number = 0; number < count; number++) {
    int descriptor = load_open_connection(path);
    if (descriptor < 0 || take_in(crowd, descriptor) != 0) goto failed;
    if (exchange_head(descriptor, game, number, with_player, "") != 0) goto failed;
  }
  if (wait_for(crowd, "event: state", began, NULL, 60000000000u) != 0) goto failed;
  *nanoseconds = load_now_ns() - began;
  return crowd;
failed:
  watch_close(crowd);
  return NULL;
}

int watch_return(watch_crowd *crowd, const char *path, const char *game, int with_player, uint64_t *nanoseconds) {
  int count = crowd->count;
  for (int number = 0; number < count; number++) close(crowd->descriptors[number]);
  uint64_t began = load_now_ns();
  for (crowd->count = 0; crowd->count < count;) {
    int number = crowd->count, descriptor = load_open_connection(path);
    if (descriptor < 0) return count - number;
    if (take_in(crowd, descriptor) != 0) return count - number;
    if (exchange_head(descriptor, game, number, with_player, crowd->ids[number]) != 0) return count - number;
  }
  int missing = wait_for(crowd, "event: ", began, NULL, 60000000000u);
  *nanoseconds = load_now_ns() - began;
  return missing;
}

int watch_write(const char *admin, const char *request, uint64_t *write_ns) {
  int writer = load_open_connection(admin);
  if (writer < 0) return -1;
  uint64_t began = load_now_ns();
  char answer[4096];
  int failed = send(writer, request, strlen(request), MSG_NOSIGNAL) < 0 || recv(writer, answer, sizeof answer, 0) <= 0;
  *write_ns = load_now_ns() - began;
  close(writer);
  return failed ? -1 : 0;
}

int watch_deaf(const char *path, const char *game) {
  int descriptor = load_open_connection(path);
  if (descriptor >= 0 && exchange_head(descriptor, game, 0, 0, "") == 0) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

int watch_is_cut_off(int descriptor, int patience_ms) {
  // The other side has closed; what lies unread does not count as news.
  struct pollfd wanted = {.fd = descriptor, .events = POLLRDHUP};
  return poll(&wanted, 1, patience_ms) == 1;
}

int64_t watch_writer_ns(const watch_crowd *crowd) { return load_processor_ns(crowd->writer); }

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

watch_crowd *watch_floor(int count, int cpu) {
  watch_crowd *crowd = crowd_of(count);
  int *ends = calloc((size_t)count, sizeof *ends);
  int pair[2], made = 0;
  if (!crowd || !ends || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return NULL;
  crowd->trigger = pair[0];
  int begin = pair[1];
  while (made < count && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
    ends[made++] = pair[1];
    if (take_in(crowd, pair[0]) != 0) break;
  }
  crowd->writer = made == count ? fork() : -1;
  if (crowd->writer == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    load_pin(cpu);
    close(crowd->trigger);
    char word;
    while (read(begin, &word, 1) == 1)
      for (int at = 0; at < count; at++) (void)!send(ends[at], event, sizeof event - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    _exit(0);
  }
  for (int at = 0; at < made; at++) close(ends[at]);
  close(begin);
  free(ends);
  if (crowd->writer > 0) return crowd;
  watch_close(crowd);
  return NULL;
}

int watch_floor_round(watch_crowd *crowd, uint64_t *times) {
  uint64_t began = load_now_ns();
  if (send(crowd->trigger, "1", 1, MSG_NOSIGNAL) != 1) return crowd->count;
  return wait_for(crowd, "event: change", began, times, 20000000000u);
}

void watch_close(watch_crowd *crowd) {
  if (crowd->trigger >= 0) close(crowd->trigger);
  if (crowd->writer > 0) waitpid(crowd->writer, NULL, 0);
  for (int number = 0; number < crowd->count; number++) close(crowd->descriptors[number]);
  close(crowd->poller);
  free(crowd->descriptors);
  free(crowd->notified);
  free(crowd->ids);
  free(crowd);
}
