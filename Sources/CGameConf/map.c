/* Mapped images: values from a file that the daemon replaces. An update without news takes no system call.
 *
 * A mapped file must never be truncated, because its readers would receive SIGBUS. The daemon therefore writes a new file for each image
 * and renames it, and a control page never changes its length. So only files of the folder's owner or group are mapped. */
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

/* True if the caller has values of its own, which come over the socket. */
static bool has_own_layer(const gameconf *gc) { return gc->player || gc->locale || gc->context || gc->play; }

/* True if the file was created by a user who may write to the folder, and other users cannot modify it. */
static bool is_trusted(const struct stat *file, const struct stat *folder) {
  return (file->st_uid == folder->st_uid || file->st_uid == 0 || file->st_gid == folder->st_gid) && !(file->st_mode & S_IWOTH);
}

/* Opens a regular file of a trusted owner; returns -1 for anything else. */
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

/* Opens the control page by its name, and maps it if it is valid and differs from the mapped one. */
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

/* Maps the image that the page names. Returns NULL, or a message. */
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

/* True if the mapped image is older than the known one, whether that is from a file, the stream or the cache. If the stream is live, an
 * image of another epoch also counts as older, because the stream has already left it. */
static bool is_older(gameconf *gc, const gcf_told *told) {
  gcf_image scratch;
  const gcf_image *newest = gcf_newest_image(gc, &scratch);
  if (!newest->bytes) return false;
  return newest->header->epoch != told->epoch ? gc->image_is_live : newest->header->revision > told->revision;
}

/* Maps the image that the page names unless it is the present one. Returns true if the values are then from the mapped image. */
static bool take(gameconf *gc, int64_t now, uint32_t flags) {
  gcf_map *map = &gc->map;
  gcf_image image;
  gcf_told told;
  void *memory;
  const char *wrong = NULL;
  if (map->is_told && atomic_load_explicit(&map->page->generation, memory_order_acquire) == map->told.generation && map->serves) return true;
  for (int reads = 0; reads < READS; reads++) {
    if (!gcf_control_read(map->page, &told)) {
      /* The page is being written. If it still is after a while, the writer has died. */
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
    /* If the file does not exist, it was replaced in the meantime, and the page has changed. */
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
  /* A caller with values of its own gets all of them over the socket. */
  if (is_own) leave_page(map);
  map->countdown = 1;
  return taken;
}

bool gcf_map_update(gameconf *gc, int64_t now) {
  gcf_map *map = &gc->map;
  map->countdown = CLOCK_EACH;
  if (!gc->images || has_own_layer(gc)) {
    map->serves = false;
    map->looked_at = 0; /* looks immediately once the caller has no own values again */
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
  /* A shared futex, not FUTEX_PRIVATE_FLAG, because another process wakes it. It works with a read-only mapping. */
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
