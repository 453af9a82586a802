/* The daemon's side of a mapped image, played by the tests: a folder with a control page and images. */
#ifndef MAPPED_H
#define MAPPED_H

#include "check.h"

typedef struct mapped {
  char images[512], folder[600], path[640];
  gcf_control *page;
} mapped;

/* Makes folder and page; the page says `stopped` and names no image. */
void mapped_begin(mapped *mapped, const char *name);
void mapped_end(mapped *mapped);
/* Puts another page in the place of the present one, which stays mapped by whoever has it. */
void mapped_renew(mapped *mapped);
void mapped_beat(mapped *mapped);
int64_t mapped_now(void);
void mapped_tell(mapped *mapped, uint32_t state, uint64_t image, uint64_t bytes, uint64_t epoch, int64_t revision);
/* Writes an image of the game `dots` in which `lives` is what is said, and tells of it. */
void mapped_image(mapped *mapped, int64_t revision, int64_t lives);
/* Writes bytes as the file of that image. */
void mapped_write(mapped *mapped, uint64_t image, const void *bytes, size_t size);
gameconf *mapped_open(const mapped *mapped, const char *player, const char *cache, const char *socket);
#endif
