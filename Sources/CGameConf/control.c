/* Reads control pages, and checks their validity and age. */
#include "control.h"

#ifdef GCF_MAPPED
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static_assert(offsetof(gcf_control, generation) == 32 && offsetof(gcf_control, revision) == 72, "the control page of ImageFormat");
static_assert(sizeof(_Atomic uint64_t) == 8 && ATOMIC_LLONG_LOCK_FREE == 2, "a page that cannot be written to is read without a lock");

enum { TRIES = 4 };

static const uint8_t magic[8] = {0x89, 'G', 'C', 'C', '\r', '\n', 0x1a, '\n'};

const char *gcf_control_check(const gcf_control *page, size_t size, const uint8_t boot[16]) {
  if (size != GCF_CONTROL_BYTES) return "a control page of another length";
  if (memcmp(page->magic, magic, sizeof magic) != 0) return "not a control page";
  if (page->major != 1) return "a control page of another major version";
  if (page->length != GCF_CONTROL_BYTES) return "a control page of another length than it says";
  if (memcmp(page->boot, boot, sizeof page->boot) != 0) return "a control page of another boot";
  return NULL;
}

bool gcf_control_read(const gcf_control *page, gcf_told *told) {
  for (int tries = 0; tries < TRIES; tries++) {
    told->generation = atomic_load_explicit(&page->generation, memory_order_acquire);
    told->state = atomic_load_explicit(&page->state, memory_order_relaxed);
    told->image = atomic_load_explicit(&page->image, memory_order_relaxed);
    told->bytes = atomic_load_explicit(&page->bytes, memory_order_relaxed);
    told->epoch = atomic_load_explicit(&page->epoch, memory_order_relaxed);
    told->revision = atomic_load_explicit(&page->revision, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (told->generation % 2 == 0 && atomic_load_explicit(&page->generation, memory_order_relaxed) == told->generation) return true;
  }
  return false;
}

int64_t gcf_control_age(const gcf_control *page) {
  /* The heartbeat is read before the clock, so that a heartbeat written in between cannot appear to be in the future. */
  uint64_t beat = (uint64_t)atomic_load_explicit(&page->heartbeat, memory_order_acquire);
  struct timespec now;
  if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return INT64_MAX;
  uint64_t age = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 - beat;
  return age > INT64_MAX ? -1 : (int64_t)age;
}

bool gcf_control_is_fresh(const gcf_control *page) {
  int64_t age = gcf_control_age(page);
  return age >= 0 && age <= GCF_HEARTBEAT_MS && atomic_load_explicit(&page->state, memory_order_relaxed) == GCF_CONTROL_LIVE;
}

bool gcf_boot_id_parse(const char *text, uint8_t boot[16]) {
  int digits = 0;
  for (; *text && *text != '\n'; text++) {
    if (*text == '-') continue;
    int digit = *text >= '0' && *text <= '9' ? *text - '0' : *text >= 'a' && *text <= 'f' ? *text - 'a' + 10 : -1;
    if (digit < 0 || digits == 32) return false;
    boot[digits / 2] = (uint8_t)(digits % 2 ? boot[digits / 2] | digit : digit << 4);
    digits++;
  }
  return digits == 32;
}

bool gcf_boot_id(uint8_t boot[16]) {
  char text[64];
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t count = read(fd, text, sizeof text - 1);
  close(fd);
  text[count > 0 ? count : 0] = 0;
  return gcf_boot_id_parse(text, boot);
}
#else
typedef int gcf_nothing_is_mapped; /* C requires a declaration in each file */
#endif
