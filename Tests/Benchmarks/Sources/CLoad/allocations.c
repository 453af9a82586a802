// Counts every allocation of this process, so that "allocates nothing" is something seen.
#include "load.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_uint_fast64_t own;
// Counts/published.c counts in a file instead.
atomic_uint_fast64_t *load_allocation_count = &own;

static void count(void) { atomic_fetch_add_explicit(load_allocation_count, 1, memory_order_relaxed); }

uint64_t load_allocations(void) { return atomic_load_explicit(load_allocation_count, memory_order_relaxed); }

void *malloc(size_t bytes) {
  count();
  return __libc_malloc(bytes);
}

void *calloc(size_t elements, size_t bytes) {
  count();
  return __libc_calloc(elements, bytes);
}

void *realloc(void *old, size_t bytes) {
  count();
  return __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  *result = memalign(alignment, bytes);
  return *result ? 0 : ENOMEM;
}
