/* Builds images from images: applies a patch, and removes everything that belongs to one player. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

void gcf_builder_begin(gcf_builder *builder, const gcf_header *like, uint32_t entries, size_t text) {
  memset(builder, 0, sizeof *builder);
  builder->header = *like;
  builder->header.major = 1;
  builder->header.minor = 0;
  builder->header.length = builder->header.section_table = GCF_HEADER_BYTES;
  builder->header.reserved[0] = builder->header.reserved[1] = 0;
  builder->entries.capacity = entries ? entries : 1;
  builder->text_capacity = text + 64;
  builder->entries.rows = malloc(builder->entries.capacity * sizeof(gcf_entry));
  builder->text = malloc(builder->text_capacity);
  builder->failed = !builder->entries.rows || !builder->text;
  if (!builder->failed) builder->text[0] = 0, builder->text_size = 1;
}

gcf_text gcf_builder_text(gcf_builder *builder, const char *text, size_t length) {
  gcf_text made = {0, 0};
  if (builder->failed || length == 0) return made;
  if (length > GCF_IMAGE_BYTES_MAX) {
    builder->failed = true;
    return made;
  }
  size_t needed = builder->text_size + length + 1;
  if (needed > builder->text_capacity) {
    char *more = needed > 2 * (size_t)GCF_IMAGE_BYTES_MAX ? NULL : realloc(builder->text, needed * 2);
    if (!more) {
      builder->failed = true;
      return made;
    }
    builder->text = more;
    builder->text_capacity = needed * 2;
  }
  made.offset = (uint32_t)builder->text_size;
  made.length = (uint32_t)length;
  memcpy(builder->text + builder->text_size, text, length);
  builder->text[builder->text_size + length] = 0;
  builder->text_size = needed;
  return made;
}

static gcf_text copied(gcf_builder *builder, const gcf_image *from, gcf_text text) {
  uint32_t length;
  const char *bytes = gcf_text_of(from, text, &length);
  return gcf_builder_text(builder, bytes, length);
}

void gcf_builder_copy(gcf_builder *builder, struct gcf_list *list, const gcf_image *from, const gcf_entry *entry) {
  if (builder->failed) return;
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
    gcf_entry *more = realloc(list->rows, capacity * sizeof(gcf_entry));
    if (!more) {
      builder->failed = true;
      return;
    }
    list->rows = more;
    list->capacity = capacity;
  }
  gcf_entry *made = &list->rows[list->count++];
  *made = *entry;
  made->key = copied(builder, from, entry->key);
  if (made->kind == GCF_STRING || made->kind == GCF_JSON) made->value.text = copied(builder, from, entry->value.text);
  made->variant = copied(builder, from, entry->variant);
}

void gcf_builder_part(gcf_builder *builder, const char tag[4], const gcf_image *from, const gcf_records *records) {
  if (builder->failed || !records->present || builder->part_count == sizeof builder->parts / sizeof *builder->parts) return;
  struct gcf_part *part = &builder->parts[builder->part_count];
  memcpy(part->tag, tag, 4);
  part->stride = records->stride;
  part->size = (size_t)records->stride * records->count;
  part->bytes = malloc(part->size + 1);
  if (!part->bytes) {
    builder->failed = true;
    return;
  }
  builder->part_count++;
  if (part->size) memcpy(part->bytes, records->first, part->size);
  for (uint32_t at = 0; at < records->count; at++) {
    gcf_text id;
    memcpy(&id, part->bytes + (size_t)at * part->stride, sizeof id);
    id = copied(builder, from, id);
    memcpy(part->bytes + (size_t)at * part->stride, &id, sizeof id);
  }
}

static size_t aligned(size_t offset) { return (offset + 63) & ~(size_t)63; }

static void put_section(uint8_t *image, uint32_t number, const char *tag, uint32_t record, size_t offset, const void *bytes, size_t size) {
  uint8_t *row = image + GCF_HEADER_BYTES + number * GCF_SECTION_BYTES;
  uint64_t place[2] = {offset, size};
  memcpy(row, tag, 4);
  memcpy(row + 4, &record, 4);
  memcpy(row + 8, place, sizeof place);
  if (size && bytes) memcpy(image + offset, bytes, size);
}

static void fill_index(gcf_slot *slots, uint32_t count, const gcf_builder *builder) {
  for (uint32_t at = 0; at < builder->entries.count; at++) {
    uint32_t slot = builder->entries.rows[at].hash & (count - 1);
    while (slots[slot].number) slot = (slot + 1) & (count - 1);
    slots[slot].hash = builder->entries.rows[at].hash;
    slots[slot].number = at + 1;
  }
}

void *gcf_builder_end(gcf_builder *builder, size_t *size) {
  uint8_t *image = NULL;
  uint32_t slots = 2, number = 0;
  while (slots < builder->entries.count * 2) slots *= 2;
  uint32_t sections = 5 + builder->part_count;
  size_t entries_at = aligned(GCF_HEADER_BYTES + sections * GCF_SECTION_BYTES);
  size_t index_at = aligned(entries_at + builder->entries.count * sizeof(gcf_entry));
  size_t base_at = aligned(index_at + slots * sizeof(gcf_slot));
  size_t caller_at = aligned(base_at + builder->base.count * sizeof(gcf_entry)), at = aligned(caller_at + sizeof builder->caller), text_at = at;
  for (uint32_t part = 0; part < builder->part_count; part++) text_at = aligned(text_at + builder->parts[part].size);
  size_t end = aligned(text_at + builder->text_size);
  if (!builder->failed && end <= GCF_IMAGE_BYTES_MAX) image = calloc(1, end);
  if (image) {
    builder->header.size = end;
    builder->header.entries = builder->entries.count;
    builder->header.sections = sections;
    put_section(image, number++, "ENTR", sizeof(gcf_entry), entries_at, builder->entries.rows,
                builder->entries.count * sizeof(gcf_entry));
    put_section(image, number++, "INDX", sizeof(gcf_slot), index_at, NULL, slots * sizeof(gcf_slot));
    fill_index((gcf_slot *)(void *)(image + index_at), slots, builder);
    put_section(image, number++, "BASE", sizeof(gcf_entry), base_at, builder->base.rows, builder->base.count * sizeof(gcf_entry));
    put_section(image, number++, "CALL", sizeof builder->caller, caller_at, builder->caller, sizeof builder->caller);
    for (uint32_t part = 0; part < builder->part_count; part++) {
      const struct gcf_part *one = &builder->parts[part];
      put_section(image, number++, one->tag, one->stride, at, one->bytes, one->size);
      at = aligned(at + one->size);
    }
    put_section(image, number++, "TEXT", 1, text_at, builder->text, builder->text_size);
    memcpy(image, &builder->header, sizeof builder->header);
    uint64_t checksum = gcf_checksum(image + 32, end - 32);
    memcpy(image + offsetof(gcf_header, checksum), &checksum, sizeof checksum);
    *size = end;
  }
  for (uint32_t part = 0; part < builder->part_count; part++) free(builder->parts[part].bytes);
  free(builder->entries.rows);
  free(builder->base.rows);
  free(builder->text);
  return image;
}

static void copy_caller(gcf_builder *builder, const gcf_image *from, bool with_player) {
  for (int which = 0; which < 4; which++) {
    const char *text = which == GCF_CALLER_PLAYER && !with_player ? "" : gcf_image_caller(from, which);
    builder->caller[which] = gcf_builder_text(builder, text, strlen(text));
  }
}

/* Marks the image's entry that has this key. */
static void touch(uint8_t *touched, const gcf_image *image, const char *key, uint32_t length) {
  const gcf_entry *entry = gcf_image_find(image, key, length, gcf_hash(key, length));
  if (entry) touched[((const uint8_t *)entry - image->entries.first) / image->entries.stride] = 1;
}

/* True if the patch replaces or removes the image's entry. */
static bool is_touched(const uint8_t *touched, const gcf_image *image, const gcf_entry *entry) {
  uint32_t length;
  const char *key = gcf_text_of(image, entry->key, &length);
  const gcf_entry *own = gcf_image_find(image, key, length, entry->hash);
  return own && touched[((const uint8_t *)own - image->entries.first) / image->entries.stride];
}

void *gcf_image_merge(const gcf_image *image, const gcf_image *patch, size_t *size) {
  gcf_builder builder;
  gcf_header header = *patch->header;
  header.flags &= ~(uint32_t)GCF_PATCH;
  if (!(header.flags & GCF_FOR_PLAYER)) {
    /* Such a patch is sent to many players, so its header says nothing about any of them. */
    header.flags |= image->header->flags & GCF_FOR_PLAYER;
    header.player_revision = image->header->player_revision;
    header.player_offset = image->header->player_offset;
  }
  gcf_builder_begin(&builder, &header, image->entries.count + patch->entries.count, (size_t)image->text_size + patch->text_size);
  uint8_t *touched = calloc(image->entries.count + (size_t)1, 1);
  if (!touched) builder.failed = true;
  for (uint32_t at = 0; touched && at < patch->entries.count + patch->gone.count; at++) {
    gcf_text text;
    uint32_t length;
    bool is_entry = at < patch->entries.count;
    if (is_entry) text = gcf_entry_at(patch, at)->key;
    else memcpy(&text, gcf_record(&patch->gone, at - patch->entries.count), sizeof text);
    const char *key = gcf_text_of(patch, text, &length);
    touch(touched, image, key, length);
  }
  const gcf_records *lists[4] = {&image->entries, &patch->entries, &image->base, &patch->base};
  for (int list = 0; list < 4; list++) {
    const gcf_image *from = list % 2 ? patch : image;
    for (uint32_t at = 0; touched && at < lists[list]->count; at++) {
      const gcf_entry *entry = gcf_record(lists[list], at);
      if (from == patch || !(list ? is_touched(touched, image, entry) : touched[at]))
        gcf_builder_copy(&builder, list < 2 ? &builder.entries : &builder.base, from, entry);
    }
  }
  free(touched);
  copy_caller(&builder, image, true);
#define EITHER(tag, part) gcf_builder_part(&builder, tag, patch->part.present ? patch : image, patch->part.present ? &patch->part : &image->part)
  EITHER("THEM", themes);
  EITHER("ENTL", entitlements);
  EITHER("PROD", products);
#undef EITHER
  return gcf_builder_end(&builder, size);
}

void *gcf_image_without_player(const gcf_image *image, size_t *size) {
  const gcf_entry **chosen = calloc(image->entries.count + 1, sizeof *chosen);
  if (!chosen) return NULL;
  for (uint32_t at = 0; at < image->entries.count; at++) {
    const gcf_entry *entry = gcf_entry_at(image, at);
    if (entry->source != GCF_FROM_PLAYER_OVERRIDE && entry->source != GCF_FROM_SETTING) chosen[at] = entry;
  }
  for (uint32_t at = 0; at < image->base.count; at++) {
    const gcf_entry *base = gcf_record(&image->base, at);
    uint32_t length;
    const char *key = gcf_text_of(image, base->key, &length);
    const gcf_entry *own = gcf_image_find(image, key, length, base->hash);
    if (own) chosen[((const uint8_t *)own - image->entries.first) / image->entries.stride] = base;
  }
  gcf_builder builder;
  gcf_header header = *image->header;
  header.flags &= ~(uint32_t)GCF_FOR_PLAYER;
  header.player_revision = 0;
  header.player_offset = 0;
  gcf_builder_begin(&builder, &header, image->entries.count, image->text_size);
  for (uint32_t at = 0; at < image->entries.count; at++)
    if (chosen[at]) gcf_builder_copy(&builder, &builder.entries, image, chosen[at]);
  free(chosen);
  copy_caller(&builder, image, false);
  return gcf_builder_end(&builder, size);
}
