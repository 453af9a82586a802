/* Writes control pages and images as the daemon does. */
#include "mapped.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t mapped_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void mapped_renew(mapped *mapped) {
  char aside[700];
  snprintf(aside, sizeof aside, "%s.aside", mapped->path);
  int fd = open(aside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0664);
  if (fd < 0 || ftruncate(fd, GCF_CONTROL_BYTES) != 0) {
    perror(aside);
    exit(2);
  }
  if (mapped->page) munmap(mapped->page, GCF_CONTROL_BYTES);
  mapped->page = mmap(NULL, GCF_CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  memcpy(mapped->page->magic, "\x89GCC\r\n\x1a\n", 8);
  mapped->page->major = 1;
  mapped->page->length = GCF_CONTROL_BYTES;
  if (!gcf_boot_id(mapped->page->boot)) exit(2);
  mapped->page->state = GCF_CONTROL_STOPPED;
  if (rename(aside, mapped->path) != 0) exit(2);
}

void mapped_begin(mapped *mapped, const char *name) {
  memset(mapped, 0, sizeof *mapped);
  path_in_folder(mapped->images, name);
  snprintf(mapped->folder, sizeof mapped->folder, "%s/dots", mapped->images);
  snprintf(mapped->path, sizeof mapped->path, "%s/control.1", mapped->folder);
  mkdir(mapped->images, 0755);
  mkdir(mapped->folder, 0755);
  mapped_renew(mapped);
}

void mapped_end(mapped *mapped) {
  munmap(mapped->page, GCF_CONTROL_BYTES);
  unlink(mapped->path);
}

void mapped_beat(mapped *mapped) { mapped->page->heartbeat = mapped_now(); }

void mapped_tell(mapped *mapped, uint32_t state, uint64_t image, uint64_t bytes, uint64_t epoch, int64_t revision) {
  gcf_control *page = mapped->page;
  uint32_t generation = page->generation | 1;
  page->generation = generation;
  page->state = state;
  page->heartbeat = mapped_now();
  page->image = image;
  page->bytes = bytes;
  page->epoch = epoch;
  page->revision = revision;
  page->generation = generation + 1;
  syscall(SYS_futex, &page->generation, FUTEX_WAKE, 1 << 20, NULL, NULL, 0);
}

void mapped_write(mapped *mapped, uint64_t image, const void *bytes, size_t size) {
  char path[700], aside[720];
  snprintf(path, sizeof path, "%s/%016llx.image", mapped->folder, (unsigned long long)image);
  snprintf(aside, sizeof aside, "%s.aside", path);
  int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0 || rename(aside, path) != 0) {
    perror(path);
    exit(2);
  }
}

void mapped_image(mapped *mapped, int64_t revision, int64_t lives) {
  draft draft;
  size_t size;
  draft_begin(&draft, "dots", NULL, revision, 0);
  draft_int(&draft, "lives", lives, 5);
  draft_double(&draft, "speed", 2.5);
  void *bytes = draft_end(&draft, &size);
  const gcf_header *header = bytes;
  uint64_t former = mapped->page->image, id = header->checksum;
  mapped_write(mapped, id, bytes, size);
  mapped_tell(mapped, GCF_CONTROL_LIVE, id, size, header->epoch, revision);
  free(bytes);
  char path[700];
  snprintf(path, sizeof path, "%s/%016llx.image", mapped->folder, (unsigned long long)former);
  if (former && former != id) unlink(path);
}

gameconf *mapped_open(const mapped *mapped, const char *player, const char *cache, const char *socket) {
  gameconf *gc = NULL;
  gameconf_options options = {
      .size = sizeof options, .game = "dots", .player = player, .cache = cache, .socket = socket ? socket : "/nowhere", .images = mapped->images};
  CHECK(gameconf_open(&gc, &options) == 0);
  return gc;
}
