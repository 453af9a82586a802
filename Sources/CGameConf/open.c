/* Opens and closes handles, and changes the caller. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_player(const char *player) {
  size_t length = strlen(player);
  if (length < 1 || length > 256 || !gcf_is_utf8(player, length)) return false;
  if (strcmp(player, ".") == 0 || strcmp(player, "..") == 0) return false; /* clients remove such segments from paths */
  for (size_t at = 0; at < length; at++) {
    unsigned char c = (unsigned char)player[at];
    if (c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)player[at + 1] < 0xa0)) return false;
  }
  return true;
}

static bool is_name(const char *text, size_t most) {
  size_t length = strlen(text);
  if (length < 1 || length > most) return false;
  for (size_t at = 0; at < length; at++) {
    char c = text[at];
    if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || (c == '.' && at > 0)))
      return false;
  }
  return true;
}

static bool is_context(const char *json) {
  size_t length = strlen(json);
  const char *p = json;
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  const char *value;
  size_t value_length;
  return length <= 2048 && *p == '{' && gcf_json_is_valid(json, length) && !gcf_json_find(json, length, "/locale", &value, &value_length) &&
         !gcf_json_find(json, length, "/targetingKey", &value, &value_length);
}

/* Replaces a field by a copy of the text. */
static int replace(char **field, const char *text) {
  char *copy = gcf_copy(text);
  if (text && !copy) return -ENOMEM;
  free(*field);
  *field = copy;
  return 0;
}

/* Determines the folder of mapped images: from the options, the environment, or beside the socket. */
static int take_images(gameconf *gc, const char *images) {
  if (gc->options & GAMECONF_OFFLINE) return 0;
  if (!images) images = getenv("GAMECONF_IMAGES");
  if (images) return *images ? replace(&gc->images, images) : 0;
  const char *end = strrchr(gc->socket, '/');
  if (!end) return 0;
  size_t length = (size_t)(end - gc->socket);
  gc->images = malloc(length + sizeof "/images");
  if (!gc->images) return -ENOMEM;
  memcpy(gc->images, gc->socket, length);
  memcpy(gc->images + length, "/images", sizeof "/images");
  return 0;
}

static int take_options(gameconf *gc, const gameconf_options *given) {
  gameconf_options options;
  memset(&options, 0, sizeof options);
  static const uint8_t ends[] = {
      GCF_END(gameconf_options, game),  GCF_END(gameconf_options, player),   GCF_END(gameconf_options, locale),        GCF_END(gameconf_options, context),
      GCF_END(gameconf_options, socket), GCF_END(gameconf_options, cache), GCF_END(gameconf_options, defaults), GCF_END(gameconf_options, defaults_size),
      GCF_END(gameconf_options, flags), GCF_END(gameconf_options, images)};
  if (!gcf_is_size(given->size, ends, sizeof ends)) return -EINVAL;
  memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
  if (!options.game || !is_name(options.game, 63)) return -EINVAL;
  if ((options.player && !is_player(options.player)) || (options.locale && !is_name(options.locale, 64)) ||
      (options.context && !is_context(options.context)))
    return -EINVAL;
  const char *socket = options.socket ? options.socket : getenv("GAMECONF_SOCKET");
  if (!socket || !*socket) socket = "/run/gameconfd/games.sock";
  gc->options = options.flags;
  int error = replace(&gc->game, options.game);
  if (!error) error = replace(&gc->player, options.player);
  if (!error) error = replace(&gc->locale, options.locale);
  if (!error) error = replace(&gc->context, options.context);
  if (!error) error = replace(&gc->socket, socket);
  if (!error) error = replace(&gc->cache, options.cache);
  if (!error) error = take_images(gc, options.images);
  if (error || !options.defaults) return error;
  const void *bytes = options.defaults;
  if ((uintptr_t)bytes % 8 != 0 && options.defaults_size <= GCF_IMAGE_BYTES_MAX) {
    gc->defaults_memory = malloc(options.defaults_size + 1);
    if (!gc->defaults_memory) return -ENOMEM;
    memcpy(gc->defaults_memory, bytes, options.defaults_size);
    bytes = gc->defaults_memory;
  }
  const char *wrong = gcf_image_check(&gc->defaults, bytes, options.defaults_size);
  if (wrong) {
    memset(&gc->defaults, 0, sizeof gc->defaults);
    gcf_set_error(gc, "the embedded defaults", wrong);
  }
  return 0;
}

static void open_queue(gameconf *gc) {
  int32_t lost = 0;
  int error = gcf_queue_open(&gc->queue, gc->cache, gc->game, &lost);
  if (error) gcf_set_error(gc, "the queue is in memory only", gc->queue.why = strerror(-error));
  gc->queue_survived = gc->cache != NULL; /* a game that names a folder expects this state */
}

int gameconf_open(gameconf **out, const gameconf_options *options) {
  if (!out) return -EINVAL;
  *out = NULL;
  if (!options) return -EINVAL;
  gameconf *gc = calloc(1, sizeof *gc);
  if (!gc) return -ENOMEM;
  gc->poll_fd = -1;
  gc->queue.fd = -1;
  gcf_link_begin(&gc->stream);
  gcf_link_begin(&gc->calls);
  gcf_http_begin(&gc->calls.http);
  int error = take_options(gc, options);
  if (!error && !(gc->read_buffer = malloc(64 << 10))) error = -ENOMEM;
  if (!error && !(gc->options & GAMECONF_OFFLINE) && (gc->poll_fd = gcf_poll_open()) < 0) error = -errno;
  if (!error) {
    gc->state = gc->defaults.bytes ? GAMECONF_STATE_DEFAULTS : GAMECONF_STATE_NONE;
    gc->offline_since = gcf_wall();
    gcf_view_publish(gc, NULL, 0, GAMECONF_STALE | (gc->player ? (uint32_t)GAMECONF_PENDING : 0));
    gcf_fork_watch(gc);
    open_queue(gc);
    if (!gc->queue.head) error = -ENOMEM;
  }
  if (error) {
    gameconf_close(gc);
    return error;
  }
  /* Prefers values of this very caller to those without a player, and present values to cached ones. */
  bool is_everybody = !gc->player && !gc->locale && !gc->context;
  gcf_map_begin(gc);
  gc->is_opening = true;
  bool known = (!is_everybody && gcf_cache_load(gc, false)) || gcf_map_open(gc);
  if (!known && !(is_everybody && gcf_cache_load(gc, false))) gcf_cache_load(gc, true);
  gc->is_opening = false;
  /* Values that exist when the handle is opened are not changes. */
  gameconf_change change;
  while (gameconf_next_change(gc, &change)) {}
  if (gc->queue.head->lost) gcf_change_note(&gc->changes, GAMECONF_CHANGE_QUEUE_LOST, "", 0, gc->queue.head->lost, 0);
  gcf_queue_tell(gc);
  *out = gc;
  return 0;
}

static void free_taken(gameconf *gc) {
  free(gc->taken.player);
  free(gc->taken.body);
  for (uint32_t at = 0; at < gc->taken_count; at++) free(gc->taken_texts[at]);
  free(gc->taken_texts);
  memset(&gc->taken, 0, sizeof gc->taken);
  gc->taken_texts = NULL;
  gc->taken_count = 0;
}

void gameconf_close(gameconf *gc) {
  if (!gc) return;
  bool forked = gc->view && gcf_fork_noticed(gc);
  if (gc->view && !forked) gcf_cache_save(gc);
  gcf_cache_forget(gc);
  gcf_map_close(gc);
  gcf_link_close(gc, &gc->stream);
  gcf_link_close(gc, &gc->calls);
  gcf_buffer_free(&gc->stream.out);
  gcf_buffer_free(&gc->calls.out);
  gcf_buffer_free(&gc->body);
  gcf_frames_reset(&gc->frames);
  if (gc->poll_fd >= 0) close(gc->poll_fd);
  if (gc->queue.head && !forked) gcf_queue_keep(&gc->queue, gc->cache, gc->game);
  gcf_queue_close(&gc->queue);
  gcf_answers_free(gc);
  free_taken(gc);
  for (int at = 0; at < GCF_VIEWS; at++)
    if (gc->views[at].used) gcf_view_discard(&gc->views[at]);
  for (uint32_t at = 1; at <= atomic_load(&gc->name_count); at++) free(gc->names[at]);
  gcf_changes_free(&gc->changes);
  free(gc->diff.slots);
  gcf_fork_unwatch(gc);
  char *texts[] = {gc->game, gc->player, gc->locale, gc->context, gc->play, gc->socket, gc->cache, gc->images};
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) free(texts[at]);
  free(gc->places);
  if (gc->waiting) gcf_memory_free(gc->waiting, gc->waiting_size, gc->waiting_is_mapped);
  free(gc->read_buffer);
  free(gc->defaults_memory);
  free(gc);
}

const char *gameconf_version(void) { return GAMECONF_VERSION; }

/* Switches to the changed caller. The former player's layer is removed immediately; the new one comes from the stream. */
static int caller_changed(gameconf *gc, char **field, const char *text, bool leaves_player) {
  if (*field && text ? strcmp(*field, text) == 0 : *field == text) return 0;
  size_t size = 0;
  void *shared = NULL;
  gcf_image scratch;
  const gcf_image *newest = gcf_newest_image(gc, &scratch);
  if (leaves_player && newest->bytes && !(shared = gcf_image_without_player(newest, &size))) return -ENOMEM;
  gcf_cache_keep(gc);
  int error = replace(field, text);
  if (error) {
    free(shared);
    return error;
  }
  uint32_t pending = GAMECONF_STALE | GAMECONF_PENDING;
  gcf_changes_go_on(gc, INT64_MAX);
  if (leaves_player) gcf_take_image(gc, shared, size, pending);
  else atomic_fetch_or_explicit(&gc->view->flags, pending, memory_order_relaxed);
  if (gc->state == GAMECONF_STATE_LIVE) gcf_set_state(gc, GAMECONF_STATE_CACHED);
  gc->cache_is_due = gc->image_is_live = gc->map.serves = false;
  gcf_stream_restart(gc);
  return 0;
}

int gameconf_set_player(gameconf *gc, const char *player) {
  if (!gc || (player && !is_player(player))) return -EINVAL;
  return caller_changed(gc, &gc->player, player, true);
}

int gameconf_set_locale(gameconf *gc, const char *locale) {
  if (!gc || (locale && !is_name(locale, 64))) return -EINVAL;
  return caller_changed(gc, &gc->locale, locale, false);
}

int gameconf_set_context(gameconf *gc, const char *json) {
  if (!gc || (json && !is_context(json))) return -EINVAL;
  return caller_changed(gc, &gc->context, json, false);
}

int gameconf_set_play(gameconf *gc, const char *play) {
  if (!gc || (play && !is_name(play, 128))) return -EINVAL;
  return caller_changed(gc, &gc->play, play, false);
}
