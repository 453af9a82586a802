/* Mapped images: a game's values from a file that the daemon replaces, without a system call while nothing is new.
 *
 * What is mapped is trusted never to become shorter, since a reader of a mapped file dies of that: the daemon writes images aside and
 * renames them, and a control page keeps its length. Hence only files of whoever owns the folder, or of its group, are mapped. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GCF_MAPPED
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOCK_EACH = 64, LOOK_EACH_MS = 1000, UNSETTLED_MS = 1000, READS = 3 };

/* The rest of the values comes over the socket: this caller is not everybody. */
static bool has_own_layer(const gameconf *gc) { return gc->player || gc->locale || gc->context || gc->play; }

/* Whether who may write to the folder made it, and nobody else can change it. */
static bool is_trusted(const struct stat *file, const struct stat *folder) {
  return (file->st_uid == folder->st_uid || file->st_uid == 0 || file->st_gid == folder->st_gid) && !(file->st_mode & S_IWOTH);
}

/* A file of a folder, if it is a regular one of a trusted owner. */
static int open_file(int folder, const char *name, struct stat *file) {
  struct stat around;
  int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return -1;
  if (fstat(folder, &around) == 0 && fstat(fd, file) == 0 && S_ISREG(file->st_mode) && is_trusted(file, &around)) return fd;
  close(fd);
  errno = EPERM;
  return -1;
}

static int open_folder(const gameconf *gc) {
  struct stat all, own;
  int images = open(gc->images, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (images < 0) return -1;
  int folder = openat(images, gc->game, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);
  if (folder >= 0 && !(fstat(images, &all) == 0 && fstat(folder, &own) == 0 && is_trusted(&own, &all))) {
    close(folder);
    folder = -1;
  }
  close(images);
  return folder;
}

static void leave_page(gcf_map *map) {
  if (map->page) munmap((void *)(uintptr_t)map->page, GCF_CONTROL_BYTES);
  map->page = NULL;
  map->is_told = map->is_refused = map->serves = false;
  map->unsettled_at = 0;
}

/* Looks at the name: the page there is the present one, if it is sound and another than that which is mapped. */
static void look(gameconf *gc, int64_t now) {
  gcf_map *map = &gc->map;
  map->looked_at = now ? now : 1;
  int folder = open_folder(gc);
  if (folder < 0) return;
  struct stat file;
  int fd = open_file(folder, "control.1", &file);
  close(folder);
  if (fd < 0) return;
  bool is_known = map->page && map->device == (uint64_t)file.st_dev && map->inode == (uint64_t)file.st_ino;
  if (!is_known && file.st_size == GCF_CONTROL_BYTES) {
    void *page = mmap(NULL, GCF_CONTROL_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    if (page != MAP_FAILED && gcf_control_check(page, (size_t)file.st_size, map->boot) == NULL && gcf_control_is_fresh(page)) {
      leave_page(map);
      map->page = page;
      map->device = (uint64_t)file.st_dev;
      map->inode = (uint64_t)file.st_ino;
    } else if (page != MAP_FAILED) {
      munmap(page, GCF_CONTROL_BYTES);
    }
  }
  close(fd);
}

/* Maps the image that the page names. NULL, or what is wrong with it. */
static const char *map_image(const gameconf *gc, const gcf_told *told, gcf_image *image, void **memory) {
  int folder = open_folder(gc), fd = -1;
  struct stat file;
  char name[32];
  snprintf(name, sizeof name, "%016llx.image", (unsigned long long)told->image);
  if (folder >= 0) {
    fd = open_file(folder, name, &file);
    close(folder);
  }
  if (fd < 0) return "is not there";
  size_t size = (size_t)file.st_size;
  const char *wrong = NULL;
  *memory = MAP_FAILED;
  if (told->bytes != (uint64_t)file.st_size || size < GCF_HEADER_BYTES || size > GCF_MAPPED_BYTES_MAX) wrong = "has another length";
  else if ((*memory = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0)) == MAP_FAILED) wrong = "cannot be mapped";
  close(fd);
  if (wrong) return wrong;
  wrong = gcf_image_check(image, *memory, size);
  const gcf_header *header = image->header;
  if (!wrong && (header->checksum != told->image || header->epoch != told->epoch || header->revision != told->revision))
    wrong = "is another than the control page says";
  if (!wrong && (header->flags & (GCF_PATCH | GCF_FOR_PLAYER | GCF_DEFAULTS))) wrong = "is not for everybody";
  if (!wrong && strcmp(gcf_image_caller(image, GCF_CALLER_GAME), gc->game) != 0) wrong = "is of another game";
  if (wrong) munmap(*memory, size);
  return wrong;
}

/* What is known, be it from a file, a stream or the cache, is never left for something older, nor one epoch for another that the live
 * stream has left. */
static bool is_older(gameconf *gc, const gcf_told *told) {
  gcf_image scratch;
  const gcf_image *newest = gcf_newest_image(gc, &scratch);
  if (!newest->bytes) return false;
  return newest->header->epoch != told->epoch ? gc->image_is_live : newest->header->revision > told->revision;
}

/* Takes the image that the page names, if it is another than the present one; whether the values are then the page's. */
static bool take(gameconf *gc, int64_t now, uint32_t flags) {
  gcf_map *map = &gc->map;
  gcf_image image;
  gcf_told told;
  void *memory;
  const char *wrong = NULL;
  if (map->is_told && atomic_load_explicit(&map->page->generation, memory_order_acquire) == map->told.generation && map->serves) return true;
  for (int reads = 0; reads < READS; reads++) {
    if (!gcf_control_read(map->page, &told)) {
      /* It is being written: a moment later it is not, or whoever wrote it is dead. */
      if (!map->unsettled_at) map->unsettled_at = now ? now : 1;
      return map->serves && now - map->unsettled_at < UNSETTLED_MS;
    }
    map->unsettled_at = 0;
    if (told.state != GCF_CONTROL_LIVE) return false;
    if (map->is_told && told.generation == map->told.generation && map->is_refused) return false;
    if (is_older(gc, &told)) return false;
    const gcf_image *present = &gc->view->image;
    bool is_present = !gc->waiting && gc->view->is_mapped && present->header->checksum == told.image;
    map->told = told;
    map->is_told = true;
    map->is_refused = false;
    if (is_present) return true;
    wrong = map_image(gc, &told, &image, &memory);
    if (!wrong) {
      gc->image_is_live = false;
      gcf_take_checked(gc, &image, memory, flags | GCF_MEMORY_IS_MAPPED);
      return true;
    }
    /* One that is gone was replaced meanwhile: then the page says so. */
    if (atomic_load_explicit(&map->page->generation, memory_order_acquire) == told.generation) break;
  }
  gcf_set_error(gc, "the mapped image", wrong);
  map->is_refused = true;
  return false;
}

void gcf_map_begin(gameconf *gc) {
  if (!gc->images || gcf_boot_id(gc->map.boot)) return;
  free(gc->images);
  gc->images = NULL;
}

bool gcf_map_open(gameconf *gc) {
  gcf_map *map = &gc->map;
  if (!gc->images) return false;
  look(gc, gcf_monotonic());
  if (!map->page) return false;
  bool is_own = has_own_layer(gc);
  bool taken = take(gc, map->looked_at, is_own ? (uint32_t)(GAMECONF_STALE | GAMECONF_PENDING) : 0);
  map->serves = taken && !is_own;
  if (taken) gc->state = is_own ? GAMECONF_STATE_CACHED : GAMECONF_STATE_LIVE;
  if (map->serves) gc->offline_since = 0;
  /* Values of its own come over the socket, all of them together. */
  if (is_own) leave_page(map);
  map->countdown = 1;
  return taken;
}

bool gcf_map_update(gameconf *gc, int64_t now) {
  gcf_map *map = &gc->map;
  map->countdown = CLOCK_EACH;
  if (!gc->images || has_own_layer(gc)) {
    map->serves = false;
    map->looked_at = 0; /* at once when the caller is everybody again */
    return false;
  }
  bool served = map->serves, fresh = map->page && gcf_control_is_fresh(map->page);
  if (!fresh && (!map->looked_at || now - map->looked_at >= LOOK_EACH_MS)) {
    look(gc, now);
    fresh = map->page && gcf_control_is_fresh(map->page);
  }
  map->serves = fresh && take(gc, now, 0);
  if (map->serves) {
    if (gc->stream.fd >= 0 || gc->resume_id[0]) gcf_stream_restart(gc);
    if (gc->state != GAMECONF_STATE_LIVE) gc->error[0] = 0;
    gcf_set_state(gc, GAMECONF_STATE_LIVE);
  } else if (served && gc->state == GAMECONF_STATE_LIVE) {
    int64_t age = map->page ? gcf_control_age(map->page) : 0;
    gcf_set_error(gc, "the mapped image is no longer kept up to date", NULL);
    gcf_set_state(gc, GAMECONF_STATE_CACHED);
    if (age > 0) gc->offline_since -= age;
  }
  return map->serves;
}

int64_t gcf_map_age(const gameconf *gc) { return gc->view->is_mapped && gc->map.page ? gcf_control_age(gc->map.page) : -1; }

void gcf_map_wait(gameconf *gc, int milliseconds) {
  struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  if (gc->map.unsettled_at && milliseconds > 1) timeout = (struct timespec){0, 1000000};
  uint32_t known = gc->map.unsettled_at ? atomic_load_explicit(&gc->map.page->generation, memory_order_relaxed) : gc->map.told.generation;
  /* Shared, not FUTEX_PRIVATE_FLAG: another process wakes. A page that may only be read may be waited for. */
  (void)syscall(SYS_futex, (void *)(uintptr_t)&gc->map.page->generation, FUTEX_WAIT, known, &timeout, NULL, 0);
}

void gcf_map_close(gameconf *gc) { leave_page(&gc->map); }

void gcf_memory_free(void *memory, size_t size, bool is_mapped) {
  if (is_mapped) munmap(memory, size);
  else free(memory);
}
#else
void gcf_map_begin(gameconf *gc) { (void)gc; }
bool gcf_map_open(gameconf *gc) {
  (void)gc;
  return false;
}
bool gcf_map_update(gameconf *gc, int64_t now) {
  (void)gc, (void)now;
  return false;
}
int64_t gcf_map_age(const gameconf *gc) {
  (void)gc;
  return -1;
}
void gcf_map_wait(gameconf *gc, int milliseconds) { (void)gc, (void)milliseconds; }
void gcf_map_close(gameconf *gc) { (void)gc; }
void gcf_memory_free(void *memory, size_t size, bool is_mapped) {
  (void)size, (void)is_mapped;
  free(memory);
}
#endif
