/* Compares what generated code reads from its embedded image with what it falls back on, in C and C++. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, words;

static void differ(const char *what) {
  printf("%s is otherwise with the image than without\n", what);
  exit(1);
}

#define BEGIN(options, image)                                                    \
  gameconf *with, *without;                                                      \
  options.flags = GAMECONF_OFFLINE;                                              \
  if (options.defaults != image || gameconf_open(&with, &options) != 0) return 1; \
  options.defaults = NULL;                                                       \
  options.defaults_size = 0;                                                     \
  if (gameconf_open(&without, &options) != 0) return 1

#define SAME_bool(name) \
  if (name(with) != name(without)) differ(#name); else count++
#define SAME_int(name) SAME_bool(name)
/* By its bits: there are two zeros. */
#define SAME_double(name)                                                      \
  do {                                                                         \
    double one = name(with), other = name(without);                            \
    if (memcmp(&one, &other, sizeof one) != 0) differ(#name); else count++;    \
  } while (0)
#define SAME_text(name) \
  if (strcmp(name(with), name(without)) != 0) differ(#name); else count++
#define WORD(name) words += (int)strlen(name)

/* With the image no key is unknown and none has another type. */
#define END()                                                                  \
  do {                                                                         \
    gameconf_change change;                                                    \
    gameconf_update(with);                                                     \
    while (gameconf_next_change(with, &change))                                \
      if (change.kind == GAMECONF_CHANGE_WRONG_TYPE || change.kind == GAMECONF_CHANGE_UNKNOWN_KEY) differ(change.name); \
    if (count == 0) differ("nothing");                                         \
    KNOWN()                                                                    \
    gameconf_close(with);                                                      \
    gameconf_close(without);                                                   \
    printf("%d keys as their image has them\n", count);                        \
    return words == 0;                                                         \
  } while (0)

#ifdef HOSTILE_GAMECONF_H
#define KNOWN()                                                                                                       \
  if (!hostile_class(without) || hostile_default(without) != INT64_MAX || hostile_end(without) != INT64_MIN ||         \
      hostile_init(without) != INT64_C(9007199254740993) || hostile_self(without) != 1e308 ||                          \
      1 / hostile_self_(without) > 0 || hostile__1up(without) != 5e-324 || strlen(hostile_a_b_2(without)) != 0 ||       \
      strcmp(hostile_a__b(without), "\xCC\x81\"\xCC\x81\\\xCC\x81") != 0 || strcmp(hostile_string(with), "*/") != 0)    \
    differ("what is known");
#else
#define KNOWN()
#endif
