/* The control page of a mapped image, which names the current image and shows whether the daemon is alive. The guide ImageFormat
 * documents the layout. It is used only on Linux and where 64-bit loads are atomic; elsewhere all values come over the socket. */
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
  _Atomic uint32_t generation, state; /* an odd generation means that it is being written */
  _Atomic int64_t heartbeat;          /* milliseconds of CLOCK_BOOTTIME */
  _Atomic uint64_t image, bytes, epoch;
  _Atomic int64_t revision;
} gcf_control;

/* A consistent copy of a control page. */
typedef struct gcf_told {
  uint32_t generation, state;
  uint64_t image, bytes, epoch;
  int64_t revision;
} gcf_told;

/* Returns NULL if the page is valid for the present boot, else a message. */
const char *gcf_control_check(const gcf_control *page, size_t size, const uint8_t boot[16]);
/* Copies the page; returns false if it never was consistent. */
bool gcf_control_read(const gcf_control *page, gcf_told *told);
/* True if the daemon is alive: the heartbeat is recent by CLOCK_BOOTTIME. */
bool gcf_control_is_fresh(const gcf_control *page);
int64_t gcf_control_age(const gcf_control *page);
/* Returns sixteen bytes that identify the present boot; false if the system does not provide them. */
bool gcf_boot_id(uint8_t boot[16]);
/* Parses the text of a boot id, with or without dashes. */
bool gcf_boot_id_parse(const char *text, uint8_t boot[16]);
#endif
#endif
