/* An incremental parser of HTTP/1.1 responses. It does no I/O, so that it can be fuzzed. */
#include "internal.h"

#include <string.h>

enum { STATUS, FIELDS, LENGTH, CHUNK, CHUNK_DATA, CHUNK_END, TRAILERS, TO_EOF, DONE, BAD };
enum { HEAD_BYTES_MAX = 16384 };

void gcf_http_begin(gcf_http *http) {
  memset(http, 0, sizeof *http);
  http->state = STATUS;
  http->retry_after = -1;
}

static gcf_http_event bad(gcf_http *http) {
  http->state = BAD;
  return GCF_HTTP_BAD;
}

/* Collects a line without its line break. Returns 1 if it is complete, 0 if more bytes are needed, -1 if it is too long. */
static int line(gcf_http *http, const uint8_t **bytes, size_t *left) {
  while (*left > 0) {
    char c = (char)*(*bytes)++;
    --*left;
    if (++http->head_bytes > HEAD_BYTES_MAX) return -1;
    if (c == '\n') {
      if (http->line_used > 0 && http->line[http->line_used - 1] == '\r') http->line_used--;
      http->line[http->line_used] = 0;
      return 1;
    }
    if (c == 0) return -1;
    /* No field that is used here is so long, so the rest of a long line is dropped. */
    if (http->line_used < sizeof http->line - 1) http->line[http->line_used++] = c;
  }
  return 0;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static const char *field(const char *line, const char *name) {
  for (; *name; name++, line++)
    if (lower(*line) != *name) return NULL;
  if (*line++ != ':') return NULL;
  while (*line == ' ' || *line == '\t') line++;
  return line;
}

static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (; *text; text++) {
    size_t at = 0;
    while (at < length && lower(text[at]) == word[at]) at++;
    if (at == length) return true;
  }
  return false;
}

/* Parses a decimal number of at most 15 digits. */
static bool number(const char *text, uint64_t *value) {
  size_t digits = 0;
  *value = 0;
  for (; *text >= '0' && *text <= '9'; text++, digits++) {
    if (digits == 15) return false;
    *value = *value * 10 + (uint64_t)(*text - '0');
  }
  while (*text == ' ' || *text == '\t') text++;
  return digits > 0 && *text == 0;
}

static bool status_line(gcf_http *http) {
  const char *p = http->line;
  if (strncmp(p, "HTTP/1.", 7) != 0 || (p[7] != '0' && p[7] != '1') || p[8] != ' ') return false;
  if (p[7] == '0') http->closes = true;
  int status = 0;
  for (int at = 9; at < 12; at++) {
    if (p[at] < '0' || p[at] > '9') return false;
    status = status * 10 + (p[at] - '0');
  }
  http->status = status;
  return (p[12] == ' ' || p[12] == 0) && status >= 100;
}

static int32_t two_digits(const char *text) { return (text[0] - '0') * 10 + text[1] - '0'; }

/* Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` and returns milliseconds since 1970; 0 if it is malformed. */
static int64_t instant(const char *text) {
  static const char months[] = "MarAprMayJunJulAugSepOctNovDecJanFeb";
  int32_t month = 0;
  if (strlen(text) != 29 || strcmp(text + 25, " GMT") != 0) return 0;
  while (month < 12 && memcmp(months + 3 * month, text + 8, 3) != 0) month++;
  /* Howard Hinnant's days_from_civil, with years that begin in March. */
  int32_t year = two_digits(text + 12) * 100 + two_digits(text + 14) - (month > 9);
  int32_t day = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + two_digits(text + 5) - 719469;
  int32_t second = (two_digits(text + 17) * 60 + two_digits(text + 20)) * 60 + two_digits(text + 23);
  return month < 12 && year > 0 ? day * (int64_t)86400000 + second * (int64_t)1000 : 0;
}

static bool take_field(gcf_http *http) {
  const char *value;
  uint64_t count;
  if ((value = field(http->line, "content-length"))) {
    if (!number(value, &count) || (http->has_length && http->left != count)) return false;
    http->has_length = true;
    http->left = count;
  } else if ((value = field(http->line, "transfer-encoding"))) {
    if (!has_word(value, "chunked")) return false;
    http->chunked = true;
  } else if ((value = field(http->line, "connection"))) {
    if (has_word(value, "close")) http->closes = true;
  } else if ((value = field(http->line, "retry-after"))) {
    if (number(value, &count)) http->retry_after = count < 86400 ? (int64_t)count : 86400;
  } else if ((value = field(http->line, "date"))) {
    http->date = instant(value);
  } else if ((value = field(http->line, "gameconf-repeated"))) {
    http->repeated = true;
  } else if ((value = field(http->line, "content-type"))) {
    size_t at = 0;
    for (; value[at] && value[at] != ';' && value[at] != ' ' && at < sizeof http->content_type - 1; at++)
      http->content_type[at] = lower(value[at]);
    http->content_type[at] = 0;
  }
  return true;
}

static gcf_http_event head_ends(gcf_http *http) {
  if (http->chunked && http->has_length) return bad(http);
  if (http->status == 204 || http->status == 304) {
    http->has_length = true;
    http->chunked = false;
    http->left = 0;
  }
  http->state = http->chunked ? CHUNK : http->has_length ? LENGTH : TO_EOF;
  if (http->state == TO_EOF) http->closes = true;
  return GCF_HTTP_HEAD;
}

static bool chunk_size(gcf_http *http) {
  uint64_t size = 0;
  int digits = 0;
  const char *p = http->line;
  for (;; p++, digits++) {
    char c = lower(*p);
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) break;
    if (digits == 8) return false;
    size = size << 4 | (uint64_t)digit;
  }
  if (digits == 0 || (*p && *p != ';' && *p != ' ' && *p != '\t')) return false;
  http->left = size;
  http->state = size ? CHUNK_DATA : TRAILERS;
  return true;
}

static gcf_http_event body(gcf_http *http, const uint8_t **bytes, size_t *left, const uint8_t **piece, size_t *length, int next) {
  *piece = *bytes;
  *length = http->state == TO_EOF || *left < http->left ? *left : (size_t)http->left;
  *bytes += *length;
  *left -= *length;
  if (http->state != TO_EOF && (http->left -= *length) == 0) http->state = next;
  return GCF_HTTP_BODY;
}

gcf_http_event gcf_http_next(gcf_http *http, const uint8_t **bytes, size_t *left, const uint8_t **piece, size_t *piece_length) {
  for (;;) {
    int got;
    switch (http->state) {
      case LENGTH:
        if (http->left == 0) {
          http->state = DONE;
          return GCF_HTTP_END;
        }
        return *left ? body(http, bytes, left, piece, piece_length, LENGTH) : GCF_HTTP_MORE;
      case CHUNK_DATA:
        return *left ? body(http, bytes, left, piece, piece_length, CHUNK_END) : GCF_HTTP_MORE;
      case TO_EOF:
        return *left ? body(http, bytes, left, piece, piece_length, TO_EOF) : GCF_HTTP_MORE;
      case DONE:
      case BAD:
        return GCF_HTTP_BAD;
      default:
        break;
    }
    if ((got = line(http, bytes, left)) < 0) return bad(http);
    if (got == 0) return GCF_HTTP_MORE;
    size_t length = http->line_used;
    http->line_used = 0;
    switch (http->state) {
      case STATUS:
        if (!status_line(http)) return bad(http);
        http->state = FIELDS;
        break;
      case FIELDS:
        if (length > 0) {
          if (!take_field(http)) return bad(http);
        } else if (http->status < 200) {
          gcf_http_begin(http); /* skips an interim response (1xx) */
        } else {
          return head_ends(http);
        }
        break;
      case CHUNK:
        http->head_bytes = 0;
        if (!chunk_size(http)) return bad(http);
        break;
      case CHUNK_END:
        if (length > 0) return bad(http);
        http->state = CHUNK;
        break;
      case TRAILERS:
        if (length == 0) {
          http->state = DONE;
          return GCF_HTTP_END;
        }
        break;
      default:
        return bad(http);
    }
  }
}

gcf_http_event gcf_http_eof(gcf_http *http) {
  if (http->state != TO_EOF) return bad(http);
  http->state = DONE;
  return GCF_HTTP_END;
}
