/* A game of the soak in C: game BOARD PLACE PLAYER SOCKET CACHE. */
#include "soak.h"

#include <gameconf.h>
#include <stdio.h>
#include <stdlib.h>

static gameconf *open_as(const char *player, char **given) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "soak", .player = player, .socket = given[4], .cache = player ? given[5] : NULL};
  if (gameconf_open(&gc, &options) != 0) exit(1);
  return gc;
}

static void see(int handle, gameconf *gc) {
  gameconf_change change;
  gameconf_status_t status = {.size = sizeof status};
  char epoch[24];
  gameconf_update(gc);
  while (gameconf_next_change(gc, &change)) {}
  gameconf_status(gc, &status);
  snprintf(epoch, sizeof epoch, "%llu", (unsigned long long)status.epoch);
  soak_seen(handle, status.state, epoch, status.revision, status.queued, gameconf_int(gc, "beat", -1), gameconf_double(gc, "still", -1),
            gameconf_string(gc, "label", ""));
}

int main(int count, char **given) {
  if (count != 6 || !soak_open(given[1], atoi(given[2]))) return 2;
  gameconf *own = open_as(given[3], given), *all = open_as(NULL, given);
  while (soak_begin()) {
    see(0, own);
    see(1, all);
    gameconf_answer answer;
    while (gameconf_next_answer(own, &answer)) soak_answer(answer.number, answer.status, answer.body);
    int64_t score = soak_due();
    gameconf_event_t event = {.size = sizeof event, .event = "game_over", .mode = "classic", .score = score};
    if (score) soak_recorded(gameconf_event(own, &event), score);
    soak_end();
  }
  gameconf_close(own);
  gameconf_close(all);
  return 0;
}
