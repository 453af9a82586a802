/* The queue of writes: a ring buffer in memory, and a locked file with the same contents that survives a crash of the game.
 *
 * The file is written, not mapped: if another process truncated a mapped file, its readers would receive SIGBUS, whatever they checked
 * before. A write is stored record first, then head, without fsync. If another process has changed the file (such as a copied save game
 * or a sync tool), it is rewritten from memory. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 4096, RING_BYTES = 1 << 20, FILES_MAX = 8, STATE_STEP = 1024, DATE_BYTES = 24, DATE_END_BYTES = 2, LATE_MS_MAX = 604740000 };
static const char magic[8] = {'G', 'C', 'Q', 'U', 'E', 'U', 'E', '1'};

static gcf_write *write_at(const gcf_queue *queue, uint64_t position) {
  return (gcf_write *)(void *)(queue->ring + position % RING_BYTES);
}

static uint32_t check_of(const gcf_write *write) {
  return (uint32_t)gcf_checksum((const uint8_t *)write + 8, write->length - 8);
}

/* Returns the write at a position, or the one after the mark there that continues at the ring's beginning. NULL at the end of the queue. */
static gcf_write *write_from(const gcf_queue *queue, uint64_t *position) {
  uint64_t room = RING_BYTES - *position % RING_BYTES;
  if (*position < queue->head->head && (room < sizeof(gcf_write) || write_at(queue, *position)->length == GCF_WRITE_WRAPS)) *position += room;
  return *position < queue->head->head ? write_at(queue, *position) : NULL;
}

/* True if a write from a file is valid: its length, its checksum and the ends of its texts. */
static bool is_whole(const gcf_write *write, uint64_t room) {
  uint64_t texts = (uint64_t)write->method + write->player + write->path + write->body + 4;
  uint64_t more = write->kind & GCF_UNDATED ? 2 * sizeof(int64_t) : 0;
  if (write->length % 8 || write->length > room || write->length < sizeof *write || texts + more > write->length - sizeof *write ||
      (more && write->body < DATE_BYTES + DATE_END_BYTES) || check_of(write) != write->check)
    return false;
  const uint32_t *lengths = &write->method;
  const char *text = gcf_write_method(write);
  for (int at = 0; at < 4; text += lengths[at++] + 1)
    if (memchr(text, 0, lengths[at] + (size_t)1) != text + lengths[at]) return false;
  return true;
}

/* Writes a range of the queue's memory to its file. */
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

static uint32_t check_of_head(const gcf_queue_head *head) { return (uint32_t)gcf_checksum(head, offsetof(gcf_queue_head, check)); }

/* Brings the file up to date: the record at `position` (length 0 for none), the wrap mark at `mark` before it, then the head. If another
 * process has changed the file, all of it is rewritten. With `is_look`, this process has changed nothing. */
static void save(gcf_queue *queue, uint64_t mark, uint64_t position, size_t length, bool is_look) {
  struct stat file, named;
  if (queue->fd < 0) return;
  bool is_open = fstat(queue->fd, &file) == 0;
  bool is_there = is_open && lstat(queue->path, &named) == 0 && named.st_ino == file.st_ino && named.st_dev == file.st_dev;
  if (!is_open || file.st_size != HEAD_BYTES + RING_BYTES || modified_at(&file) != queue->modified_at) queue->is_behind = true;
  if (is_open && file.st_size > HEAD_BYTES + RING_BYTES) (void)!ftruncate(queue->fd, HEAD_BYTES + RING_BYTES);
  if (!is_look || queue->is_behind) {
    queue->head->waiting = queue->count;
    queue->head->check = check_of_head(queue->head);
    bool is_saved = queue->is_behind ? put(queue, HEAD_BYTES, RING_BYTES) && put(queue, 0, HEAD_BYTES)
                                     : (mark == position || RING_BYTES - mark % RING_BYTES < sizeof(gcf_write) ||
                                        put(queue, HEAD_BYTES + mark % RING_BYTES, sizeof(uint32_t))) &&
                                           put(queue, HEAD_BYTES + position % RING_BYTES, length) && put(queue, 0, sizeof *queue->head);
    queue->is_behind = !is_saved;
    if (fstat(queue->fd, &file) == 0) queue->modified_at = modified_at(&file);
  }
  queue->survives = is_there && !queue->is_behind;
  queue->why = queue->survives ? "" : !is_there ? "no file" : "not writable";
}

void gcf_queue_save(gcf_queue *queue) { save(queue, 0, 0, 0, false); }

void gcf_queue_look(gcf_queue *queue) { save(queue, 0, 0, 0, true); }

/* Reads the writes that the head refers to and counts them. Reading stops at a damaged record, or at one from an earlier round of the
 * ring, which may remain after a loss of power. Returns the number of missing writes; -1 if it is unknown. */
static int32_t recover(gcf_queue *queue) {
  gcf_queue_head *at = queue->head;
  int64_t last = 0;
  uint64_t position = at->tail, whole = at->tail, head = at->head, first = RING_BYTES - at->tail % RING_BYTES;
  bool is_sealed = at->check != 0, is_sound = at->tail <= head && head - at->tail <= RING_BYTES && (at->tail | head) % 8 == 0;
  if (!is_sound) position = whole = head = at->tail = at->head = 0;
  if (first > head - at->tail) first = head - at->tail;
  if (!get(queue, HEAD_BYTES + at->tail % RING_BYTES, first) || !get(queue, HEAD_BYTES, head - at->tail - first)) at->head = at->tail;
  for (gcf_write *write; (write = write_from(queue, &position)); queue->count++, whole = position) {
    uint64_t room = RING_BYTES - position % RING_BYTES;
    if (!is_whole(write, head - position < room ? head - position : room) || write->number <= last) break;
    last = write->number;
    position += write->length;
    /* A crash between a state that replaces another and the head leaves a head that would assign the state's numbers again. */
    if (write->number >= at->next_number && write->number < INT64_MAX) at->next_number = write->number + 1;
    if (memcmp(write->client, at->client, sizeof write->client) == 0 && write->sequence >= at->next_sequence) at->next_sequence = write->sequence + 1;
  }
  bool is_all = is_sound && (is_sealed ? queue->count == at->waiting : whole == head);
  at->head = whole;
  return is_all ? 0 : is_sealed && at->waiting > queue->count ? (int32_t)(at->waiting - queue->count) : -1;
}

/* The daemon accepts only client ids above those that it has evicted, so the new UUID must be greater than the former one, and ahead of
 * it if the daemon demanded that. */
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

static void add_lost(gcf_queue_head *head, int32_t lost) { head->lost = lost < 0 || head->lost < 0 ? -1 : head->lost + lost; }

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

/* Loads the file's contents, or initializes a new file. Returns the number of lost writes; -1 if it is unknown. */
static int32_t load(gcf_queue *queue, const struct stat *file, bool is_new) {
  gcf_queue_head *head = queue->head;
  if (is_new || file->st_size != HEAD_BYTES + RING_BYTES || !get(queue, 0, HEAD_BYTES) || memcmp(head->magic, magic, sizeof magic) != 0 ||
      head->ring_bytes != RING_BYTES || (head->check && head->check != check_of_head(head)))
    return begin(queue, file), is_new ? 0 : -1;
  head->run++;
  if (head->next_number < 1) head->next_number = 1;
  int32_t lost = recover(queue);
  gcf_uuid_text(head->client, queue->client_text);
  if (head->device != (uint64_t)file->st_dev || head->inode != (uint64_t)file->st_ino || head->next_sequence == 0) {
    /* The file is a copy. Its writes keep their client ids, so that the daemon detects duplicates; new writes get an id of their own. */
    head->device = (uint64_t)file->st_dev;
    head->inode = (uint64_t)file->st_ino;
    begin_client(queue, 0);
  }
  return lost;
}

static bool has_memory(gcf_queue *queue) {
  if (!queue->head && (queue->head = calloc(1, HEAD_BYTES + RING_BYTES))) queue->ring = (uint8_t *)queue->head + HEAD_BYTES;
  return queue->head != NULL;
}

/* Opens and locks a queue file; each process that plays the game from this folder has its own. Returns 0 or an errno value. Without
 * `lost`, a damaged file is left to a process that can report the loss. */
static int open_file(gcf_queue *queue, const char *path, int flags, int32_t *lost) {
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool is_new = fd < 0 && errno == ENOENT && flags;
  if (is_new) fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0) return errno;
  struct stat file;
  int error = flock(fd, LOCK_EX | LOCK_NB) != 0 ? errno : fstat(fd, &file) != 0 ? errno : !S_ISREG(file.st_mode) ? EINVAL : has_memory(queue) ? 0 : ENOMEM;
  queue->fd = fd;
  if (!error && file.st_size > 0) is_new = false; /* another process has initialized it between open and lock */
  int32_t missing = error ? 0 : load(queue, &file, is_new);
  if (missing && !lost) error = EWOULDBLOCK;
  if (!error && file.st_size != HEAD_BYTES + RING_BYTES) {
    /* Allocates the disk space now, instead of failing later on a full disk. */
    if (ftruncate(fd, 0) != 0) error = errno;
#ifdef __APPLE__
    else if (ftruncate(fd, HEAD_BYTES + RING_BYTES) != 0) error = errno;
#else
    else error = posix_fallocate(fd, 0, HEAD_BYTES + RING_BYTES);
    if (error) (void)unlink(path);
#endif
  }
  if (!error && !(queue->path = gcf_copy(path))) error = ENOMEM;
  if (missing) add_lost(queue->head, missing);
  if (error) {
    close(fd);
    queue->fd = -1;
    queue->count = 0;
    return error;
  }
  (void)fchmod(fd, 0600);
  if (fstat(fd, &file) == 0) queue->modified_at = modified_at(&file);
  gcf_queue_save(queue);
  return 0;
}

/* Returns space for a write after the last one; NULL if the ring is full. `mark` is where the last one ends. */
static gcf_write *room_for(gcf_queue *queue, size_t size, uint64_t head, uint64_t *mark) {
  uint64_t room = RING_BYTES - head % RING_BYTES;
  if (queue->count >= GCF_QUEUE_MAX || RING_BYTES - (head - queue->head->tail) < size + (room < size ? room : 0)) return NULL;
  *mark = head;
  if (room < size) {
    if (room >= sizeof(gcf_write)) write_at(queue, head)->length = GCF_WRITE_WRAPS;
    head += room;
  }
  queue->last = head;
  return write_at(queue, head);
}

static void seal(gcf_queue *queue, gcf_write *write) {
  write->number = queue->head->next_number++;
  write->check = check_of(write);
  queue->head->head = queue->last + write->length;
  queue->count++;
}

/* Moves all writes of a queue to the end of another. They keep client ids and sequence numbers, so that the daemon detects duplicates.
 * If not all of them fit, none is moved, because writes of one client must be sent in order. */
static void move(gcf_queue *into, gcf_queue *from) {
  const gcf_queue_head *have = into->head;
  uint64_t mark, position = from->head->tail, bytes = from->head->head - position + GCF_WRITE_BYTES_MAX;
  if (into->count + from->count > GCF_QUEUE_MAX || RING_BYTES - (have->head - have->tail) < bytes) return;
  for (const gcf_write *write; (write = write_from(from, &position)); position += write->length) {
    gcf_write *made = room_for(into, write->length, have->head, &mark);
    if (!made) return;
    memcpy(made, write, write->length);
    made->run = 0;
    seal(into, made);
  }
  add_lost(into->head, from->head->lost);
  into->is_behind = true;
  gcf_queue_save(into);
  if (!into->survives) return; /* a write in both files is harmless, since the daemon detects duplicates */
  from->head->lost = 0;
  from->head->tail = from->head->head;
  from->count = 0;
  begin_client(from, 0);
  gcf_queue_save(from);
}

static int open_number(gcf_queue *queue, const char *folder, const char *game, int number, int flags, int32_t *lost) {
  char path[4096], digit[3] = {'.', (char)('0' + number)};
  int length = snprintf(path, sizeof path, "%s/%s%s.queue", folder, game, number ? digit : "");
  return length < 0 || (size_t)length >= sizeof path ? ENAMETOOLONG : open_file(queue, path, flags, lost);
}

int gcf_queue_open(gcf_queue *queue, const char *folder, const char *game, int32_t *lost) {
  int error = ENOENT;
  *queue = (gcf_queue){.fd = -1, .why = "no file"};
  if (!has_memory(queue)) return -ENOMEM;
  /* Creates one level only; a longer missing path is more likely a typing error. */
  if (folder) (void)mkdir(folder, 0700);
  for (int number = 0; folder && number < FILES_MAX && error; number++) {
    error = open_number(queue, folder, game, number, O_CREAT, lost);
    if (error != EWOULDBLOCK && error != EAGAIN) break; /* only a lock of another process leads to the next file */
  }
  int32_t missing = queue->head->lost;
  if (error) begin(queue, NULL);
  queue->head->lost = missing;
  /* Takes over the writes of processes that have ended, instead of waiting until as many processes run again. */
  for (int number = 0; !error && lost && number < FILES_MAX; number++) {
    gcf_queue other = {.fd = -1};
    if (open_number(&other, folder, game, number, 0, lost) == 0 && (other.count > 0 || other.head->lost)) move(queue, &other);
    gcf_queue_close(&other);
  }
  if (lost) *lost = queue->head->lost;
  return folder ? -error : 0;
}

void gcf_queue_keep(gcf_queue *queue, const char *folder, const char *game) {
  gcf_queue other;
  gcf_queue_look(queue);
  if (queue->count == 0) return;
  queue->is_behind = true;
  gcf_queue_save(queue);
  if (queue->survives || !folder) return;
  if (gcf_queue_open(&other, folder, game, NULL) == 0) move(&other, queue);
  gcf_queue_close(&other);
}

void gcf_queue_close(gcf_queue *queue) {
  /* A forked child has its own descriptor for the same lock. Closing it does not release the parent's lock. */
  free(queue->head);
  free(queue->path);
  if (queue->fd >= 0) close(queue->fd);
  memset(queue, 0, sizeof *queue);
  queue->fd = -1;
}

int64_t gcf_queue_add(gcf_queue *queue, uint32_t kind, const char *method, const char *player, const char *path, const char *body) {
  size_t lengths[4] = {strlen(method), strlen(player), strlen(path), strlen(body)};
  const char *texts[4] = {method, player, path, body};
  int64_t made_at[2] = {gcf_wall(), gcf_monotonic()};
  size_t size = sizeof(gcf_write) + lengths[0] + lengths[1] + lengths[2] + lengths[3] + 4 + (kind & GCF_UNDATED ? sizeof made_at : 0);
  bool is_state = kind == GAMECONF_ANSWER_STATE;
  size_t more = is_state ? STATE_STEP - 1 : 7;
  size = (size + more) & ~more;
  if (size > GCF_WRITE_BYTES_MAX) return -EMSGSIZE;
  uint64_t head = queue->head->head, mark;
  /* The newest state of a play replaces the one at the end of the queue. Both have the same length, so that the head is valid for either
   * if the process crashes between writing the record and the head. */
  const gcf_write *last = write_at(queue, queue->last);
  bool replaces = is_state && queue->count > queue->busy && queue->last + size == head && last->length == size && last->kind == kind &&
                  strcmp(gcf_write_path(last), path) == 0;
  queue->count -= replaces;
  gcf_write *write = room_for(queue, size, replaces ? queue->last : head, &mark);
  if (!write) return -EAGAIN;
  memset(write, 0, size);
  write->length = (uint32_t)size;
  write->sequence = queue->head->next_sequence++;
  memcpy(write->client, queue->head->client, sizeof write->client);
  write->kind = kind;
  write->run = (uint32_t)queue->head->run;
  write->method = (uint32_t)lengths[0], write->player = (uint32_t)lengths[1];
  write->path = (uint32_t)lengths[2], write->body = (uint32_t)lengths[3];
  char *into = (char *)(write + 1);
  for (int at = 0; at < 4; at++) {
    memcpy(into, texts[at], lengths[at]);
    into += lengths[at] + 1;
  }
  if (kind & GCF_UNDATED) memcpy((char *)write + size - sizeof made_at, made_at, sizeof made_at);
  seal(queue, write);
  /* The write counts once the head is written. A crash before that leaves the queue as it was. */
  save(queue, mark, queue->last, size, false);
  return write->number;
}

gcf_write *gcf_queue_first(const gcf_queue *queue) {
  uint64_t position = queue->head->tail;
  return write_from(queue, &position);
}

void gcf_queue_date_first(gcf_queue *queue, int64_t host) {
  uint64_t position = queue->head->tail;
  gcf_write *write = write_from(queue, &position);
  int64_t made_at[2];
  memcpy(made_at, (char *)write + write->length - sizeof made_at, sizeof made_at);
  int64_t ago = write->run == (uint32_t)queue->head->run ? gcf_monotonic() - made_at[1] : gcf_wall() - made_at[0];
  gcf_buffer date = {0};
  gcf_put_instant(&date, host - (ago < 0 ? 0 : ago < LATE_MS_MAX ? ago : LATE_MS_MAX));
  if (host && date.used == DATE_BYTES)
    memcpy((char *)(uintptr_t)gcf_write_body(write) + write->body - DATE_BYTES - DATE_END_BYTES, date.bytes, DATE_BYTES);
  gcf_buffer_free(&date);
  write->kind &= ~(uint32_t)GCF_UNDATED;
  write->check = check_of(write);
  save(queue, position, position, write->length, false);
}

void gcf_queue_remove_first(gcf_queue *queue) {
  uint64_t position = queue->head->tail;
  const gcf_write *write = write_from(queue, &position);
  if (!write) return;
  queue->head->tail = position + write->length;
  queue->head->refused_ms = 0;
  queue->count--;
  gcf_queue_save(queue);
}

void gcf_queue_new_client(gcf_queue *queue, int64_t ahead_ms) {
  uint64_t position = queue->head->tail;
  gcf_write *write = write_from(queue, &position);
  uint8_t former[16];
  memcpy(former, write ? write->client : queue->head->client, sizeof former);
  begin_client(queue, ahead_ms);
  for (; (write = write_from(queue, &position)); position += write->length) {
    if (memcmp(write->client, former, sizeof former) != 0) continue; /* writes of other processes keep their client ids */
    memcpy(write->client, queue->head->client, sizeof write->client);
    write->sequence = queue->head->next_sequence++;
    write->check = check_of(write);
  }
  queue->is_behind = true;
  gcf_queue_save(queue);
}
