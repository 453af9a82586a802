/* Client ids and call ids: UUIDs of version 7, so that newer ones are greater. */
#include "internal.h"

#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

void gcf_uuid(uint8_t uuid[16]) {
  int64_t now = gcf_wall();
  if (getentropy(uuid, 16) != 0) {
    /* A fallback without random bytes, which real systems never need. The clock's nanoseconds, the pid and an address make a collision
     * unlikely. */
    struct timespec fine = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &fine);
    uint64_t mixed[2] = {gcf_checksum(&fine, sizeof fine), (uint64_t)getpid() * 0x9E3779B185EBCA87u ^ (uint64_t)(uintptr_t)uuid};
    memcpy(uuid, mixed, 16);
  }
  for (int at = 0; at < 6; at++) uuid[at] = (uint8_t)(now >> (40 - 8 * at));
  uuid[6] = (uint8_t)(0x70 | (uuid[6] & 0x0f));
  uuid[8] = (uint8_t)(0x80 | (uuid[8] & 0x3f));
}

void gcf_uuid_text(const uint8_t uuid[16], char text[37]) {
  static const char *const hex = "0123456789abcdef";
  for (int at = 0; at < 16; at++) {
    if (at == 4 || at == 6 || at == 8 || at == 10) *text++ = '-';
    *text++ = hex[uuid[at] >> 4];
    *text++ = hex[uuid[at] & 15];
  }
  *text = 0;
}
