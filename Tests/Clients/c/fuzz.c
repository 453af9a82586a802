/* Feeds arbitrary bytes to what reads images, answers, frames and JSON. With FUZZER: a program of libFuzzer's,
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -DFUZZER Tests/Clients/c/{fuzz,check,mapped}.c Sources/CGameConf/[files].c
 * whose first byte chooses what is fed. */
#include "fuzz.h"
#include "mapped.h"

static volatile uint64_t sink;

/* Reads everything there is in an image that was taken for one, and what becomes of it under a patch. */
static void read_all(const gcf_image *image) {
  for (uint32_t at = 0; at < image->entries.count && at < 5000; at++) {
    const gcf_entry *entry = gcf_entry_at(image, at);
    uint32_t length;
    const char *key = gcf_text_of(image, entry->key, &length);
    sink += strlen(key) + length + strlen(gcf_text_of(image, entry->value.text, NULL)) + strlen(gcf_text_of(image, entry->variant, NULL));
    sink += gcf_image_find(image, key, length, entry->hash) != NULL;
  }
  for (int which = 0; which < 4; which++) sink += strlen(gcf_image_caller(image, which));
  sink += gcf_record_named(image, &image->themes, "neon") != NULL;
  sink += gcf_record_named(image, &image->entitlements, "ad_free") != NULL;
}

static void lay_over(const gcf_image *image, const gcf_image *patch) {
  size_t size;
  gcf_image made;
  void *bytes = gcf_image_merge(image, patch, &size);
  if (bytes && gcf_image_check(&made, bytes, size) != NULL) abort(); /* what is built is sound, whatever it is built from */
  if (bytes) read_all(&made);
  free(bytes);
  bytes = gcf_image_without_player(image, &size);
  if (bytes && gcf_image_check(&made, bytes, size) != NULL) abort();
  free(bytes);
}

void fuzz_image(const uint8_t *bytes, size_t size) {
  static void *sample_bytes;
  static gcf_image sample;
  if (!sample_bytes) {
    size_t length;
    sample_bytes = file_bytes("Tests/Fixtures/Images/sample.image", &length);
    if (gcf_image_check(&sample, sample_bytes, length) != NULL) abort();
  }
  uint8_t *copy = malloc(size ? size : 1); /* aligned */
  memcpy(copy, bytes, size);
  gcf_image image;
  if (gcf_image_check(&image, copy, size) == NULL) read_all(&image);
  /* Past the checksum, which no mutation would meet: sealed anew, with the length it has. */
  if (size >= GCF_HEADER_BYTES) {
    uint64_t length = size, checksum;
    memcpy(copy, "\x89GCI\r\n\x1a\n", 8);
    copy[8] = 1, copy[9] = 0;
    memcpy(copy + 16, &length, 8);
    checksum = gcf_checksum(copy + 32, size - 32);
    memcpy(copy + 24, &checksum, 8);
    if (gcf_image_check(&image, copy, size) == NULL) {
      read_all(&image);
      lay_over(&sample, &image);
      lay_over(&image, &sample);
      gameconf *gc = NULL;
      gameconf_options options = {.size = sizeof options, .game = "dots", .flags = GAMECONF_OFFLINE, .defaults = copy, .defaults_size = size};
      if (gameconf_open(&gc, &options) == 0) {
        gameconf_info info;
        const char *keys[] = {"shadows", "lives", "speed", "title", "colours", "nothing"};
        for (int at = 0; at < 6; at++) {
          sink += gameconf_bool_info(gc, keys[at], false, &info) + (uint64_t)gameconf_int(gc, keys[at], 0) + (gameconf_double(gc, keys[at], 0) > 1);
          sink += strlen(gameconf_string_info(gc, keys[at], "", &info)) + strlen(gameconf_json(gc, keys[at], "")) + strlen(info.variant);
        }
        void *again = malloc(size);
        memcpy(again, copy, size);
        gcf_take_image(gc, again, size, 0);
        sink += (uint64_t)gameconf_now(gc) + gameconf_ad_free(gc, false, &info) + gameconf_theme_unlocked(gc, "neon", false, NULL);
        gameconf_change change;
        while (gameconf_next_change(gc, &change)) sink += strlen(change.name);
        gameconf_close(gc);
      }
    }
  }
  free(copy);
}

void fuzz_answer(const uint8_t *bytes, size_t size) {
  gcf_http http;
  gcf_frames frames;
  gcf_http_begin(&http);
  memset(&frames, 0, sizeof frames);
  size_t cut = size ? bytes[0] % 17 + 1 : 1;
  for (size_t at = 0; at < size; at += cut) {
    const uint8_t *p = bytes + at, *piece;
    size_t left = size - at < cut ? size - at : cut, piece_length;
    for (;;) {
      gcf_http_event event = gcf_http_next(&http, &p, &left, &piece, &piece_length);
      if (event == GCF_HTTP_MORE) break;
      if (event == GCF_HTTP_BAD) goto end;
      if (event == GCF_HTTP_END) gcf_http_begin(&http);
      if (event == GCF_HTTP_BODY) {
        int got;
        while ((got = gcf_frames_next(&frames, &piece, &piece_length)) == 1) sink += strlen(frames.id) + frames.length;
        if (got < 0) goto end;
      }
    }
  }
  gcf_http_eof(&http);
end:
  gcf_frames_reset(&frames);
}

/* A control page's beginning, in a file beside an image that is good: whoever opens it reads that image, or nothing. */
void fuzz_control(const uint8_t *bytes, size_t size) {
  static mapped mapped;
  static gcf_control good;
  if (!mapped.page) {
    mapped_begin(&mapped, "fuzzing");
    mapped_image(&mapped, 1, 3);
    memcpy(&good, mapped.page, sizeof good);
  }
  gcf_told told;
  memset(mapped.page, 0, GCF_CONTROL_BYTES);
  memcpy(mapped.page, bytes, size < GCF_CONTROL_BYTES ? size : GCF_CONTROL_BYTES);
  sink += gcf_control_check(mapped.page, GCF_CONTROL_BYTES, good.boot) != NULL;
  sink += gcf_control_read(mapped.page, &told) + gcf_control_is_fresh(mapped.page);
  /* Past the head, which few mutations would leave as it is. */
  memcpy(mapped.page, &good, offsetof(gcf_control, generation));
  if (size % 2) mapped_beat(&mapped);
  gameconf *gc = mapped_open(&mapped, NULL, NULL, NULL);
  int64_t lives = gameconf_int(gc, "lives", -1);
  if (lives != 3 && lives != -1) abort();
  for (int round = 0; round < 3; round++) {
    mapped.page->generation += 1 + size % 3;
    if (size % 5 == 0) mapped.page->bytes ^= size;
    gc->map.countdown = 1;
    gameconf_update(gc);
    lives = gameconf_int(gc, "lives", -1);
    if (lives != 3 && lives != -1) abort();
  }
  gameconf_close(gc);
}

/* A pointer, a NUL, a text. */
void fuzz_json(const uint8_t *bytes, size_t size) {
  const uint8_t *end = memchr(bytes, 0, size);
  if (!end) return;
  const char *json = (const char *)end + 1, *value;
  size_t length = size - (size_t)(json - (const char *)bytes), value_length, used;
  double real;
  int64_t integer;
  bool is_integer;
  sink += gcf_json_is_valid(json, length);
  if (!gcf_json_find(json, length, (const char *)bytes, &value, &value_length)) return;
  if (value < json || value + value_length > json + length) abort();
  sink += gcf_json_number(value, value_length, &real, &integer, &is_integer);
  char *text = malloc(value_length + 1);
  if (gcf_json_unescape(value, value_length, text, &used) && used > value_length) abort();
  free(text);
}

#ifdef FUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 1) return 0;
  if (bytes[0] % 4 < 2) fuzz_image(bytes + 1, size - 1);
  else if (bytes[0] % 8 == 2) fuzz_control(bytes + 1, size - 1);
  else if (bytes[0] % 4 == 2) fuzz_answer(bytes + 1, size - 1);
  else fuzz_json(bytes + 1, size - 1);
  return 0;
}
#endif
