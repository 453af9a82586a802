/* Returns the answers to writes and calls, and evaluates JSON pointers in their bodies. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

bool gameconf_next_answer(gameconf *gc, gameconf_answer *answer) {
  if (!gc || !answer) return false;
  memset(answer, 0, sizeof *answer);
  answer->player = answer->body = "";
  free(gc->taken.player);
  free(gc->taken.body);
  for (uint32_t at = 0; at < gc->taken_count; at++) free(gc->taken_texts[at]);
  gc->taken_count = 0;
  memset(&gc->taken, 0, sizeof gc->taken);
  if (gc->answer_count == 0) return false;
  gc->taken = gc->answers[gc->answer_head];
  gc->answer_head = (gc->answer_head + 1) % GCF_ANSWERS_MAX;
  gc->answer_count--;
  gc->answer_bytes -= gc->taken.shown.length;
  *answer = gc->taken.shown;
  answer->context = gc;
  return true;
}

static bool find(const gameconf_answer *answer, const char *pointer, const char **value, size_t *length) {
  return answer && pointer && answer->body && gcf_json_find(answer->body, answer->length, pointer, value, length);
}

bool gameconf_answer_bool(const gameconf_answer *answer, const char *pointer, bool fallback) {
  const char *value;
  size_t length;
  if (!find(answer, pointer, &value, &length) || (*value != 't' && *value != 'f')) return fallback;
  return *value == 't';
}

static bool number(const gameconf_answer *answer, const char *pointer, double *real, int64_t *integer, bool *is_integer) {
  const char *value;
  size_t length;
  return find(answer, pointer, &value, &length) && gcf_json_number(value, length, real, integer, is_integer);
}

int64_t gameconf_answer_int(const gameconf_answer *answer, const char *pointer, int64_t fallback) {
  double real;
  int64_t integer;
  bool is_integer;
  if (!number(answer, pointer, &real, &integer, &is_integer)) return fallback;
  if (is_integer) return integer;
  if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0)) return fallback;
  return (double)(int64_t)real == real ? (int64_t)real : fallback;
}

double gameconf_answer_double(const gameconf_answer *answer, const char *pointer, double fallback) {
  double real;
  int64_t integer;
  bool is_integer;
  return number(answer, pointer, &real, &integer, &is_integer) ? real : fallback;
}

const char *gameconf_answer_string(const gameconf_answer *answer, const char *pointer, const char *fallback) {
  const char *value;
  size_t length, used;
  if (!find(answer, pointer, &value, &length) || *value != '"' || !answer->context) return fallback;
  gameconf *gc = answer->context;
  char *text = malloc(length), **texts = realloc(gc->taken_texts, (gc->taken_count + 1) * sizeof *texts);
  if (texts) gc->taken_texts = texts;
  if (!text || !texts || !gcf_json_unescape(value, length, text, &used)) {
    free(text);
    return fallback;
  }
  text[used] = 0;
  gc->taken_texts[gc->taken_count++] = text;
  return text;
}
