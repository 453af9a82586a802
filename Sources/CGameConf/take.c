/* Makes images the present ones, immediately or as soon as a view is free, and determines the state of the handle. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gcf_set_error(gameconf *gc, const char *says, const char *detail) {
  snprintf(gc->error, sizeof gc->error, "%s%s%.*s", says, detail ? ": " : "", detail ? 150 : 0, detail ? detail : "");
}

void gcf_set_state(gameconf *gc, int32_t state) {
  if (state == gc->state) return;
  gcf_change_note(&gc->changes, GAMECONF_CHANGE_CONNECTION, "", gc->state, state, 0);
  gc->state = state;
  gc->offline_since = state == GAMECONF_STATE_LIVE ? 0 : gcf_wall();
  if (state == GAMECONF_STATE_LIVE) atomic_fetch_and_explicit(&gc->view->flags, ~(uint32_t)GAMECONF_STALE, memory_order_relaxed);
  else atomic_fetch_or_explicit(&gc->view->flags, GAMECONF_STALE, memory_order_relaxed);
}

void gcf_take_image(gameconf *gc, void *memory, size_t size, uint32_t flags) {
  gcf_image image;
  memset(&image, 0, sizeof image);
  if (memory && gcf_image_check(&image, memory, size) != NULL) memset(&image, 0, sizeof image);
  image.size = size;
  gcf_take_checked(gc, &image, memory, flags);
}

void gcf_take_checked(gameconf *gc, const gcf_image *image, void *memory, uint32_t flags) {
  if (gc->waiting) gcf_memory_free(gc->waiting, gc->waiting_size, gc->waiting_is_mapped);
  gc->waiting = NULL;
  if (gcf_view_publish_checked(gc, image, memory, flags)) {
    gc->cache_is_due = !(flags & GAMECONF_STALE) && gc->cache != NULL;
    return;
  }
  gc->waiting = memory;
  gc->waiting_size = image->size;
  gc->waiting_is_mapped = (flags & GCF_MEMORY_IS_MAPPED) != 0;
}

void gcf_take_waiting(gameconf *gc) {
  void *memory = gc->waiting;
  if (!memory || !gcf_view_free(gc)) return;
  gc->waiting = NULL;
  gcf_take_image(gc, memory, gc->waiting_size, (gc->state == GAMECONF_STATE_LIVE ? 0 : GAMECONF_STALE) | (gc->waiting_is_mapped ? GCF_MEMORY_IS_MAPPED : 0));
}

const gcf_image *gcf_newest_image(gameconf *gc, gcf_image *scratch) {
  if (gc->waiting && gcf_image_check(scratch, gc->waiting, gc->waiting_size) == NULL) return scratch;
  return &gc->view->image;
}
