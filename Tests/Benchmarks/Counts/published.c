// Preloaded into the daemon with CLoad/allocations.c: counts its allocations in the file that GAMECONF_ALLOCATIONS names, 8 bytes in the machine's order.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern atomic_uint_fast64_t *load_allocation_count;

__attribute__((constructor)) static void publish(void) {
  const char *path = getenv("GAMECONF_ALLOCATIONS");
  int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file < 0 || ftruncate(file, sizeof *load_allocation_count) != 0) return;
  void *page = mmap(NULL, sizeof *load_allocation_count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) load_allocation_count = page;
}
