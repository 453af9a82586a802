/* The hash of keys (MurmurHash3 x86 32, seed 0) and the checksum of images (XXH64, seed 0). */
#include "image.h"

#include <string.h>

static uint32_t rotl32(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint64_t rotl64(uint64_t x, int n) { return x << n | x >> (64 - n); }

uint32_t gcf_hash(const char *key, size_t length) {
  uint32_t h = 0, k;
  size_t at = 0;
  for (; at + 4 <= length; at += 4) {
    memcpy(&k, key + at, 4);
    h = rotl32(h ^ rotl32(k * 0xcc9e2d51u, 15) * 0x1b873593u, 13) * 5 + 0xe6546b64u;
  }
  if (at < length) {
    k = 0;
    for (int shift = 0; at < length; at++, shift += 8) k |= (uint32_t)(uint8_t)key[at] << shift;
    h ^= rotl32(k * 0xcc9e2d51u, 15) * 0x1b873593u;
  }
  h ^= (uint32_t)length;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

#define P1 0x9E3779B185EBCA87u
#define P2 0xC2B2AE3D27D4EB4Fu
#define P3 0x165667B19E3779F9u
#define P4 0x85EBCA77C2B2AE63u
#define P5 0x27D4EB2F165667C5u

static uint64_t step(uint64_t lane, uint64_t word) { return rotl64(lane + word * P2, 31) * P1; }

static uint64_t word_at(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
  return word;
}

uint64_t gcf_checksum(const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  size_t left = size;
  uint64_t h = P5;
  if (size >= 32) {
    uint64_t a = P1 + P2, b = P2, c = 0, d = 0 - P1;
    for (; left >= 32; p += 32, left -= 32) {
      a = step(a, word_at(p));
      b = step(b, word_at(p + 8));
      c = step(c, word_at(p + 16));
      d = step(d, word_at(p + 24));
    }
    h = rotl64(a, 1) + rotl64(b, 7) + rotl64(c, 12) + rotl64(d, 18);
    h = (h ^ step(0, a)) * P1 + P4;
    h = (h ^ step(0, b)) * P1 + P4;
    h = (h ^ step(0, c)) * P1 + P4;
    h = (h ^ step(0, d)) * P1 + P4;
  }
  h += size;
  for (; left >= 8; p += 8, left -= 8) h = rotl64(h ^ step(0, word_at(p)), 27) * P1 + P4;
  if (left >= 4) {
    uint32_t half;
    memcpy(&half, p, 4);
    h = rotl64(h ^ half * P1, 23) * P2 + P3;
    p += 4, left -= 4;
  }
  for (; left > 0; p++, left--) h = rotl64(h ^ *p * P5, 11) * P1;
  h = (h ^ h >> 33) * P2;
  h = (h ^ h >> 29) * P3;
  return h ^ h >> 32;
}
