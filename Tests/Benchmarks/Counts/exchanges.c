// So many exchanges with the daemon, one after the other: what they cost is counted by whoever runs the daemon.
//
//   exchanges GAMES-SOCKET ADMIN-SOCKET GAME KEY KIND COUNT [OTHERS]
//
// KIND is ready, handled, whole, event or override. OTHERS connections are open beside them: viewers of live requests, for an override watchers.
#include "../exchange.h"

#include <pthread.h>
#include <unistd.h>

static void *drain(void *given) {
  char bytes[1 << 14];
  while (recv(*(int *)given, bytes, sizeof bytes, 0) > 0) {
  }
  return NULL;
}

static void open_other(const char *socket, const char *game, const char *call) {
  char request[256], first[1];
  int *descriptor = malloc(sizeof *descriptor), count = snprintf(request, sizeof request, "GET /v1/games/%s/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", game, call);
  *descriptor = connected(socket, 300);
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
  int descriptor = connected(is_override ? admin : games, 300);
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
