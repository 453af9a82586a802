/* Looks up the entry of a key in an image's hash index. */
#include "image.h"

#include <string.h>

const gcf_entry *gcf_image_find(const gcf_image *image, const char *key, size_t length, uint32_t hash) {
  if (!image->slots) return NULL;
  uint32_t mask = image->slot_mask;
  /* A malformed index may have no empty slot, so the number of probes is limited to the number of slots. */
  for (uint32_t slot = hash & mask, steps = 0; steps <= mask; slot = (slot + 1) & mask, steps++) {
    uint32_t number = image->slots[slot].number;
    if (number == 0) return NULL;
    if (image->slots[slot].hash != hash || number > image->entries.count) continue;
    const gcf_entry *entry = gcf_entry_at(image, number - 1);
    uint32_t own;
    const char *name = gcf_text_of(image, entry->key, &own);
    if (own == length && memcmp(name, key, length) == 0) return entry;
  }
  return NULL;
}
