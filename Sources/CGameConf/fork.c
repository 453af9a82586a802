/* Detects that this process is a forked child, by a page that the kernel zeroes in children (MADV_WIPEONFORK). */
#include "internal.h"

#include <sys/mman.h>
#include <unistd.h>

void gcf_fork_watch(gameconf *gc) {
  gc->process = getpid();
#if defined(__linux__) && defined(MADV_WIPEONFORK)
  long page = sysconf(_SC_PAGESIZE);
  void *made = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return;
  if (madvise(made, (size_t)page, MADV_WIPEONFORK) != 0) {
    munmap(made, (size_t)page);
    return;
  }
  gc->fork_page = made;
  *gc->fork_page = 1;
#endif
}

bool gcf_fork_asked(const gameconf *gc) { return getpid() != gc->process; }

void gcf_fork_unwatch(gameconf *gc) {
  if (gc->fork_page) munmap((void *)(uintptr_t)gc->fork_page, (size_t)sysconf(_SC_PAGESIZE));
  gc->fork_page = NULL;
}
