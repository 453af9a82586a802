/* The queue of changes: one entry for each name, from its first old source to its last new one. It also reports wrong uses of getters. */
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

/* Takes the hash and the length that the image has for a key, because computing them for thousands of keys takes too long. */
static void note(gcf_changes *changes, int32_t kind, const char *name, size_t length, uint32_t hash, int32_t old_source, int32_t new_source,
                 uint32_t flags) {
  /* Changes of the queue are always recorded, even if the game reads no changes and the limit is reached. */
  bool is_full = changes->capacity >= GCF_CHANGES_MAX && kind < GAMECONF_CHANGE_CLIENT;
  if (changes->count == changes->capacity && (is_full || !grow(changes))) return;
  uint32_t slot = slot_of(changes, hash, kind, name);
  if (changes->slots[slot] > changes->head) {
    gcf_change *row = &changes->rows[changes->slots[slot] - 1];
    if (kind == GAMECONF_CHANGE_REFUSED) row->old_source += old_source;
    row->new_source = new_source;
    row->flags = flags;
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
  if (row->kind == GAMECONF_CHANGE_QUEUE_LOST && !gcf_fork_noticed(gc)) {
    gc->queue.head->lost = 0; /* the game has been notified */
    gcf_queue_save(&gc->queue);
  }
  if (changes->head == changes->count) {
    changes->head = changes->count = 0;
    changes->names.used = 0; /* the names stay readable until the next change is recorded */
    memset(changes->slots, 0, changes->slot_count * sizeof *changes->slots);
  }
  return true;
}

/* The phases of a comparison: present entries, then removed entries, then each kind of record. For records, the former ones are put into
 * a hash table, the present ones are looked up in it, and those that were not found are reported as removed. */
enum { ENTRIES, GONE, MARKS, TABLE = 0, PRESENT = 1, FORMER = 2, SEEN = 1u << 31 };

static uint32_t note_entry(gameconf *gc, const gcf_image *before, const gcf_image *after, uint32_t at) {
  const gcf_entry *entry = gcf_entry_at(after, at);
  uint32_t length, old_length;
  const char *key = gcf_text_of(after, entry->key, &length);
  const gcf_image *image = before;
  /* Usually the entry is at the same index as before. */
  const gcf_entry *old = at < before->entries.count ? gcf_entry_at(before, at) : NULL;
  const char *old_key = old && old->hash == entry->hash ? gcf_text_of(before, old->key, &old_length) : NULL;
  if (!old_key || old_length != length || memcmp(old_key, key, length) != 0) old = gcf_image_find(before, key, length, entry->hash);
  uint32_t kept = old != NULL;
  if (!old && gc->defaults.bytes) old = gcf_image_find(image = &gc->defaults, key, length, entry->hash);
  if (!old || old->source != entry->source || !gcf_same_value(image, old, after, entry))
    note(&gc->changes, GAMECONF_CHANGE_KEY, key, length, entry->hash, old ? old->source : 0, entry->source, entry->flags & 15);
  return kept;
}

static void note_gone(gameconf *gc, const gcf_image *before, const gcf_image *after, uint32_t at) {
  const gcf_entry *entry = gcf_entry_at(before, at);
  uint32_t length;
  const char *key = gcf_text_of(before, entry->key, &length);
  if (gcf_image_find(after, key, length, entry->hash)) return;
  const gcf_entry *embedded = gc->defaults.bytes ? gcf_image_find(&gc->defaults, key, length, entry->hash) : NULL;
  gcf_change_note(&gc->changes, GAMECONF_CHANGE_KEY, key, entry->source, embedded ? embedded->source : 0, 0);
}

static const char *id_of(const gcf_image *image, const gcf_records *records, uint32_t at) {
  gcf_text id;
  memcpy(&id, gcf_record(records, at), sizeof id);
  return gcf_text_of(image, id, NULL);
}

/* Returns the slot of the hash table for a former record of this name. Each probe is subtracted from the budget. */
static uint32_t *slot_in(const gcf_diff *diff, const gcf_image *before, const gcf_records *old, const char *name, int64_t *budget) {
  uint32_t slot = gcf_hash(name, strlen(name)) & diff->mask;
  for (; diff->slots[slot]; slot = (slot + 1) & diff->mask, --*budget)
    if (strcmp(id_of(before, old, (diff->slots[slot] & ~SEEN) - 1), name) == 0) break;
  return &diff->slots[slot];
}

static int32_t flag_of(int32_t kind, const void *record) {
  return kind == GAMECONF_CHANGE_THEME ? (int32_t)(((const gcf_mark *)record)->flags & 1) : 1;
}

static void note_mark(gameconf *gc, int32_t kind, int pass, const gcf_image *before, const gcf_records *old, const gcf_image *after,
                      const gcf_records *present, uint32_t at, int64_t *budget) {
  const char *name = pass == PRESENT ? id_of(after, present, at) : id_of(before, old, at);
  if (!*name) return;
  uint32_t *slot = slot_in(&gc->diff, before, old, name, budget);
  if (pass == TABLE) {
    if (!*slot) *slot = at + 1;
  } else if (pass == FORMER) {
    if (!(*slot & SEEN) && flag_of(kind, gcf_record(old, at))) gcf_change_note(&gc->changes, kind, name, 1, 0, 0);
    *slot |= SEEN;
  } else {
    const void *record = gcf_record(present, at), *twin = *slot ? gcf_record(old, (*slot & ~SEEN) - 1) : NULL;
    int32_t flag = flag_of(kind, record), twin_flag = twin ? flag_of(kind, twin) : 0;
    bool is_moved = twin && kind == GAMECONF_CHANGE_ENTITLEMENT &&
                    ((const gcf_entitlement *)record)->until != ((const gcf_entitlement *)twin)->until;
    if (*slot) *slot |= SEEN;
    if (flag != twin_flag || is_moved) gcf_change_note(&gc->changes, kind, name, twin_flag, flag, 0);
  }
}

static bool has_table(gcf_diff *diff, uint32_t count) {
  diff->mask = 1;
  while (diff->mask < 2 * (uint64_t)count) diff->mask = diff->mask * 2 + 1;
  free(diff->slots);
  diff->slots = calloc((size_t)diff->mask + 1, sizeof *diff->slots);
  return diff->slots != NULL;
}

void gcf_changes_go_on(gameconf *gc, int64_t budget) {
  gcf_diff *diff = &gc->diff;
  if (!diff->former) return;
  const gcf_image *before = &diff->former->image, *after = &gc->view->image;
  const gcf_records *olds[] = {&before->entries, &before->themes, &before->entitlements, &before->products};
  const gcf_records *presents[] = {&after->entries, &after->themes, &after->entitlements, &after->products};
  for (; diff->step < MARKS + 9; diff->step++, diff->at = 0) {
    int pass = diff->step < MARKS ? 0 : (int)(diff->step - MARKS) % 3, list = diff->step < MARKS ? 0 : (int)(diff->step - MARKS) / 3 + 1;
    const gcf_records *old = olds[list], *present = presents[list];
    uint32_t count = (diff->step == ENTRIES || (diff->step >= MARKS && pass == PRESENT) ? present : old)->count;
    if (diff->step == GONE && diff->kept >= count) continue;
    if (diff->step >= MARKS && pass == TABLE && diff->at == 0 && !has_table(diff, count)) diff->step += 2, count = 0;
    for (; diff->at < count; diff->at++, budget--) {
      if (budget <= 0) return;
      if (diff->step == ENTRIES) diff->kept += note_entry(gc, before, after, diff->at);
      else if (diff->step == GONE) note_gone(gc, before, after, diff->at);
      else note_mark(gc, GAMECONF_CHANGE_THEME + list - 1, pass, before, old, after, present, diff->at, &budget);
    }
  }
  free(diff->slots);
  memset(diff, 0, sizeof *diff);
  gcf_views_reclaim(gc);
}

void gcf_misuse_note(const gameconf_view *view, int32_t kind, const char *name) {
  gameconf *gc = view->owner;
  if (!view->image.bytes && !gc->defaults.bytes) return; /* no values yet, so no key can be wrong */
  size_t length = strlen(name);
  uint32_t hash = gcf_hash(name, length) ^ (uint32_t)kind;
  for (int at = 0; at < GCF_MISUSES; at++) {
    gcf_misuse *misuse = &gc->misuses[at];
    uint32_t state = atomic_load_explicit(&misuse->state, memory_order_acquire);
    if (state == 0) {
      if (!atomic_compare_exchange_strong_explicit(&misuse->state, &state, 1, memory_order_acq_rel, memory_order_acquire)) {
        at--; /* another thread has taken the slot: check what it writes */
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
