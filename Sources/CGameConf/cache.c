/* Images of earlier runs: one for each game, player, locale and context, and one for everybody. */
#include "internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAVE_EVERY_MS = 5000 };

/* The cache's file for this caller, or for everybody. */
static bool path_of(const gameconf *gc, bool for_all, char *path, size_t room) {
  uint64_t caller = 0;
  if (!for_all) {
    gcf_buffer text = {0};
    const char *parts[] = {gc->player, gc->locale, gc->context};
    for (int at = 0; at < 3; at++) {
      if (parts[at]) gcf_put_text(&text, parts[at]);
      gcf_put(&text, at < 2 ? "\0" : "", at < 2 ? 1 : 0);
    }
    caller = gcf_checksum(gcf_buffer_text(&text), text.used);
    if (text.failed) return false;
    gcf_buffer_free(&text);
  }
  int length = for_all ? snprintf(path, room, "%s/%s.image", gc->cache, gc->game)
                       : snprintf(path, room, "%s/%s.%016llx.image", gc->cache, gc->game, (unsigned long long)caller);
  return length > 0 && (size_t)length < room;
}

static bool is_whole(const gameconf *gc, void *memory, size_t size, bool for_all) {
  gcf_image image;
  if (gcf_image_check(&image, memory, size) != NULL || (image.header->flags & GCF_PATCH)) return false;
  if (strcmp(gcf_image_caller(&image, GCF_CALLER_GAME), gc->game) != 0) return false;
  return for_all || strcmp(gcf_image_caller(&image, GCF_CALLER_PLAYER), gc->player ? gc->player : "") == 0;
}

static void *read_file(const char *path, size_t *size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat file;
  void *memory = NULL;
  if (fd < 0) return NULL;
  if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0 && file.st_size <= GCF_IMAGE_BYTES_MAX)
    memory = malloc((size_t)file.st_size);
  *size = memory ? (size_t)file.st_size : 0;
  size_t got = 0;
  while (memory && got < *size) {
    ssize_t count = read(fd, (char *)memory + got, *size - got);
    if (count <= 0) {
      free(memory);
      memory = NULL;
    } else {
      got += (size_t)count;
    }
  }
  close(fd);
  return memory;
}

bool gcf_cache_load(gameconf *gc, bool for_all) {
  char path[4096];
  size_t size;
  void *memory = gc->cache && path_of(gc, for_all, path, sizeof path) ? read_file(path, &size) : NULL;
  if (!memory) return false;
  uint32_t flags = GAMECONF_STALE | (for_all && (gc->player || gc->locale || gc->context) ? (uint32_t)GAMECONF_PENDING : 0);
  if (is_whole(gc, memory, size, for_all) && gcf_view_publish(gc, memory, size, flags)) {
    gc->state = GAMECONF_STATE_CACHED;
    return true;
  }
  free(memory);
  return false;
}

static void write_file(const char *path, const void *bytes, size_t size) {
  char aside[4160];
  snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
  int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  size_t put = 0;
  while (put < size) {
    ssize_t count = write(fd, (const char *)bytes + put, size - put);
    if (count <= 0) break;
    put += (size_t)count;
  }
  if (close(fd) != 0 || put < size || rename(aside, path) != 0) (void)unlink(aside);
}

void gcf_cache_save(gameconf *gc) {
  int64_t now = gcf_monotonic();
  if (!gc->cache_is_due || !gc->cache || (gc->cache_at && now - gc->cache_at < SAVE_EVERY_MS)) return;
  const gcf_image *image = &gc->view->image;
  char path[4096];
  gc->cache_is_due = false;
  gc->cache_at = now ? now : 1;
  if (!image->bytes || gc->play) return;
  if (path_of(gc, false, path, sizeof path)) write_file(path, image->bytes, image->size);
  size_t size;
  void *shared = gcf_image_without_player(image, &size);
  if (shared && !gc->locale && !gc->context && path_of(gc, true, path, sizeof path)) write_file(path, shared, size);
  free(shared);
}
