/* The layout of images in memory, their validation and the lookup of keys. The guide ImageFormat documents the format. */
#ifndef GCF_IMAGE_H
#define GCF_IMAGE_H

#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1 /* must precede every header of libc */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "images are little endian, and so is every machine this library is for"
#endif

enum { GCF_IMAGE_BYTES_MAX = 16 << 20, GCF_HEADER_BYTES = 128, GCF_SECTION_BYTES = 24, GCF_SECTIONS_MAX = 64 };

enum { GCF_BOOLEAN = 1, GCF_INTEGER = 2, GCF_DOUBLE = 3, GCF_STRING = 4, GCF_JSON = 5 };
enum { GCF_FROM_PLAYER_OVERRIDE = 1, GCF_FROM_SETTING = 3 };
enum { GCF_FOR_PLAYER = 1, GCF_PATCH = 2, GCF_DEFAULTS = 4, GCF_IS_DEGRADED = 8, GCF_FROZEN = 16 };

typedef struct gcf_text {
  uint32_t offset, length;
} gcf_text;

typedef struct gcf_header {
  uint8_t magic[8];
  uint16_t major, minor;
  uint32_t length;
  uint64_t size, checksum, epoch;
  int64_t revision, player_revision, made_at;
  uint32_t flags, entries, sections, section_table;
  int64_t clock_anchor, clock_host_anchor, clock_rate, player_offset;
  uint64_t reserved[2];
} gcf_header;

typedef struct gcf_entry {
  uint32_t hash;
  gcf_text key;
  uint8_t kind, type, source, reason;
  uint32_t flags, reserved;
  union {
    uint64_t word;
    int64_t integer;
    double real;
    gcf_text text;
  } value;
  int64_t revision, next_change_at;
  gcf_text variant;
  uint64_t reserved2;
} gcf_entry;

typedef struct gcf_slot {
  uint32_t hash, number;
} gcf_slot;

/* A section of records that are `stride` bytes long. */
typedef struct gcf_records {
  const uint8_t *first;
  uint32_t count, stride;
  bool present;
} gcf_records;

typedef struct gcf_image {
  const uint8_t *bytes;
  size_t size;
  const gcf_header *header;
  gcf_records entries, base, gone, themes, entitlements, products, caller;
  const gcf_slot *slots;
  uint32_t slot_mask;
  const char *text;
  uint32_t text_size;
} gcf_image;

/* Validates bytes as an image; they must be aligned to 8. Returns NULL if they are valid, else a message. */
const char *gcf_image_check(gcf_image *image, const void *bytes, size_t size);
uint32_t gcf_hash(const char *key, size_t length);
uint64_t gcf_checksum(const void *bytes, size_t size);

static inline const void *gcf_record(const gcf_records *records, uint32_t number) {
  return records->first + (size_t)number * records->stride;
}
static inline const gcf_entry *gcf_entry_at(const gcf_image *image, uint32_t number) {
  return (const gcf_entry *)gcf_record(&image->entries, number);
}
/* Returns a text with a NUL after it; "" if the offsets are outside of the image. */
static inline const char *gcf_text_of(const gcf_image *image, gcf_text text, uint32_t *length) {
  if (text.offset >= image->text_size || text.length >= image->text_size - text.offset ||
      image->text[text.offset + text.length] != 0) {
    if (length) *length = 0;
    return "";
  }
  if (length) *length = text.length;
  return image->text + text.offset;
}
const gcf_entry *gcf_image_find(const gcf_image *image, const char *key, size_t length, uint32_t hash);

enum { GCF_CALLER_GAME, GCF_CALLER_PLAYER, GCF_CALLER_LOCALE, GCF_CALLER_CONTEXT };
const char *gcf_image_caller(const gcf_image *image, int which);

/* The records of the player's section; each begins with its id. */
typedef struct gcf_mark {
  gcf_text id;
  uint32_t flags, reserved;
} gcf_mark;
typedef struct gcf_entitlement {
  gcf_text id;
  uint32_t flags, reserved;
  int64_t until;
} gcf_entitlement;
const void *gcf_record_named(const gcf_image *image, const gcf_records *records, const char *id);

/* True if the first image has a lower revision in the same epoch. Player revisions are compared if both are for the same player. */
bool gcf_image_is_older(const gcf_image *image, const gcf_image *than);
/* True if two entries have the same value. */
bool gcf_same_value(const gcf_image *a, const gcf_entry *x, const gcf_image *b, const gcf_entry *y);

/* A builder of images. After an error, all calls have no effect and the end returns NULL. */
typedef struct gcf_builder {
  gcf_header header;
  struct gcf_list {
    gcf_entry *rows;
    uint32_t count, capacity;
  } entries, base;
  char *text;
  size_t text_size, text_capacity;
  gcf_text caller[4];
  struct gcf_part {
    char tag[4];
    uint32_t stride;
    uint8_t *bytes;
    size_t size;
  } parts[6];
  uint32_t part_count;
  bool failed;
} gcf_builder;

void gcf_builder_begin(gcf_builder *builder, const gcf_header *like, uint32_t entries, size_t text);
gcf_text gcf_builder_text(gcf_builder *builder, const char *text, size_t length);
/* Copies an entry with its texts from an image to the builder's entries or base. */
void gcf_builder_copy(gcf_builder *builder, struct gcf_list *list, const gcf_image *from, const gcf_entry *entry);
/* Copies records that begin with a text. */
void gcf_builder_part(gcf_builder *builder, const char tag[4], const gcf_image *from, const gcf_records *records);
/* Returns the image, which the caller frees, and its length in *size. NULL if there is no memory or the image would be too long. */
void *gcf_builder_end(gcf_builder *builder, size_t *size);

/* Returns the image that results from applying a patch. */
void *gcf_image_merge(const gcf_image *image, const gcf_image *patch, size_t *size);
/* Returns the image without the values and records that belong to the player. */
void *gcf_image_without_player(const gcf_image *image, size_t *size);

#endif
