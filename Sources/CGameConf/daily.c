/* Computes the daily hash of a salt, SHA-256 as in FIPS 180-4, so that a game without a daemon also gets a new seed each day. */
#include "internal.h"

#include <string.h>

static const uint32_t rounds[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u,
    0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
    0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u,
    0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u, 0x1e376c08u,
    0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

typedef struct {
  uint32_t state[8];
  uint8_t block[64];
  uint64_t size;
} sha256;

static uint32_t rotr32(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void mix(sha256 *sha) {
  uint32_t w[64], s[8];
  for (int at = 0; at < 16; at++) {
    const uint8_t *p = sha->block + 4 * at;
    w[at] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
  for (int at = 16; at < 64; at++) {
    uint32_t low = rotr32(w[at - 15], 7) ^ rotr32(w[at - 15], 18) ^ w[at - 15] >> 3;
    uint32_t high = rotr32(w[at - 2], 17) ^ rotr32(w[at - 2], 19) ^ w[at - 2] >> 10;
    w[at] = w[at - 16] + low + w[at - 7] + high;
  }
  memcpy(s, sha->state, sizeof s);
  for (int at = 0; at < 64; at++) {
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    uint32_t first = s[7] + (rotr32(s[4], 6) ^ rotr32(s[4], 11) ^ rotr32(s[4], 25)) + choice + rounds[at] + w[at];
    uint32_t second = (rotr32(s[0], 2) ^ rotr32(s[0], 13) ^ rotr32(s[0], 22)) + most;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
  }
  for (int at = 0; at < 8; at++) sha->state[at] += s[at];
}

static void put(sha256 *sha, const void *bytes, size_t length) {
  const uint8_t *p = bytes;
  for (size_t at = 0; at < length; at++) {
    sha->block[sha->size++ % 64] = p[at];
    if (sha->size % 64 == 0) mix(sha);
  }
}

static void end(sha256 *sha) {
  uint64_t bits = sha->size * 8;
  put(sha, "\x80", 1);
  while (sha->size % 64 != 56) put(sha, "", 1);
  for (int shift = 56; shift >= 0; shift -= 8) {
    uint8_t byte = (uint8_t)(bits >> shift);
    put(sha, &byte, 1);
  }
}

/* Writes the UTC date of a time as YYYY-MM-DD. The civil date is computed with eras of 400 years that begin on 1 March. */
static void write_day(int64_t ms, char text[10]) {
  int64_t days = ms / 86400000 - (ms % 86400000 < 0), shifted = days + 719468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097, of_era = shifted - era * 146097;
  int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
  int64_t parts[3] = {year + era * 400 + (month >= 10), month < 10 ? month + 3 : month - 9, of_year - (153 * month + 2) / 5 + 1};
  int widths[3] = {4, 2, 2};
  for (int part = 0, at = 0; part < 3; part++) {
    for (int digit = widths[part] - 1; digit >= 0; digit--, parts[part] /= 10) text[at + digit] = (char)('0' + parts[part] % 10);
    at += widths[part];
    if (part < 2) text[at++] = '-';
  }
}

void gcf_daily_seed(const char *salt, int64_t ms, char seed[17]) {
  sha256 sha = {{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u}, {0}, 0};
  char day[10];
  write_day(ms, day);
  put(&sha, salt, strlen(salt));
  put(&sha, "-", 1);
  put(&sha, day, sizeof day);
  end(&sha);
  for (int at = 0; at < 16; at++) seed[at] = "0123456789abcdef"[sha.state[at / 8] >> (28 - at % 8 * 4) & 15];
  seed[16] = 0;
}

const char *gameconf_daily_seed(const gameconf *gc, const char *key, const char *salt) {
  /* Of this model, as libgcc and the loader need not be asked for an address: the library needs libc alone. */
  static _Thread_local __attribute__((tls_model("initial-exec"))) char seed[17];
  gameconf_info info;
  /* Embedded images leave such keys out, so a key is unknown only if an image of the daemon lacks it. */
  bool is_readable = gc && key && (gc->view->image.bytes || gcf_view_find(gc->view, key).entry);
  const char *value = is_readable ? gameconf_string_info(gc, key, NULL, &info) : NULL;
  /* gameconf_now is the time of the build for an embedded image, so the wall clock is read. */
  int64_t now = gc && gc->view->image.bytes && (gc->view->image.header->flags & GCF_FROZEN) ? gcf_wall() : gameconf_now(gc);
  if (value && (!info.next_change_at || now < info.next_change_at)) return value;
  gcf_daily_seed(salt ? salt : "", now, seed);
  return seed;
}
