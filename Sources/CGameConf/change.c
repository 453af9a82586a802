/* What changed and was not read yet: one entry a name, the first old source and the last new one; and getters' misuse. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const gcf_changes *changes, uint32_t hash, int32_t kind, const char *name) {
  uint32_t mask = changes->slot_count - 1, slot = (hash + (uint32_t)kind) & mask;
  for (; changes->slots[slot]; slot = (slot + 1) & mask) {
    const gcf_change *row = &changes->rows[changes->slots[slot] - 1];
    if (row->hash == hash && row->kind == kind && strcmp(changes->names.bytes + row->name, name) == 0) break;
  }
  return slot;
}

static bool grow(gcf_changes *changes) {
  uint32_t capacity = changes->capacity ? changes->capacity * 2 : 64;
  gcf_change *rows = realloc(changes->rows, capacity * sizeof *rows);
  if (!rows) return false;
  changes->rows = rows;
  uint32_t *slots = calloc(capacity * 2, sizeof *slots);
  if (!slots) return false;
  free(changes->slots);
  changes->capacity = capacity;
  changes->slots = slots;
  changes->slot_count = capacity * 2;
  for (uint32_t at = changes->head; at < changes->count; at++) {
    const gcf_change *row = &changes->rows[at];
    slots[slot_of(changes, row->hash, row->kind, changes->names.bytes + row->name)] = at + 1;
  }
  return true;
}

/* With the hash and the length that an image has of a key: of thousands, neither is found out again. */
static void note(gcf_changes *changes, int32_t kind, const char *name, size_t length, uint32_t hash, int32_t old_source, int32_t new_source,
                 uint32_t flags) {
  if (changes->count == changes->capacity && (changes->capacity >= GCF_CHANGES_MAX || !grow(changes))) return;
  uint32_t slot = slot_of(changes, hash, kind, name);
  if (changes->slots[slot] > changes->head) {
    changes->rows[changes->slots[slot] - 1].new_source = new_source;
    changes->rows[changes->slots[slot] - 1].flags = flags;
    return;
  }
  size_t place = changes->names.used;
  gcf_put(&changes->names, name, length + 1);
  if (changes->names.failed) {
    changes->names.failed = false;
    return;
  }
  changes->rows[changes->count++] = (gcf_change){place, hash, flags, kind, old_source, new_source};
  changes->slots[slot] = changes->count;
}

void gcf_change_note(gcf_changes *changes, int32_t kind, const char *name, int32_t old_source, int32_t new_source, uint32_t flags) {
  size_t length = strlen(name);
  note(changes, kind, name, length, gcf_hash(name, length), old_source, new_source, flags);
}

void gcf_changes_free(gcf_changes *changes) {
  free(changes->rows);
  free(changes->slots);
  gcf_buffer_free(&changes->names);
  memset(changes, 0, sizeof *changes);
}

bool gameconf_next_change(gameconf *gc, gameconf_change *change) {
  if (!gc || !change) return false;
  memset(change, 0, sizeof *change);
  change->name = "";
  gcf_changes *changes = &gc->changes;
  if (changes->head == changes->count) return false;
  const gcf_change *row = &changes->rows[changes->head++];
  change->kind = row->kind;
  change->old_source = row->old_source;
  change->new_source = row->new_source;
  change->flags = row->flags;
  change->name = changes->names.bytes + row->name;
  if (changes->head == changes->count) {
    changes->head = changes->count = 0;
    changes->names.used = 0; /* the bytes stay until something new is noted */
    memset(changes->slots, 0, changes->slot_count * sizeof *changes->slots);
  }
  return true;
}

static void marks_between(
    gameconf *gc, int32_t kind, const gcf_image *before, const gcf_records *old, const gcf_image *after, const gcf_records *new) {
  for (int pass = 0; pass < 2; pass++) {
    const gcf_records *from = pass ? new : old, *other = pass ? old : new;
    const gcf_image *image = pass ? after : before, *other_image = pass ? before : after;
    for (uint32_t at = 0; at < from->count; at++) {
      const uint8_t *record = gcf_record(from, at);
      gcf_text id;
      memcpy(&id, record, sizeof id);
      const char *name = gcf_text_of(image, id, NULL);
      if (!*name) continue;
      const uint8_t *twin = gcf_record_named(other_image, other, name);
      bool themes = kind == GAMECONF_CHANGE_THEME;
      uint32_t flag = themes ? ((const gcf_mark *)(const void *)record)->flags & 1 : 1;
      uint32_t twin_flag = !twin ? 0 : themes ? ((const gcf_mark *)(const void *)twin)->flags & 1 : 1;
      bool moved = twin && kind == GAMECONF_CHANGE_ENTITLEMENT &&
                   ((const gcf_entitlement *)(const void *)record)->until != ((const gcf_entitlement *)(const void *)twin)->until;
      /* What is in both is told in the second pass. */
      if (pass == 0 && !twin && flag) gcf_change_note(&gc->changes, kind, name, 1, 0, 0);
      if (pass == 1 && (flag != twin_flag || moved)) gcf_change_note(&gc->changes, kind, name, (int32_t)twin_flag, (int32_t)flag, 0);
    }
  }
}

void gcf_changes_between(gameconf *gc, const gcf_image *before, const gcf_image *after) {
  uint32_t kept = 0;
  for (uint32_t at = 0; at < after->entries.count; at++) {
    const gcf_entry *entry = gcf_entry_at(after, at);
    uint32_t length, old_length;
    const char *key = gcf_text_of(after, entry->key, &length);
    const gcf_image *image = before;
    /* Most often it stands where it stood. */
    const gcf_entry *old = at < before->entries.count ? gcf_entry_at(before, at) : NULL;
    const char *old_key = old && old->hash == entry->hash ? gcf_text_of(before, old->key, &old_length) : NULL;
    if (!old_key || old_length != length || memcmp(old_key, key, length) != 0) old = gcf_image_find(before, key, length, entry->hash);
    kept += old != NULL;
    if (!old && gc->defaults.bytes) old = gcf_image_find(image = &gc->defaults, key, length, entry->hash);
    if (old && old->source == entry->source && gcf_same_value(image, old, after, entry)) continue;
    note(&gc->changes, GAMECONF_CHANGE_KEY, key, length, entry->hash, old ? old->source : 0, entry->source, entry->flags & 15);
  }
  for (uint32_t at = 0; kept < before->entries.count && at < before->entries.count; at++) {
    const gcf_entry *entry = gcf_entry_at(before, at);
    uint32_t length;
    const char *key = gcf_text_of(before, entry->key, &length);
    if (gcf_image_find(after, key, length, entry->hash)) continue;
    const gcf_entry *embedded = gc->defaults.bytes ? gcf_image_find(&gc->defaults, key, length, entry->hash) : NULL;
    gcf_change_note(&gc->changes, GAMECONF_CHANGE_KEY, key, entry->source, embedded ? embedded->source : 0, 0);
  }
  marks_between(gc, GAMECONF_CHANGE_THEME, before, &before->themes, after, &after->themes);
  marks_between(gc, GAMECONF_CHANGE_ENTITLEMENT, before, &before->entitlements, after, &after->entitlements);
  marks_between(gc, GAMECONF_CHANGE_PRODUCT, before, &before->products, after, &after->products);
}

void gcf_misuse_note(const gameconf_view *view, int32_t kind, const char *name) {
  gameconf *gc = view->owner;
  if (!view->image.bytes && !gc->defaults.bytes) return; /* nothing is known yet, so nothing is wrong */
  size_t length = strlen(name);
  uint32_t hash = gcf_hash(name, length) ^ (uint32_t)kind;
  for (int at = 0; at < GCF_MISUSES; at++) {
    gcf_misuse *misuse = &gc->misuses[at];
    uint32_t state = atomic_load_explicit(&misuse->state, memory_order_acquire);
    if (state == 0) {
      if (!atomic_compare_exchange_strong_explicit(&misuse->state, &state, 1, memory_order_acq_rel, memory_order_acquire)) {
        at--; /* another thread was faster: look at what it writes */
        continue;
      }
      misuse->hash = hash;
      misuse->kind = kind;
      size_t kept = length < GCF_MISUSE_NAME ? length : GCF_MISUSE_NAME - 1;
      memcpy(misuse->name, name, kept);
      misuse->name[kept] = 0;
      atomic_store_explicit(&misuse->state, 2, memory_order_release);
      atomic_store_explicit(&gc->misuse_pending, 1, memory_order_release);
      return;
    }
    if (state >= 2 && misuse->hash == hash) return;
  }
}

void gcf_misuses_tell(gameconf *gc) {
  if (!atomic_exchange_explicit(&gc->misuse_pending, 0, memory_order_acq_rel)) return;
  for (int at = 0; at < GCF_MISUSES; at++) {
    gcf_misuse *misuse = &gc->misuses[at];
    if (atomic_load_explicit(&misuse->state, memory_order_acquire) != 2) continue;
    gcf_change_note(&gc->changes, misuse->kind, misuse->name, 0, 0, 0);
    atomic_store_explicit(&misuse->state, 3, memory_order_release);
  }
}
