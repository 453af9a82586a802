/* What the library's tests are written with: named checks that say where they failed, and images made in memory. */
#ifndef CHECK_H
#define CHECK_H

#define _GNU_SOURCE 1 /* accept4 */

#include "../../../Sources/CGameConf/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int checks_failed, checks_done;

#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)
static inline void check_that(bool holds, const char *file, int line, const char *says) {
  checks_done++;
  if (holds) return;
  checks_failed++;
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, says);
}
#define CHECK_TEXT(is, wanted)                                                                             \
  do {                                                                                                     \
    const char *is_ = (is), *wanted_ = (wanted);                                                           \
    checks_done++;                                                                                         \
    if (strcmp(is_, wanted_) != 0) {                                                                       \
      checks_failed++;                                                                                     \
      fprintf(stderr, "%s:%d: “%s” rather than “%s”\n", __FILE__, __LINE__, is_, wanted_);                 \
    }                                                                                                      \
  } while (0)
/* A test: its sentence is printed when it fails. */
#define TEST(sentence, function)                                                \
  do {                                                                          \
    int before_ = checks_failed;                                                \
    function();                                                                 \
    if (checks_failed > before_) fprintf(stderr, "failed: %s\n", sentence);     \
  } while (0)

/* An image being made. */
typedef struct draft {
  gcf_builder builder;
  gcf_mark *themes;
  uint32_t theme_count;
} draft;
void draft_begin(draft *draft, const char *game, const char *player, int64_t revision, uint32_t flags);
gcf_entry *draft_entry(draft *draft, const char *key, uint8_t kind, uint8_t source);
void draft_bool(draft *draft, const char *key, bool value);
void draft_int(draft *draft, const char *key, int64_t value, uint8_t source);
void draft_double(draft *draft, const char *key, double value);
void draft_text(draft *draft, const char *key, uint8_t kind, const char *value);
void draft_base(draft *draft, const char *key, int64_t value);
void draft_gone(draft *draft, const char *key);
void draft_theme(draft *draft, const char *id, bool unlocked);
void draft_entitlement(draft *draft, const char *id, bool ends_ads, int64_t until);
void *draft_end(draft *draft, size_t *size);

/* The bytes of a file beside the tests. */
void *file_bytes(const char *path, size_t *size);
/* A folder of this run's own, with a slash at its end. */
const char *folder(void);
void path_in_folder(char path[512], const char *name);

/* A forked process, which ends within a minute, or within half of one if it is a forked process's: what a broken library would hold up
 * for ever is killed. */
pid_t forked(void);
/* How it ended, as waitpid says it; and why, where it was held up. */
int forked_end(pid_t child);

/* The daemon's side of a socket, played by the test itself in the same thread. */
typedef struct fake {
  int listener, fd;
  char path[512];
  char request[65536];
  size_t request_length;
} fake;
void fake_begin(fake *fake, const char *name);
void fake_end(fake *fake);
/* Waits, updating the handle, for a connection and a whole request on it. */
bool fake_request(fake *fake, gameconf *gc);
bool fake_has(const fake *fake, const char *text);
size_t fake_send(fake *fake, const void *bytes, size_t length);
void fake_text(fake *fake, const char *text);
void fake_hang_up(fake *fake);
/* The head of a stream's answer, and frames in chunks. */
void fake_stream(fake *fake);
void fake_frame(fake *fake, int kind, const char *id, const void *payload, size_t length);
void fake_answer(fake *fake, int status, const char *extra, const char *body);
/* Updates for a while, until the state is this one. */
bool until_state(gameconf *gc, int32_t state);
gameconf *open_at(const fake *fake, const char *player, const char *cache);

/* Moves the library's clocks on. */
void skip_time(int64_t milliseconds);
/* Sets the wall's clock of this machine wrong by so much, 0: right. */
void set_wall_wrong(int64_t milliseconds);

void frame_tests(void);
void image_tests(void);
void json_tests(void);
void http_tests(void);
void order_tests(void);
void queue_tests(void);
void stream_tests(void);
void call_tests(void);
void handle_tests(void);
void view_tests(void);
void life_tests(void);
void map_tests(void);
void mutation_tests(void);
void loss_tests(void);
void random_tests(void);
#endif
