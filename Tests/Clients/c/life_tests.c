/* What happens to a game besides playing: it forks and execs, closes in the middle, changes its player in the very frame of an override,
 * plays two games in one process, and sleeps for an hour. */
#include "mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The library's clocks, which a test moves on: the linker puts these in the place of the real ones. */
static int64_t skipped, wall_wrong;
int64_t __real_gcf_monotonic(void);
int64_t __wrap_gcf_monotonic(void);
int64_t __wrap_gcf_monotonic(void) { return __real_gcf_monotonic() + skipped; }
int64_t __real_gcf_wall(void);
int64_t __wrap_gcf_wall(void);
int64_t __wrap_gcf_wall(void) { return __real_gcf_wall() + skipped + wall_wrong; }
void skip_time(int64_t milliseconds) { skipped += milliseconds; }
void set_wall_wrong(int64_t milliseconds) { wall_wrong = milliseconds; }
enum { HOUR_MS = 3600000 };

static gameconf_status_t status_of(const gameconf *gc) {
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0);
  return status;
}

/* Values of a player: `lives` is the player's own where an own value is given, `speed` everybody's. */
static void send_values(fake *fake, int kind, const char *player, int64_t revision, int64_t own, int64_t base, double speed) {
  draft draft;
  size_t size;
  char id[40];
  draft_begin(&draft, "dots", player, revision, kind == GCF_FRAME_PATCH ? GCF_PATCH : 0);
  draft_int(&draft, "lives", own ? own : base, own ? GAMECONF_SOURCE_PLAYER_OVERRIDE : GAMECONF_SOURCE_GAME_OVERRIDE);
  if (own) draft_base(&draft, "lives", base);
  draft_double(&draft, "speed", speed);
  void *bytes = draft_end(&draft, &size);
  snprintf(id, sizeof id, "77.%d.1.1", (int)revision);
  fake_frame(fake, kind, id, bytes, size);
  free(bytes);
}

static gameconf *live(fake *daemon, const char *socket, const char *cache) {
  fake_begin(daemon, socket);
  gameconf *gc = open_at(daemon, "p1", cache);
  CHECK(fake_request(daemon, gc));
  fake_stream(daemon);
  send_values(daemon, GCF_FRAME_IMAGE, "p1", 1, 9, 3, 2.5);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int(gc, "lives", 0) == 9);
  return gc;
}

static const char *fresh_cache(const char *name) {
  static char path[512];
  path_in_folder(path, name);
  mkdir(path, 0700);
  return path;
}

static int64_t game_over(gameconf *gc, int64_t score) {
  return gameconf_event(gc, &(gameconf_event_t){.size = sizeof(gameconf_event_t), .event = "game_over", .score = score});
}

static void update_often(gameconf *gc, int times) {
  for (int at = 0; at < times; at++) gameconf_update(gc), usleep(500);
}

/* The second connection, the one for calls, takes the place of the stream's, which stays open and is returned. */
static int calls_next(fake *daemon) {
  int stream = daemon->fd;
  daemon->fd = -1;
  return stream;
}

/* What another program that this process becomes has open, beside its own three. */
static void become_another(int out) {
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0);
  dup2(out, 1);
  dup2(nothing, 2);
  execl("/bin/sh", "sh", "-c", "for each in /proc/$$/fd/*; do case ${each##*/} in 0|1|2) ;; *) readlink \"$each\" ;; esac; done; echo over",
        (char *)NULL);
  _exit(127);
}

static void forks_and_execs(void) {
  fake daemon;
  int told[2];
  gameconf *gc = live(&daemon, "exec.sock", fresh_cache("exec"));
  CHECK(pipe2(told, O_CLOEXEC) == 0);
  int stream = gc->stream.fd;
  char client[40];
  strcpy(client, status_of(gc).client);
  /* It is on its way when the process forks: it is the parent's. */
  send_values(&daemon, GCF_FRAME_PATCH, "p1", 2, 8, 3, 2.5);
  pid_t child = forked();
  if (child == 0) {
    update_often(gc, 20);
    CHECK(gameconf_int(gc, "lives", 0) == 9 && status_of(gc).state == GAMECONF_STATE_CACHED);
    CHECK(game_over(gc, 1) > 0);
    pid_t grandchild = forked();
    if (grandchild == 0) {
      update_often(gc, 20);
      CHECK(gameconf_int(gc, "lives", 0) == 9 && status_of(gc).queued == 0 && strcmp(status_of(gc).client, client) != 0);
      if (!checks_failed) become_another(told[1]);
      _exit(1);
    }
    CHECK(forked_end(grandchild) == 0);
    CHECK(status_of(gc).queued == 1);
    gameconf_close(gc);
    _exit(checks_failed != 0);
  }
  CHECK(forked_end(child) == 0);
  char says[2000] = "";
  close(told[1]);
  ssize_t count = read(told[0], says, sizeof says - 1);
  says[count > 0 ? count : 0] = 0;
  /* Whoever started these tests may have left descriptors of their own: none of them is a socket, a poll or a queue. */
  CHECK(strstr(says, "over\n") && !strstr(says, "socket:") && !strstr(says, "eventpoll") && !strstr(says, ".queue"));
  close(told[0]);
  update_often(gc, 20);
  CHECK(gameconf_int(gc, "lives", 0) == 8 && gc->stream.fd == stream && status_of(gc).state == GAMECONF_STATE_LIVE);
  CHECK_TEXT(status_of(gc).client, client);
  gameconf_close(gc);
  fake_end(&daemon);
}

/* What the daemon's side of a connection reads until its end. */
static size_t until_the_end(int fd) {
  char bytes[4096];
  size_t total = 0;
  for (int round = 0; round < 2000; round++) {
    ssize_t count = recv(fd, bytes, sizeof bytes, 0);
    if (count == 0 || (count < 0 && errno == ECONNRESET)) return total;
    if (count > 0) total += (size_t)count;
    else usleep(1000);
  }
  CHECK(!"the connection ended");
  return total;
}

static void closed_during_a_call(void) {
  fake daemon;
  gameconf_answer got;
  char sequence[100], occurred[100];
  const char *cache = fresh_cache("closed");
  gameconf *gc = live(&daemon, "closed.sock", cache);
  int stream = calls_next(&daemon);
  /* A purchase of which half the answer is there. */
  CHECK(gameconf_purchase(gc, "remove_ads", NULL) > 0 && fake_request(&daemon, gc));
  fake_text(&daemon, "HTTP/1.1 201 Made\r\nContent-Length: 100\r\n\r\n{\"state\":");
  update_often(gc, 5);
  CHECK(gc->in_flight && !gameconf_next_answer(gc, &got) && game_over(gc, 5) > 0);
  gameconf_close(gc);
  CHECK(until_the_end(daemon.fd) == 0 && until_the_end(stream) == 0);
  close(stream);
  fake_end(&daemon);

  /* What was queued comes with the next run; and again, when that closes with it half way. */
  fake_begin(&daemon, "closed.sock");
  gc = open_at(&daemon, "p1", cache);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "/watch"));
  stream = calls_next(&daemon);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"score\":5"));
  snprintf(sequence, sizeof sequence, "%.80s", strstr(daemon.request, "Gameconf-Sequence: "));
  *strchr(sequence, '\r') = 0;
  snprintf(occurred, sizeof occurred, "%.40s", strstr(daemon.request, "\"occurred_at\":"));
  gameconf_close(gc);
  CHECK(until_the_end(daemon.fd) == 0);
  close(stream);
  fake_end(&daemon);
  fake_begin(&daemon, "closed.sock");
  gc = open_at(&daemon, "p1", cache);
  CHECK(fake_request(&daemon, gc));
  stream = calls_next(&daemon);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, sequence) && fake_has(&daemon, occurred));
  fake_answer(&daemon, 200, "Gameconf-Repeated: true\r\n", "{}");
  for (int round = 0; round < 500 && !gameconf_next_answer(gc, &got); round++) gameconf_update(gc), usleep(1000);
  CHECK(got.status == 200 && (got.flags & GAMECONF_ANSWER_EARLIER) && status_of(gc).queued == 0);

  /* A call that is longer than what a socket holds, sent in part. */
  size_t length = 700000;
  char *json = malloc(length + 3);
  memset(json, ' ', length);
  json[0] = '{', json[length - 1] = '}', json[length] = 0;
  CHECK(gameconf_call(gc, "POST", "/v1/long", json) > 0);
  update_often(gc, 3);
  CHECK(gc->calls.wants_write && gc->calls.sent > 0 && gc->calls.sent < length);
  gameconf_close(gc);
  CHECK(until_the_end(daemon.fd) < length);
  close(stream);
  free(json);
  fake_end(&daemon);
}

static void player_and_override(void) {
  gameconf_info info;
  /* 0: the override is taken, then the player changed; 1: the player first; 2: the override is the former player's own;
   * 3: another player and back. All within one frame. */
  for (int order = 0; order < 4; order++) {
    fake daemon;
    gameconf *gc = live(&daemon, "frame.sock", NULL);
    const gameconf_view *held = gameconf_acquire(gc);
    send_values(&daemon, GCF_FRAME_PATCH, "p1", 2, order == 2 ? 11 : 9, order == 2 ? 3 : 5, order == 2 ? 2.5 : 4);
    bool is_taken = order == 0;
    if (is_taken) {
      for (int round = 0; round < 500 && gameconf_double(gc, "speed", 0) != 4; round++) gameconf_update(gc), usleep(1000);
      CHECK(gameconf_int(gc, "lives", 0) == 9 && gameconf_double(gc, "speed", 0) == 4);
    }
    CHECK(gameconf_set_player(gc, "p2") == 0);
    if (order == 3) CHECK(gameconf_set_player(gc, "p1") == 0);
    /* At once, and in the frames until the new player's are there: what everybody has, of one revision. */
    fake_hang_up(&daemon);
    for (int frame = 0; frame < 20; frame++) {
      CHECK(gameconf_int_info(gc, "lives", 0, &info) == (is_taken ? 5 : 3) && (info.flags & GAMECONF_PENDING));
      CHECK(gameconf_double(gc, "speed", 0) == (is_taken ? 4 : 2.5) && status_of(gc).revision == (is_taken ? 2 : 1));
      gameconf_update(gc);
    }
    CHECK(gameconf_view_int(held, "lives", 0, NULL) == 9 && gameconf_view_double(held, "speed", 0, NULL) == 2.5);
    const char *player = order == 3 ? "p1" : "p2";
    CHECK(fake_request(&daemon, gc) && fake_has(&daemon, order == 3 ? "\"player\":\"p1\"" : "\"player\":\"p2\"") &&
          !fake_has(&daemon, "Last-Event-ID"));
    fake_stream(&daemon);
    send_values(&daemon, GCF_FRAME_IMAGE, player, 2, 7, 5, 4);
    bool mixed = false;
    for (int round = 0; round < 500 && status_of(gc).state != GAMECONF_STATE_LIVE; round++) {
      gameconf_update(gc);
      bool is_new = gameconf_int(gc, "lives", 0) == 7;
      mixed |= is_new ? gameconf_double(gc, "speed", 0) != 4 : gameconf_int(gc, "lives", 0) != (is_taken ? 5 : 3);
      usleep(1000);
    }
    CHECK(!mixed && gameconf_int_info(gc, "lives", 0, &info) == 7 && info.flags == 0 && status_of(gc).state == GAMECONF_STATE_LIVE);
    gameconf_release(held);
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

static gameconf *another(const fake *daemon, const char *game, const char *cache) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = game, .player = "p1", .socket = daemon->path, .cache = cache};
  CHECK(gameconf_open(&gc, &options) == 0);
  return gc;
}

static void two_games(void) {
  fake one, two, three;
  gameconf_change change;
  const char *cache = fresh_cache("two");
  gameconf *dots = live(&one, "one.sock", cache);
  while (gameconf_next_change(dots, &change)) {}
  fake_begin(&two, "two.sock");
  gameconf *squares = another(&two, "squares", cache);
  CHECK(fake_request(&two, squares) && fake_has(&two, "/v1/games/squares/watch"));
  fake_stream(&two);
  draft draft;
  size_t size;
  draft_begin(&draft, "squares", "p1", 40, 0);
  draft_int(&draft, "lives", 4, 5);
  void *bytes = draft_end(&draft, &size);
  fake_frame(&two, GCF_FRAME_IMAGE, "77.40.1.1", bytes, size);
  CHECK(until_state(squares, GAMECONF_STATE_LIVE) && gameconf_int(squares, "lives", 0) == 4);
  free(bytes);
  gameconf_update(dots);
  CHECK(gameconf_int(dots, "lives", 0) == 9 && !gameconf_next_change(dots, &change) && status_of(dots).revision == 1);
  CHECK(gameconf_find(dots, "lives") == 1 && gameconf_find(squares, "other") == 1 && gameconf_int_at(squares, 1, 6) == 6);
  /* The same game a third time: a queue of its own. */
  fake_begin(&three, "three.sock");
  gameconf *again = another(&three, "dots", cache);
  CHECK(status_of(dots).queue_survives && status_of(squares).queue_survives && status_of(again).queue_survives);
  gameconf *all[] = {dots, squares, again};
  char clients[3][40];
  for (int at = 0; at < 3; at++) {
    strcpy(clients[at], status_of(all[at]).client);
    CHECK(game_over(all[at], at + 1) == 1 && status_of(all[at]).queued == 1);
  }
  CHECK(strcmp(clients[0], clients[1]) != 0 && strcmp(clients[0], clients[2]) != 0 && strcmp(clients[1], clients[2]) != 0);
  /* One ends; the others go on. */
  gameconf_close(dots);
  int streams[] = {calls_next(&one), calls_next(&two)};
  fake *daemons[] = {&two, &three};
  for (int at = 0; at < 2; at++) {
    bool is_squares = at == 0;
    int stream = is_squares ? -1 : fake_request(&three, again) ? (fake_stream(&three), calls_next(&three)) : -1;
    CHECK(fake_request(daemons[at], all[at + 1]) && fake_has(daemons[at], clients[at + 1]) && !fake_has(daemons[at], clients[0]));
    CHECK(fake_has(daemons[at], is_squares ? "POST /v1/games/squares/players/p1/events" : "POST /v1/games/dots/players/p1/events"));
    CHECK(fake_has(daemons[at], is_squares ? "\"score\":2" : "\"score\":3"));
    if (stream >= 0) close(stream);
  }
  CHECK(gameconf_int(squares, "lives", 0) == 4 && status_of(squares).state == GAMECONF_STATE_LIVE);
  for (int at = 0; at < 2; at++) close(streams[at]);
  gameconf_close(squares);
  gameconf_close(again);
  fake_end(&one);
  fake_end(&two);
  fake_end(&three);
}

/* While nobody updates: the daemon goes on telling, says nothing, or goes. */
static void an_hour_of_the_stream(void) {
  for (int what = 0; what < 3; what++) {
    fake daemon;
    gameconf *gc = live(&daemon, "hour.sock", NULL);
    if (what == 0) {
      for (int revision = 2; revision < 20; revision++) send_values(&daemon, GCF_FRAME_PATCH, "p1", revision, 9, revision, revision / 2.0);
      fake_frame(&daemon, GCF_FRAME_PING, "77.19.1.3600001", NULL, 0);
    }
    if (what == 2) fake_hang_up(&daemon);
    skipped += HOUR_MS;
    CHECK(gameconf_int(gc, "lives", 0) == 9 && gameconf_double(gc, "speed", 0) == 2.5 && status_of(gc).age_ms >= HOUR_MS);
    gameconf_update(gc);
    if (what == 0) {
      /* What arrived is the newest there is, and nothing was silent. */
      CHECK(status_of(gc).state == GAMECONF_STATE_LIVE && status_of(gc).age_ms < 60000);
      for (int round = 0; round < 500 && status_of(gc).revision != 19; round++) gameconf_update(gc);
      CHECK(gameconf_double(gc, "speed", 0) == 9.5 && status_of(gc).state == GAMECONF_STATE_LIVE && !*status_of(gc).last_error);
    } else {
      /* A descriptor tells of what there is, not whether anybody is there: both are found out now. */
      CHECK(status_of(gc).state == GAMECONF_STATE_CACHED && *status_of(gc).last_error && gameconf_int(gc, "lives", 0) == 9);
      fake_hang_up(&daemon);
      CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "Last-Event-ID: 77.1.1.1\r\n"));
      fake_stream(&daemon);
      send_values(&daemon, GCF_FRAME_IMAGE, "p1", 70, 9, 5, 35);
      CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_double(gc, "speed", 0) == 35);
    }
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

static void an_hour_of_calls(void) {
  fake daemon;
  gameconf_answer got = {0};
  gameconf *gc = live(&daemon, "late.sock", NULL);
  int stream = calls_next(&daemon);
  char occurred[100];
  /* Sent, and answered while nobody looked: it is not sent again. */
  int64_t first = game_over(gc, 1);
  CHECK(fake_request(&daemon, gc));
  fake_answer(&daemon, 200, "", "{}");
  int64_t second = game_over(gc, 2), purchase = gameconf_purchase(gc, "remove_ads", NULL);
  int64_t made_at = gameconf_now(gc); /* the daemon's clock, as the stream tells it */
  skipped += HOUR_MS;
  gameconf_update(gc);
  CHECK(gameconf_next_answer(gc, &got) && got.number == first && got.status == 200);
  /* A purchase that could not be asked for is over; the event is not, and happened when it happened. */
  CHECK(gameconf_next_answer(gc, &got) && got.number == purchase && got.flags == GAMECONF_ANSWER_OFFLINE);
  close(stream); /* the daemon goes, as it may within an hour */
  gcf_buffer instant = {0};
  gcf_put_instant(&instant, made_at);
  snprintf(occurred, sizeof occurred, "\"occurred_at\":\"%.16s", gcf_buffer_text(&instant)); /* to the minute */
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"score\":2") && fake_has(&daemon, "/2\r\n"));
  CHECK(fake_has(&daemon, occurred));
  fake_answer(&daemon, 200, "", "{}");
  for (int round = 0; round < 500 && got.number != second; round++) gameconf_update(gc), gameconf_next_answer(gc, &got), usleep(1000);
  CHECK(got.number == second && got.status == 200 && status_of(gc).queued == 0);
  gcf_buffer_free(&instant);
  gameconf_close(gc);
  fake_end(&daemon);
}

/* What ends by the game's clock ends without an update. */
static void an_hour_of_an_entitlement(void) {
  fake daemon;
  draft draft;
  size_t size;
  int64_t noon = 1767268800000;
  fake_begin(&daemon, "ends.sock");
  gameconf *gc = open_at(&daemon, "p1", NULL);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  draft_begin(&draft, "dots", "p1", 1, 0);
  draft_entitlement(&draft, "ad_free", true, noon + HOUR_MS / 2);
  draft_entitlement(&draft, "pro", false, noon + 2 * HOUR_MS);
  void *bytes = draft_end(&draft, &size);
  fake_frame(&daemon, GCF_FRAME_IMAGE, "77.1.1.1767268800000", bytes, size);
  free(bytes);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_ad_free(gc, false, NULL) && gameconf_entitled(gc, "pro", false, NULL));
  skipped += HOUR_MS;
  CHECK(!gameconf_ad_free(gc, true, NULL) && !gameconf_entitled(gc, "ad_free", true, NULL) && gameconf_entitled(gc, "pro", false, NULL));
  CHECK(gameconf_now(gc) >= noon + HOUR_MS && gameconf_now(gc) < noon + HOUR_MS + 60000);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void an_hour_of_a_file(void) {
  mapped mapped;
  mapped_begin(&mapped, "hour");
  mapped_image(&mapped, 1, 1);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  CHECK(gameconf_update(gc) == 0 && gameconf_int(gc, "lives", 0) == 1);
  /* Each image takes the former one's file away. */
  for (int revision = 2; revision < 60; revision++) mapped_image(&mapped, revision, revision);
  skipped += HOUR_MS;
  CHECK(gameconf_int(gc, "lives", 0) == 1);
  CHECK(gameconf_update(gc) == 1 && gameconf_int(gc, "lives", 0) == 59 && status_of(gc).state == GAMECONF_STATE_LIVE);
  /* The daemon ended, and nobody wrote since: the values stay, and it is said for how long. */
  mapped.page->heartbeat = mapped_now() - HOUR_MS;
  for (int round = 0; round < 64; round++) gameconf_update(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 59 && status_of(gc).state == GAMECONF_STATE_CACHED && status_of(gc).age_ms >= HOUR_MS);
  int64_t since = gcf_wall() - status_of(gc).offline_since_ms;
  CHECK(since >= HOUR_MS && since < HOUR_MS + 60000);
  /* Another daemon's page in its place. */
  mapped_renew(&mapped);
  mapped_image(&mapped, 60, 60);
  skipped += 2000; /* the name is looked at once a second */
  for (int round = 0; round < 64; round++) gameconf_update(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 60 && status_of(gc).state == GAMECONF_STATE_LIVE);
  gameconf_close(gc);
  mapped_end(&mapped);
}

void life_tests(void) {
  TEST("forked twice, then another program: neither takes what is the parent's, and nothing stays open", forks_and_execs);
  TEST("closed during a call: at once, and what is queued comes later, once", closed_during_a_call);
  TEST("a player changed in the frame of an override: never a mixture", player_and_override);
  TEST("two games in one process have nothing in common", two_games);
  TEST("an hour without an update: the stream", an_hour_of_the_stream);
  TEST("an hour without an update: calls", an_hour_of_calls);
  TEST("an hour without an update: an entitlement", an_hour_of_an_entitlement);
  TEST("an hour without an update: a mapped file", an_hour_of_a_file);
}
