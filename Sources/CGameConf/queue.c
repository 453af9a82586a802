/* The queue of writes: a ring in a mapped file that survives the game's crash, held by a lock, or in memory. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 4096, RING_BYTES = 1 << 20, FILES_MAX = 8 };
static const char magic[8] = {'G', 'C', 'Q', 'U', 'E', 'U', 'E', '1'};

static gcf_write *write_at(const gcf_queue *queue, uint64_t position) {
  return (gcf_write *)(void *)(queue->ring + position % RING_BYTES);
}

static uint32_t check_of(const gcf_write *write) {
  return (uint32_t)gcf_checksum((const uint8_t *)write + 8, write->length - 8);
}

/* The write at that position, past the mark that says the ring goes on at its beginning; NULL when it is damaged. */
static gcf_write *whole_write(const gcf_queue *queue, uint64_t *position, uint64_t head) {
  for (int wraps = 0; wraps < 2 && *position < head; wraps++) {
    uint64_t room = RING_BYTES - *position % RING_BYTES;
    gcf_write *write = write_at(queue, *position);
    if (room < sizeof *write || write->length == GCF_WRITE_WRAPS) {
      *position += room;
      continue;
    }
    uint64_t texts = (uint64_t)write->method + write->player + write->path + write->body + 4;
    if (write->length % 8 || write->length > room || write->length > head - *position || write->length < sizeof *write ||
        texts > write->length - sizeof *write || check_of(write) != write->check)
      return NULL;
    return write;
  }
  return NULL;
}

/* Counts what is there; what stands behind something damaged is given up. */
static void recover(gcf_queue *queue, int32_t *lost) {
  uint64_t head = atomic_load(&queue->head->head), tail = atomic_load(&queue->head->tail), position = tail;
  if (tail > head || head - tail > RING_BYTES || tail % 8 || head % 8) position = head = tail = 0, *lost = 1;
  queue->count = 0;
  while (position < head) {
    gcf_write *write = whole_write(queue, &position, head);
    if (!write) {
      if (position < head) *lost = 1;
      break;
    }
    position += write->length;
    queue->count++;
  }
  atomic_store(&queue->head->tail, tail);
  atomic_store(&queue->head->head, position);
}

/* The daemon takes ids above those it has let go only, whoever's clock they came from: greater than the one before, and ahead of it. */
static void begin_client(gcf_queue *queue, int64_t ahead_ms) {
  uint8_t former[16];
  memcpy(former, queue->head->client, sizeof former);
  gcf_uuid(queue->head->client);
  if (memcmp(queue->head->client, former, 6) <= 0 || ahead_ms > 0) {
    int64_t time = 0;
    const uint8_t *later = memcmp(queue->head->client, former, 6) <= 0 ? former : queue->head->client;
    for (int at = 0; at < 6; at++) time = time << 8 | later[at];
    time += ahead_ms > 0 ? ahead_ms : 1;
    for (int at = 0; at < 6; at++) queue->head->client[at] = (uint8_t)(time >> (40 - 8 * at));
  }
  queue->head->next_sequence = 1;
  gcf_uuid_text(queue->head->client, queue->client_text);
}

static void begin(gcf_queue *queue, const struct stat *file) {
  memset(queue->head, 0, sizeof *queue->head);
  memcpy(queue->head->magic, magic, sizeof magic);
  queue->head->device = file ? (uint64_t)file->st_dev : 0;
  queue->head->inode = file ? (uint64_t)file->st_ino : 0;
  queue->head->ring_bytes = RING_BYTES;
  queue->head->next_number = 1;
  queue->head->run = 1;
  begin_client(queue, 0);
}

/* A file of its own for each process that plays the game from this folder: 0 when it is taken, else why not. */
static int open_file(gcf_queue *queue, const char *path, int32_t *lost) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0) return errno;
  struct stat file;
  int error = flock(fd, LOCK_EX | LOCK_NB) != 0 ? errno : fstat(fd, &file) != 0 ? errno : !S_ISREG(file.st_mode) ? EINVAL : 0;
  bool fresh = false;
  if (!error && file.st_size != HEAD_BYTES + RING_BYTES) {
    fresh = true;
    if (file.st_size > 0) *lost = 1;
    /* Room now rather than a bus error later. */
    if (ftruncate(fd, 0) != 0) error = errno;
#ifdef __APPLE__
    else if (ftruncate(fd, HEAD_BYTES + RING_BYTES) != 0) error = errno;
#else
    else error = posix_fallocate(fd, 0, HEAD_BYTES + RING_BYTES);
    if (error) (void)!ftruncate(fd, 0);
#endif
  }
  void *mapped = error ? MAP_FAILED : mmap(NULL, HEAD_BYTES + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) {
    if (!error) error = errno;
    close(fd);
    return error;
  }
  (void)fchmod(fd, 0600);
  queue->fd = fd;
  queue->mapped = HEAD_BYTES + RING_BYTES;
  queue->head = mapped;
  queue->ring = (uint8_t *)mapped + HEAD_BYTES;
  queue->survives = true;
  if (!fresh && (memcmp(queue->head->magic, magic, sizeof magic) != 0 || queue->head->ring_bytes != RING_BYTES)) {
    fresh = true;
    *lost = 1;
  }
  if (fresh) {
    begin(queue, &file);
    return 0;
  }
  queue->head->run++;
  if (queue->head->next_number < 1) queue->head->next_number = 1;
  recover(queue, lost);
  gcf_uuid_text(queue->head->client, queue->client_text);
  if (queue->head->device != (uint64_t)file.st_dev || queue->head->inode != (uint64_t)file.st_ino || queue->head->next_sequence == 0) {
    /* A copy: what waits in it keeps the ids it had, so that it is done once; what comes is its own. */
    queue->head->device = (uint64_t)file.st_dev;
    queue->head->inode = (uint64_t)file.st_ino;
    begin_client(queue, 0);
  }
  return 0;
}

int gcf_queue_open(gcf_queue *queue, const char *folder, const char *game, int32_t *lost) {
  memset(queue, 0, sizeof *queue);
  queue->fd = -1;
  int error = ENOENT;
  for (int number = 0; folder && number < FILES_MAX; number++) {
    char path[4096];
    int length = number == 0 ? snprintf(path, sizeof path, "%s/%s.queue", folder, game)
                             : snprintf(path, sizeof path, "%s/%s.%d.queue", folder, game, number);
    if (length < 0 || (size_t)length >= sizeof path) return -ENAMETOOLONG;
    error = open_file(queue, path, lost);
    if (error == 0) return 0;
    if (error != EWOULDBLOCK && error != EAGAIN) break; /* only a lock that another process holds leads to the next file */
  }
  queue->head = calloc(1, HEAD_BYTES + RING_BYTES);
  if (!queue->head) return -ENOMEM;
  queue->ring = (uint8_t *)queue->head + HEAD_BYTES;
  begin(queue, NULL);
  return folder ? -error : 0;
}

void gcf_queue_close(gcf_queue *queue) {
  /* A forked child has a descriptor of its own for the same lock: closing it leaves the parent its lock. */
  if (queue->mapped) munmap(queue->head, queue->mapped);
  else free(queue->head);
  if (queue->fd >= 0) close(queue->fd);
  memset(queue, 0, sizeof *queue);
  queue->fd = -1;
}

int64_t gcf_queue_add(gcf_queue *queue, uint32_t kind, const char *method, const char *player, const char *path, const char *body) {
  size_t lengths[4] = {strlen(method), strlen(player), strlen(path), strlen(body)};
  const char *texts[4] = {method, player, path, body};
  size_t size = sizeof(gcf_write) + lengths[0] + lengths[1] + lengths[2] + lengths[3] + 4;
  size = (size + 7) & ~(size_t)7;
  if (size > GCF_WRITE_BYTES_MAX) return -EMSGSIZE;
  if (queue->count >= GCF_QUEUE_MAX) return -EAGAIN;
  uint64_t head = atomic_load(&queue->head->head), tail = atomic_load(&queue->head->tail), room = RING_BYTES - head % RING_BYTES;
  if (RING_BYTES - (head - tail) < size + (room < size ? room : 0)) return -EAGAIN;
  if (room < size) {
    if (room >= sizeof(gcf_write)) write_at(queue, head)->length = GCF_WRITE_WRAPS;
    head += room;
  }
  gcf_write *write = write_at(queue, head);
  memset(write, 0, size);
  write->length = (uint32_t)size;
  write->sequence = queue->head->next_sequence++;
  memcpy(write->client, queue->head->client, sizeof write->client);
  write->number = queue->head->next_number++;
  write->kind = kind;
  write->run = (uint32_t)queue->head->run;
  write->method = (uint32_t)lengths[0], write->player = (uint32_t)lengths[1];
  write->path = (uint32_t)lengths[2], write->body = (uint32_t)lengths[3];
  char *into = (char *)(write + 1);
  for (int at = 0; at < 4; at++) {
    memcpy(into, texts[at], lengths[at]);
    into += lengths[at] + 1;
  }
  write->check = check_of(write);
  /* Only now it counts: a crash before this leaves the queue as it was. */
  atomic_store_explicit(&queue->head->head, head + size, memory_order_release);
  queue->count++;
  return write->number;
}

const gcf_write *gcf_queue_first(const gcf_queue *queue) {
  uint64_t position = atomic_load(&queue->head->tail);
  return queue->count ? whole_write(queue, &position, atomic_load(&queue->head->head)) : NULL;
}

void gcf_queue_remove_first(gcf_queue *queue) {
  uint64_t position = atomic_load(&queue->head->tail), head = atomic_load(&queue->head->head);
  gcf_write *write = queue->count ? whole_write(queue, &position, head) : NULL;
  if (!write) {
    atomic_store(&queue->head->tail, head);
    queue->count = 0;
    return;
  }
  atomic_store_explicit(&queue->head->tail, position + write->length, memory_order_release);
  queue->count--;
}

void gcf_queue_new_client(gcf_queue *queue, int64_t ahead_ms) {
  begin_client(queue, ahead_ms);
  uint64_t position = atomic_load(&queue->head->tail), head = atomic_load(&queue->head->head);
  gcf_write *write;
  while (position < head && (write = whole_write(queue, &position, head))) {
    memcpy(write->client, queue->head->client, sizeof write->client);
    write->sequence = queue->head->next_sequence++;
    write->check = check_of(write);
    position += write->length;
  }
}
