/* Text buffers, and the formatting of JSON strings, paths and instants. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void gcf_put(gcf_buffer *buffer, const void *bytes, size_t length) {
  if (buffer->failed || length == 0) return;
  if (length > SIZE_MAX / 4 - buffer->used) {
    buffer->failed = true;
    return;
  }
  if (buffer->used + length + 1 > buffer->capacity) {
    size_t capacity = (buffer->used + length + 1) * 2;
    char *more = realloc(buffer->bytes, capacity);
    if (!more) {
      buffer->failed = true;
      return;
    }
    buffer->bytes = more;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->used, bytes, length);
  buffer->used += length;
}

void gcf_put_text(gcf_buffer *buffer, const char *text) { gcf_put(buffer, text, strlen(text)); }

void gcf_put_integer(gcf_buffer *buffer, int64_t integer) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
  do digits[--at] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (integer < 0) digits[--at] = '-';
  gcf_put(buffer, digits + at, sizeof digits - at);
}

static const char *const hex = "0123456789abcdef";

void gcf_put_json_text(gcf_buffer *buffer, const char *text) {
  gcf_put(buffer, "\"", 1);
  for (const char *p = text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\') {
      char pair[2] = {'\\', (char)c};
      gcf_put(buffer, pair, 2);
    } else if (c < 0x20) {
      char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
      gcf_put(buffer, escape, 6);
    } else {
      gcf_put(buffer, p, 1);
    }
  }
  gcf_put(buffer, "\"", 1);
}

void gcf_put_path_part(gcf_buffer *buffer, const char *text) {
  /* HTTP clients and proxies remove such a segment and the one before it. An empty segment leads to no call. */
  if (strcmp(text, ".") == 0 || strcmp(text, "..") == 0) return;
  for (const char *p = text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '~' ||
                 (c == '.' && p != text);
    char escape[3] = {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
    gcf_put(buffer, plain ? p : escape, plain ? 1 : 3);
  }
}

void gcf_put_instant(gcf_buffer *buffer, int64_t milliseconds) {
  /* Howard Hinnant's civil_from_days: years begin in March of the year 0. Years from 1 to 9999 are supported. */
  const int64_t day = 86400000, begin = 719468 * day;
  if (milliseconds < 306 * day - begin || milliseconds >= 2932897 * day) milliseconds = 0;
  uint32_t rest = (uint32_t)((milliseconds + begin) % day), z = (uint32_t)((milliseconds + begin) / day);
  uint32_t era = z / 146097, of_era = z % 146097, year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  uint32_t of_year = of_era - (365 * year + year / 4 - year / 100), m = (5 * of_year + 2) / 153, month = m < 10 ? m + 3 : m - 9;
  uint32_t parts[] = {year + era * 400 + (month <= 2), month,          of_year - (153 * m + 2) / 5 + 1, rest / 3600000, rest / 60000 % 60,
                      rest / 1000 % 60,                rest % 1000};
  char text[] = "0000-00-00T00:00:00.000Z";
  static const uint8_t ends[] = {4, 7, 10, 13, 16, 19, 23};
  for (int part = 0; part < 7; part++)
    for (char *digit = text + ends[part]; parts[part]; parts[part] /= 10) *--digit += (char)(parts[part] % 10);
  gcf_put_text(buffer, text);
}

const char *gcf_buffer_text(gcf_buffer *buffer) {
  if (buffer->failed || !buffer->bytes) return "";
  buffer->bytes[buffer->used] = 0;
  return buffer->bytes;
}

void gcf_buffer_free(gcf_buffer *buffer) {
  free(buffer->bytes);
  memset(buffer, 0, sizeof *buffer);
}

char *gcf_copy(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

bool gcf_is_utf8(const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text, *end = p + length;
  while (p < end) {
    int more = *p < 0x80 ? 0 : *p >= 0xc2 && *p < 0xe0 ? 1 : (*p & 0xf0) == 0xe0 ? 2 : *p >= 0xf0 && *p < 0xf5 ? 3 : -1;
    if (more < 0 || end - p <= more) return false;
    if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
      return false;
    for (int at = 1; at <= more; at++)
      if ((p[at] & 0xc0) != 0x80) return false;
    p += more + 1;
  }
  return true;
}

bool gcf_is_size(size_t size, const uint8_t *ends, size_t count) {
  enum { STEP = sizeof(void *) };
  for (size_t at = 0; at < count; at++)
    if (size == ends[at] || size == (ends[at] + (size_t)STEP - 1) / STEP * STEP) return true;
  return size > ends[count - 1] && size <= 4096 && size % STEP == 0;
}

static int64_t clock_ms(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The clock counts while the host sleeps, as the daemon's does. */
#ifdef __linux__
int64_t gcf_monotonic(void) { return clock_ms(CLOCK_BOOTTIME); }
#else
int64_t gcf_monotonic(void) { return clock_ms(CLOCK_MONOTONIC); }
#endif
int64_t gcf_wall(void) { return clock_ms(CLOCK_REALTIME); }
