/* Images: the daemon's samples as they are read here, patches, and what is refused. */
#include "check.h"

static const char *samples = "Tests/Fixtures/Images/";

static gcf_image sample(const char *name, void **memory) {
  char path[512];
  size_t size;
  gcf_image image;
  snprintf(path, sizeof path, "%s%s", samples, name);
  *memory = file_bytes(path, &size);
  CHECK(gcf_image_check(&image, *memory, size) == NULL);
  return image;
}

static const gcf_entry *entry(const gcf_image *image, const char *key) {
  return gcf_image_find(image, key, strlen(key), gcf_hash(key, strlen(key)));
}

static void reads_samples(void) {
  void *memory;
  gcf_image image = sample("sample.image", &memory);
  CHECK(image.header->epoch == 0x0123456789abcdef && image.header->revision == 42 && image.header->player_revision == 7);
  CHECK(image.entries.count == 5 && entry(&image, "nothing") == NULL);
  CHECK(entry(&image, "shadows")->kind == GCF_BOOLEAN && entry(&image, "shadows")->value.word == 1);
  CHECK(entry(&image, "lives")->value.integer == 5 && entry(&image, "lives")->source == GAMECONF_SOURCE_PLAYER_OVERRIDE);
  CHECK(entry(&image, "lives")->flags == (GAMECONF_VARIES | GAMECONF_OVERRIDDEN) && entry(&image, "lives")->next_change_at == 1767272400000);
  CHECK(entry(&image, "speed")->value.real == 2.5);
  CHECK_TEXT(gcf_text_of(&image, entry(&image, "speed")->variant, NULL), "fast");
  CHECK_TEXT(gcf_text_of(&image, entry(&image, "title")->value.text, NULL), "Où est le point ?");
  CHECK_TEXT(gcf_text_of(&image, entry(&image, "colours")->value.text, NULL), "[\"red\",\"blue\"]");
  CHECK_TEXT(gcf_image_caller(&image, GCF_CALLER_PLAYER), "p1");
  CHECK_TEXT(gcf_image_caller(&image, GCF_CALLER_CONTEXT), "{\"platform\":\"ios\"}");
  const gcf_mark *aurora = gcf_record_named(&image, &image.themes, "aurora");
  CHECK(aurora && aurora->flags == 1 && gcf_record_named(&image, &image.products, "remove_ads"));
  free(memory);
}

static void lays_patch_over(void) {
  void *memory, *patch_memory;
  gcf_image image = sample("sample.image", &memory), patch = sample("sample.patch", &patch_memory), merged;
  size_t size;
  void *bytes = gcf_image_merge(&image, &patch, &size);
  CHECK(gcf_image_check(&merged, bytes, size) == NULL);
  CHECK(merged.header->revision == 43 && merged.header->flags == GCF_FOR_PLAYER && merged.entries.count == 4);
  CHECK(entry(&merged, "title") == NULL && entry(&merged, "lives")->value.integer == 3 && entry(&merged, "speed")->value.real == 4);
  CHECK(entry(&merged, "shadows")->value.word == 1 && merged.base.count == 0 && merged.entitlements.count == 1);
  CHECK(((const gcf_mark *)gcf_record_named(&merged, &merged.themes, "neon"))->flags == 1);
  CHECK_TEXT(gcf_text_of(&merged, entry(&merged, "speed")->variant, NULL), "slow");
  CHECK_TEXT(gcf_image_caller(&merged, GCF_CALLER_LOCALE), "fr");
  free(bytes);
  free(memory);
  free(patch_memory);
}

static void shared_patch(void) {
  void *memory;
  gcf_image image = sample("sample.image", &memory), patch, merged;
  draft draft;
  size_t size, patch_size;
  draft_begin(&draft, "dots", NULL, 44, GCF_PATCH);
  draft_bool(&draft, "shadows", false);
  void *patch_bytes = draft_end(&draft, &patch_size);
  CHECK(gcf_image_check(&patch, patch_bytes, patch_size) == NULL);
  void *bytes = gcf_image_merge(&image, &patch, &size);
  CHECK(gcf_image_check(&merged, bytes, size) == NULL);
  CHECK(merged.header->revision == 44 && merged.header->player_revision == 7 && merged.header->player_offset == 86400000);
  CHECK(merged.header->flags == GCF_FOR_PLAYER && merged.base.count == 1 && entry(&merged, "shadows")->value.word == 0);
  CHECK_TEXT(gcf_image_caller(&merged, GCF_CALLER_PLAYER), "p1");
  free(bytes);
  free(patch_bytes);
  free(memory);
}

static void leaves_player_out(void) {
  void *memory;
  gcf_image image = sample("sample.image", &memory), shared;
  size_t size;
  void *bytes = gcf_image_without_player(&image, &size);
  CHECK(gcf_image_check(&shared, bytes, size) == NULL);
  CHECK(entry(&shared, "lives")->value.integer == 3 && shared.header->flags == 0 && !shared.themes.present && !shared.products.present);
  CHECK_TEXT(gcf_image_caller(&shared, GCF_CALLER_PLAYER), "");
  free(bytes);
  free(memory);
}

static void seal(uint8_t *bytes, size_t size) {
  uint64_t checksum = gcf_checksum(bytes + 32, size - 32);
  memcpy(bytes + 24, &checksum, 8);
}

static void refuses_damaged(void) {
  size_t size;
  uint8_t *bytes = file_bytes("Tests/Fixtures/Images/sample.image", &size), *copy = malloc(size + 8);
  gcf_image image;
  for (size_t length = 0; length < size; length++) CHECK(gcf_image_check(&image, bytes, length) != NULL);
  for (size_t at = 0; at < size; at++) {
    memcpy(copy, bytes, size);
    copy[at] ^= 0x10;
    /* The minor version is the one thing that may differ. */
    if (at != 10 && at != 11) CHECK(gcf_image_check(&image, copy, size) != NULL);
  }
  memcpy(copy, bytes, size);
  copy[10] = 9;
  CHECK(gcf_image_check(&image, copy, size) == NULL);
  copy[8] = 2;
  CHECK_TEXT(gcf_image_check(&image, copy, size), "an image of another major version");
  CHECK(gcf_image_check(&image, copy + 1, size - 1) != NULL && gcf_image_check(&image, NULL, 0) != NULL);
  /* A section of a name to come is skipped. */
  memcpy(copy, bytes, size);
  memcpy(copy + 128 + 24 * 3, "NEWS", 4);
  seal(copy, size);
  CHECK(gcf_image_check(&image, copy, size) == NULL);
  free(copy);
  free(bytes);
}

static void many_keys(void) {
  draft draft;
  size_t size;
  gcf_image image;
  char key[40];
  draft_begin(&draft, "dots", NULL, 1, 0);
  for (int at = 0; at < 3000; at++) {
    snprintf(key, sizeof key, "tuning_group_%d_value_%d", at % 7, at);
    draft_int(&draft, key, at, 5);
  }
  void *bytes = draft_end(&draft, &size);
  CHECK(gcf_image_check(&image, bytes, size) == NULL);
  for (int at = 0; at < 3000; at++) {
    snprintf(key, sizeof key, "tuning_group_%d_value_%d", at % 7, at);
    const gcf_entry *found = entry(&image, key);
    CHECK(found && found->value.integer == at);
  }
  CHECK(entry(&image, "tuning_group_0_value_3000") == NULL && entry(&image, "") == NULL);
  free(bytes);
}

static void hashes(void) {
  /* Published vectors of both algorithms. */
  CHECK(gcf_hash("", 0) == 0 && gcf_hash("hello", 5) == 0x248bfa47 && gcf_hash("hello, world", 12) == 0x149bbb7f);
  CHECK(gcf_checksum("", 0) == 0xEF46DB3751D8E999 && gcf_checksum("a", 1) == 0xD24EC4F1A98C6E5B);
  CHECK(gcf_checksum("abc", 3) == 0x44BC2CF5AD770999);
  CHECK(gcf_checksum("Nobody inspects the spammish repetition", 39) == 0xFBCEA83C8A378BF1);
}

void image_tests(void) {
  TEST("the daemon's sample is read", reads_samples);
  TEST("a patch is laid over an image", lays_patch_over);
  TEST("a patch for everybody leaves what is the player's", shared_patch);
  TEST("an image without its player's layer is what everybody sees", leaves_player_out);
  TEST("a damaged or newer image is refused, a newer minor is not", refuses_damaged);
  TEST("every one of 3 000 keys is found", many_keys);
  TEST("hash and checksum are the published ones", hashes);
}
