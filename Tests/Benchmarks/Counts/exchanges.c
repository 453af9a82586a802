// So many exchanges with the daemon, one after the other: what they cost is counted by whoever runs the daemon.
//
//   exchanges GAMES-SOCKET ADMIN-SOCKET GAME KEY KIND COUNT [OTHERS]
//
// KIND is ready, handled, whole, event or override. OTHERS connections are open beside them: viewers of live requests, for an override watchers.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what) {
  fprintf(stderr, "exchanges: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int connected(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path is too long");
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct timeval limit = {.tv_sec = 300};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  return descriptor;
}

static void send_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) fail("send");
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void exchange(int descriptor, const char *request, size_t count) {
  static char answer[1 << 20];
  size_t got = 0, whole = 0;
  send_all(descriptor, request, count);
  while (whole == 0 || got < whole) {
    ssize_t more = recv(descriptor, answer + got, sizeof answer - 1 - got, 0);
    if (more <= 0) fail("an answer ended");
    got += (size_t)more;
    answer[got] = 0;
    const char *end = whole == 0 ? strstr(answer, "\r\n\r\n") : NULL, *length = end ? strcasestr(answer, "content-length:") : NULL;
    if (end) whole = (size_t)(end - answer) + 4 + (length ? strtoul(length + 15, NULL, 10) : 0);
  }
  if (strncmp(answer, "HTTP/1.1 2", 10) == 0) return;
  fprintf(stderr, "exchanges: %.*s\n", (int)strcspn(answer, "\r"), answer);
  exit(1);
}

static void *drain(void *given) {
  char bytes[1 << 14];
  while (recv(*(int *)given, bytes, sizeof bytes, 0) > 0) {
  }
  return NULL;
}

static void open_other(const char *socket, const char *game, const char *call) {
  char request[256], first[1];
  int *descriptor = malloc(sizeof *descriptor), count = snprintf(request, sizeof request, "GET /v1/games/%s/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", game, call);
  *descriptor = connected(socket);
  send_all(*descriptor, request, (size_t)count);
  if (recv(*descriptor, first, 1, MSG_PEEK) <= 0) fail(call);
  pthread_t thread;
  pthread_create(&thread, NULL, drain, descriptor);
}

int main(int count, char **arguments) {
  if (count < 7) return fprintf(stderr, "usage: exchanges GAMES ADMIN GAME KEY ready|handled|whole|event|override COUNT [OTHERS]\n"), 2;
  const char *games = arguments[1], *admin = arguments[2], *game = arguments[3], *key = arguments[4], *kind = arguments[5];
  int is_override = strcmp(kind, "override") == 0, is_event = strcmp(kind, "event") == 0;
  for (int other = count > 7 ? atoi(arguments[7]) : 0; other > 0; other--) open_other(is_override ? games : admin, game, is_override ? "watch" : "live");
  int descriptor = connected(is_override ? admin : games);
  for (long number = atol(arguments[6]); number > 0; number--) {
    char request[1024], call[512], body[256] = "";
    if (is_event) {
      snprintf(call, sizeof call, "POST /v1/games/%s/players/p1/events", game);
      snprintf(body, sizeof body, "{\"event_id\":\"%d-%08ld\",\"event\":\"game_over\",\"mode\":\"classic\",\"score\":3,\"reason\":\"timeUp\"}", getpid(), number);
    } else if (is_override) {
      snprintf(call, sizeof call, "PUT /v1/games/%s/overrides/%s", game, key);
      snprintf(body, sizeof body, "{\"value\":%s}", number % 2 ? "3.5" : "2.5");
    } else {
      const char *rest = strcmp(kind, "whole") == 0 ? "" : key, *player = strcmp(kind, "handled") == 0 ? "?player=p1" : "";
      snprintf(call, sizeof call, "GET /v1/games/%s/config%s%s%s", game, *rest ? "/" : "", rest, player);
    }
    const char *type = *body ? "Content-Type: application/json\r\n" : "";
    int bytes = snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %zu\r\n\r\n%s", call, type, strlen(body), body);
    exchange(descriptor, request, (size_t)bytes);
  }
  return 0;
}
