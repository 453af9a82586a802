/* Assembles the frames of an image stream from received bytes. It does no I/O, so that it can be fuzzed. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

void gcf_frames_reset(gcf_frames *frames) {
  free(frames->payload);
  memset(frames, 0, sizeof *frames);
}

static size_t take(uint8_t *into, size_t have, size_t want, const uint8_t **bytes, size_t *left) {
  size_t count = want - have < *left ? want - have : *left;
  memcpy(into + have, *bytes, count);
  *bytes += count;
  *left -= count;
  return count;
}

int gcf_frames_next(gcf_frames *frames, const uint8_t **bytes, size_t *left) {
  size_t head = sizeof frames->head;
  size_t id_end = head + frames->head[5];
  if (frames->used >= head && frames->used == id_end + frames->length) gcf_frames_reset(frames); /* discards the frame that was returned
                                                                                                  * before */
  if (frames->used < head) {
    frames->used += take(frames->head, frames->used, head, bytes, left);
    if (frames->used < head) return 0;
    memcpy(&frames->length, frames->head, 4);
    if (frames->length > GCF_IMAGE_BYTES_MAX) return -1;
  }
  id_end = head + frames->head[5];
  if (frames->used < id_end) {
    frames->used += take((uint8_t *)frames->id, frames->used - head, id_end - head, bytes, left);
    if (frames->used < id_end) return 0;
  }
  if (frames->length > 0) {
    /* One byte more, so that text in the payload is always terminated. */
    if (!frames->payload && *left > 0 && !(frames->payload = malloc((size_t)frames->length + 1))) return -1;
    if (frames->payload) frames->used += take(frames->payload, frames->used - id_end, frames->length, bytes, left);
  }
  if (frames->used < id_end + frames->length) return 0;
  frames->id[id_end - head] = 0;
  if (frames->payload) frames->payload[frames->length] = 0;
  return 1;
}
