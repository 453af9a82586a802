/* Revisions: whatever way an older one of the same epoch comes, no read goes back to it; one of another epoch is no older. */
#include "mapped.h"

#include <sys/stat.h>
#include <unistd.h>

static gameconf_status_t status_of(const gameconf *gc) {
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0);
  return status;
}

/* An image or a patch in which `lives` is a hundred times the game's revision and the player's beside it. */
static void *image(const char *player, uint64_t epoch, int64_t revision, int64_t own, uint32_t flags, size_t *size) {
  draft draft;
  draft_begin(&draft, "dots", player, revision, flags);
  draft.builder.header.epoch = epoch;
  draft.builder.header.player_revision = own;
  draft_int(&draft, "lives", revision * 100 + own, GAMECONF_SOURCE_GAME_OVERRIDE);
  return draft_end(&draft, size);
}

static void tell(fake *daemon, int kind, const char *player, uint64_t epoch, int64_t revision, int64_t own) {
  char id[60];
  size_t size;
  void *bytes = image(player, epoch, revision, own, kind == GCF_FRAME_PATCH ? GCF_PATCH : 0, &size);
  snprintf(id, sizeof id, "%d.%d.%d.1", (int)epoch, (int)revision, (int)own);
  fake_frame(daemon, kind, id, bytes, size);
  free(bytes);
}

/* Updates until the connection is lost or the values are these; no read in between is another than the former or these. */
static bool until_told(gameconf *gc, int64_t former, int64_t lives) {
  for (int round = 0; round < 2000; round++) {
    gameconf_update(gc);
    int64_t now = gameconf_int(gc, "lives", 0);
    CHECK(now == former || now == lives);
    if (now == lives && former != lives) return true;
    if (gc->stream.fd < 0) return false;
    usleep(500);
  }
  return false;
}

static gameconf *live(fake *daemon, const char *name, const char *player, const char *cache) {
  fake_begin(daemon, name);
  gameconf *gc = open_at(daemon, player, cache);
  CHECK(fake_request(daemon, gc));
  fake_stream(daemon);
  tell(daemon, GCF_FRAME_IMAGE, player, 77, 5, player ? 3 : 0);
  CHECK(until_told(gc, gameconf_int(gc, "lives", 0), player ? 503 : 500));
  return gc;
}

static void over_the_stream(void) {
  static const struct {
    int kind, epoch, revision, own;
    bool goes_on;
  } told[] = {
      {GCF_FRAME_IMAGE, 77, 4, 3, false}, {GCF_FRAME_IMAGE, 77, 4, 9, false}, {GCF_FRAME_IMAGE, 77, 5, 2, false}, {GCF_FRAME_IMAGE, 77, 6, 2, false},
      {GCF_FRAME_PATCH, 77, 4, 3, false}, {GCF_FRAME_PATCH, 77, 5, 2, false}, {GCF_FRAME_IMAGE, 77, 5, 4, true},  {GCF_FRAME_IMAGE, 77, 6, 3, true},
      {GCF_FRAME_PATCH, 77, 6, 3, true},  {GCF_FRAME_PATCH, 77, 5, 4, true},  {GCF_FRAME_IMAGE, 78, 1, 1, true}, /* restored: another epoch */
  };
  for (size_t at = 0; at < sizeof told / sizeof *told; at++) {
    fake daemon;
    gameconf *gc = live(&daemon, "order.sock", "p1", NULL);
    tell(&daemon, told[at].kind, "p1", (uint64_t)told[at].epoch, told[at].revision, told[at].own);
    bool goes_on = until_told(gc, 503, told[at].revision * 100 + told[at].own);
    if (goes_on != told[at].goes_on) fprintf(stderr, "what was told in way %zu was %s\n", at, goes_on ? "taken" : "not taken");
    CHECK(goes_on == told[at].goes_on);
    if (!goes_on) {
      /* It is said, and asked for anew as a whole: what comes then is the present. */
      CHECK(gameconf_int(gc, "lives", 0) == 503 && status_of(gc).state == GAMECONF_STATE_CACHED && strstr(status_of(gc).last_error, "older"));
      fake_hang_up(&daemon);
      CHECK(fake_request(&daemon, gc) && !fake_has(&daemon, "Last-Event-ID"));
      fake_stream(&daemon);
      tell(&daemon, GCF_FRAME_IMAGE, "p1", 77, 7, 4);
      CHECK(until_told(gc, 503, 704) && until_state(gc, GAMECONF_STATE_LIVE) && !*status_of(gc).last_error);
    }
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

/* Another player's revisions are others; the game's go on across players. */
static void another_player(void) {
  fake daemon;
  gameconf *gc = live(&daemon, "order2.sock", "p1", NULL);
  for (int is_older = 0; is_older < 2; is_older++) {
    const char *player = is_older ? "p3" : "p2";
    CHECK(gameconf_set_player(gc, player) == 0);
    int64_t former = gameconf_int(gc, "lives", 0);
    fake_hang_up(&daemon);
    CHECK(fake_request(&daemon, gc));
    fake_stream(&daemon);
    tell(&daemon, GCF_FRAME_IMAGE, player, 77, is_older ? 4 : 5, 1);
    CHECK(until_told(gc, former, is_older ? 401 : 501) == !is_older && status_of(gc).pending == (is_older == 1));
  }
  gameconf_close(gc);
  fake_end(&daemon);
}

/* An image for which no view was free counts as known. */
static void while_views_are_held(void) {
  fake daemon;
  const gameconf_view *held[5];
  gameconf *gc = live(&daemon, "order3.sock", "p1", NULL);
  for (int at = 0; at < 5; at++) {
    held[at] = gameconf_acquire(gc);
    tell(&daemon, GCF_FRAME_IMAGE, "p1", 77, 6 + at, 3);
    CHECK(until_told(gc, 503 + at * 100, 603 + at * 100));
  }
  tell(&daemon, GCF_FRAME_IMAGE, "p1", 77, 20, 3);
  tell(&daemon, GCF_FRAME_IMAGE, "p1", 77, 19, 3);
  CHECK(!until_told(gc, 1003, 1903) && gc->waiting);
  for (int at = 0; at < 5; at++) gameconf_release(held[at]);
  gameconf_update(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 2003);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void put(mapped *mapped, uint64_t epoch, int64_t revision) {
  size_t size;
  void *bytes = image(NULL, epoch, revision, 0, 0, &size);
  const gcf_header *header = bytes;
  mapped_write(mapped, header->checksum, bytes, size);
  mapped_tell(mapped, GCF_CONTROL_LIVE, header->checksum, size, epoch, revision);
  free(bytes);
}

static void update_much(gameconf *gc) {
  for (int round = 0; round < 64; round++) gameconf_update(gc);
}

static void from_a_file(void) {
  mapped mapped;
  mapped_begin(&mapped, "order");
  put(&mapped, 77, 5);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  CHECK(gameconf_int(gc, "lives", 0) == 500);
  put(&mapped, 77, 4);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 500 && status_of(gc).state == GAMECONF_STATE_CACHED);
  put(&mapped, 77, 6);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 600 && status_of(gc).state == GAMECONF_STATE_LIVE);
  put(&mapped, 78, 1); /* restored */
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 100 && status_of(gc).state == GAMECONF_STATE_LIVE);
  /* Nobody keeps it, and the socket tells what is older than the file. */
  put(&mapped, 78, 9);
  update_much(gc);
  gameconf_close(gc);
  fake daemon;
  fake_begin(&daemon, "order4.sock");
  gc = mapped_open(&mapped, NULL, NULL, daemon.path);
  CHECK(gameconf_int(gc, "lives", 0) == 900);
  mapped_tell(&mapped, GCF_CONTROL_STOPPED, 0, 0, 0, 0);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  tell(&daemon, GCF_FRAME_IMAGE, NULL, 78, 8, 0);
  CHECK(!until_told(gc, 900, 800) && gameconf_int(gc, "lives", 0) == 900);
  gameconf_close(gc);
  fake_end(&daemon);
  mapped_end(&mapped);
}

/* What was cached is known too: a page and a stream that are behind it wait until they are not. */
static void from_the_cache(void) {
  fake daemon;
  mapped mapped;
  char cache[512];
  path_in_folder(cache, "order-cache");
  mkdir(cache, 0700);
  gameconf *gc = live(&daemon, "order5.sock", NULL, cache);
  gameconf_close(gc);
  fake_end(&daemon);
  fake_begin(&daemon, "order5.sock");
  mapped_begin(&mapped, "order-mapped");
  gc = mapped_open(&mapped, NULL, cache, daemon.path);
  CHECK(gameconf_int(gc, "lives", 0) == 500 && status_of(gc).state == GAMECONF_STATE_CACHED);
  mapped_renew(&mapped);
  put(&mapped, 77, 4);
  gc->map.looked_at = 0;
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 500 && !gc->map.serves);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  tell(&daemon, GCF_FRAME_IMAGE, NULL, 77, 4, 0);
  CHECK(!until_told(gc, 500, 400) && gameconf_int(gc, "lives", 0) == 500);
  put(&mapped, 77, 5);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 500 && gc->map.serves && status_of(gc).state == GAMECONF_STATE_LIVE);
  gameconf_close(gc);
  fake_end(&daemon);
  mapped_end(&mapped);
}

/* Two processes of one game: who closes last, knowing less, leaves what the other knew. */
static void into_the_cache(void) {
  char cache[512];
  path_in_folder(cache, "order-both");
  mkdir(cache, 0700);
  static const struct {
    int epoch, revision, own, kept;
  } saved[] = {{77, 5, 3, 503}, {77, 4, 3, 503}, {77, 5, 2, 503}, {77, 6, 3, 603}, {78, 1, 1, 101}};
  for (size_t at = 0; at < sizeof saved / sizeof *saved; at++) {
    gameconf *gc = NULL, *other = NULL;
    gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .flags = GAMECONF_OFFLINE};
    CHECK(gameconf_open(&gc, &options) == 0);
    size_t size;
    void *bytes = image("p1", (uint64_t)saved[at].epoch, saved[at].revision, saved[at].own, 0, &size);
    gc->cache = gcf_copy(cache);
    gcf_take_image(gc, bytes, size, 0);
    gameconf_close(gc);
    options.cache = cache;
    CHECK(gameconf_open(&other, &options) == 0 && gameconf_int(other, "lives", 0) == saved[at].kept);
    other->cache_is_due = false;
    gameconf_close(other);
  }
}

void order_tests(void) {
  TEST("an older image or patch of the same epoch is not taken from the stream", over_the_stream);
  TEST("another player's revision is another, the game's is not", another_player);
  TEST("an image that waits for a view is known", while_views_are_held);
  TEST("an older image of the same epoch is not taken from a file, nor one older than the file", from_a_file);
  TEST("what is older than the cache is not taken", from_the_cache);
  TEST("what is older is not written over what is in the cache", into_the_cache);
}
