/* The image cache on disk: a file for each combination of game, player, locale and context, and one without a player. Any file operation
 * may wait for the disk, and the library has no thread of its own, so nothing here runs during a frame. The files are written by
 * gameconf_close, and by gameconf_wait if it has the time. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAVE_EVERY_MS = 5000, SAVE_WITHIN_MS = 100 };

/* Builds the path of the cache file for this caller, or of the file without a player. */
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

/* True if another process has written a newer image to the file in the meantime. */
static bool is_newer_there(const char *path, const gcf_image *image) {
  size_t size;
  gcf_image there;
  void *memory = read_file(path, &size);
  bool is_newer = memory && gcf_image_check(&there, memory, size) == NULL && gcf_image_is_older(image, &there);
  free(memory);
  return is_newer;
}

/* Writes a temporary file and renames it, so that the file is always either the old or the new one, and complete. There is no fsync:
 * after a loss of power, the checksum reveals an incomplete image. */
static void write_file(const char *path, const void *bytes, size_t size) {
  char aside[4160];
  gcf_image image;
  if (gcf_image_check(&image, bytes, size) != NULL || is_newer_there(path, &image)) return;
  snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
  int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  size_t put = 0;
  while (put < size) {
    ssize_t count = write(fd, (const char *)bytes + put, size - put);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    put += (size_t)count;
  }
  if (close(fd) != 0 || put < size || rename(aside, path) != 0) (void)unlink(aside);
}

/* Writes the caller's file, and the file without a player if its contents are known. */
static void write_files(const char *path, const char *shared_path, const void *bytes, size_t size) {
  gcf_image image;
  write_file(path, bytes, size);
  if (!shared_path || gcf_image_check(&image, bytes, size) != NULL) return;
  void *shared = gcf_image_without_player(&image, &size);
  if (shared) write_file(shared_path, shared, size);
  free(shared);
}

static void forget(gcf_unsaved *unsaved) {
  free(unsaved->path);
  free(unsaved->shared_path);
  free(unsaved->bytes);
  memset(unsaved, 0, sizeof *unsaved);
}

void gcf_cache_keep(gameconf *gc) {
  const gcf_image *image = &gc->view->image;
  char path[4096], shared_path[4096];
  if (!gc->cache_is_due || gc->play || !image->bytes || !path_of(gc, false, path, sizeof path)) return;
  bool is_shared = !gc->locale && !gc->context && path_of(gc, true, shared_path, sizeof shared_path);
  /* An older image of the same caller is replaced. Of many callers, the most recent ones are stored. */
  uint32_t place = 0;
  while (place < gc->unsaved_count && strcmp(gc->unsaved[place].path, path) != 0) place++;
  if (place == GCF_UNSAVED_MAX) place = 0;
  if (place < gc->unsaved_count) {
    forget(&gc->unsaved[place]);
    memmove(&gc->unsaved[place], &gc->unsaved[place + 1], (--gc->unsaved_count - place) * sizeof *gc->unsaved);
  }
  gcf_unsaved *made = &gc->unsaved[gc->unsaved_count];
  *made = (gcf_unsaved){gcf_copy(path), is_shared ? gcf_copy(shared_path) : NULL, malloc(image->size), image->size};
  if (!made->path || !made->bytes) {
    forget(made);
    return;
  }
  memcpy(made->bytes, image->bytes, image->size);
  gc->unsaved_count++;
}

void gcf_cache_forget(gameconf *gc) {
  while (gc->unsaved_count > 0) forget(&gc->unsaved[--gc->unsaved_count]);
}

void gcf_cache_save(gameconf *gc) {
  int64_t now = gcf_monotonic();
  const gcf_image *image = &gc->view->image;
  char path[4096], shared_path[4096];
  for (uint32_t at = 0; at < gc->unsaved_count; at++)
    write_files(gc->unsaved[at].path, gc->unsaved[at].shared_path, gc->unsaved[at].bytes, gc->unsaved[at].size);
  gcf_cache_forget(gc);
  bool is_due = gc->cache_is_due && gc->cache && image->bytes && !gc->play;
  gc->cache_is_due = false;
  gc->cache_at = now ? now : 1;
  if (!is_due || !path_of(gc, false, path, sizeof path)) return;
  bool is_shared = !gc->locale && !gc->context && path_of(gc, true, shared_path, sizeof shared_path);
  write_files(path, is_shared ? shared_path : NULL, image->bytes, image->size);
}

bool gcf_cache_save_within(gameconf *gc, int64_t milliseconds) {
  if ((!gc->cache_is_due && gc->unsaved_count == 0) || milliseconds < SAVE_WITHIN_MS) return false;
  if (gc->cache_at && gcf_monotonic() - gc->cache_at < SAVE_EVERY_MS) return false;
  gcf_cache_save(gc);
  return true;
}
