/* The control page of a mapped image: which image is the present one, and whether its daemon lives. The page ImageFormat of the
 * documentation has the layout. Linux alone, and where 64 bits are read at once; elsewhere everything comes over the socket. */
#ifndef GCF_CONTROL_H
#define GCF_CONTROL_H

#include "image.h"

#if defined(__linux__) && defined(__LP64__)
#define GCF_MAPPED 1
#endif

#ifdef GCF_MAPPED
#include <stdatomic.h>

enum { GCF_CONTROL_BYTES = 4096, GCF_MAPPED_BYTES_MAX = 2 << 20, GCF_HEARTBEAT_MS = 3000 };
enum { GCF_CONTROL_LIVE = 1, GCF_CONTROL_STOPPED = 2, GCF_CONTROL_WITHDRAWN = 3 };

typedef struct gcf_control {
  uint8_t magic[8];
  uint16_t major, minor;
  uint32_t length;
  uint8_t boot[16];
  _Atomic uint32_t generation, state; /* an odd generation: it is being written */
  _Atomic int64_t heartbeat;          /* CLOCK_BOOTTIME, milliseconds */
  _Atomic uint64_t image, bytes, epoch;
  _Atomic int64_t revision;
} gcf_control;

/* What a page said at one moment. */
typedef struct gcf_told {
  uint32_t generation, state;
  uint64_t image, bytes, epoch;
  int64_t revision;
} gcf_told;

/* NULL for a page of this boot, else what is wrong with it. */
const char *gcf_control_check(const gcf_control *page, size_t size, const uint8_t boot[16]);
/* False when it never stands still. */
bool gcf_control_read(const gcf_control *page, gcf_told *told);
/* Whether its daemon lives, by CLOCK_BOOTTIME in milliseconds read afterwards. */
bool gcf_control_is_fresh(const gcf_control *page);
int64_t gcf_control_age(const gcf_control *page);
/* Sixteen bytes that are others after each boot; false where the system does not tell. */
bool gcf_boot_id(uint8_t boot[16]);
/* Makes sixteen bytes of a boot id's text, dashes or not. */
bool gcf_boot_id_parse(const char *text, uint8_t boot[16]);
#endif
#endif
