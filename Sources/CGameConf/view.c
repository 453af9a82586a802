/* Views: which values are present, which older ones are acquired, and when they can be freed. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* `current` has the index of the present view in its high bits and the number of its acquisitions in its low bits, so that acquiring is
 * a single atomic addition. When another view becomes the present one, both are exchanged together. The old view can be freed once it
 * was released as often as it was acquired. */
enum { GCF_INDEX_SHIFT = 48 };

gameconf_view *gcf_view_free(gameconf *gc) {
  gcf_views_reclaim(gc);
  for (int at = 0; at < GCF_VIEWS && !gc->diff.former; at++) /* one comparison at a time */
    if (!gc->views[at].used) return &gc->views[at];
  return NULL;
}

void gcf_view_discard(gameconf_view *view) {
  if (view->memory) gcf_memory_free(view->memory, view->size, view->is_mapped);
  free(view->places);
  view->memory = NULL;
  view->places = NULL;
  view->place_count = 0;
  memset(&view->image, 0, sizeof view->image);
  view->used = false;
}

void gcf_views_reclaim(gameconf *gc) {
  for (int at = 0; at < GCF_VIEWS; at++) {
    gameconf_view *view = &gc->views[at];
    if (view->used && view != gc->view && view != gc->diff.former && atomic_load_explicit(&view->released, memory_order_acquire) == view->acquired)
      gcf_view_discard(view);
  }
}

/* Resolves all key handles for a view. The view gets a copy, because other threads read it while handles are added. */
static void resolve_places(gameconf *gc, gameconf_view *view) {
  if (gc->place_count == 0) return;
  for (uint32_t at = 1; at < gc->place_count; at++) gc->places[at] = gcf_view_find(view, gc->names[at]);
  view->places = malloc(gc->place_count * sizeof *view->places);
  if (!view->places) return; /* the getters then look up names */
  memcpy(view->places, gc->places, gc->place_count * sizeof *view->places);
  view->place_count = gc->place_count;
}

bool gcf_view_publish(gameconf *gc, void *memory, size_t size, uint32_t flags) {
  gcf_image image;
  memset(&image, 0, sizeof image);
  if (memory && gcf_image_check(&image, memory, size) != NULL) memset(&image, 0, sizeof image);
  image.size = size;
  return gcf_view_publish_checked(gc, &image, memory, flags);
}

bool gcf_view_publish_checked(gameconf *gc, const gcf_image *image, void *memory, uint32_t flags) {
  gameconf_view *view = gcf_view_free(gc);
  if (!view) return false;
  view->owner = gc;
  view->memory = memory;
  view->size = image->size;
  view->is_mapped = (flags & GCF_MEMORY_IS_MAPPED) != 0;
  view->image = *image;
  atomic_store_explicit(&view->flags, flags & ~GCF_MEMORY_IS_MAPPED, memory_order_relaxed);
  atomic_store_explicit(&view->released, 0, memory_order_relaxed);
  view->acquired = 0;
  view->used = true;
  resolve_places(gc, view);
  uint64_t old = atomic_exchange_explicit(&gc->current, (uint64_t)(view - gc->views) << GCF_INDEX_SHIFT, memory_order_acq_rel);
  gameconf_view *former = gc->view;
  gc->view = view;
  if (former) {
    former->acquired = old & (((uint64_t)1 << GCF_INDEX_SHIFT) - 1);
    if (!gc->is_opening) gc->diff.former = former;
    gcf_changes_go_on(gc, GCF_DIFF_RECORDS);
  }
  gcf_views_reclaim(gc);
  return true;
}

const gameconf_view *gameconf_acquire(gameconf *gc) {
  if (!gc) return NULL;
  return &gc->views[atomic_fetch_add_explicit(&gc->current, 1, memory_order_acq_rel) >> GCF_INDEX_SHIFT];
}

void gameconf_release(const gameconf_view *view) {
  if (view) atomic_fetch_add_explicit(&((gameconf_view *)(uintptr_t)view)->released, 1, memory_order_release);
}

gameconf_key gameconf_find(gameconf *gc, const char *key) {
  if (!gc || !key || strlen(key) > UINT16_MAX) return 0;
  uint32_t count = atomic_load_explicit(&gc->name_count, memory_order_relaxed);
  for (uint32_t at = 1; at <= count; at++)
    if (strcmp(gc->names[at], key) == 0) return at;
  if (count == GCF_KEYS_MAX) return 0;
  gcf_place *places = realloc(gc->places, (count + 2) * sizeof *places);
  if (places) gc->places = places;
  char *name = places ? gcf_copy(key) : NULL;
  if (!name) return 0;
  gc->names[count + 1] = name;
  memset(&places[0], 0, sizeof places[0]);
  places[count + 1] = gcf_view_find(gc->view, name);
  gc->place_count = count + 2;
  atomic_store_explicit(&gc->name_count, count + 1, memory_order_release);
  return count + 1;
}
