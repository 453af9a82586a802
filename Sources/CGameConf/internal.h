/* What the library's files share: the handle, and the machines it is made of. Every internal name begins gcf_. */
#ifndef GCF_INTERNAL_H
#define GCF_INTERNAL_H

#include "control.h"
#include "image.h"
#include "include/gameconf.h"

#include <stdatomic.h>
#include <sys/types.h>

enum {
  GCF_KEYS_MAX = 4096,
  GCF_VIEWS = 6, /* the present one, the next one, and 4 that others hold */
  GCF_MISUSES = 64,
  GCF_RECENT = 512,
  GCF_MISUSE_NAME = 120,
  GCF_CALLS_MAX = 64,
  GCF_ANSWERS_MAX = 64,
  GCF_ANSWER_BYTES_MAX = 1 << 20,
  GCF_QUEUE_MAX = 1024,
  GCF_READ_BYTES_MAX = 256 << 10, /* of one connection in one update */
  GCF_WRITE_BYTES_MAX = 64 << 10, /* of one queued write */
  GCF_SILENCE_MS = 40000,
  GCF_OFFLINE_MS = 10000,
  GCF_LOOK_MS = 250, /* between two looks at the queue's file */
  GCF_CHANGES_MAX = 1 << 16,
  GCF_UNSAVED_MAX = 4
};

/* Texts that grow; a failure sticks. */
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
const char *gcf_buffer_text(gcf_buffer *buffer); /* with a NUL behind it; "" after a failure */
void gcf_buffer_free(gcf_buffer *buffer);
char *gcf_copy(const char *text); /* NULL for NULL */
bool gcf_is_utf8(const char *text, size_t length);

/* JSON: what a pointer names in a text, without a tree. */
enum { GCF_JSON_DEPTH_MAX = 64 };
bool gcf_json_is_valid(const char *json, size_t length);
bool gcf_json_find(const char *json, size_t length, const char *pointer, const char **value, size_t *value_length);
bool gcf_json_number(const char *value, size_t length, double *real, int64_t *integer, bool *is_integer);
/* The text of a JSON string, unescaped into `into` of at least `length` bytes; false for what is no string. */
bool gcf_json_unescape(const char *value, size_t length, char *into, size_t *into_length);

/* An HTTP answer, piece by piece, without I/O. */
typedef enum gcf_http_event { GCF_HTTP_MORE, GCF_HTTP_HEAD, GCF_HTTP_BODY, GCF_HTTP_END, GCF_HTTP_BAD } gcf_http_event;
typedef struct gcf_http {
  int state, status;
  bool chunked, closes, repeated, has_length;
  uint64_t left;
  int64_t retry_after; /* seconds, -1: none */
  int64_t date;        /* milliseconds since 1970, 0: none */
  size_t head_bytes, line_used;
  char line[1024], content_type[64];
} gcf_http;
void gcf_http_begin(gcf_http *http);
gcf_http_event gcf_http_next(gcf_http *http, const uint8_t **bytes, size_t *left, const uint8_t **piece, size_t *piece_length);
/* What the end of the connection means. */
gcf_http_event gcf_http_eof(gcf_http *http);

/* Frames of an image stream, piece by piece, without I/O. */
enum { GCF_FRAME_IMAGE = 1, GCF_FRAME_PATCH = 2, GCF_FRAME_PING = 3, GCF_FRAME_DROPPED = 4 };
typedef struct gcf_frames {
  uint8_t head[8];
  char id[256];
  size_t used; /* of head, id and payload together */
  uint32_t length;
  uint8_t *payload;
} gcf_frames;
/* 1: a frame is whole (its payload may be taken away); 0: more; -1: no such stream. */
int gcf_frames_next(gcf_frames *frames, const uint8_t **bytes, size_t *left);
void gcf_frames_reset(gcf_frames *frames);
static inline int gcf_frame_kind(const gcf_frames *frames) { return frames->head[4]; }

/* One connection to the daemon. */
typedef struct gcf_link {
  int fd;
  bool connected, wants_write;
  gcf_buffer out;
  size_t sent;
  int64_t retry_at, backoff, heard_at;
  gcf_http http;
} gcf_link;

/* Changes nobody has read yet: one a name and kind. */
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

/* Two views' differences that are still to be noted: a long list is not looked through in one frame. */
typedef struct gcf_diff {
  struct gameconf_view *former; /* NULL: nothing is to be noted */
  uint32_t step, at, kept, mask, *slots;
} gcf_diff;
enum { GCF_DIFF_RECORDS = 8192 }; /* in one update */
void gcf_changes_go_on(gameconf *gc, int64_t budget);

/* A getter's misuse: noted by any thread, listed by update. */
typedef struct gcf_misuse {
  _Atomic uint32_t state; /* 0 free, 1 being written, 2 written, 3 told */
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
  bool is_mapped; /* the memory is a file's */
  _Atomic uint32_t flags; /* GAMECONF_PENDING, GAMECONF_STALE */
  gcf_place *places;      /* by key handle; never changes while the view is used */
  uint32_t place_count;
  uint64_t acquired;
  _Atomic uint64_t released;
  bool used;
};

/* A queued write, as it lies in the ring. */
typedef struct gcf_write {
  uint32_t length; /* of all of it, a multiple of 8; GCF_WRITE_WRAPS: go on at the ring's beginning */
  uint32_t check;
  uint64_t sequence;
  uint8_t client[16];
  int64_t number;
  uint32_t kind, run; /* the run of the game that made it */
  uint32_t method, player, path, body; /* lengths of the texts behind, each with a NUL */
} gcf_write;
enum { GCF_WRITE_WRAPS = 0xffffffff };
/* Beside a write's kind: its date is the last text of its body's object and by this machine's clock, and its record ends with when it was
 * made, by the wall's and the monotonic clock. */
enum { GCF_UNDATED = 1 << 16 };
typedef struct gcf_queue_head {
  char magic[8];
  uint64_t device, inode, ring_bytes;
  uint8_t client[16];
  uint64_t next_sequence, run;
  int64_t next_number;
  uint64_t head, tail;
  int64_t refused_ms; /* how long the first write was put off, in all runs */
  uint32_t waiting;
  int32_t lost;   /* writes of which no game has been told; -1: nobody knows how many */
  uint32_t check; /* of all before it; 0 in files that were made without it */
} gcf_queue_head;
typedef struct gcf_queue {
  gcf_queue_head *head;
  uint8_t *ring;
  uint32_t count;
  int fd;              /* -1: in memory only */
  char *path;
  bool survives;       /* the file says what the memory does */
  bool is_behind;      /* the file has to be written whole */
  int64_t modified_at; /* of the file, by this process, in nanoseconds */
  const char *why;     /* it does not survive */
  uint64_t sent_to; /* position behind the last record this process has sent */
  uint64_t last;    /* position of the record that was added last */
  uint32_t busy;    /* how many of the first writes are under way */
  char client_text[40];
} gcf_queue;
/* A file that nobody holds, with what waits in all of these. `lost`: as the head says afterwards; without it, what is damaged and what
 * others left stays as it is. */
int gcf_queue_open(gcf_queue *queue, const char *folder, const char *game, int32_t *lost);
void gcf_queue_look(gcf_queue *queue); /* whether the file still says what memory does; writes it where it does not */
void gcf_queue_keep(gcf_queue *queue, const char *folder, const char *game); /* before the end: all that waits is in a file */
void gcf_queue_close(gcf_queue *queue);
int64_t gcf_queue_add(gcf_queue *queue, uint32_t kind, const char *method, const char *player, const char *path, const char *body);
gcf_write *gcf_queue_first(const gcf_queue *queue); /* NULL when nothing waits */
void gcf_queue_date_first(gcf_queue *queue, int64_t host); /* by the daemon's clock now; 0: it stays as it is */
void gcf_queue_save(gcf_queue *queue); /* its head, after a change of that */
static inline const char *gcf_write_method(const gcf_write *write) { return (const char *)(write + 1); }
static inline const char *gcf_write_player(const gcf_write *write) { return gcf_write_method(write) + write->method + 1; }
static inline const char *gcf_write_path(const gcf_write *write) { return gcf_write_player(write) + write->player + 1; }
static inline const char *gcf_write_body(const gcf_write *write) { return gcf_write_path(write) + write->path + 1; }
void gcf_queue_remove_first(gcf_queue *queue);
void gcf_queue_new_client(gcf_queue *queue, int64_t ahead_ms);
void gcf_queue_tell(gameconf *gc); /* notes a change when the queue came to survive, or no longer does */
void gcf_uuid(uint8_t uuid[16]);
void gcf_uuid_text(const uint8_t uuid[16], char text[37]);

/* A call that is not kept. */
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

/* The mapped image, where there is one. */
typedef struct gcf_map {
#ifdef GCF_MAPPED
  const gcf_control *page;
  gcf_told told; /* what it said when its image was taken */
  uint64_t device, inode;
  int64_t looked_at, unsettled_at; /* by the monotonic clock; 0 for never */
  uint8_t boot[16];
  bool is_told, is_refused;
#endif
  uint32_t countdown; /* updates until the clock is read again */
  bool serves;        /* the values are its: no stream is needed */
} gcf_map;

/* An image of a caller that was, which is not yet in its file. */
typedef struct gcf_unsaved {
  char *path, *shared_path; /* shared_path: everybody's file, or NULL */
  void *bytes;
  size_t size;
} gcf_unsaved;

struct gameconf {
  gameconf_view *view; /* the present one */
  gameconf_view views[GCF_VIEWS];
  _Atomic uint64_t current; /* index of the present view << 48 | how often it was acquired */
  gcf_place *places; /* of the present view, by key handle; the owner's own, since gameconf_find lengthens it */
  uint32_t place_count;
  char *names[GCF_KEYS_MAX + 1];
  _Atomic uint32_t name_count;
  gcf_image defaults;
  void *defaults_memory;
  _Atomic uint64_t recent[GCF_RECENT]; /* of names read lately: a part of where the name lies << 32 | the entry's number + 1 */
  gcf_misuse misuses[GCF_MISUSES];
  _Atomic uint32_t misuse_pending;
  gcf_changes changes;
  gcf_diff diff;

  char *game, *player, *locale, *context, *play, *socket, *cache, *images;
  uint32_t options;
  int32_t state;
  char error[200];
  int64_t offline_since, image_at; /* the wall's and the monotonic clock's milliseconds */
  int64_t host_at, host_seen_at; /* the daemon's clock as the last frame told it, and the monotonic clock then */
  bool image_is_live, cache_is_due;
  int64_t cache_at;
  gcf_unsaved unsaved[GCF_UNSAVED_MAX]; /* of callers that were, oldest first */
  uint32_t unsaved_count;
  void *waiting; /* an image for which no view was free */
  size_t waiting_size;
  bool waiting_is_mapped;
  bool is_opening; /* nothing is a change yet */
  gcf_map map;

  int poll_fd;
  gcf_link stream, calls;
  gcf_frames frames;
  char resume_id[256];
  volatile uint8_t *fork_page; /* zero in a forked child */
  pid_t process;
  uint8_t *read_buffer;

  gcf_queue queue;
  bool queue_survived; /* as the game was told */
  gcf_call waiting_calls[GCF_CALLS_MAX]; /* oldest first */
  uint32_t call_count;
  int32_t in_flight;                                    /* 0 nothing, 1 the first queued write, 2 the first call */
  int64_t answer_by;                                    /* when the whole answer to that must be there */
  int64_t queue_looked_at, queue_retry_at, put_off_at;  /* put_off_at: when the first write was, last; 0: not yet */
  int64_t asked_at;                                     /* since when somebody can be connected to who has not told the time; 0: nobody */
  uint32_t queue_attempts, times_forgotten;
  bool is_stray_told; /* that what answers the first write is no gameconfd */
  gcf_buffer body;
  bool body_too_long;
  gcf_answer answers[GCF_ANSWERS_MAX];
  uint32_t answer_head, answer_count;
  size_t answer_bytes;
  gcf_answer taken;
  char **taken_texts;
  uint32_t taken_count;
};

/* Whether a struct's size, as a caller says it, is one that a header had: the end of a field, or that of a newer one. */
bool gcf_is_size(size_t size, const uint8_t *ends, size_t count);
#define GCF_END(type, field) (uint8_t)(offsetof(type, field) + sizeof(((type *)0)->field))

/* Clocks: monotonic and the wall's, in milliseconds. */
int64_t gcf_monotonic(void);
int64_t gcf_wall(void);

/* Views. */
gameconf_view *gcf_view_free(gameconf *gc);
enum { GCF_MEMORY_IS_MAPPED = 1u << 31 }; /* beside a view's flags: the memory is a file's */
bool gcf_view_publish(gameconf *gc, void *memory, size_t size, uint32_t flags);
bool gcf_view_publish_checked(gameconf *gc, const gcf_image *image, void *memory, uint32_t flags);
void gcf_memory_free(void *memory, size_t size, bool is_mapped);
void gcf_views_reclaim(gameconf *gc);
void gcf_view_discard(gameconf_view *view);
gcf_place gcf_view_find(const gameconf_view *view, const char *key);

/* Taking over an image: becomes the present one now, or as soon as a view is free. Takes the memory. */
void gcf_take_image(gameconf *gc, void *memory, size_t size, uint32_t flags);
void gcf_take_checked(gameconf *gc, const gcf_image *image, void *memory, uint32_t flags);
void gcf_take_waiting(gameconf *gc);
void gcf_set_state(gameconf *gc, int32_t state);
void gcf_set_error(gameconf *gc, const char *says, const char *detail);
/* The daemon's clock now, 0 while nobody has told it. */
int64_t gcf_host_now(const gameconf *gc);
void gcf_host_told(gameconf *gc, int64_t date, int64_t now); /* by an answer, to the second: for want of better */
const gcf_image *gcf_newest_image(gameconf *gc, gcf_image *scratch);

/* Connections. */
int gcf_poll_open(void);
void gcf_poll_watch(gameconf *gc, gcf_link *link, bool added);
uint32_t gcf_poll_ready(gameconf *gc); /* bit 0 the stream, bit 1 the calls */
void gcf_link_begin(gcf_link *link);
bool gcf_link_connect(gameconf *gc, gcf_link *link, int64_t now);
void gcf_link_close(gameconf *gc, gcf_link *link);
void gcf_link_fail(gameconf *gc, gcf_link *link, int64_t now, const char *says, const char *detail);
bool gcf_link_flush(gameconf *gc, gcf_link *link);
ssize_t gcf_link_read(gcf_link *link, uint8_t *into, size_t room); /* 0 for nothing there, -1 for the end */

void gcf_stream_update(gameconf *gc, bool ready, int64_t now);
void gcf_stream_restart(gameconf *gc);
void gcf_calls_update(gameconf *gc, bool ready, int64_t now);
bool gcf_calls_want(const gameconf *gc);
/* When the first write may go. One that was made before the daemon's time was known is dated by that, or by this machine's clock where
 * nobody tells it: so it waits for who is there to say. */
int64_t gcf_write_due(const gameconf *gc, int64_t now);
void gcf_answers_free(gameconf *gc);
void gcf_call_free(gcf_call *call);

/* Mapped images. */
void gcf_map_begin(gameconf *gc); /* before anything of it, whether or not something is mapped at once */
bool gcf_map_open(gameconf *gc);
bool gcf_map_update(gameconf *gc, int64_t now); /* whether the values are the map's */
void gcf_map_wait(gameconf *gc, int milliseconds);
int64_t gcf_map_age(const gameconf *gc); /* milliseconds since the daemon's last beat, -1: not mapped */
void gcf_map_close(gameconf *gc);
/* Whether an update has nothing to do: a few loads, no call. */
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

/* Images of earlier runs: of this caller, or of everybody. */
bool gcf_cache_load(gameconf *gc, bool for_all);
/* Writes what is known: waits for the disk, so never within a frame. */
void gcf_cache_save(gameconf *gc);
/* The same for one who may wait that long, now and then; false when nothing was to be done. */
bool gcf_cache_save_within(gameconf *gc, int64_t milliseconds);
/* Before the caller is another: what is known of the former one is written later. */
void gcf_cache_keep(gameconf *gc);
void gcf_cache_forget(gameconf *gc);

bool gcf_fork_asked(const gameconf *gc);
static inline bool gcf_fork_noticed(const gameconf *gc) { return gc->fork_page ? *gc->fork_page == 0 : gcf_fork_asked(gc); }
void gcf_fork_watch(gameconf *gc);
void gcf_fork_unwatch(gameconf *gc);

#endif
