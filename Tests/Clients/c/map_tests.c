/* Mapped images: values from a file, and control pages and images that are not what they should be. */
#include "mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

static gameconf_status_t status_of(const gameconf *gc) {
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0);
  return status;
}

/* The clock is read each 64th time. */
static void update_much(gameconf *gc) {
  for (int round = 0; round < 64; round++) gameconf_update(gc);
}

static void values(void) {
  mapped mapped;
  mapped_begin(&mapped, "values");
  mapped_image(&mapped, 1, 3);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  gameconf_info info;
  gameconf_change change;
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 3 && info.flags == 0 && status_of(gc).state == GAMECONF_STATE_LIVE);
  CHECK(gameconf_update(gc) == 0 && gc->stream.fd < 0 && !*status_of(gc).last_error); /* nobody is asked over a socket */
  gameconf_key lives = gameconf_find(gc, "lives");
  const gameconf_view *held = gameconf_acquire(gc);
  mapped_image(&mapped, 2, 9);
  CHECK(gameconf_int(gc, "lives", 0) == 3);
  CHECK(gameconf_update(gc) == 1 && gameconf_int(gc, "lives", 0) == 9 && gameconf_int_at(gc, lives, 0) == 9);
  CHECK(gameconf_next_change(gc, &change) && change.kind == GAMECONF_CHANGE_KEY && change.old_source == 5 && change.new_source == 5);
  CHECK_TEXT(change.name, "lives");
  /* The file is gone, and whoever holds it reads on. */
  CHECK(gameconf_view_int(held, "lives", 0, NULL) == 3);
  gameconf_release(held);
  gameconf_status_t status = status_of(gc);
  CHECK(status.revision == 2 && status.epoch == 77 && status.offline_since_ms == 0 && status.age_ms >= 0 && status.age_ms < 60000);
  /* The same image told again is no change. */
  mapped_tell(&mapped, GCF_CONTROL_LIVE, mapped.page->image, mapped.page->bytes, 77, 2);
  CHECK(gameconf_update(gc) == 0 && gameconf_int(gc, "lives", 0) == 9 && gc->map.serves);
  gameconf_close(gc);
  mapped_end(&mapped);
}

/* What is in the page's place, or in it, when it is looked at. */
static void spoil_page(mapped *mapped, int which) {
  gcf_control *page = mapped->page;
  char other[700];
  snprintf(other, sizeof other, "%s.other", mapped->path);
  switch (which) {
    case 0: unlink(mapped->path); break;
    case 1: CHECK(truncate(mapped->path, 64) == 0); break;
    case 2: CHECK(truncate(mapped->path, 2 * GCF_CONTROL_BYTES) == 0); break;
    case 3: page->magic[3] = 'I'; break;
    case 4: page->major = 2; break;
    case 5: page->length = 8192; break;
    case 6: page->boot[7] ^= 1; break;
    case 7: page->heartbeat = mapped_now() + 60000; break;
    case 8: page->heartbeat = mapped_now() - GCF_HEARTBEAT_MS - 100; break;
    case 9: page->heartbeat = INT64_MIN; break;
    case 10: page->heartbeat = INT64_MAX; break;
    case 11: page->heartbeat = -1; break;
    case 12: page->state = GCF_CONTROL_STOPPED; break;
    case 13: page->state = GCF_CONTROL_WITHDRAWN; break;
    case 14: page->state = 99; break;
    case 15: page->generation++; break; /* for ever being written */
    case 16: CHECK(unlink(mapped->path) == 0 && mkdir(mapped->path, 0755) == 0); break;
    case 17: CHECK(rename(mapped->path, other) == 0 && symlink(other, mapped->path) == 0); break;
    case 18: CHECK(unlink(mapped->path) == 0 && mkfifo(mapped->path, 0664) == 0); break;
    case 19: CHECK(chmod(mapped->path, 0666) == 0); break;
    case 20: CHECK(geteuid() != 0 || chown(mapped->path, 12345, 12345) == 0); break;
    case 21: CHECK(chmod(mapped->folder, 0757) == 0); break;
    case 22: CHECK(geteuid() != 0 || chown(mapped->folder, 12345, 12345) == 0); break;
    case 23:
      snprintf(other, sizeof other, "%s.other", mapped->folder);
      CHECK(rename(mapped->folder, other) == 0 && symlink(other, mapped->folder) == 0);
      break;
    case 24: page->image ^= 1; break;
    case 25: page->bytes += 8; break;
    case 26: page->bytes = (uint64_t)1 << 40; break;
    case 27: page->epoch ^= 1; break;
    default: page->revision++; break;
  }
}
enum { SPOILS = 29, OWNED_BY_OTHERS = 20, FOLDER_OWNED_BY_OTHERS = 22 };

static void hostile_pages(void) {
  for (int which = 0; which < SPOILS; which++) {
    if ((which == OWNED_BY_OTHERS || which == FOLDER_OWNED_BY_OTHERS) && geteuid() != 0) continue; /* takes root to make */
    mapped mapped;
    char name[32];
    snprintf(name, sizeof name, "spoilt-%d", which);
    mapped_begin(&mapped, name);
    mapped_image(&mapped, 1, 3);
    spoil_page(&mapped, which);
    gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
    bool fell_back = gameconf_int(gc, "lives", -1) == -1 && status_of(gc).state == GAMECONF_STATE_NONE;
    if (!fell_back) fprintf(stderr, "the page spoilt in way %d was taken\n", which);
    CHECK(fell_back);
    update_much(gc);
    CHECK(gameconf_int(gc, "lives", -1) == -1 && !gc->map.serves);
    gameconf_close(gc);
    mapped_end(&mapped);
  }
}

/* Pages that become so while they are mapped: values stay, the socket is tried. */
static void pages_that_turn(void) {
  static const int turns[] = {7, 8, 9, 10, 11, 12, 13, 14};
  for (size_t at = 0; at < sizeof turns / sizeof *turns; at++) {
    mapped mapped;
    char name[32];
    snprintf(name, sizeof name, "turns-%d", turns[at]);
    mapped_begin(&mapped, name);
    mapped_image(&mapped, 1, 3);
    gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
    CHECK(status_of(gc).state == GAMECONF_STATE_LIVE);
    spoil_page(&mapped, turns[at]);
    update_much(gc);
    gameconf_status_t status = status_of(gc);
    gameconf_info info;
    CHECK(status.state == GAMECONF_STATE_CACHED && status.offline_since_ms > 0 && *status.last_error && gc->stream.retry_at > 0);
    CHECK(gameconf_int_info(gc, "lives", 0, &info) == 3 && (info.flags & GAMECONF_STALE));
    mapped_image(&mapped, 2, 4); /* and good again */
    update_much(gc);
    CHECK(status_of(gc).state == GAMECONF_STATE_LIVE && gameconf_int_info(gc, "lives", 0, &info) == 4 && !info.flags);
    gameconf_close(gc);
    mapped_end(&mapped);
  }
}

static void put(mapped *mapped, draft *draft, size_t cut, bool seals) {
  size_t size;
  uint8_t *bytes = draft_end(draft, &size);
  gcf_header *header = (gcf_header *)(void *)bytes;
  if (!seals) bytes[size - 1] ^= 1;
  mapped_write(mapped, header->checksum, bytes, size - cut);
  mapped_tell(mapped, GCF_CONTROL_LIVE, header->checksum, size, header->epoch, header->revision);
  free(bytes);
}

static void hostile_images(void) {
  for (int which = 0; which < 9; which++) {
    mapped mapped;
    draft draft;
    char name[32], path[700], other[720];
    snprintf(name, sizeof name, "image-%d", which);
    mapped_begin(&mapped, name);
    mapped_image(&mapped, 1, 3);
    gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
    CHECK(gameconf_int(gc, "lives", 0) == 3);
    draft_begin(&draft, which == 0 ? "other" : "dots", which == 1 ? "p1" : NULL, 2, which == 2 ? GCF_PATCH : which == 3 ? GCF_DEFAULTS : 0);
    draft_int(&draft, "lives", 66, 5);
    put(&mapped, &draft, which == 4 ? 64 : 0, which != 5); /* 4: shorter than the page says */
    snprintf(path, sizeof path, "%s/%016llx.image", mapped.folder, (unsigned long long)mapped.page->image);
    snprintf(other, sizeof other, "%s.other", path);
    if (which == 6) CHECK(unlink(path) == 0);
    if (which == 7) CHECK(rename(path, other) == 0 && symlink(other, path) == 0);
    if (which == 8) CHECK(unlink(path) == 0 && mkfifo(path, 0644) == 0);
    update_much(gc);
    gameconf_status_t status = status_of(gc);
    CHECK(gameconf_int(gc, "lives", 0) == 3 && status.state == GAMECONF_STATE_CACHED && *status.last_error && !gc->map.serves);
    mapped_image(&mapped, 3, 5);
    update_much(gc);
    CHECK(gameconf_int(gc, "lives", 0) == 5 && status_of(gc).state == GAMECONF_STATE_LIVE);
    gameconf_close(gc);
    mapped_end(&mapped);
  }
}

/* A reader of a page that is being written has either image, and never half of each. The writer waits when it is AHEAD revisions ahead. */
enum { AHEAD = 50 };
static _Atomic bool runs;
static _Atomic int64_t seen, written;

static void *write_on(void *context) {
  for (int64_t revision = 2; runs; revision++) {
    while (runs && revision > seen + AHEAD) sched_yield();
    mapped_image(context, revision, revision);
    written = revision;
  }
  return NULL;
}

static void running_generation(void) {
  mapped mapped;
  mapped_begin(&mapped, "running");
  mapped_image(&mapped, 1, 1);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  pthread_t writer;
  runs = true;
  seen = 1;
  written = 1;
  CHECK(pthread_create(&writer, NULL, write_on, &mapped) == 0);
  int64_t last = 1, moves = 0, missed = 0;
  while (moves < 200 && missed < 1000) {
    bool waits = written == last + AHEAD;
    gameconf_update(gc);
    int64_t revision = gc->view->image.header->revision, lives = gameconf_int(gc, "lives", -1);
    if (lives != revision || revision < last) {
      CHECK(lives == revision && revision >= last);
      break;
    }
    moves += revision > last;
    missed = revision == last && waits ? missed + 1 : 0;
    seen = last = revision;
  }
  runs = false;
  pthread_join(writer, NULL);
  CHECK(moves == 200);
  update_much(gc);
  CHECK(gc->view->image.header->revision == mapped.page->revision);
  /* One that is for ever being written: values stay, and after a second the socket is asked. */
  mapped.page->generation++;
  mapped_beat(&mapped);
  update_much(gc);
  CHECK(gc->map.serves && gc->map.unsettled_at);
  gc->map.unsettled_at -= 1000;
  update_much(gc);
  CHECK(!gc->map.serves && status_of(gc).state == GAMECONF_STATE_CACHED && gameconf_int(gc, "lives", -1) >= last);
  gameconf_close(gc);
  mapped_end(&mapped);
}

/* The next daemon could not take the page up and made another. */
static void another_page(void) {
  mapped mapped;
  mapped_begin(&mapped, "another");
  mapped_image(&mapped, 1, 3);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  mapped.page->heartbeat = mapped_now() - 10000; /* killed ten seconds ago */
  update_much(gc);
  gameconf_status_t status = status_of(gc);
  CHECK(status.state == GAMECONF_STATE_CACHED && gcf_wall() - status.offline_since_ms >= 10000);
  mapped_renew(&mapped);
  mapped_image(&mapped, 2, 4);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 3); /* the name is looked at once a second */
  gc->map.looked_at -= 1000;
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 4 && status_of(gc).state == GAMECONF_STATE_LIVE && status_of(gc).offline_since_ms == 0);
  gameconf_close(gc);
  mapped_end(&mapped);
}

static void send_whole(fake *fake, const char *player, int64_t revision, int64_t lives, uint64_t epoch) {
  draft draft;
  size_t size;
  draft_begin(&draft, "dots", player, revision, 0);
  draft.builder.header.epoch = epoch;
  draft_int(&draft, "lives", lives, 5);
  void *bytes = draft_end(&draft, &size);
  fake_frame(fake, GCF_FRAME_IMAGE, "77.1.0.1", bytes, size);
  free(bytes);
}

static void over_the_socket_and_back(void) {
  mapped mapped;
  fake daemon;
  mapped_begin(&mapped, "back");
  fake_begin(&daemon, "back.sock");
  mapped_image(&mapped, 5, 3);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, daemon.path);
  mapped_tell(&mapped, GCF_CONTROL_STOPPED, 0, 0, 0, 0);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "/watch"));
  CHECK(status_of(gc).state == GAMECONF_STATE_CACHED);
  fake_stream(&daemon);
  send_whole(&daemon, NULL, 7, 8, 77);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int(gc, "lives", 0) == 8);
  /* Older than what is known, or of another epoch than the live stream's: it waits. */
  mapped_image(&mapped, 6, 4);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 8 && gc->stream.fd >= 0);
  mapped_image(&mapped, 8, 9);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 9 && gc->stream.fd < 0 && gc->map.serves && status_of(gc).state == GAMECONF_STATE_LIVE);
  gameconf_close(gc);
  fake_end(&daemon);
  mapped_end(&mapped);
}

static void players(void) {
  mapped mapped;
  fake daemon;
  mapped_begin(&mapped, "players");
  fake_begin(&daemon, "players.sock");
  mapped_image(&mapped, 5, 3);
  /* With a player: at once what everybody has, and what is the player's over the socket, all of it together. */
  gameconf *gc = mapped_open(&mapped, "p1", NULL, daemon.path);
  gameconf_info info;
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 3 && info.flags == (GAMECONF_STALE | GAMECONF_PENDING) && status_of(gc).pending);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"player\":\"p1\""));
  fake_stream(&daemon);
  send_whole(&daemon, "p1", 5, 8, 77);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE) && gameconf_int_info(gc, "lives", 0, &info) == 8 && info.flags == 0);
  /* The page moves on before the stream does: one revision, the stream's. */
  mapped_image(&mapped, 6, 4);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 8);
  /* Nobody in particular any more: the page's. And somebody again. */
  CHECK(gameconf_set_player(gc, NULL) == 0);
  gameconf_update(gc);
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 4 && info.flags == 0 && gc->map.serves && gc->stream.fd < 0);
  CHECK(gameconf_set_player(gc, "p2") == 0 && !gc->map.serves);
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 4 && (info.flags & GAMECONF_PENDING));
  fake_hang_up(&daemon);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"player\":\"p2\""));
  gameconf_close(gc);
  fake_end(&daemon);
  mapped_end(&mapped);
}

/* Who begins with what was known of a player, and is nobody in particular then, has what everybody has from the page. */
static void player_from_the_cache(void) {
  mapped mapped;
  fake daemon;
  char cache[512];
  mapped_begin(&mapped, "known-player");
  fake_begin(&daemon, "known-player.sock");
  path_in_folder(cache, "known-players");
  mkdir(cache, 0700);
  mapped_image(&mapped, 5, 3);
  gameconf *gc = mapped_open(&mapped, "p1", cache, daemon.path);
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  send_whole(&daemon, "p1", 5, 8, 77);
  CHECK(until_state(gc, GAMECONF_STATE_LIVE));
  fake_hang_up(&daemon);
  gameconf_close(gc);
  gc = mapped_open(&mapped, "p1", cache, daemon.path);
  CHECK(gameconf_int(gc, "lives", 0) == 8);
  mapped_image(&mapped, 6, 4);
  CHECK(gameconf_set_player(gc, NULL) == 0);
  update_much(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 4 && gc->map.serves && status_of(gc).state == GAMECONF_STATE_LIVE);
  gameconf_close(gc);
  fake_end(&daemon);
  mapped_end(&mapped);
}

static void in_a_child(void) {
  mapped mapped;
  mapped_begin(&mapped, "forked");
  mapped_image(&mapped, 1, 3);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  pid_t child = forked();
  if (child == 0) {
    bool good = gameconf_int(gc, "lives", 0) == 3;
    mapped_image(&mapped, 2, 4);
    gameconf_update(gc);
    good = good && gameconf_int(gc, "lives", 0) == 4 && status_of(gc).state == GAMECONF_STATE_LIVE;
    gameconf_close(gc);
    _exit(good ? 0 : 1);
  }
  CHECK(forked_end(child) == 0);
  gameconf_update(gc);
  CHECK(gameconf_int(gc, "lives", 0) == 4);
  gameconf_close(gc);
  mapped_end(&mapped);
}

static void *write_later(void *context) {
  usleep(20000);
  mapped_image(context, 2, 4);
  return NULL;
}

static void waiting(void) {
  mapped mapped;
  mapped_begin(&mapped, "waiting");
  mapped_image(&mapped, 1, 3);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  CHECK(gameconf_wait(gc, 0) == 0 && gameconf_wait(gc, 5) == 0);
  CHECK(gameconf_timeout(gc) <= 20 && gameconf_fd(gc) >= 0);
  pthread_t writer;
  CHECK(pthread_create(&writer, NULL, write_later, &mapped) == 0);
  CHECK(gameconf_wait(gc, 60000) == 1 && gameconf_int(gc, "lives", 0) == 4);
  pthread_join(writer, NULL);
  gameconf_close(gc);
  mapped_end(&mapped);
}

static void held_views(void) {
  mapped mapped;
  const gameconf_view *held[5];
  mapped_begin(&mapped, "held");
  mapped_image(&mapped, 1, 1);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  for (int at = 0; at < 5; at++) {
    held[at] = gameconf_acquire(gc);
    mapped_image(&mapped, at + 2, at + 2);
    gameconf_update(gc);
  }
  mapped_image(&mapped, 7, 7);
  gameconf_update(gc);
  CHECK(gc->waiting && gc->waiting_is_mapped && gameconf_int(gc, "lives", 0) == 6);
  for (int at = 0; at < 5; at++) {
    CHECK(gameconf_view_int(held[at], "lives", 0, NULL) == at + 1);
    gameconf_release(held[at]);
  }
  gameconf_update(gc);
  CHECK(!gc->waiting && gameconf_int(gc, "lives", 0) == 7);
  gameconf_close(gc);
  mapped_end(&mapped);
}

static int mappings(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  int lines = 0, c;
  while (maps && (c = fgetc(maps)) != EOF) lines += c == '\n';
  if (maps) fclose(maps);
  return lines;
}

static void nothing_left(void) {
  mapped mapped;
  mapped_begin(&mapped, "left");
  mapped_image(&mapped, 1, 1);
  int before = mappings();
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  for (int revision = 2; revision < 500; revision++) {
    mapped_image(&mapped, revision, revision);
    gameconf_update(gc);
  }
  CHECK(gameconf_int(gc, "lives", 0) == 499);
  gameconf_close(gc);
  CHECK(mappings() < before + 100); /* the allocator may have made some of its own */
  mapped_end(&mapped);
}

static void cached(void) {
  mapped mapped;
  char cache[512];
  path_in_folder(cache, "mapped-cache");
  mkdir(cache, 0700);
  mapped_begin(&mapped, "cached");
  mapped_image(&mapped, 1, 3);
  gameconf *gc = mapped_open(&mapped, NULL, cache, NULL);
  gameconf_update(gc);
  gameconf_close(gc);
  mapped_tell(&mapped, GCF_CONTROL_WITHDRAWN, 0, 0, 0, 0);
  gc = mapped_open(&mapped, NULL, cache, NULL);
  CHECK(gameconf_int(gc, "lives", 0) == 3 && status_of(gc).state == GAMECONF_STATE_CACHED);
  gameconf_close(gc);
  mapped_end(&mapped);
}

static void where(void) {
  mapped mapped;
  mapped_begin(&mapped, "images");
  mapped_image(&mapped, 1, 3);
  /* Beside the socket; by the environment; nowhere; never offline. */
  char socket[600];
  snprintf(socket, sizeof socket, "%sgames.sock", folder());
  gameconf *gc;
  gameconf_options options = {.size = sizeof options, .game = "dots", .socket = socket};
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", 0) == 3);
  gameconf_close(gc);
  options.images = "";
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", 0) == 0);
  gameconf_close(gc);
  options.images = NULL;
  setenv("GAMECONF_IMAGES", "/nowhere", 1);
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", 0) == 0);
  gameconf_close(gc);
  options.socket = "/nowhere/at-all";
  setenv("GAMECONF_IMAGES", mapped.images, 1);
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", 0) == 3);
  gameconf_close(gc);
  options.flags = GAMECONF_OFFLINE;
  CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", 0) == 0);
  gameconf_close(gc);
  unsetenv("GAMECONF_IMAGES");
  mapped_end(&mapped);
}

void map_tests(void) {
  TEST("values come from the file, and so do changes", values);
  TEST("a page that is not sound is not taken", hostile_pages);
  TEST("a page that turns bad leaves the values and is tried again", pages_that_turn);
  TEST("an image that is another than the page says is not taken", hostile_images);
  TEST("a page is read as one while it is written", running_generation);
  TEST("another page in the place of the first is found", another_page);
  TEST("over the socket while nobody writes, and back, and never back in time", over_the_socket_and_back);
  TEST("a player's values are the stream's", players);
  TEST("who begins with a player's cache reads the page once it is everybody", player_from_the_cache);
  TEST("a child reads on", in_a_child);
  TEST("a wait is woken", waiting);
  TEST("views hold mapped images", held_views);
  TEST("what is replaced is no longer mapped", nothing_left);
  TEST("what was mapped is cached", cached);
  TEST("where images are looked for", where);
}
