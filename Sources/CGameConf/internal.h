/* The declarations that the library's files share. All internal names begin with gcf_. */
#ifndef GCF_INTERNAL_H
#define GCF_INTERNAL_H

#include "control.h"
#include "image.h"
#include "include/gameconf.h"

#include <stdatomic.h>
#include <sys/types.h>

enum {
  GCF_KEYS_MAX = 4096,
  GCF_VIEWS = 6, /* the present view, the next one, and 4 that are acquired */
  GCF_MISUSES = 64,
  GCF_RECENT = 512,
  GCF_MISUSE_NAME = 120,
  GCF_CALLS_MAX = 64,
  GCF_ANSWERS_MAX = 64,
  GCF_ANSWER_BYTES_MAX = 1 << 20,
  GCF_QUEUE_MAX = 1024,
  GCF_READ_BYTES_MAX = 256 << 10, /* for one connection in one update */
  GCF_WRITE_BYTES_MAX = 64 << 10, /* of one queued write */
  GCF_SILENCE_MS = 40000,
  GCF_OFFLINE_MS = 10000,
  GCF_LOOK_MS = 250, /* between two checks of the queue's file */
  GCF_CHANGES_MAX = 1 << 16,
  GCF_UNSAVED_MAX = 4
};

/* A growing text buffer. After a failed allocation it stays failed. */
typedef struct gcf_buffer {
  char *bytes;
  size_t used, capacity;
  bool failed;
} gcf_buffer;
void gcf_put(gcf_buffer *buffer, const void *bytes, size_t length);
void gcf_put_text(gcf_buffer *buffer, const char *text);
void gcf_put_integer(gcf_buffer *buffer, int64_t integer);
void gcf_put_json_text(gcf_buffer *buffer, const char *text);
void gcf_put_path_part(gcf_buffer *buffer, const char *text); /* percent-encoded */
void gcf_put_instant(gcf_buffer *buffer, int64_t milliseconds);
const char *gcf_buffer_text(gcf_buffer *buffer); /* with a NUL after it; "" after a failure */
void gcf_buffer_free(gcf_buffer *buffer);
char *gcf_copy(const char *text); /* returns NULL for NULL */
bool gcf_is_utf8(const char *text, size_t length);

/* Evaluation of JSON pointers in a text without building a tree. */
enum { GCF_JSON_DEPTH_MAX = 64 };
bool gcf_json_is_valid(const char *json, size_t length);
bool gcf_json_find(const char *json, size_t length, const char *pointer, const char **value, size_t *value_length);
bool gcf_json_number(const char *value, size_t length, double *real, int64_t *integer, bool *is_integer);
/* Decodes a JSON string into `into`, which has at least `length` bytes. Returns false if it is not a string. */
bool gcf_json_unescape(const char *value, size_t length, char *into, size_t *into_length);

/* An incremental parser of HTTP responses, without I/O. */
typedef enum gcf_http_event { GCF_HTTP_MORE, GCF_HTTP_HEAD, GCF_HTTP_BODY, GCF_HTTP_END, GCF_HTTP_BAD } gcf_http_event;
typedef struct gcf_http {
  int state, status;
  bool chunked, closes, repeated, has_length;
  uint64_t left;
  int64_t retry_after; /* seconds; -1 if there is none */
  int64_t date;        /* milliseconds since 1970; 0 if there is none */
  size_t head_bytes, line_used;
  char line[1024], content_type[64];
} gcf_http;
void gcf_http_begin(gcf_http *http);
gcf_http_event gcf_http_next(gcf_http *http, const uint8_t **bytes, size_t *left, const uint8_t **piece, size_t *piece_length);
/* Returns the event that the end of the connection means in the present state. */
gcf_http_event gcf_http_eof(gcf_http *http);

/* An incremental parser of image stream frames, without I/O. */
enum { GCF_FRAME_IMAGE = 1, GCF_FRAME_PATCH = 2, GCF_FRAME_PING = 3, GCF_FRAME_DROPPED = 4 };
typedef struct gcf_frames {
  uint8_t head[8];
  char id[256];
  size_t used; /* bytes of head, id and payload together */
  uint32_t length;
  uint8_t *payload;
} gcf_frames;
/* Returns 1 if a frame is complete (the caller may take its payload), 0 if more bytes are needed, -1 if the stream is malformed. */
int gcf_frames_next(gcf_frames *frames, const uint8_t **bytes, size_t *left);
void gcf_frames_reset(gcf_frames *frames);
static inline int gcf_frame_kind(const gcf_frames *frames) { return frames->head[4]; }

/* A connection to the daemon. */
typedef struct gcf_link {
  int fd;
  bool connected, wants_write;
  gcf_buffer out;
  size_t sent;
  int64_t retry_at, backoff, heard_at;
  gcf_http http;
} gcf_link;

/* The changes that the game has not read yet: one for each name and kind. */
typedef struct gcf_change {
  size_t name;
  uint32_t hash, flags;
  int32_t kind, old_source, new_source;
} gcf_change;
typedef struct gcf_changes {
  gcf_change *rows;
  uint32_t head, count, capacity;
  uint32_t *slots, slot_count;
  gcf_buffer names;
} gcf_changes;
void gcf_change_note(gcf_changes *changes, int32_t kind, const char *name, int32_t old_source, int32_t new_source, uint32_t flags);
void gcf_changes_free(gcf_changes *changes);

/* The comparison of two views in progress. It is split over several updates, so that none takes too long. */
typedef struct gcf_diff {
  struct gameconf_view *former; /* NULL if no comparison is in progress */
  uint32_t step, at, kept, mask, *slots;
} gcf_diff;
enum { GCF_DIFF_RECORDS = 8192 }; /* in one update */
void gcf_changes_go_on(gameconf *gc, int64_t budget);

/* A wrong use of a getter. Any thread may record it; gameconf_update reports it. */
typedef struct gcf_misuse {
  _Atomic uint32_t state; /* 0 free, 1 being written, 2 written, 3 reported */
  uint32_t hash;
  int32_t kind;
  char name[GCF_MISUSE_NAME];
} gcf_misuse;
void gcf_misuse_note(const gameconf_view *view, int32_t kind, const char *name);
void gcf_misuses_tell(gameconf *gc);

typedef struct gcf_place {
  const gcf_entry *entry;
  const gcf_image *image;
} gcf_place;

struct gameconf_view {
  gameconf *owner;
  gcf_image image;
  void *memory;
  size_t size;
  bool is_mapped; /* the memory is a mapped file */
  _Atomic uint32_t flags; /* GAMECONF_PENDING, GAMECONF_STALE */
  gcf_place *places;      /* by key handle; immutable while the view is used */
  uint32_t place_count;
  uint64_t acquired;
  _Atomic uint64_t released;
  bool used;
};

/* A queued write as stored in the ring buffer. */
typedef struct gcf_write {
  uint32_t length; /* of the whole record, a multiple of 8; GCF_WRITE_WRAPS means that the next record is at the ring's beginning */
  uint32_t check;
  uint64_t sequence;
  uint8_t client[16];
  int64_t number;
  uint32_t kind, run; /* the run of the game that created it */
  uint32_t method, player, path, body; /* lengths of the texts after the struct, each followed by a NUL */
} gcf_write;
enum { GCF_WRITE_WRAPS = 0xffffffff };
/* A flag in a write's kind: the daemon's clock was unknown. The date, by this host's clock, is the last text in the body's object, and
 * the record ends with the time of its creation by the wall clock and the monotonic clock. */
enum { GCF_UNDATED = 1 << 16 };
typedef struct gcf_queue_head {
  char magic[8];
  uint64_t device, inode, ring_bytes;
  uint8_t client[16];
  uint64_t next_sequence, run;
  int64_t next_number;
  uint64_t head, tail;
  int64_t refused_ms; /* the time for which the first write has been postponed, over all runs */
  uint32_t waiting;
  int32_t lost;   /* lost writes that were not reported to any game; -1 if unknown */
  uint32_t check; /* checksum of the members before it; 0 in files of earlier versions */
} gcf_queue_head;
typedef struct gcf_queue {
  gcf_queue_head *head;
  uint8_t *ring;
  uint32_t count;
  int fd;              /* -1 if it is in memory only */
  char *path;
  bool survives;       /* the file has the contents of the memory */
  bool is_behind;      /* the whole file must be written */
  int64_t modified_at; /* the modification time of the file by this process, in nanoseconds */
  const char *why;     /* the reason why it does not survive */
  uint64_t sent_to; /* position after the last record that this process has sent */
  uint64_t last;    /* position of the record that was added last */
  uint32_t busy;    /* number of writes at the front that are in progress */
  char client_text[40];
} gcf_queue;
/* Opens a queue file that no other process has locked, and adds what earlier processes left in the other files. Without `lost`, damaged
 * files and those of other processes stay unchanged; with it, it receives the number of lost writes. */
int gcf_queue_open(gcf_queue *queue, const char *folder, const char *game, int32_t *lost);
void gcf_queue_look(gcf_queue *queue); /* checks that the file has the contents of the memory, and repairs it */
void gcf_queue_keep(gcf_queue *queue, const char *folder, const char *game); /* at the end: makes sure that all queued writes are in a
                                                                              * file */
void gcf_queue_close(gcf_queue *queue);
int64_t gcf_queue_add(gcf_queue *queue, uint32_t kind, const char *method, const char *player, const char *path, const char *body);
gcf_write *gcf_queue_first(const gcf_queue *queue); /* NULL if the queue is empty */
void gcf_queue_date_first(gcf_queue *queue, int64_t host); /* by the daemon's clock; 0 leaves the date unchanged */
void gcf_queue_save(gcf_queue *queue); /* writes the head after a change of it */
static inline const char *gcf_write_method(const gcf_write *write) { return (const char *)(write + 1); }
static inline const char *gcf_write_player(const gcf_write *write) { return gcf_write_method(write) + write->method + 1; }
static inline const char *gcf_write_path(const gcf_write *write) { return gcf_write_player(write) + write->player + 1; }
static inline const char *gcf_write_body(const gcf_write *write) { return gcf_write_path(write) + write->path + 1; }
void gcf_queue_remove_first(gcf_queue *queue);
void gcf_queue_new_client(gcf_queue *queue, int64_t ahead_ms);
void gcf_queue_tell(gameconf *gc); /* records a change if the queue began or ceased to survive */
void gcf_uuid(uint8_t uuid[16]);
void gcf_uuid_text(const uint8_t uuid[16], char text[37]);

/* A call, which is not stored in the queue. */
typedef struct gcf_call {
  int64_t number, deadline;
  uint32_t kind;
  bool repeatable;
  char *method, *player, *path, *body, key[37];
} gcf_call;

typedef struct gcf_answer {
  gameconf_answer shown;
  char *player, *body;
} gcf_answer;

/* The mapped image, if there is one. */
typedef struct gcf_map {
#ifdef GCF_MAPPED
  const gcf_control *page;
  gcf_told told; /* the page when its image was mapped */
  uint64_t device, inode;
  int64_t looked_at, unsettled_at; /* by the monotonic clock; 0 for never */
  uint8_t boot[16];
  bool is_told, is_refused;
#endif
  uint32_t countdown; /* updates until the clock is read again */
  bool serves;        /* the values are from the mapped image, so no stream is needed */
} gcf_map;

/* An image of a former caller that has not been written to its file yet. */
typedef struct gcf_unsaved {
  char *path, *shared_path; /* shared_path: the file without a player, or NULL */
  void *bytes;
  size_t size;
} gcf_unsaved;

struct gameconf {
  gameconf_view *view; /* the present view */
  gameconf_view views[GCF_VIEWS];
  _Atomic uint64_t current; /* index of the present view << 48 | number of acquisitions */
  gcf_place *places; /* of the present view, by key handle; owned by the handle, since gameconf_find extends it */
  uint32_t place_count;
  char *names[GCF_KEYS_MAX + 1];
  _Atomic uint32_t name_count;
  gcf_image defaults;
  void *defaults_memory;
  _Atomic uint64_t recent[GCF_RECENT]; /* recently read names: a part of the name's address << 32 | the entry's index + 1 */
  gcf_misuse misuses[GCF_MISUSES];
  _Atomic uint32_t misuse_pending;
  gcf_changes changes;
  gcf_diff diff;

  char *game, *player, *locale, *context, *play, *socket, *cache, *images;
  uint32_t options;
  int32_t state;
  char error[200];
  int64_t offline_since, image_at; /* milliseconds of the wall clock and of the monotonic clock */
  int64_t host_at, host_seen_at; /* the daemon's clock in the last frame, and the monotonic clock at that time */
  bool image_is_live, cache_is_due;
  int64_t cache_at;
  gcf_unsaved unsaved[GCF_UNSAVED_MAX]; /* of former callers, oldest first */
  uint32_t unsaved_count;
  void *waiting; /* an image for which no view is free yet */
  size_t waiting_size;
  bool waiting_is_mapped;
  bool is_opening; /* nothing counts as a change yet */
  gcf_map map;

  int poll_fd;
  gcf_link stream, calls;
  gcf_frames frames;
  char resume_id[256];
  volatile uint8_t *fork_page; /* zero in a forked child */
  pid_t process;
  uint8_t *read_buffer;

  gcf_queue queue;
  bool queue_survived; /* the state that was reported to the game */
  gcf_call waiting_calls[GCF_CALLS_MAX]; /* oldest first */
  uint32_t call_count;
  int32_t in_flight;                                    /* 0 nothing, 1 the first queued write, 2 the first call */
  int64_t answer_by;                                    /* the deadline for the complete response */
  int64_t queue_looked_at, queue_retry_at, put_off_at;  /* put_off_at: when the first write was postponed last; 0 for not yet */
  int64_t asked_at;                                     /* since when a server accepts connections without sending the time; 0 for none */
  uint32_t queue_attempts, times_forgotten;
  bool is_stray_told; /* that the server that answers the first write is not gameconfd */
  gcf_buffer body;
  bool body_too_long;
  gcf_answer answers[GCF_ANSWERS_MAX];
  uint32_t answer_head, answer_count;
  size_t answer_bytes;
  gcf_answer taken;
  char **taken_texts;
  uint32_t taken_count;
};

/* True if a struct's size is one of a released header: the end of a field, or that of a newer header. */
bool gcf_is_size(size_t size, const uint8_t *ends, size_t count);
#define GCF_END(type, field) (uint8_t)(offsetof(type, field) + sizeof(((type *)0)->field))

/* The monotonic clock and the wall clock, in milliseconds. */
int64_t gcf_monotonic(void);
int64_t gcf_wall(void);
/* Writes the daily seed of a salt for the UTC date of a time: 16 hexadecimal digits and a NUL. */
void gcf_daily_seed(const char *salt, int64_t ms, char seed[17]);

/* Views. */
gameconf_view *gcf_view_free(gameconf *gc);
enum { GCF_MEMORY_IS_MAPPED = 1u << 31 }; /* combined with a view's flags: the memory is a mapped file */
bool gcf_view_publish(gameconf *gc, void *memory, size_t size, uint32_t flags);
bool gcf_view_publish_checked(gameconf *gc, const gcf_image *image, void *memory, uint32_t flags);
void gcf_memory_free(void *memory, size_t size, bool is_mapped);
void gcf_views_reclaim(gameconf *gc);
void gcf_view_discard(gameconf_view *view);
gcf_place gcf_view_find(const gameconf_view *view, const char *key);

/* Makes an image the present one, immediately or as soon as a view is free. Takes ownership of the memory. */
void gcf_take_image(gameconf *gc, void *memory, size_t size, uint32_t flags);
void gcf_take_checked(gameconf *gc, const gcf_image *image, void *memory, uint32_t flags);
void gcf_take_waiting(gameconf *gc);
void gcf_set_state(gameconf *gc, int32_t state);
void gcf_set_error(gameconf *gc, const char *says, const char *detail);
/* Returns the present by the daemon's clock; 0 while it is unknown. */
int64_t gcf_host_now(const gameconf *gc);
void gcf_host_told(gameconf *gc, int64_t date, int64_t now); /* from a response's Date header, used until a frame brings the exact time */
const gcf_image *gcf_newest_image(gameconf *gc, gcf_image *scratch);

/* Connections. */
int gcf_poll_open(void);
void gcf_poll_watch(gameconf *gc, gcf_link *link, bool added);
uint32_t gcf_poll_ready(gameconf *gc); /* bit 0 for the stream, bit 1 for the calls */
void gcf_link_begin(gcf_link *link);
bool gcf_link_connect(gameconf *gc, gcf_link *link, int64_t now);
void gcf_link_close(gameconf *gc, gcf_link *link);
void gcf_link_fail(gameconf *gc, gcf_link *link, int64_t now, const char *says, const char *detail);
bool gcf_link_flush(gameconf *gc, gcf_link *link);
ssize_t gcf_link_read(gcf_link *link, uint8_t *into, size_t room); /* 0 if there is nothing to read, -1 at the end */

void gcf_stream_update(gameconf *gc, bool ready, int64_t now);
void gcf_stream_restart(gameconf *gc);
void gcf_calls_update(gameconf *gc, bool ready, int64_t now);
bool gcf_calls_want(const gameconf *gc);
/* Returns when the first write may be sent. A write that was made before the daemon's clock was known waits, so that it can be dated by
 * that clock. If no server sends the time, it is dated by this host's clock. */
int64_t gcf_write_due(const gameconf *gc, int64_t now);
void gcf_answers_free(gameconf *gc);
void gcf_call_free(gcf_call *call);

/* Mapped images. */
void gcf_map_begin(gameconf *gc); /* must be called first, whether or not an image is mapped */
bool gcf_map_open(gameconf *gc);
bool gcf_map_update(gameconf *gc, int64_t now); /* returns true if the values are from the mapped image */
void gcf_map_wait(gameconf *gc, int milliseconds);
int64_t gcf_map_age(const gameconf *gc); /* milliseconds since the daemon's last heartbeat; -1 if nothing is mapped */
void gcf_map_close(gameconf *gc);
/* True if an update has nothing to do. Takes a few loads and no system call. */
static inline bool gcf_map_is_idle(gameconf *gc) {
#ifdef GCF_MAPPED
  gcf_map *map = &gc->map;
  if (!map->serves || --map->countdown == 0) return false;
  if (atomic_load_explicit(&map->page->generation, memory_order_acquire) != map->told.generation) return false;
  uint32_t wanted = gc->queue.count | gc->call_count | (uint32_t)gc->in_flight | (gc->waiting != NULL) |
                    (gc->diff.former != NULL) | atomic_load_explicit(&gc->misuse_pending, memory_order_relaxed);
  return !wanted && gc->queue.head;
#else
  (void)gc;
  return false;
#endif
}

int gcf_update_due(gameconf *gc);

/* Loads the cached image of this caller, or of the game without a player. */
bool gcf_cache_load(gameconf *gc, bool for_all);
/* Writes all known images to the cache. It waits for the disk, so it must not be called during a frame. */
void gcf_cache_save(gameconf *gc);
/* Like gcf_cache_save, at most every few seconds and only if the caller can wait that long. Returns false if nothing was written. */
bool gcf_cache_save_within(gameconf *gc, int64_t milliseconds);
/* Stores the present caller's image before a change of the caller, to be written later. */
void gcf_cache_keep(gameconf *gc);
void gcf_cache_forget(gameconf *gc);

bool gcf_fork_asked(const gameconf *gc);
static inline bool gcf_fork_noticed(const gameconf *gc) { return gc->fork_page ? *gc->fork_page == 0 : gcf_fork_asked(gc); }
void gcf_fork_watch(gameconf *gc);
void gcf_fork_unwatch(gameconf *gc);

#endif
