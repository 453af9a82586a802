/* Validates an image once, so that later accesses need to check only the text offsets that they follow. */
#include "image.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(gcf_image) < 256, "offsets within it are bytes");
static_assert(sizeof(gcf_header) == GCF_HEADER_BYTES, "the header of ImageFormat");
static_assert(sizeof(gcf_entry) == 64 && offsetof(gcf_entry, value) == 24, "the entry of ImageFormat");

static const uint8_t magic[8] = {0x89, 'G', 'C', 'I', '\r', '\n', 0x1a, '\n'};

typedef struct section {
  char tag[4];
  uint32_t record;
  uint64_t offset, length;
} section;

static const char *take_records(gcf_records *records, const gcf_image *image, const section *from, uint32_t least) {
  if (records->present) return "two sections of one name";
  if (from->record < least || from->record % 4 != 0 || from->length % from->record != 0) return "a section's records have an odd length";
  if (from->length / from->record > UINT32_MAX / 2) return "a section has too many records";
  records->first = image->bytes + from->offset;
  records->count = (uint32_t)(from->length / from->record);
  records->stride = from->record;
  records->present = true;
  return NULL;
}

static const char *take_section(gcf_image *image, const section *from) {
  /* The known sections with records of fixed length: their members here, the minimum record length and the alignment. */
  static const struct {
    char tag[4];
    uint8_t at, least, aligned;
  } known[] = {{"ENTR", offsetof(gcf_image, entries), sizeof(gcf_entry), 8}, {"BASE", offsetof(gcf_image, base), sizeof(gcf_entry), 8},
               {"GONE", offsetof(gcf_image, gone), sizeof(gcf_text), 4},     {"THEM", offsetof(gcf_image, themes), sizeof(gcf_mark), 4},
               {"ENTL", offsetof(gcf_image, entitlements), sizeof(gcf_entitlement), 8}, {"PROD", offsetof(gcf_image, products), sizeof(gcf_text), 4},
               {"CALL", offsetof(gcf_image, caller), 4 * sizeof(gcf_text), 4}};
  for (size_t at = 0; at < sizeof known / sizeof *known; at++) {
    if (memcmp(from->tag, known[at].tag, 4) != 0) continue;
    if (from->record % known[at].aligned) return "records are not aligned";
    return take_records((gcf_records *)(void *)((char *)image + known[at].at), image, from, known[at].least);
  }
  if (memcmp(from->tag, "INDX", 4) == 0) {
    uint64_t slots = from->length / sizeof(gcf_slot);
    if (from->record != sizeof(gcf_slot) || from->length % sizeof(gcf_slot) || slots < 2 || (slots & (slots - 1)) || slots > 1u << 24)
      return "the index is not a power of two of slots";
    image->slots = (const gcf_slot *)(const void *)(image->bytes + from->offset);
    image->slot_mask = (uint32_t)slots - 1;
  } else if (memcmp(from->tag, "TEXT", 4) == 0) {
    image->text = (const char *)image->bytes + from->offset;
    image->text_size = (uint32_t)from->length;
  }
  return NULL; /* other sections belong to newer minor versions and are skipped */
}

const char *gcf_image_check(gcf_image *image, const void *bytes, size_t size) {
  memset(image, 0, sizeof *image);
  if (!bytes || size < GCF_HEADER_BYTES) return "too short for an image";
  if ((uintptr_t)bytes % 8 != 0) return "an image must be aligned to 8 bytes";
  const gcf_header *header = bytes;
  if (memcmp(header->magic, magic, sizeof magic) != 0) return "not an image";
  if (header->major != 1) return "an image of another major version";
  if (header->size != size || size > GCF_IMAGE_BYTES_MAX || size % 8 != 0) return "an image of another length than it says";
  if (header->length < GCF_HEADER_BYTES || header->length > size) return "the header's length is wrong";
  if (gcf_checksum((const uint8_t *)bytes + 32, size - 32) != header->checksum) return "the checksum is wrong";
  uint64_t table = header->section_table;
  if (header->sections > GCF_SECTIONS_MAX || table % 8 || table < header->length || table > size ||
      (size - table) / GCF_SECTION_BYTES < header->sections)
    return "the table of sections is outside";
  image->bytes = bytes;
  image->size = size;
  image->header = header;
  for (uint32_t at = 0; at < header->sections; at++) {
    section one;
    memcpy(&one, (const uint8_t *)bytes + table + at * GCF_SECTION_BYTES, sizeof one);
    if (one.offset % 8 || one.offset > size || one.length > size - one.offset) return "a section is outside";
    const char *wrong = take_section(image, &one);
    if (wrong) return wrong;
  }
  if (!image->entries.present || !image->slots || !image->text_size) return "a section is missing";
  if (image->entries.count != header->entries) return "another number of entries than the header says";
  if (image->text[image->text_size - 1] != 0) return "the texts do not end";
  return NULL;
}

const char *gcf_image_caller(const gcf_image *image, int which) {
  if (!image->caller.count) return "";
  gcf_text texts[4];
  memcpy(texts, image->caller.first, sizeof texts);
  return gcf_text_of(image, texts[which], NULL);
}

const void *gcf_record_named(const gcf_image *image, const gcf_records *records, const char *id) {
  size_t length = strlen(id);
  for (uint32_t at = 0; at < records->count; at++) {
    gcf_text name;
    memcpy(&name, gcf_record(records, at), sizeof name);
    uint32_t own;
    const char *text = gcf_text_of(image, name, &own);
    if (own == length && own > 0 && memcmp(text, id, length) == 0) return gcf_record(records, at);
  }
  return NULL;
}

bool gcf_image_is_older(const gcf_image *image, const gcf_image *than) {
  const gcf_header *a = image->header, *b = than->header;
  if (a->epoch != b->epoch) return false;
  if (a->revision < b->revision) return true;
  return (a->flags & b->flags & GCF_FOR_PLAYER) && a->player_revision < b->player_revision &&
         strcmp(gcf_image_caller(image, GCF_CALLER_PLAYER), gcf_image_caller(than, GCF_CALLER_PLAYER)) == 0;
}

bool gcf_same_value(const gcf_image *a, const gcf_entry *x, const gcf_image *b, const gcf_entry *y) {
  if (x->kind != y->kind) return false;
  if (x->kind != GCF_STRING && x->kind != GCF_JSON) return x->value.word == y->value.word;
  uint32_t m, n;
  const char *s = gcf_text_of(a, x->value.text, &m), *t = gcf_text_of(b, y->value.text, &n);
  return m == n && memcmp(s, t, m) == 0;
}
