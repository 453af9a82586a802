/* The JSON scanner: what pointers find, and texts that are none. */
#include "check.h"

#include <locale.h>

static bool finds(const char *json, const char *pointer, const char *wanted) {
  const char *value;
  size_t length;
  if (!gcf_json_find(json, strlen(json), pointer, &value, &length)) return wanted == NULL;
  return wanted && length == strlen(wanted) && memcmp(value, wanted, length) == 0;
}

static void pointers(void) {
  const char *json = " {\"a\":[10,{\"b/c\":true,\"~\":null}],\"\":\"empty\",\"\\u00e9\":1.5e3,\"a\":2} ";
  CHECK(finds(json, "/a/0", "10") && finds(json, "/a/1/b~1c", "true") && finds(json, "/a/1/~0", "null"));
  CHECK(finds(json, "/", "\"empty\"") && finds(json, "/é", "1.5e3") && finds(json, "/a", "[10,{\"b/c\":true,\"~\":null}]"));
  CHECK(finds(json, "/a/2", NULL) && finds(json, "/a/00", NULL) && finds(json, "/a/-", NULL) && finds(json, "/b", NULL));
  CHECK(finds(json, "a", NULL) && finds(json, "/a/0/x", NULL) && finds("3", "", "3"));
}

static void malformed(void) {
  const char *bad[] = {"",      "{",       "[1,]",     "{\"a\"}",  "{\"a\":}", "01",        "1.",         "-",      "\"\\x\"", "\"\\u12\"",
                       "nul",   "[1 2]",   "{a:1}",    "\"\n\"",   "tru",      "[1",        "{\"a\":1,}", "1e",     "}",       "\"\xff\"",
                       "1 1",   "[[[",     "\"",       "{\"\":",   "+1",       "\"\xc0\x80\""};
  for (size_t at = 0; at < sizeof bad / sizeof *bad; at++) CHECK(!gcf_json_is_valid(bad[at], strlen(bad[at])));
  const char *good[] = {"{}", "[]", " 1 ", "-0.5e+10", "\"\\ud83d\\ude00\"", "[{},[],\"\",null,true,false]"};
  for (size_t at = 0; at < sizeof good / sizeof *good; at++) CHECK(gcf_json_is_valid(good[at], strlen(good[at])));
  char deep[200];
  memset(deep, '[', 100);
  memset(deep + 100, ']', 100);
  CHECK(!gcf_json_is_valid(deep, 200) && gcf_json_is_valid(deep + 40, 120));
}

static void numbers(void) {
  double real;
  int64_t integer;
  bool is_integer;
  CHECK(gcf_json_number("9223372036854775807", 19, &real, &integer, &is_integer) && is_integer && integer == INT64_MAX);
  CHECK(gcf_json_number("-9223372036854775808", 20, &real, &integer, &is_integer) && is_integer && integer == INT64_MIN);
  CHECK(gcf_json_number("9223372036854775808", 19, &real, &integer, &is_integer) && !is_integer && real == 9223372036854775808.0);
  CHECK(gcf_json_number("2.5", 3, &real, &integer, &is_integer) && !is_integer && real == 2.5);
  CHECK(!gcf_json_number("1e999", 5, &real, &integer, &is_integer) && !gcf_json_number("", 0, &real, &integer, &is_integer));
  /* A game that speaks German writes a comma. */
  const char *german[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
  for (size_t at = 0; at < 4; at++)
    if (setlocale(LC_NUMERIC, german[at])) break;
  CHECK(gcf_json_number("2.5", 3, &real, &integer, &is_integer) && real == 2.5);
  setlocale(LC_NUMERIC, "C");
}

static void unescapes(void) {
  char text[64];
  size_t length;
  const char *json = "\"a\\n\\\"\\u00e9\\ud83d\\ude00\\/\"";
  CHECK(gcf_json_unescape(json, strlen(json), text, &length) && length == 10 && memcmp(text, "a\n\"é😀/", length) == 0);
  CHECK(!gcf_json_unescape("\"\\ud83d\"", 8, text, &length) && !gcf_json_unescape("1", 1, text, &length));
}

static void writes(void) {
  gcf_buffer text = {0};
  gcf_put_json_text(&text, "a\"\\\n\x1fé");
  CHECK_TEXT(gcf_buffer_text(&text), "\"a\\\"\\\\\\u000a\\u001fé\"");
  text.used = 0;
  gcf_put_path_part(&text, ".a b/é%");
  CHECK_TEXT(gcf_buffer_text(&text), "%2Ea%20b%2F%C3%A9%25");
  text.used = 0;
  gcf_put_path_part(&text, "."), gcf_put_path_part(&text, "..");
  CHECK_TEXT(gcf_buffer_text(&text), "");
  text.used = 0;
  gcf_put_instant(&text, 1767268800123);
  CHECK_TEXT(gcf_buffer_text(&text), "2026-01-01T12:00:00.123Z");
  text.used = 0;
  gcf_put_instant(&text, -1);
  CHECK_TEXT(gcf_buffer_text(&text), "1969-12-31T23:59:59.999Z");
  text.used = 0;
  gcf_put_instant(&text, 951782400000);
  CHECK_TEXT(gcf_buffer_text(&text), "2000-02-29T00:00:00.000Z");
  gcf_buffer_free(&text);
}

void json_tests(void) {
  TEST("pointers find what RFC 6901 says", pointers);
  TEST("what is no JSON is refused", malformed);
  TEST("numbers keep their kind, whatever the game's locale", numbers);
  TEST("strings are unescaped", unescapes);
  TEST("texts, paths and instants are written as the daemon reads them", writes);
}
