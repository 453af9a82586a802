/* Frames: neither an update nor what a game calls beside it may wait for anybody. The linker puts what is here in the place of what a
 * system may take its time for, in all of these tests: an update that gets there fails, however quick the disk was. */
#include "mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local bool in_frame;
static _Thread_local int64_t frames;
static ssize_t write_room = -1; /* what a disk still takes; -1: all there is */

static void reached(const char *what, const char *path) {
  if (!in_frame) return;
  checks_failed++;
  fprintf(stderr, "a frame waits for: %s %s\n", what, path);
}

int __real_gameconf_update(gameconf *gc);
int __wrap_gameconf_update(gameconf *gc);
int __wrap_gameconf_update(gameconf *gc) {
  bool outer = in_frame;
  in_frame = true;
  frames++;
  int changes = __real_gameconf_update(gc);
  in_frame = outer;
  return changes;
}

#define REPLACED(result, name, parameters, arguments, waits, path) \
  result __real_##name parameters;                                 \
  result __wrap_##name parameters;                                 \
  result __wrap_##name parameters {                                \
    if (waits) reached(#name, path);                               \
    return __real_##name arguments;                                \
  }
REPLACED(ssize_t, read, (int fd, void *into, size_t room), (fd, into, room), true, "")
REPLACED(int, rename, (const char *from, const char *to), (from, to), true, to)
REPLACED(int, unlink, (const char *path), (path), true, path)
REPLACED(int, ftruncate, (int fd, off_t length), (fd, length), true, "")
REPLACED(int, posix_fallocate, (int fd, off_t at, off_t length), (fd, at, length), true, "")
REPLACED(int, flock, (int fd, int how), (fd, how), true, "")
REPLACED(int, fsync, (int fd), (fd), true, "")
REPLACED(int, poll, (struct pollfd *those, nfds_t count, int timeout), (those, count, timeout), timeout != 0, "")
REPLACED(int, usleep, (useconds_t time), (time), true, "")
REPLACED(int, socket, (int family, int type, int protocol), (family, type, protocol), !(type & SOCK_NONBLOCK), "")
REPLACED(char *, strerror, (int number), (number), true, "") /* which may read a catalog of messages */

ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size) {
  reached("write", "");
  if (write_room == 0) return errno = ENOSPC, -1;
  if (write_room > 0 && (size_t)write_room < size) size = (size_t)write_room;
  if (write_room > 0) write_room -= (ssize_t)size;
  return __real_write(fd, bytes, size);
}

/* A mapped image is opened within a frame, for reading: its folder lies in memory. */
static bool is_written(int flags) { return (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY; }

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (is_written(flags) || !(flags & O_DIRECTORY)) reached("open", path);
  return __real_open(path, flags, mode);
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (is_written(flags) || !(flags & (O_DIRECTORY | O_NONBLOCK))) reached("openat", path);
  return __real_openat(folder, path, flags, mode);
}

static void *image(const char *player, int64_t revision, int64_t lives, uint32_t flags, size_t *size) {
  draft draft;
  draft_begin(&draft, "dots", player, revision, flags);
  draft_int(&draft, "lives", lives, GAMECONF_SOURCE_GAME_OVERRIDE);
  return draft_end(&draft, size);
}

static void tell(fake *daemon, int kind, const char *player, int64_t revision) {
  char id[40];
  size_t size;
  void *bytes = image(player, revision, revision, kind == GCF_FRAME_PATCH ? GCF_PATCH : 0, &size);
  snprintf(id, sizeof id, "77.%d.1.1", (int)revision);
  fake_frame(daemon, kind, id, bytes, size);
  free(bytes);
}

static void until_lives(gameconf *gc, int64_t lives) {
  for (int round = 0; round < 2000 && gameconf_int(gc, "lives", 0) != lives; round++) {
    gameconf_update(gc);
    usleep(500);
  }
  CHECK(gameconf_int(gc, "lives", 0) == lives);
}

static const char *fresh_cache(const char *name) {
  static char path[512];
  path_in_folder(path, name);
  mkdir(path, 0700);
  return path;
}

static int64_t cached_lives(const char *cache, const char *player) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = player, .cache = cache, .flags = GAMECONF_OFFLINE};
  CHECK(gameconf_open(&gc, &options) == 0);
  int64_t lives = gameconf_int(gc, "lives", -1);
  /* Closed as one that crashes would be: nothing is written. */
  gc->cache_is_due = false;
  gameconf_close(gc);
  return lives;
}

/* A game's frames of a minute, beside everything that may happen; then its end. */
static void minutes(void) {
  fake daemon;
  const char *cache = fresh_cache("frames");
  fake_begin(&daemon, "frames.sock");
  gameconf *gc = open_at(&daemon, "p1", cache);
  free(gc->images);
  gc->images = gcf_copy(folder());
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  tell(&daemon, GCF_FRAME_IMAGE, "p1", 1);
  until_lives(gc, 1);
  for (int64_t revision = 2; revision < 8; revision++) {
    tell(&daemon, GCF_FRAME_PATCH, "p1", revision);
    skip_time(10000);
    until_lives(gc, revision);
  }
  in_frame = true;
  gameconf_info info;
  CHECK(gameconf_event(gc, &(gameconf_event_t){.size = sizeof(gameconf_event_t), .event = "game_over"}) > 0);
  CHECK(gameconf_int_info(gc, "lives", 0, &info) == 7 && gameconf_find(gc, "lives") > 0 && gameconf_double(gc, "none", 2.5) == 2.5);
  gameconf_release(gameconf_acquire(gc));
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0 && gameconf_timeout(gc) >= 0 && gameconf_now(gc) > 0);
  CHECK(gameconf_set_player(gc, "p2") == 0);
  in_frame = false;
  fake_hang_up(&daemon);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "\"player\":\"p2\""));
  fake_stream(&daemon);
  tell(&daemon, GCF_FRAME_IMAGE, "p2", 8);
  until_lives(gc, 8);
  /* Nobody there, and nobody who takes it: a connection that is refused in each way there is. */
  fake_end(&daemon);
  for (int round = 0; round < 20; round++) skip_time(11000), gameconf_update(gc);
  CHECK(gameconf_status(gc, &status) == 0 && status.state == GAMECONF_STATE_CACHED && *status.last_error);
  CHECK(cached_lives(cache, "p1") == -1 && frames > 20);
  gameconf_close(gc);
  /* What is known of both players is there now. */
  CHECK(cached_lives(cache, "p1") == 7 && cached_lives(cache, "p2") == 8 && cached_lives(cache, "p3") == 8);
}

/* Who waits has the time: a loading screen, a server that never closes. */
static void waits(void) {
  fake daemon;
  const char *cache = fresh_cache("waits");
  fake_begin(&daemon, "waits.sock");
  gameconf *gc = open_at(&daemon, "p1", cache);
  gameconf_change change;
  CHECK(fake_request(&daemon, gc));
  fake_stream(&daemon);
  tell(&daemon, GCF_FRAME_IMAGE, "p1", 1);
  until_lives(gc, 1);
  while (gameconf_next_change(gc, &change)) {}
  CHECK(gameconf_wait(gc, 20) == 0 && cached_lives(cache, "p1") == -1); /* as short as a frame */
  CHECK(gameconf_wait(gc, 150) == 0 && cached_lives(cache, "p1") == 1);
  /* And again not before five seconds. */
  tell(&daemon, GCF_FRAME_PATCH, "p1", 2);
  until_lives(gc, 2);
  while (gameconf_next_change(gc, &change)) {}
  CHECK(gameconf_wait(gc, 150) == 0 && cached_lives(cache, "p1") == 1);
  skip_time(5000);
  CHECK(gameconf_wait(gc, 150) == 0 && cached_lives(cache, "p1") == 2);
  gameconf_close(gc);
  fake_end(&daemon);
}

/* A disk that takes only some of it: the file is the former one, and nothing lies beside it. */
static void full_disk(void) {
  const char *cache = fresh_cache("full");
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .cache = cache, .flags = GAMECONF_OFFLINE};
  static const ssize_t rooms[] = {-1, 0, 1, 200, -1};
  for (int at = 0; at < 5; at++) {
    size_t size;
    CHECK(gameconf_open(&gc, &options) == 0 && gameconf_int(gc, "lives", -1) == (at == 0 ? -1 : 1));
    void *bytes = image("p1", at + 1, at + 1, 0, &size);
    CHECK(size > 200);
    gcf_take_image(gc, bytes, size, 0);
    write_room = rooms[at];
    gameconf_close(gc);
    write_room = -1;
  }
  char command[600];
  snprintf(command, sizeof command, "test $(ls '%s' | wc -l) = 3", cache); /* the player's, everybody's and the queue */
  CHECK(cached_lives(cache, "p1") == 5 && system(command) == 0);
}

/* More callers than are kept: the last ones are, each as it was last. */
static void many_players(void) {
  const char *cache = fresh_cache("many");
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .cache = cache, .flags = GAMECONF_OFFLINE};
  CHECK(gameconf_open(&gc, &options) == 0);
  char player[16];
  for (int turn = 1; turn <= 9; turn++) {
    size_t size;
    snprintf(player, sizeof player, "p%d", turn == 9 ? 6 : turn);
    CHECK(gameconf_set_player(gc, player) == 0);
    void *bytes = image(player, turn, turn, 0, &size);
    gcf_take_image(gc, bytes, size, 0);
  }
  CHECK(gc->unsaved_count == GCF_UNSAVED_MAX);
  gameconf_close(gc);
  CHECK(cached_lives(cache, "p6") == 9 && cached_lives(cache, "p8") == 8 && cached_lives(cache, "p7") == 7 && cached_lives(cache, "p5") == 5);
  CHECK(cached_lives(cache, "p1") == 9); /* everybody's */
}

void frame_tests(void) {
  TEST("no frame reaches the disk, and its end keeps what is known", minutes);
  TEST("a wait that is longer than a frame saves", waits);
  TEST("a disk that is full leaves the former cache", full_disk);
  TEST("of many players the last ones are kept until there is time", many_players);
}
