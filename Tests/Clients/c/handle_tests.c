/* The handle: bad input everywhere, getters and their misuse, forks, clocks, crashes at no end. */
#include "check.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void *defaults(size_t *size) {
  draft draft;
  draft_begin(&draft, "dots", NULL, 1, GCF_DEFAULTS);
  draft_bool(&draft, "shadows", true);
  draft_int(&draft, "lives", 3, 5);
  draft_int(&draft, "big", INT64_MAX, 5);
  draft_double(&draft, "speed", 2.5);
  draft_double(&draft, "whole", 4.0);
  draft_text(&draft, "title", GCF_STRING, "Dots");
  draft_text(&draft, "colours", GCF_JSON, "[\"red\"]");
  return draft_end(&draft, size);
}

static gameconf *offline(void *image, size_t size) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .defaults = image, .defaults_size = size, .flags = GAMECONF_OFFLINE};
  CHECK(gameconf_open(&gc, &options) == 0);
  return gc;
}

static void values(void) {
  size_t size;
  void *image = defaults(&size);
  gameconf *gc = offline(image, size);
  gameconf_info info;
  CHECK(gameconf_bool(gc, "shadows", false) && gameconf_int(gc, "lives", 0) == 3 && gameconf_double(gc, "speed", 0) == 2.5);
  CHECK(gameconf_double(gc, "lives", 0) == 3.0 && gameconf_int(gc, "whole", 0) == 4);
  CHECK_TEXT(gameconf_string(gc, "title", ""), "Dots");
  CHECK_TEXT(gameconf_json(gc, "colours", ""), "[\"red\"]");
  CHECK_TEXT(gameconf_string_info(gc, "title", "", &info), "Dots");
  CHECK(info.length == 4 && info.source == GAMECONF_SOURCE_DEFAULT && info.type == 4 && (info.flags & GAMECONF_EMBEDDED));
  gameconf_key lives = gameconf_find(gc, "lives"), later = gameconf_find(gc, "later"), title = gameconf_find(gc, "title");
  CHECK(lives && later && lives != later && gameconf_find(gc, "lives") == lives && !gameconf_find(gc, NULL));
  CHECK(gameconf_int_at(gc, lives, 0) == 3 && gameconf_double_at(gc, lives, 0) == 3 && gameconf_int_at(gc, later, 7) == 7);
  CHECK_TEXT(gameconf_string_at(gc, title, ""), "Dots");
  CHECK(gameconf_int_at(gc, 0, 8) == 8 && gameconf_int_at(gc, 99999, 8) == 8 && gameconf_bool_at(gc, lives, true));
  CHECK_TEXT(gameconf_key_name(gc, 0), "shadows");
  CHECK(!gameconf_key_name(gc, 7));
  gameconf_close(gc);
  free(image);
}

static void misuse(void) {
  size_t size;
  void *image = defaults(&size);
  gameconf *gc = offline(image, size);
  gameconf_change change;
  for (int round = 0; round < 10; round++) {
    CHECK(gameconf_int(gc, "speed", 9) == 9 && gameconf_bool(gc, "nothing", true) && gameconf_string(gc, "lives", NULL) == NULL);
    CHECK(gameconf_int(gc, "shadows", 9) == 9 && gameconf_double(gc, "title", 9) == 9);
  }
  CHECK(gameconf_update(gc) == 5);
  int wrong = 0, unknown = 0;
  while (gameconf_next_change(gc, &change)) {
    wrong += change.kind == GAMECONF_CHANGE_WRONG_TYPE;
    unknown += change.kind == GAMECONF_CHANGE_UNKNOWN_KEY && strcmp(change.name, "nothing") == 0;
  }
  CHECK(wrong == 4 && unknown == 1);
  gameconf_bool(gc, "nothing", true);
  CHECK(gameconf_update(gc) == 0);
  /* More than there is room for, and names longer than there is room for. */
  char *name = malloc(10001);
  memset(name, 'k', 10000);
  name[10000] = 0;
  CHECK(gameconf_int(gc, name, 5) == 5);
  for (int at = 0; at < 200; at++) {
    snprintf(name, 10000, "key_%d", at);
    gameconf_int(gc, name, 0);
  }
  CHECK(gameconf_update(gc) == GCF_MISUSES - 5);
  free(name);
  gameconf_close(gc);
  free(image);
}

static void bad_input(void) {
  gameconf *gc = (gameconf *)1;
  gameconf_options options = {.size = sizeof options};
  CHECK(gameconf_open(NULL, &options) == -EINVAL && gameconf_open(&gc, NULL) == -EINVAL && gc == NULL);
  CHECK(gameconf_open(&gc, &options) == -EINVAL);
  const char *games[] = {"", "a/b", "..", "a b", "ä", "../../etc"};
  for (int at = 0; at < 6; at++) options.game = games[at], CHECK(gameconf_open(&gc, &options) == -EINVAL);
  options.game = "dots";
  options.flags = GAMECONF_OFFLINE;
  for (size_t size = 0; size < 16; size++) options.size = size, CHECK(gameconf_open(&gc, &options) == -EINVAL);
  options.size = 1 << 20, CHECK(gameconf_open(&gc, &options) == -EINVAL);
  options.size = sizeof options;
  char player[300];
  memset(player, 'p', sizeof player);
  player[257] = 0;
  const char *players[] = {"", "a\nb", "\xff", "\x7f", "\xc2\x80", player, ".", ".."};
  for (int at = 0; at < 8; at++) options.player = players[at], CHECK(gameconf_open(&gc, &options) == -EINVAL);
  options.player = NULL;
  const char *contexts[] = {"", "[]", "{", "{\"a\":}", "3", "{\"locale\":\"fr\"}", "{\"a\":1,\"targetingKey\":\"p\"}"};
  for (int at = 0; at < 7; at++) options.context = contexts[at], CHECK(gameconf_open(&gc, &options) == -EINVAL);
  options.context = NULL;
  options.defaults = "rubbish";
  options.defaults_size = 7;
  options.cache = "/dev/null/x";
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "x", 3) == 3);
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0 && *status.last_error && status.state == GAMECONF_STATE_NONE && !status.queue_survives);
  CHECK(gameconf_status(gc, NULL) == -EINVAL && (status.size = 3, gameconf_status(gc, &status) == -EINVAL));
  CHECK(gameconf_event(gc, NULL) == -EINVAL && gameconf_visit(gc) == -EINVAL && gameconf_restore(gc) == -EINVAL);
  gameconf_set_player(gc, "p");
  gameconf_event_t event = {.size = sizeof event, .event = "x", .details = "{"};
  CHECK(gameconf_event(gc, &event) == -EINVAL && (event.details = "[]", gameconf_event(gc, &event) == -EINVAL));
  event.details = NULL, event.event = NULL, CHECK(gameconf_event(gc, &event) == -EINVAL);
  event.event = "x", event.state = "1", CHECK(gameconf_event(gc, &event) == -EINVAL); /* a state needs its play */
  event.play = "p", event.state = "{", CHECK(gameconf_event(gc, &event) == -EINVAL);
  event.state = NULL, event.play = "\xff", CHECK(gameconf_event(gc, &event) == -EINVAL);
  event.play = NULL, event.closes = true, CHECK(gameconf_event(gc, &event) == -EINVAL);
  event.closes = false, event.mode = "\xff", CHECK(gameconf_event(gc, &event) == -EINVAL);
  CHECK(gameconf_setting(gc, NULL, "1") == -EINVAL && gameconf_setting(gc, "k", "rubbish") == -EINVAL && gameconf_finish(gc, "") == -EINVAL);
  CHECK(gameconf_gate(gc, "g", "3") == -EINVAL && gameconf_purchase(gc, NULL, NULL) == -EINVAL && gameconf_ad_report(gc, "a", NULL, "x") == -EINVAL);
  gameconf_close(gc);
}

static void nothing_at_all(void) {
  gameconf_change change;
  gameconf_answer answer;
  gameconf_info info;
  CHECK(gameconf_update(NULL) == -EINVAL && gameconf_wait(NULL, 0) == -EINVAL && gameconf_fd(NULL) == -1 && gameconf_events(NULL) == 0);
  CHECK(gameconf_bool(NULL, "x", true) && gameconf_int_info(NULL, NULL, 4, &info) == 4 && gameconf_double_at(NULL, 1, 2) == 2);
  CHECK(gameconf_view_int(NULL, "x", 4, NULL) == 4 && gameconf_view_int_at(NULL, 1, 4) == 4 && !gameconf_acquire(NULL));
  CHECK(!gameconf_next_change(NULL, &change) && !gameconf_next_answer(NULL, &answer) && !gameconf_answer_bool(NULL, "/x", false));
  CHECK(gameconf_theme_unlocked(NULL, "x", true, NULL) && gameconf_entitled(NULL, NULL, true, &info) && gameconf_ad_free(NULL, true, NULL));
  CHECK(gameconf_set_player(NULL, "x") == -EINVAL && gameconf_find(NULL, "x") == 0 && gameconf_call(NULL, "GET", "/v1/", NULL) == -EINVAL);
  gameconf_release(NULL);
  gameconf_close(NULL);
  CHECK(gameconf_timeout(NULL) > 0 && gameconf_now(NULL) > 0 && !gameconf_key_name(NULL, 0));
  CHECK_TEXT(gameconf_version(), GAMECONF_VERSION);
}

static void forks(void) {
  fake daemon;
  char cache[512];
  path_in_folder(cache, "fork");
  mkdir(cache, 0700);
  fake_begin(&daemon, "fork.sock");
  gameconf *gc = open_at(&daemon, "p1", cache);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  draft draft;
  size_t size;
  draft_begin(&draft, "dots", "p1", 1, 0);
  draft_int(&draft, "lives", 3, 5);
  void *bytes = draft_end(&draft, &size);
  fake_frame(&daemon, GCF_FRAME_IMAGE, "77.1.1.1", bytes, size);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE));
  gameconf_event(gc, &(gameconf_event_t){.size = sizeof(gameconf_event_t), .event = "of_the_parent"});
  gameconf_status_t status = {.size = sizeof status};
  gameconf_status(gc, &status);
  char client[40];
  strcpy(client, status.client);
  pid_t child = forked();
  if (child == 0) {
    CHECK(gameconf_int(gc, "lives", 0) == 3); /* a getter notices nothing */
    pid_t grandchild = forked();
    if (grandchild == 0) {
      gameconf_update(gc);
      gameconf_status(gc, &status);
      CHECK(status.queued == 0 && strcmp(status.client, client) != 0 && gameconf_int(gc, "lives", 0) == 3);
      gameconf_close(gc);
      _exit(checks_failed != 0);
    }
    int code = forked_end(grandchild);
    gameconf_update(gc);
    gameconf_status(gc, &status);
    CHECK(code == 0 && status.queued == 0 && status.state == GAMECONF_STATE_CACHED && !status.queue_survives);
    CHECK(strcmp(status.client, client) != 0);
    gameconf_close(gc);
    _exit(checks_failed != 0);
  }
  CHECK(forked_end(child) == 0);
  /* The parent's stream and queue go on: what is told now is taken over, on the same connection. */
  draft_begin(&draft, "dots", "p1", 2, GCF_PATCH);
  draft_int(&draft, "lives", 8, 2);
  free(bytes);
  bytes = draft_end(&draft, &size);
  fake_frame(&daemon, GCF_FRAME_PATCH, "77.2.1.1", bytes, size);
  for (int round = 0; round < 200 && gameconf_int(gc, "lives", 0) != 8; round++) gameconf_update(gc), usleep(1000);
  CHECK(gameconf_int(gc, "lives", 0) == 8);
  gameconf_status(gc, &status);
  CHECK(status.queued == 1 && status.state == GAMECONF_STATE_LIVE);
  CHECK_TEXT(status.client, client);
  free(bytes);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void clocks(void) {
  draft draft;
  size_t size;
  int64_t noon = 1767268800000, hour = 3600000;
  draft_begin(&draft, "dots", "p1", 1, GCF_FROZEN);
  draft.builder.header.clock_anchor = noon + 24 * hour;
  draft.builder.header.clock_host_anchor = noon - hour;
  draft.builder.header.clock_rate = 2000;
  draft.builder.header.player_offset = hour;
  draft_int(&draft, "lives", 3, 5);
  draft_entitlement(&draft, "ad_free", true, noon + 28 * hour);
  draft_entitlement(&draft, "over", true, noon + 27 * hour);
  draft_entitlement(&draft, "pro", false, INT64_MAX);
  void *image = draft_end(&draft, &size);
  fake daemon;
  fake_begin(&daemon, "clock.sock");
  gameconf *gc = open_at(&daemon, "p1", NULL);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  fake_frame(&daemon, GCF_FRAME_IMAGE, "77.1.1.1767268800000", image, size);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE));
  gameconf_info info;
  /* A day and two hours later than noon, an hour ahead. */
  CHECK(gameconf_now(gc) == noon + 27 * hour);
  CHECK(gameconf_entitled(gc, "ad_free", false, &info) && info.next_change_at == noon + 28 * hour && !gameconf_entitled(gc, "over", true, NULL));
  CHECK(gameconf_entitled(gc, "pro", false, NULL) && !gameconf_entitled(gc, "none", true, NULL) && gameconf_ad_free(gc, false, NULL));
  CHECK(gameconf_product_purchased(gc, "x", true, NULL)); /* the image says nothing of products */
  free(image);
  gameconf_close(gc);
  fake_end(&daemon);
}

void handle_tests(void) {
  TEST("getters read what is there, in the type that is asked for", values);
  TEST("a wrong type or an unknown key is told once", misuse);
  TEST("bad input is refused", bad_input);
  TEST("NULL is answered by the fallback", nothing_at_all);
  TEST("a forked child begins anew, and the parent goes on", forks);
  TEST("entitlements end by the simulated clock", clocks);
}
