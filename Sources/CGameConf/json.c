/* Evaluates a JSON pointer in a text: a single pass without a tree or allocations, at most 64 levels deep. */
#include "internal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct scan {
  const char *at, *end;
} scan;

static void skip_space(scan *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r')) s->at++;
}

static bool take(scan *s, char c) {
  skip_space(s);
  if (s->at == s->end || *s->at != c) return false;
  s->at++;
  return true;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int hex4(const char *p, const char *end) {
  if (end - p < 4) return -1;
  int code = 0;
  for (int at = 0; at < 4; at++) {
    int digit = hex_digit(p[at]);
    if (digit < 0) return -1;
    code = code << 4 | digit;
  }
  return code;
}

/* Skips a string. It starts after the opening quote and ends after the closing one. */
static bool skip_text(scan *s) {
  while (s->at < s->end) {
    unsigned char c = (unsigned char)*s->at++;
    if (c == '"') return true;
    if (c < 0x20) return false;
    if (c != '\\') continue;
    if (s->at == s->end) return false;
    c = (unsigned char)*s->at++;
    if (c == 'u') {
      if (hex4(s->at, s->end) < 0) return false;
      s->at += 4;
    } else if (!strchr("\"\\/bfnrt", c)) {
      return false;
    }
  }
  return false;
}

static bool digits(scan *s) {
  const char *start = s->at;
  while (s->at < s->end && *s->at >= '0' && *s->at <= '9') s->at++;
  return s->at > start;
}

static bool skip_number(scan *s) {
  if (s->at < s->end && *s->at == '-') s->at++;
  const char *start = s->at;
  if (!digits(s) || (*start == '0' && s->at - start > 1)) return false;
  if (s->at < s->end && *s->at == '.') {
    s->at++;
    if (!digits(s)) return false;
  }
  if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
    s->at++;
    if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
    if (!digits(s)) return false;
  }
  return true;
}

static bool word(scan *s, const char *text) {
  size_t length = strlen(text);
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0) return false;
  s->at += length;
  return true;
}

static bool skip_value(scan *s, int depth) {
  skip_space(s);
  if (s->at == s->end || depth > GCF_JSON_DEPTH_MAX) return false;
  char c = *s->at;
  if (c == '"') return s->at++, skip_text(s);
  if (c == 't') return word(s, "true");
  if (c == 'f') return word(s, "false");
  if (c == 'n') return word(s, "null");
  if (c != '{' && c != '[') return skip_number(s);
  char close = c == '{' ? '}' : ']';
  s->at++;
  if (take(s, close)) return true;
  do {
    if (c == '{' && (!take(s, '"') || !skip_text(s) || !take(s, ':'))) return false;
    if (!skip_value(s, depth + 1)) return false;
  } while (take(s, ','));
  return take(s, close);
}

bool gcf_json_is_valid(const char *json, size_t length) {
  scan s = {json, json + length};
  if (!gcf_is_utf8(json, length) || !skip_value(&s, 0)) return false;
  skip_space(&s);
  return s.at == s.end;
}

/* Decodes one character of a JSON string to UTF-8. Returns its length, 0 at the closing quote, -1 if it is malformed. */
static int next_character(scan *s, char out[4]) {
  if (s->at == s->end) return -1;
  char c = *s->at++;
  if (c == '"') return 0;
  if (c != '\\') return out[0] = c, 1;
  if (s->at == s->end) return -1;
  c = *s->at++;
  const char *from = "\"\\/bfnrt", *to = "\"\\/\b\f\n\r\t", *found = c ? strchr(from, c) : NULL;
  if (found) return out[0] = to[found - from], 1;
  int code = c == 'u' ? hex4(s->at, s->end) : -1;
  if (code < 0) return -1;
  s->at += 4;
  if (code >= 0xd800 && code < 0xdc00) {
    int low = s->end - s->at >= 6 && s->at[0] == '\\' && s->at[1] == 'u' ? hex4(s->at + 2, s->end) : -1;
    if (low < 0xdc00 || low > 0xdfff) return -1;
    s->at += 6;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return -1;
  }
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800) return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
  if (code < 0x10000)
    return out[0] = (char)(0xe0 | code >> 12), out[1] = (char)(0x80 | (code >> 6 & 63)), out[2] = (char)(0x80 | (code & 63)), 3;
  out[0] = (char)(0xf0 | code >> 18), out[1] = (char)(0x80 | (code >> 12 & 63));
  out[2] = (char)(0x80 | (code >> 6 & 63)), out[3] = (char)(0x80 | (code & 63));
  return 4;
}

/* True if the string after an opening quote equals the pointer's token. Skips the string in both cases. */
static bool is_token(scan *s, const char *token, size_t length) {
  const char *p = token, *end = token + length;
  char out[4];
  bool same = true;
  int count;
  while ((count = next_character(s, out)) > 0) {
    for (int at = 0; at < count; at++) {
      char wanted = 0;
      if (p < end) {
        wanted = *p++;
        if (wanted == '~' && p < end) wanted = *p++ == '1' ? '/' : '~';
      } else {
        same = false;
      }
      if (wanted != out[at]) same = false;
    }
  }
  return count == 0 && same && p == end;
}

static bool into_object(scan *s, const char *token, size_t length, int depth) {
  if (take(s, '}')) return false;
  do {
    if (!take(s, '"')) return false;
    scan name = *s;
    if (!skip_text(s) || !take(s, ':')) return false;
    if (is_token(&name, token, length)) return true;
    if (!skip_value(s, depth + 1)) return false;
  } while (take(s, ','));
  return false;
}

static bool into_list(scan *s, const char *token, size_t length, int depth) {
  if (length == 0 || length > 9 || (token[0] == '0' && length > 1)) return false;
  uint32_t wanted = 0;
  for (size_t at = 0; at < length; at++) {
    if (token[at] < '0' || token[at] > '9') return false;
    wanted = wanted * 10 + (uint32_t)(token[at] - '0');
  }
  if (take(s, ']')) return false;
  for (; wanted > 0; wanted--)
    if (!skip_value(s, depth + 1) || !take(s, ',')) return false;
  return true;
}

bool gcf_json_find(const char *json, size_t length, const char *pointer, const char **value, size_t *value_length) {
  scan s = {json, json + length};
  int depth = 0;
  if (*pointer != 0 && *pointer != '/') return false;
  while (*pointer == '/') {
    const char *token = ++pointer;
    while (*pointer && *pointer != '/') pointer++;
    size_t token_length = (size_t)(pointer - token);
    if (++depth > GCF_JSON_DEPTH_MAX) return false;
    if (take(&s, '{')) {
      if (!into_object(&s, token, token_length, depth)) return false;
    } else if (take(&s, '[')) {
      if (!into_list(&s, token, token_length, depth)) return false;
    } else {
      return false;
    }
  }
  skip_space(&s);
  *value = s.at;
  if (!skip_value(&s, depth)) return false;
  *value_length = (size_t)(s.at - *value);
  return true;
}

bool gcf_json_number(const char *value, size_t length, double *real, int64_t *integer, bool *is_integer) {
  scan s = {value, value + length};
  char copy[64];
  if (length == 0 || !skip_number(&s) || s.at != s.end) return false;
  *is_integer = !memchr(value, '.', length) && !memchr(value, 'e', length) && !memchr(value, 'E', length);
  if (*is_integer) {
    bool negative = value[0] == '-';
    uint64_t sum = 0, limit = (uint64_t)INT64_MAX + negative;
    for (size_t at = negative; at < length && *is_integer; at++) {
      uint64_t digit = (uint64_t)(value[at] - '0');
      if (sum > (limit - digit) / 10) *is_integer = false;
      sum = sum * 10 + digit;
    }
    *integer = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    if (*is_integer) return *real = (double)*integer, true;
  }
  if (length >= sizeof copy - 8) return false;
  /* strtod expects the decimal point of the game's locale, so the point is replaced. */
  size_t used = 0;
  const struct lconv *convention = localeconv();
  const char *point = convention && convention->decimal_point && strlen(convention->decimal_point) < 8 ? convention->decimal_point : ".";
  for (size_t at = 0; at < length; at++) {
    if (value[at] == '.') {
      for (const char *p = point; *p; p++) copy[used++] = *p;
    } else {
      copy[used++] = value[at];
    }
  }
  copy[used] = 0;
  *real = strtod(copy, NULL);
  return *real - *real == 0;
}

bool gcf_json_unescape(const char *value, size_t length, char *into, size_t *into_length) {
  scan s = {value, value + length};
  char out[4];
  int count;
  if (!take(&s, '"')) return false;
  *into_length = 0;
  while ((count = next_character(&s, out)) > 0) {
    memcpy(into + *into_length, out, (size_t)count);
    *into_length += (size_t)count;
  }
  return count == 0 && s.at == s.end;
}
