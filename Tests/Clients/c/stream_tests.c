/* The stream: images and patches as they come, and everything that is none. */
#include "check.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void *image(int64_t revision, const char *player, int64_t lives, uint8_t source, size_t *size) {
  draft draft;
  draft_begin(&draft, "dots", player, revision, 0);
  draft_int(&draft, "lives", lives, source);
  draft_double(&draft, "speed", 2.5);
  if (source == GAMECONF_SOURCE_PLAYER_OVERRIDE) draft_base(&draft, "lives", 3);
  if (player) draft_theme(&draft, "neon", true);
  return draft_end(&draft, size);
}

static void send_image(fake *fake, int64_t revision, const char *player, int64_t lives, uint8_t source, const char *id) {
  size_t size;
  void *bytes = image(revision, player, lives, source, &size);
  fake_frame(fake, GCF_FRAME_IMAGE, id, bytes, size);
  free(bytes);
}

static void live(void) {
  fake daemon;
  fake_begin(&daemon, "live.sock");
  gameconf *gc = open_at(&daemon, "p1", NULL);
  gameconf_change change;
  CHECK(gameconf_int(gc, "lives", -1) == -1);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "POST /v1/games/dots/watch HTTP/1.1\r\n"));
  CHECK(fake_has(&daemon, "Accept: application/vnd.gameconf.image-stream\r\n") && fake_has(&daemon, "{\"player\":\"p1\",\"context\":{}}"));
  CHECK(!fake_has(&daemon, "Last-Event-ID"));
  fake_stream(&daemon);
  send_image(&daemon, 1, "p1", 3, GAMECONF_SOURCE_DEFAULT, "77.1.1.5");
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int(gc, "lives", -1) == 3 && gameconf_double(gc, "speed", 0) == 2.5);
  /* Where a name lies is no name: another text at the same place is another key. */
  static const struct {
    const char *key;
    double value;
  } texts[] = {{"lives", 3}, {"lives", 3}, {"speed", 2.5}, {"speed", 2.5}, {"live", -1}, {"livest", -1}, {"", -1}, {"lives", 3}};
  char place[16];
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    strcpy(place, texts[at].key);
    CHECK(gameconf_double(gc, place, -1) == texts[at].value);
  }
  gameconf_update(gc);
  strcpy(place, "lives");
  int keys = 0;
  while (gameconf_next_change(gc, &change)) keys += change.kind == GAMECONF_CHANGE_KEY;
  CHECK(keys == 2);

  draft patch;
  size_t size;
  draft_begin(&patch, "dots", "p1", 2, GCF_PATCH);
  draft_int(&patch, "lives", 9, GAMECONF_SOURCE_PLAYER_OVERRIDE);
  draft_base(&patch, "lives", 3);
  draft_gone(&patch, "speed");
  void *bytes = draft_end(&patch, &size);
  fake_frame(&daemon, GCF_FRAME_PATCH, "77.2.1.6", bytes, size);
  free(bytes);
  for (int round = 0; round < 100 && gameconf_update(gc) == 0; round++) usleep(1000);
  CHECK(gameconf_int(gc, "lives", -1) == 9 && gameconf_int(gc, place, -1) == 9 && gameconf_double(gc, "speed", -1) == -1);
  CHECK(gameconf_next_change(gc, &change) && change.kind == GAMECONF_CHANGE_KEY && change.old_source == 5 && change.new_source == 1);
  CHECK_TEXT(change.name, "lives");
  CHECK(gameconf_next_change(gc, &change) && change.new_source == 0);
  CHECK_TEXT(change.name, "speed");
  CHECK(!gameconf_next_change(gc, &change) && gameconf_theme_unlocked(gc, "neon", false, NULL));

  /* The daemon goes and comes again: reads go on, and what was told is not asked for again. */
  fake_frame(&daemon, GCF_FRAME_PING, "77.2.1.7", NULL, 0);
  for (int round = 0; round < 20; round++) gameconf_update(gc), usleep(500);
  fake_hang_up(&daemon);
  CHECK(until_state(gc, GAMECONF_STATE_CACHED) && gameconf_int(gc, "lives", -1) == 9);
  gameconf_info info;
  gameconf_int_info(gc, "lives", 0, &info);
  CHECK((info.flags & GAMECONF_STALE) && info.source == 1);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "Last-Event-ID: 77.2.1.7\r\n"));
  fake_stream(&daemon);
  fake_frame(&daemon, GCF_FRAME_PING, "77.2.1.8", NULL, 0);
  gameconf_status_t status = {.size = sizeof status};
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_status(gc, &status) == 0 && status.revision == 2 && !*status.last_error);
  gameconf_int_info(gc, "lives", 0, &info);
  CHECK(!(info.flags & GAMECONF_STALE));
  gameconf_close(gc);
  fake_end(&daemon);
}

/* Whatever the daemon says that is no stream: values stay, the reason is told, it is tried again. */
static void rubbish(void) {
#define ANSWER(text) {text, sizeof text - 1}
  static const struct {
    const char *text;
    size_t length;
  } answers[] = {
      ANSWER("<html><body>It works!</body></html>"),
      ANSWER("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>no</p>"),
      ANSWER("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"),
      ANSWER("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.gameconf.image-stream\r\nContent-Length: 8\r\n\r\n\x03\0\0\0\x01"),
      ANSWER("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.gameconf.image-stream\r\n\r\n\xff\xff\xff\xff\x01\x01\x01\x01"),
      ANSWER("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.gameconf.image-stream\r\n\r\n\x03\0\0\0\x01\0\0\0abc"),
      ANSWER(""),
  };
#undef ANSWER
  for (size_t at = 0; at < sizeof answers / sizeof *answers; at++) {
    fake daemon;
    fake_begin(&daemon, "rubbish.sock");
    gameconf *gc = open_at(&daemon, NULL, NULL);
    gameconf_status_t status = {.size = sizeof status};
    CHECK(fake_request(&daemon, gc));
    fake_send(&daemon, answers[at].text, answers[at].length);
    fake_hang_up(&daemon);
    for (int round = 0; round < 200; round++) {
      gameconf_update(gc);
      gameconf_status(gc, &status);
      if (*status.last_error) break;
      usleep(1000);
    }
    CHECK(*status.last_error && status.state == GAMECONF_STATE_NONE && gameconf_int(gc, "lives", 4) == 4);
    CHECK(fake_request(&daemon, gc)); /* it comes again */
    fake_stream(&daemon);
    send_image(&daemon, 1, NULL, 3, 5, "77.1.0.1");
    CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int(gc, "lives", 4) == 3);
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

static void half_frames(void) {
  fake daemon;
  fake_begin(&daemon, "half.sock");
  gameconf *gc = open_at(&daemon, NULL, NULL);
  size_t size;
  uint8_t *bytes = image(1, NULL, 3, 5, &size), head[8] = {(uint8_t)size, (uint8_t)(size >> 8), 0, 0, GCF_FRAME_IMAGE, 1};
  CHECK(fake_request(&daemon, gc));
  fake_text(&daemon, "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.gameconf.image-stream\r\n\r\n");
  fake_send(&daemon, head, 8);
  fake_text(&daemon, "a");
  for (size_t at = 0; at < size; at++) {
    CHECK(gameconf_int(gc, "lives", 4) == 4);
    fake_send(&daemon, bytes + at, 1);
    gameconf_update(gc);
  }
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int(gc, "lives", 4) == 3);
  free(bytes);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void other_callers(void) {
  /* An image of another game or player, a patch first, a patch of another epoch: none of them is taken. */
  for (int which = 0; which < 4; which++) {
    fake daemon;
    fake_begin(&daemon, "others.sock");
    gameconf *gc = open_at(&daemon, "p1", NULL);
    CHECK(fake_request(&daemon, gc));
    fake_stream(&daemon);
    if (which == 3) {
      send_image(&daemon, 1, "p1", 3, 5, "1");
      CHECK(until_state(gc, GAMECONF_STATE_LIVE));
    }
    draft draft;
    size_t size;
    draft_begin(&draft, which == 0 ? "other" : "dots", which == 1 ? "p2" : "p1", 1, which >= 2 ? GCF_PATCH : 0);
    if (which == 3) draft.builder.header.epoch = 78;
    draft_int(&draft, "lives", 66, 5);
    void *bytes = draft_end(&draft, &size);
    fake_frame(&daemon, which >= 2 ? GCF_FRAME_PATCH : GCF_FRAME_IMAGE, "77.1.1.1", bytes, size);
    free(bytes);
    gameconf_status_t status = {.size = sizeof status};
    for (int round = 0; round < 200; round++) {
      gameconf_update(gc);
      gameconf_status(gc, &status);
      if (*status.last_error) break;
      usleep(1000);
    }
    CHECK(*status.last_error && gameconf_int(gc, "lives", 4) != 66);
    fake_hang_up(&daemon);
    CHECK(fake_request(&daemon, gc) && !fake_has(&daemon, "Last-Event-ID"));
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

static void another_player(void) {
  fake daemon;
  fake_begin(&daemon, "player.sock");
  gameconf *gc = open_at(&daemon, "p1", NULL);
  gameconf_info info;
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  send_image(&daemon, 1, "p1", 9, GAMECONF_SOURCE_PLAYER_OVERRIDE, "77.1.1.1");
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int(gc, "lives", 0) == 9);
  CHECK(gameconf_set_player(gc, "p2") == 0);
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 3 && (info.flags & GAMECONF_PENDING) && info.source == GAMECONF_SOURCE_DEFAULT);
  CHECK(!gameconf_theme_unlocked(gc, "neon", false, &info) && (info.flags & GAMECONF_PENDING));
  fake_hang_up(&daemon);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"player\":\"p2\"") && !fake_has(&daemon, "Last-Event-ID"));
  fake_stream(&daemon);
  send_image(&daemon, 1, "p2", 4, GAMECONF_SOURCE_SETTING, "77.1.1.2");
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int_info(gc, "lives", 0, &info) == 4 && !(info.flags & GAMECONF_PENDING));
  CHECK(gameconf_set_locale(gc, "fr-CA") == 0 && gameconf_set_context(gc, " {\"platform\" : \"ios\"} ") == 0);
  CHECK(gameconf_set_context(gc, "[]") == -EINVAL && gameconf_set_player(gc, "") == -EINVAL && gameconf_set_locale(gc, "f r") == -EINVAL);
  fake_hang_up(&daemon);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"context\":{\"platform\" : \"ios\",\"locale\":\"fr-CA\"}}"));
  gameconf_close(gc);
  fake_end(&daemon);
}

static void full_backlog(void) {
  fake daemon;
  fake_begin(&daemon, "full.sock");
  listen(daemon.listener, 0);
  fake fillers[4];
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  getsockname(daemon.listener, (struct sockaddr *)&name, &length);
  int count = 0;
  for (; count < 4; count++) {
    fillers[count].fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (connect(fillers[count].fd, (struct sockaddr *)&name, length) != 0 && errno == EAGAIN) break;
  }
  CHECK(count < 4);
  gameconf *gc = open_at(&daemon, NULL, NULL);
  gameconf_update(gc);
  gameconf_status_t status = {.size = sizeof status};
  gameconf_status(gc, &status);
  CHECK(strstr(status.last_error, "cannot connect") != NULL);
  for (int at = 0; at <= count && at < 4; at++) close(fillers[at].fd);
  for (int fd; (fd = accept4(daemon.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;) close(fd);
  CHECK(fake_request(&daemon, gc));
  gameconf_close(gc);
  fake_end(&daemon);
}

static void cached(void) {
  fake daemon;
  char cache[512];
  path_in_folder(cache, "images");
  mkdir(cache, 0700);
  fake_begin(&daemon, "cache.sock");
  gameconf *gc = open_at(&daemon, "p1", cache);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  send_image(&daemon, 1, "p1", 9, GAMECONF_SOURCE_PLAYER_OVERRIDE, "77.1.1.1");
  CHECK(until_state(gc, GAMECONF_STATE_LIVE));
  gameconf_close(gc);
  fake_end(&daemon);
  /* The same player has what was known, another what everybody has, another game nothing. */
  gameconf_info info;
  gc = open_at(&daemon, "p1", cache);
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 9 && info.flags == GAMECONF_STALE);
  CHECK(gameconf_theme_unlocked(gc, "neon", false, NULL));
  gameconf_change change;
  CHECK(!gameconf_next_change(gc, &change));
  gameconf_close(gc);
  gc = open_at(&daemon, "p2", cache);
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 3 && info.flags == (GAMECONF_STALE | GAMECONF_PENDING));
  CHECK(!gameconf_theme_unlocked(gc, "neon", false, NULL));
  gameconf_close(gc);
  gameconf_options options = {.size = sizeof options, .game = "other", .player = "p1", .cache = cache, .flags = GAMECONF_OFFLINE};
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", -1) == -1);
  gameconf_close(gc);
}

void stream_tests(void) {
  TEST("an image, a patch, the daemon gone and come again", live);
  TEST("what is no stream changes no value and is tried again", rubbish);
  TEST("half frames are kept", half_frames);
  TEST("what is for others is not taken", other_callers);
  TEST("another player: at once without the former one's layer, later with the new one's", another_player);
  TEST("a full backlog is tried again", full_backlog);
  TEST("the cache answers until the daemon does", cached);
}
