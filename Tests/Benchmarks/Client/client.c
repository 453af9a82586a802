/* What reading a value costs a game, beside what it stands beside in the budgets. Processor time of this process, the best of several
 * rounds: other programs on the machine make nothing faster. */
#include "../../Clients/c/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 3000, HOT = 64, ROUNDS = 9, TABLE = 8192 };

static char keys[KEYS][48];
static volatile double sink;

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *image(int64_t revision, double offset, size_t *size) {
  gcf_header header;
  gcf_builder builder;
  memset(&header, 0, sizeof header);
  memcpy(header.magic, "\x89GCI\r\n\x1a\n", 8);
  header.epoch = 1;
  header.revision = revision;
  header.clock_rate = 1000;
  gcf_builder_begin(&builder, &header, KEYS, KEYS * 40);
  builder.caller[0] = gcf_builder_text(&builder, "dots", 4);
  for (int at = 0; at < KEYS; at++) {
    gcf_entry *entry = &builder.entries.rows[builder.entries.count++];
    memset(entry, 0, sizeof *entry);
    entry->hash = gcf_hash(keys[at], strlen(keys[at]));
    entry->key = gcf_builder_text(&builder, keys[at], strlen(keys[at]));
    entry->kind = entry->type = GCF_DOUBLE;
    entry->source = 5;
    entry->value.real = at + offset;
  }
  return gcf_builder_end(&builder, size);
}

/* The next revision of an image, since nobody takes over an older one: other values are in every second. */
static const void *next(void *images[2], size_t size, int64_t *revision) {
  uint8_t *bytes = images[++*revision % 2];
  gcf_header *header = (gcf_header *)(void *)bytes;
  header->revision = *revision;
  header->checksum = gcf_checksum(bytes + 32, size - 32);
  return bytes;
}

/* A hash table of the same keys as a game would write one: strings, chained by the next free slot. */
static struct {
  const char *key;
  double value;
} table[TABLE];

static double *table_find(const char *key) {
  uint32_t slot = gcf_hash(key, strlen(key)) % TABLE;
  while (table[slot].key && strcmp(table[slot].key, key) != 0) slot = (slot + 1) % TABLE;
  return &table[slot].value;
}

static void report(const char *what, double figure, const char *unit, const char *beside, double other, double budget) {
  printf("%-44s %8.1f %-2s  budget %6.0f %s  %-34s %8.1f  ratio %.2f\n", what, figure, unit, budget, figure <= budget ? "met   " : "MISSED", beside,
         other, other > 0 ? figure / other : 0);
}

#define BEST(variable, count, statement)                          \
  double variable = 1e300;                                        \
  for (int round = 0; round < ROUNDS; round++) {                  \
    double start = now_ns();                                      \
    for (int n = 0; n < (count); n++) { statement; }              \
    double each = (now_ns() - start) / (count);                   \
    if (each < variable) variable = each;                         \
  }

/* The daemon's side: the image as a file, told of on the page. */
static void tell(mapped *mapped, const void *bytes, size_t size) {
  const gcf_header *header = bytes;
  mapped_write(mapped, header->checksum, bytes, size);
  mapped_tell(mapped, GCF_CONTROL_LIVE, header->checksum, size, header->epoch, header->revision);
}

static void mapped_figures(void *images[2], size_t size, int64_t revision) {
  mapped mapped;
  gameconf *gc;
  gameconf_change change;
  mapped_begin(&mapped, "images");
  tell(&mapped, next(images, size, &revision), size);
  double opened = 1e300, take = 1e300, copied = 1e300;
  for (int round = 0; round < 40; round++) {
    gameconf_options options = {.size = sizeof options, .game = "dots", .socket = "/nowhere", .images = mapped.images};
    double start = now_ns();
    if (gameconf_open(&gc, &options) != 0 || !gc->map.serves) exit(1);
    double each = (now_ns() - start) / 1000;
    if (each < opened) opened = each;
    void *other = malloc(size);
    start = now_ns();
    memcpy(other, images[round % 2], size);
    each = (now_ns() - start) / 1000;
    sink += ((double *)other)[round];
    free(other);
    if (each < copied) copied = each;
    if (round < 39) gameconf_close(gc);
  }
  report("open from a mapped image of 3 000 keys", opened, "us", "memcpy of the same", copied, 200);
  for (int round = 0; round < 40; round++) {
    tell(&mapped, next(images, size, &revision), size);
    double start = now_ns();
    int changes = gameconf_update(gc);
    double each = (now_ns() - start) / 1000;
    if (changes != KEYS) exit(3);
    if (each < take) take = each;
    while (gameconf_next_change(gc, &change)) {}
  }
  report("update that takes over 3 000 keys, mapped", take, "us", "memcpy of the same", copied, 300);
  mapped_beat(&mapped);
  BEST(again, 100000, sink += (double)getppid())
  BEST(idle, 10000000, if ((n & 0xfffff) == 0) mapped_beat(&mapped); sink += gameconf_update(gc))
  if (!gc->map.serves) exit(1);
  report("update with nothing new, mapped", idle, "ns", "a system call", again, 10);
  gameconf_close(gc);
  mapped_end(&mapped);
}

int main(void) {
  for (int at = 0; at < KEYS; at++) {
    snprintf(keys[at], sizeof keys[at], "tuning_group_%d_value_%d", at % 7, at);
  }
  for (int at = 0; at < KEYS; at++) {
    double *value = table_find(keys[at]);
    *value = at;
    uint32_t slot = (uint32_t)(((char *)value - (char *)table) / sizeof *table);
    table[slot].key = keys[at];
  }
  char folder[] = "/tmp/gameconf-bench-XXXXXX";
  if (!mkdtemp(folder)) return 1;
  gameconf *gc;
  gameconf_options options = {.size = sizeof options, .game = "dots", .flags = GAMECONF_OFFLINE, .cache = folder};
  if (gameconf_open(&gc, &options) != 0) return 1;
  size_t size;
  void *images[2] = {image(1, 0, &size), image(2, 0.5, &size)};
  void *copy = malloc(size);
  memcpy(copy, images[0], size);
  gcf_take_image(gc, copy, size, 0);
  gameconf_change change;
  while (gameconf_next_change(gc, &change)) {}
  gameconf_key handles[HOT];
  for (int at = 0; at < HOT; at++) handles[at] = gameconf_find(gc, keys[at * 40]);

  BEST(by_name, 1000000, sink += gameconf_double(gc, keys[(n & (HOT - 1)) * 40], 0))
  BEST(in_table, 1000000, sink += *table_find(keys[(n & (HOT - 1)) * 40]))
  report("a value by name", by_name, "ns", "a hash table of the same keys", in_table, 40);
  BEST(any_name, KEYS, sink += gameconf_double(gc, keys[(n * 1009) % KEYS], 0))
  BEST(any_table, KEYS, sink += *table_find(keys[(n * 1009) % KEYS]))
  report("a value by name, each of 3 000 in turn", any_name, "ns", "a hash table of the same keys", any_table, 40);
  BEST(by_handle, 10000000, sink += gameconf_double_at(gc, handles[n & (HOT - 1)], 0))
  report("a value by handle", by_handle, "ns", "a hash table of the same keys", in_table, 5);

  int pair[2];
  char byte;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0) return 1;
  BEST(again, 100000, sink += (double)recv(pair[0], &byte, 1, 0))
  gameconf *connected;
  gameconf_options live = {.size = sizeof live, .game = "dots", .socket = "/nowhere"};
  if (gameconf_open(&connected, &live) != 0) return 1;
  connected->stream.fd = pair[0]; /* a stream on which nothing comes */
  connected->stream.heard_at = gcf_monotonic();
  gcf_poll_watch(connected, &connected->stream, true);
  BEST(update, 100000, sink += gameconf_update(connected))
  report("update with nothing new, over a socket", update, "ns", "a system call that says EAGAIN", again, 2000);
  gameconf_close(connected);

  double take = 1e300, copied = 1e300;
  int64_t revision = 2;
  for (int round = 0; round < 40; round++) {
    copy = malloc(size);
    memcpy(copy, next(images, size, &revision), size);
    double start = now_ns();
    gcf_take_image(gc, copy, size, 0);
    double each = (now_ns() - start) / 1000;
    if (each < take) take = each;
    int changes = 0;
    while (gameconf_next_change(gc, &change)) changes++;
    if (changes != KEYS) exit(2);
    void *other = malloc(size);
    start = now_ns();
    memcpy(other, images[round % 2], size);
    each = (now_ns() - start) / 1000;
    sink += ((double *)other)[round];
    free(other);
    if (each < copied) copied = each;
  }
  report("taking over 3 000 changed keys", take, "us", "memcpy of the same", copied, 300);

  gc->cache_is_due = true;
  gc->cache_at = 0;
  gameconf_close(gc);
  double opened = 1e300;
  for (int round = 0; round < 20; round++) {
    double start = now_ns();
    if (gameconf_open(&gc, &options) != 0) return 1;
    double each = (now_ns() - start) / 1000;
    sink += gameconf_double(gc, keys[7], 0);
    gameconf_close(gc);
    if (each < opened) opened = each;
  }
  report("open from a cached image of 3 000 keys", opened, "us", "", 0, 200);
  mapped_figures(images, size, revision);
  return 0;
}
