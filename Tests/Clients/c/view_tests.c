/* Views: other threads read while the values change; what is held stays. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 2000 };

static void *numbered(int64_t number, size_t *size) {
  draft draft;
  char text[40];
  draft_begin(&draft, "dots", NULL, number, 0);
  snprintf(text, sizeof text, "%lld", (long long)number);
  draft_int(&draft, "number", number, 5);
  draft_text(&draft, "text", GCF_STRING, text);
  return draft_end(&draft, size);
}

static gameconf *offline(void) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .flags = GAMECONF_OFFLINE};
  CHECK(gameconf_open(&gc, &options) == 0);
  return gc;
}

static void publish(gameconf *gc, int64_t number) {
  size_t size;
  void *image = numbered(number, &size);
  gcf_take_image(gc, image, size, 0);
}

static _Atomic bool stop;
static _Atomic int torn;

static void *reader(void *argument) {
  gameconf *gc = argument;
  int64_t last = 0;
  while (!atomic_load(&stop)) {
    const gameconf_view *view = gameconf_acquire(gc);
    int64_t number = gameconf_view_int(view, "number", 0, NULL), at = gameconf_view_int_at(view, 1, 0);
    const char *text = gameconf_view_string(view, "text", "0", NULL);
    if (number < last || atoll(text) != number || at != number) atomic_fetch_add(&torn, 1);
    gameconf_view_bool(view, "not_there", false, NULL);
    last = number;
    gameconf_release(view);
  }
  return NULL;
}

static void many_threads(void) {
  gameconf *gc = offline();
  pthread_t threads[THREADS];
  publish(gc, 1);
  CHECK(gameconf_find(gc, "number") == 1);
  atomic_store(&stop, false);
  for (int at = 0; at < THREADS; at++) pthread_create(&threads[at], NULL, reader, gc);
  char key[32];
  for (int round = 2; round < ROUNDS; round++) {
    publish(gc, round);
    snprintf(key, sizeof key, "key_%d", round % 100);
    gameconf_find(gc, key);
    gameconf_update(gc);
  }
  for (int round = 0; round < 1000000 && gc->waiting; round++) gameconf_update(gc);
  atomic_store(&stop, true);
  for (int at = 0; at < THREADS; at++) pthread_join(threads[at], NULL);
  CHECK(atomic_load(&torn) == 0 && gameconf_int(gc, "number", 0) == ROUNDS - 1);
  gameconf_close(gc);
}

static void held(void) {
  gameconf *gc = offline();
  const gameconf_view *views[5];
  for (int at = 0; at < 5; at++) {
    publish(gc, at + 1);
    views[at] = gameconf_acquire(gc);
  }
  publish(gc, 6);
  CHECK(gameconf_int(gc, "number", 0) == 6);
  /* Five older ones are held: the present one stays. */
  publish(gc, 7);
  publish(gc, 8);
  gameconf_update(gc);
  CHECK(gameconf_int(gc, "number", 0) == 6);
  for (int at = 0; at < 5; at++) CHECK(gameconf_view_int(views[at], "number", 0, NULL) == at + 1);
  gameconf_release(views[2]);
  gameconf_update(gc);
  CHECK(gameconf_int(gc, "number", 0) == 8 && gameconf_view_int(views[4], "number", 0, NULL) == 5);
  for (int at = 0; at < 5; at++)
    if (at != 2) gameconf_release(views[at]);
  gameconf_close(gc);
}

void view_tests(void) {
  TEST("threads read one moment each while the values change", many_threads);
  TEST("held views stay, and the newest values wait for one to be released", held);
}
