/* Non-blocking connections to the daemon's socket, and one descriptor that polls both of them. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>

int gcf_poll_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

void gcf_poll_watch(gameconf *gc, gcf_link *link, bool added) {
  struct epoll_event event = {.events = EPOLLIN | (link->wants_write ? (uint32_t)EPOLLOUT : 0), .data.u32 = link == &gc->calls ? 2 : 1};
  (void)epoll_ctl(gc->poll_fd, added ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, link->fd, &event);
}

uint32_t gcf_poll_ready(gameconf *gc) {
  struct epoll_event events[2];
  int count = epoll_wait(gc->poll_fd, events, 2, 0);
  uint32_t ready = 0;
  for (int at = 0; at < count; at++) ready |= events[at].data.u32;
  return ready;
}
#else
#include <sys/event.h>

int gcf_poll_open(void) {
  int fd = kqueue();
  if (fd >= 0) (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
}

void gcf_poll_watch(gameconf *gc, gcf_link *link, bool added) {
  struct kevent changes[2];
  void *which = (void *)(uintptr_t)(link == &gc->calls ? 2 : 1);
  EV_SET(&changes[0], (uintptr_t)link->fd, EVFILT_READ, EV_ADD, 0, 0, which);
  EV_SET(&changes[1], (uintptr_t)link->fd, EVFILT_WRITE, link->wants_write ? EV_ADD : EV_DELETE, 0, 0, which);
  (void)kevent(gc->poll_fd, changes, added && !link->wants_write ? 1 : 2, NULL, 0, NULL);
}

uint32_t gcf_poll_ready(gameconf *gc) {
  struct kevent events[4];
  struct timespec now = {0, 0};
  int count = kevent(gc->poll_fd, NULL, 0, events, 4, &now);
  uint32_t ready = 0;
  for (int at = 0; at < count; at++) ready |= (uint32_t)(uintptr_t)events[at].udata;
  return ready;
}
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { BACKOFF_FIRST_MS = 500, BACKOFF_MAX_MS = 10000, BACKOFF_FLOOR_MS = 50 };

void gcf_link_begin(gcf_link *link) {
  memset(link, 0, sizeof *link);
  link->fd = -1;
  link->backoff = BACKOFF_FIRST_MS;
}

static int64_t random_below(int64_t bound) {
  uint8_t uuid[16];
  uint32_t word;
  gcf_uuid(uuid);
  memcpy(&word, uuid + 12, sizeof word);
  return bound > 0 ? (int64_t)(word % (uint32_t)bound) : 0;
}

void gcf_link_close(gameconf *gc, gcf_link *link) {
  (void)gc;
  if (link->fd >= 0) close(link->fd); /* which also removes it from the poll set */
  link->fd = -1;
  link->connected = link->wants_write = false;
  link->out.used = link->sent = 0;
  link->out.failed = false;
}

void gcf_link_fail(gameconf *gc, gcf_link *link, int64_t now, const char *says, const char *detail) {
  gcf_link_close(gc, link);
  link->retry_at = now + BACKOFF_FLOOR_MS + random_below(link->backoff);
  link->backoff = link->backoff * 2 < BACKOFF_MAX_MS ? link->backoff * 2 : BACKOFF_MAX_MS;
  gcf_set_error(gc, says, detail);
}

/* The messages are constants, because strerror reads libc's message catalog from disk at its first use. */
static const char *why(int error, char other[32]) {
  switch (error) {
    case ENOENT: return "there is no such socket";
    case ECONNREFUSED: return "nobody listens";
    case EAGAIN: return "too many wait there already";
    case EACCES:
    case EPERM: return "not allowed";
    case ENOTDIR: return "what leads there is no folder";
    case ENOTSOCK: return "that is no socket";
    case EPROTOTYPE: return "a socket of another kind";
    case EMFILE:
    case ENFILE: return "too many files are open";
    case ENOMEM:
    case ENOBUFS: return "no memory";
    default: snprintf(other, 32, "error %d", error); return other;
  }
}

static int open_socket(void) {
#if defined(SOCK_NONBLOCK) && defined(SOCK_CLOEXEC)
  return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), on = 1;
  if (fd < 0) return fd;
  (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
  (void)fcntl(fd, F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
  (void)setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return fd;
#endif
}

bool gcf_link_connect(gameconf *gc, gcf_link *link, int64_t now) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char other[32];
  if (strlen(gc->socket) >= sizeof address.sun_path) {
    gcf_link_fail(gc, link, now, "the socket's path is too long", NULL);
    return false;
  }
  memcpy(address.sun_path, gc->socket, strlen(gc->socket) + 1);
  link->fd = open_socket();
  if (link->fd < 0) {
    gcf_link_fail(gc, link, now, "no socket", why(errno, other));
    return false;
  }
  /* EAGAIN means that the server's backlog is full. The connection would not be completed later. */
  if (connect(link->fd, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) {
    gc->asked_at = 0;
    gcf_link_fail(gc, link, now, "cannot connect", why(errno, other));
    return false;
  }
  link->connected = true;
  link->heard_at = now;
  if (!gc->asked_at) gc->asked_at = now;
  gcf_http_begin(&link->http);
  gcf_poll_watch(gc, link, true);
  return true;
}

bool gcf_link_flush(gameconf *gc, gcf_link *link) {
  while (link->sent < link->out.used) {
    ssize_t count = send(link->fd, link->out.bytes + link->sent, link->out.used - link->sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOTCONN) return false;
    if (count <= 0) break;
    link->sent += (size_t)count;
  }
  bool waits = link->sent < link->out.used;
  if (!waits) link->out.used = link->sent = 0;
  if (waits != link->wants_write) {
    link->wants_write = waits;
    gcf_poll_watch(gc, link, false);
  }
  return true;
}

ssize_t gcf_link_read(gcf_link *link, uint8_t *into, size_t room) {
  for (;;) {
    ssize_t count = recv(link->fd, into, room, 0);
    if (count > 0) return count;
    if (count == 0) return -1;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN ? 0 : -1;
  }
}
