// Words that processes share: written and read as one, and those woken that wait for another. Swift cannot call syscall, which takes any
// number of arguments.
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void cfutex_store32(void *word, uint32_t value) { __atomic_store_n((uint32_t *)word, value, __ATOMIC_RELEASE); }
static inline void cfutex_store64(void *word, uint64_t value) { __atomic_store_n((uint64_t *)word, value, __ATOMIC_RELEASE); }
static inline uint32_t cfutex_load32(const void *word) { return __atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE); }
static inline uint32_t cfutex_add32(void *word) { return __atomic_add_fetch((uint32_t *)word, 1, __ATOMIC_ACQ_REL); }

// Everybody, in every process.
static inline void cfutex_wake(void *word) { (void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, (void *)0, (void *)0, 0); }

// A file mode mask of this thread's own, empty: what it makes has the mode it says.
static inline void cfutex_own_mask(void) {
  if (syscall(SYS_unshare, 0x200 /* CLONE_FS */) == 0) (void)umask(0);
}

// Until the word is another, somebody wakes, or the time is over.
static inline void cfutex_wait(void *word, uint32_t known, int64_t milliseconds) {
  struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  (void)syscall(SYS_futex, word, FUTEX_WAIT, known, &timeout, (void *)0, 0);
}
