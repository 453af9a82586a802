/* The getters of handles and of views, by name and by key handle. */
#include "internal.h"

#include <assert.h>
#include <string.h>

/* A cache of recent lookups, indexed by the address of the name: games pass the same string literals, so most lookups need no hash. A
 * cached entry is used only if its key equals the text, so any thread may write any index without a lock. */
static inline _Atomic uint64_t *recent(const gameconf_view *view, const char *key, uint64_t *mark) {
  uint64_t mixed = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  *mark = mixed << 32;
  return &view->owner->recent[mixed >> 55];
}
static_assert(GCF_RECENT == 1 << (64 - 55), "as many as the shift leaves");

gcf_place gcf_view_find(const gameconf_view *view, const char *key) {
  uint64_t mark;
  _Atomic uint64_t *known = recent(view, key, &mark);
  uint64_t said = atomic_load_explicit(known, memory_order_relaxed);
  uint32_t number = (uint32_t)said;
  if (number && said - number == mark && number <= view->image.entries.count) {
    const gcf_entry *entry = gcf_entry_at(&view->image, number - 1);
    uint32_t own;
    const char *name = gcf_text_of(&view->image, entry->key, &own);
    if (own > 0 && strcmp(name, key) == 0) return (gcf_place){entry, &view->image};
  }
  size_t length = strlen(key);
  uint32_t hash = gcf_hash(key, length);
  gcf_place place = {gcf_image_find(&view->image, key, length, hash), &view->image};
  /* Entries of a newer minor version may be longer. They are looked up without the cache. */
  if (place.entry && view->image.entries.stride == sizeof(gcf_entry)) {
    size_t at = (size_t)((const uint8_t *)place.entry - view->image.entries.first) / sizeof(gcf_entry);
    atomic_store_explicit(known, mark | (at + 1), memory_order_relaxed);
  }
  if (!place.entry && view->owner->defaults.bytes) {
    place.image = &view->owner->defaults;
    place.entry = gcf_image_find(place.image, key, length, hash);
  }
  return place;
}

static gcf_place at(const gameconf_view *view, gameconf_key key) {
  if (key < view->place_count) return view->places[key];
  gcf_place none = {NULL, NULL};
  if (key == 0 || key > atomic_load_explicit(&view->owner->name_count, memory_order_acquire)) return none;
  return gcf_view_find(view, view->owner->names[key]); /* the handle is newer than the view */
}

static uint32_t flags_of(const gameconf_view *view, const gcf_place *place) {
  uint32_t flags = atomic_load_explicit(&view->flags, memory_order_relaxed);
  if (!place->entry) return flags & ~(uint32_t)GAMECONF_STALE;
  uint32_t own = place->entry->flags & (GAMECONF_VARIES | GAMECONF_OVERRIDDEN | GAMECONF_DEGRADED | GAMECONF_TIME_DEPENDENT);
  return flags | own | (place->image == &view->image ? 0 : (uint32_t)GAMECONF_EMBEDDED | GAMECONF_STALE);
}

static void tell(gameconf_info *info, const gameconf_view *view, const gcf_place *place, bool fits) {
  memset(info, 0, sizeof *info);
  info->variant = "";
  if (!view) return;
  info->flags = flags_of(view, place);
  const gcf_entry *entry = place->entry;
  if (!entry) return;
  info->type = entry->type;
  info->revision = entry->revision;
  info->next_change_at = entry->next_change_at;
  if (!fits) return;
  info->source = entry->source;
  info->reason = entry->reason;
  info->variant = gcf_text_of(place->image, entry->variant, NULL);
  if (entry->kind == GCF_STRING || entry->kind == GCF_JSON) {
    uint32_t length;
    gcf_text_of(place->image, entry->value.text, &length);
    info->length = length;
  }
}

static bool read_bool(const gcf_place *place, bool *value) {
  if (place->entry->kind != GCF_BOOLEAN) return false;
  *value = place->entry->value.word != 0;
  return true;
}

static bool read_int(const gcf_place *place, int64_t *value) {
  if (place->entry->kind == GCF_INTEGER) {
    *value = place->entry->value.integer;
    return true;
  }
  double real = place->entry->value.real;
  if (place->entry->kind != GCF_DOUBLE || !(real >= -9223372036854775808.0 && real < 9223372036854775808.0)) return false;
  *value = (int64_t)real;
  return (double)*value == real;
}

static bool read_double(const gcf_place *place, double *value) {
  if (place->entry->kind == GCF_DOUBLE) {
    *value = place->entry->value.real;
    return true;
  }
  if (place->entry->kind != GCF_INTEGER) return false;
  *value = (double)place->entry->value.integer;
  return true;
}

static bool read_text(const gcf_place *place, const char **value, uint8_t kind) {
  if (place->entry->kind != kind) return false;
  *value = gcf_text_of(place->image, place->entry->value.text, NULL);
  return true;
}

static bool read_string(const gcf_place *place, const char **value) { return read_text(place, value, GCF_STRING); }
static bool read_json(const gcf_place *place, const char **value) { return read_text(place, value, GCF_JSON); }

#if defined(__GNUC__)
#define RARELY __attribute__((noinline))
#else
#define RARELY
#endif

RARELY static void misused(const gameconf_view *view, const gcf_entry *entry, const char *key) {
  gcf_misuse_note(view, entry ? GAMECONF_CHANGE_WRONG_TYPE : GAMECONF_CHANGE_UNKNOWN_KEY, key);
}

RARELY static void misused_at(const gameconf_view *view, const gcf_entry *entry, gameconf_key key) {
  uint32_t count = atomic_load_explicit(&view->owner->name_count, memory_order_acquire);
  if (key > 0 && key <= count) misused(view, entry, view->owner->names[key]);
}

/* The getters for use thousands of times a frame are inlined. Those with gameconf_info share one implementation for handles and views. */
#define GETTERS(kind, type)                                                                                                     \
  static inline type kind##_at_in(const gameconf_view *view, gcf_place place, gameconf_key key, type fallback) {                \
    type value = fallback;                                                                                                      \
    if (place.entry && read_##kind(&place, &value)) return value;                                                               \
    misused_at(view, place.entry, key);                                                                                         \
    return fallback;                                                                                                            \
  }                                                                                                                             \
  type gameconf_##kind(const gameconf *gc, const char *key, type fallback) {                                                    \
    if (!gc || !key) return fallback;                                                                                           \
    gcf_place place = gcf_view_find(gc->view, key);                                                                             \
    type value = fallback;                                                                                                      \
    if (place.entry && read_##kind(&place, &value)) return value;                                                               \
    misused(gc->view, place.entry, key);                                                                                        \
    return fallback;                                                                                                            \
  }                                                                                                                             \
  type gameconf_##kind##_at(const gameconf *gc, gameconf_key key, type fallback) {                                              \
    if (!gc || key >= gc->place_count) return fallback;                                                                         \
    return kind##_at_in(gc->view, gc->places[key], key, fallback);                                                              \
  }                                                                                                                             \
  type gameconf_view_##kind(const gameconf_view *view, const char *key, type fallback, gameconf_info *info) {                   \
    gcf_place place = {NULL, NULL};                                                                                             \
    type value = fallback;                                                                                                      \
    bool fits = false;                                                                                                          \
    if (view && key) {                                                                                                          \
      place = gcf_view_find(view, key);                                                                                         \
      fits = place.entry && read_##kind(&place, &value);                                                                        \
      if (!fits) misused(view, place.entry, key);                                                                               \
    }                                                                                                                           \
    if (info) tell(info, key ? view : NULL, &place, fits);                                                                      \
    return fits ? value : fallback;                                                                                             \
  }                                                                                                                             \
  type gameconf_##kind##_info(const gameconf *gc, const char *key, type fallback, gameconf_info *info) {                        \
    return gameconf_view_##kind(gc ? gc->view : NULL, key, fallback, info);                                                     \
  }

GETTERS(bool, bool)
GETTERS(int, int64_t)
GETTERS(double, double)
GETTERS(string, const char *)
GETTERS(json, const char *)

bool gameconf_view_bool_at(const gameconf_view *view, gameconf_key key, bool fallback) {
  return view ? bool_at_in(view, at(view, key), key, fallback) : fallback;
}
int64_t gameconf_view_int_at(const gameconf_view *view, gameconf_key key, int64_t fallback) {
  return view ? int_at_in(view, at(view, key), key, fallback) : fallback;
}
double gameconf_view_double_at(const gameconf_view *view, gameconf_key key, double fallback) {
  return view ? double_at_in(view, at(view, key), key, fallback) : fallback;
}
const char *gameconf_view_string_at(const gameconf_view *view, gameconf_key key, const char *fallback) {
  return view ? string_at_in(view, at(view, key), key, fallback) : fallback;
}

const char *gameconf_key_name(const gameconf *gc, uint32_t place) {
  if (!gc) return NULL;
  const gcf_image *image = gc->view->image.bytes ? &gc->view->image : &gc->defaults;
  return place < image->entries.count ? gcf_text_of(image, gcf_entry_at(image, place)->key, NULL) : NULL;
}
