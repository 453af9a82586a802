/* The queue of writes: a ring in memory, and a file that says the same and survives the game's crash, held by a lock.
 *
 * The file is written, never mapped: a mapping of a file that another process makes shorter ends the process that reads it, whatever was
 * checked before. A write goes there record first, then head, and into the system's memory only. A file that another process has
 * changed meanwhile (a copy over it, a save-game sync) is written whole again from what this process knows. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 4096, RING_BYTES = 1 << 20, FILES_MAX = 8, STATE_STEP = 1024 };
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

/* Puts those bytes of the queue where they lie in its file. */
static bool put(const gcf_queue *queue, size_t offset, size_t length) {
  const uint8_t *bytes = (const uint8_t *)queue->head + offset;
  for (size_t done = 0; done < length;) {
    ssize_t count = pwrite(queue->fd, bytes + done, length - done, (off_t)(offset + done));
    if (count <= 0 && !(count < 0 && errno == EINTR)) return false;
    if (count > 0) done += (size_t)count;
  }
  return true;
}

static bool get(const gcf_queue *queue, size_t offset, size_t length) {
  uint8_t *bytes = (uint8_t *)queue->head + offset;
  for (size_t done = 0; done < length;) {
    ssize_t count = pread(queue->fd, bytes + done, length - done, (off_t)(offset + done));
    if (count <= 0 && !(count < 0 && errno == EINTR)) return false;
    if (count > 0) done += (size_t)count;
  }
  return true;
}

static int64_t modified_at(const struct stat *file) {
#ifdef __APPLE__
  return (int64_t)file->st_mtimespec.tv_sec * 1000000000 + file->st_mtimespec.tv_nsec;
#else
  return (int64_t)file->st_mtim.tv_sec * 1000000000 + file->st_mtim.tv_nsec;
#endif
}

/* Writes a record that was added at `position` (length 0: none), the mark at `mark` that led there, and then the head. */
static void save(gcf_queue *queue, uint64_t mark, uint64_t position, size_t length) {
  struct stat file;
  if (queue->fd < 0) return;
  bool is_there = fstat(queue->fd, &file) == 0 && file.st_nlink > 0;
  if (!is_there || file.st_size != HEAD_BYTES + RING_BYTES || modified_at(&file) != queue->modified_at) queue->is_behind = true;
  if (is_there && file.st_size > HEAD_BYTES + RING_BYTES) (void)!ftruncate(queue->fd, HEAD_BYTES + RING_BYTES);
  bool is_saved = queue->is_behind ? put(queue, HEAD_BYTES, RING_BYTES) && put(queue, 0, HEAD_BYTES)
                                   : (mark == position || RING_BYTES - mark % RING_BYTES < sizeof(gcf_write) ||
                                      put(queue, HEAD_BYTES + mark % RING_BYTES, sizeof(uint32_t))) &&
                                         put(queue, HEAD_BYTES + position % RING_BYTES, length) && put(queue, 0, sizeof *queue->head);
  queue->is_behind = !is_saved;
  queue->survives = is_saved && is_there;
  queue->why = queue->survives ? "" : !is_there ? "no file" : "not writable";
  if (fstat(queue->fd, &file) == 0) queue->modified_at = modified_at(&file);
}

/* Reads the writes that the head speaks of and counts them; those behind something damaged are given up, as behind one of an earlier
 * round of the ring, which a loss of power can leave in the place of a later one. */
static void recover(gcf_queue *queue, int32_t *lost) {
  int64_t last = 0;
  uint64_t head = queue->head->head, tail = queue->head->tail, position = tail;
  if (tail > head || head - tail > RING_BYTES || (tail | head) % 8) position = head = tail = 0, *lost = 1;
  uint64_t first = RING_BYTES - tail % RING_BYTES;
  if (first > head - tail) first = head - tail;
  if (!get(queue, HEAD_BYTES + tail % RING_BYTES, first) || !get(queue, HEAD_BYTES, head - tail - first)) head = tail, *lost = 1;
  queue->count = 0;
  while (position < head) {
    gcf_write *write = whole_write(queue, &position, head);
    if (!write || write->number <= last) break;
    last = write->number;
    position += write->length;
    queue->count++;
  }
  *lost |= position < head;
  queue->head->tail = tail;
  queue->head->head = position;
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

/* Takes over what the file has, or begins it. */
static void load(gcf_queue *queue, const struct stat *file, bool fresh, int32_t *lost) {
  if (!fresh &&
      (!get(queue, 0, HEAD_BYTES) || memcmp(queue->head->magic, magic, sizeof magic) != 0 || queue->head->ring_bytes != RING_BYTES)) {
    fresh = true;
    *lost = 1;
  }
  if (fresh) {
    begin(queue, file);
    return;
  }
  queue->head->run++;
  if (queue->head->next_number < 1) queue->head->next_number = 1;
  recover(queue, lost);
  gcf_uuid_text(queue->head->client, queue->client_text);
  if (queue->head->device != (uint64_t)file->st_dev || queue->head->inode != (uint64_t)file->st_ino || queue->head->next_sequence == 0) {
    /* A copy: what waits in it keeps the ids it had, so that it is done once; what comes is its own. */
    queue->head->device = (uint64_t)file->st_dev;
    queue->head->inode = (uint64_t)file->st_ino;
    begin_client(queue, 0);
  }
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
    /* Room now rather than a full disk later. */
    if (ftruncate(fd, 0) != 0) error = errno;
#ifdef __APPLE__
    else if (ftruncate(fd, HEAD_BYTES + RING_BYTES) != 0) error = errno;
#else
    else error = posix_fallocate(fd, 0, HEAD_BYTES + RING_BYTES);
    if (error) (void)!ftruncate(fd, 0);
#endif
  }
  if (error) {
    close(fd);
    return error;
  }
  (void)fchmod(fd, 0600);
  queue->fd = fd;
  load(queue, &file, fresh, lost);
  if (fstat(fd, &file) == 0) queue->modified_at = modified_at(&file);
  save(queue, 0, 0, 0);
  return 0;
}

int gcf_queue_open(gcf_queue *queue, const char *folder, const char *game, int32_t *lost) {
  memset(queue, 0, sizeof *queue);
  queue->fd = -1;
  queue->why = "no file";
  queue->head = calloc(1, HEAD_BYTES + RING_BYTES);
  if (!queue->head) return -ENOMEM;
  queue->ring = (uint8_t *)queue->head + HEAD_BYTES;
  /* One level: a longer way that is missing is more likely misspelled. */
  if (folder) (void)mkdir(folder, 0700);
  int error = ENOENT;
  for (int number = 0; folder && number < FILES_MAX; number++) {
    char path[4096];
    char digit[3] = {'.', (char)('0' + number)};
    int length = snprintf(path, sizeof path, "%s/%s%s.queue", folder, game, number ? digit : "");
    error = length < 0 || (size_t)length >= sizeof path ? ENAMETOOLONG : open_file(queue, path, lost);
    if (error == 0) return 0;
    if (error != EWOULDBLOCK && error != EAGAIN) break; /* only a lock that another process holds leads to the next file */
  }
  begin(queue, NULL);
  return folder ? -error : 0;
}

void gcf_queue_close(gcf_queue *queue) {
  /* A forked child has a descriptor of its own for the same lock: closing it leaves the parent its lock. */
  free(queue->head);
  if (queue->fd >= 0) close(queue->fd);
  memset(queue, 0, sizeof *queue);
  queue->fd = -1;
}

int64_t gcf_queue_add(gcf_queue *queue, uint32_t kind, const char *method, const char *player, const char *path, const char *body) {
  size_t lengths[4] = {strlen(method), strlen(player), strlen(path), strlen(body)};
  const char *texts[4] = {method, player, path, body};
  size_t size = sizeof(gcf_write) + lengths[0] + lengths[1] + lengths[2] + lengths[3] + 4;
  bool is_state = kind == GAMECONF_ANSWER_STATE;
  size_t more = is_state ? STATE_STEP - 1 : 7;
  size = (size + more) & ~more;
  if (size > GCF_WRITE_BYTES_MAX) return -EMSGSIZE;
  uint64_t head = queue->head->head, tail = queue->head->tail;
  /* A play's newest state takes the place of the one that waits as the last. Both are as long, so that the head is right for either:
   * a crash between the two writes of the file leaves one of them. */
  const gcf_write *last = write_at(queue, queue->last);
  if (is_state && queue->count > queue->busy && queue->last + size == head && last->length == size && last->kind == kind &&
      strcmp(gcf_write_path(last), path) == 0) {
    head -= size;
    queue->count--;
  }
  uint64_t room = RING_BYTES - head % RING_BYTES;
  if (queue->count >= GCF_QUEUE_MAX) return -EAGAIN;
  if (RING_BYTES - (head - tail) < size + (room < size ? room : 0)) return -EAGAIN;
  uint64_t mark = head;
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
  queue->last = head;
  queue->head->head = head + size;
  queue->count++;
  /* It counts once the head is written: a crash before that leaves the queue as it was. */
  save(queue, mark, head, size);
  return write->number;
}

const gcf_write *gcf_queue_first(const gcf_queue *queue) {
  uint64_t position = queue->head->tail;
  return whole_write(queue, &position, queue->head->head);
}

void gcf_queue_remove_first(gcf_queue *queue) {
  uint64_t position = queue->head->tail, head = queue->head->head;
  gcf_write *write = whole_write(queue, &position, head);
  queue->head->tail = write ? position + write->length : head;
  queue->count = write ? queue->count - 1 : 0;
  save(queue, 0, 0, 0);
}

void gcf_queue_new_client(gcf_queue *queue, int64_t ahead_ms) {
  begin_client(queue, ahead_ms);
  uint64_t position = queue->head->tail, head = queue->head->head;
  gcf_write *write;
  while (position < head && (write = whole_write(queue, &position, head))) {
    memcpy(write->client, queue->head->client, sizeof write->client);
    write->sequence = queue->head->next_sequence++;
    write->check = check_of(write);
    position += write->length;
  }
  queue->is_behind = true;
  save(queue, 0, 0, 0);
}
