/* libgameconf: a game's configuration, which is read in nanoseconds and changes while the game runs.
 *
 * This header is the manual. The library is plain C11 and needs only libc. It starts no threads, has no callbacks, installs no signal
 * handlers and never exits the process. Every function accepts NULL for any pointer, and then returns its fallback or -EINVAL.
 *
 *   gameconf *gc;
 *   gameconf_open(&gc, &(gameconf_options){.size = sizeof(gameconf_options), .game = "wheresthedot", .player = "p1", .cache = "save/"});
 *   while (running) {
 *     if (gameconf_update(gc) > 0) {
 *       gameconf_change c;
 *       while (gameconf_next_change(gc, &c)) printf("%s changed\n", c.name);
 *     }
 *     double limit = gameconf_double(gc, "arcade_time_limit_base", 2.5);
 *   }
 *   gameconf_close(gc);
 *
 * Threads: a `gameconf *` belongs to the thread that calls gameconf_update. Other threads acquire a view (gameconf_acquire) and read it.
 *
 * Lifetime: returned pointers are valid as long as the function's comment says; the caller never frees them.
 *
 * Errors: functions that can fail return a negative errno value; getters return the caller's fallback. */
#ifndef GAMECONF_H
#define GAMECONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define GAMECONF_API __attribute__((visibility("default")))
#else
#define GAMECONF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GAMECONF_VERSION "0.1.0"

/* A handle of a game: its values, its connections and its queue. */
typedef struct gameconf gameconf;
/* A snapshot of the values, for threads that do not call gameconf_update. */
typedef struct gameconf_view gameconf_view;
/* A key that was looked up once; 0 is no key. It is valid as long as the handle. */
typedef uint32_t gameconf_key;

/* The layer that determined a value. */
enum {
  GAMECONF_SOURCE_FALLBACK = 0, /* the caller's fallback */
  GAMECONF_SOURCE_PLAYER_OVERRIDE = 1,
  GAMECONF_SOURCE_GAME_OVERRIDE = 2,
  GAMECONF_SOURCE_SETTING = 3,
  GAMECONF_SOURCE_REMOTE = 4,
  GAMECONF_SOURCE_DEFAULT = 5,
  GAMECONF_SOURCE_PLAY = 6
};

/* The reason for a value, as OpenFeature defines it. */
enum {
  GAMECONF_REASON_UNKNOWN = 0,
  GAMECONF_REASON_STATIC = 1,
  GAMECONF_REASON_DEFAULT = 2,
  GAMECONF_REASON_TARGETING_MATCH = 3,
  GAMECONF_REASON_SPLIT = 4,
  GAMECONF_REASON_DISABLED = 5,
  GAMECONF_REASON_ERROR = 6
};

/* Further properties of a value. */
enum {
  GAMECONF_VARIES = 1 << 0,         /* other callers may get another value */
  GAMECONF_OVERRIDDEN = 1 << 1,     /* an admin has overridden it */
  GAMECONF_DEGRADED = 1 << 2,       /* a layer was unavailable */
  GAMECONF_TIME_DEPENDENT = 1 << 3, /* it may change because of the time, at an unknown instant */
  GAMECONF_PENDING = 1 << 8,        /* the present player's (locale's, context's) layer has not arrived yet */
  GAMECONF_STALE = 1 << 9,          /* from the cache or the embedded defaults instead of a live connection */
  GAMECONF_EMBEDDED = 1 << 10       /* from the embedded defaults, because the image does not have the key */
};

/* Opening and closing */

enum {
  GAMECONF_OFFLINE = 1 << 0,   /* never connects; uses only the cache and the embedded defaults */
  GAMECONF_NO_ANSWERS = 1 << 1 /* drops the answers to queued writes; those to purchase, restore, gate and call still come */
};

/* gameconf_open copies all texts. `defaults` is not copied and must be valid until gameconf_close. */
typedef struct gameconf_options {
  size_t size;         /* sizeof(gameconf_options); a size that ends within a field is rejected, here and in other structs */
  const char *game;    /* required */
  const char *player;  /* NULL: values without a player; else 1 to 256 bytes of UTF-8, not "." or ".." */
  const char *locale;  /* a language tag such as fr-CA, or NULL */
  const char *context; /* a JSON object of at most 2 KiB with platform, app_version, country, ..., but not locale and player; or NULL */
  const char *socket;  /* NULL: GAMECONF_SOCKET of the environment, else /run/gameconfd/games.sock */
  const char *cache;   /* a folder of the game in which images and the queue survive; created if only its last level is missing; or NULL */
  const void *defaults; /* an image embedded in the game (`gameconfctl catalog image`), or NULL */
  size_t defaults_size;
  uint32_t flags;      /* GAMECONF_OFFLINE, GAMECONF_NO_ANSWERS */
  const char *images;  /* the folder of mapped images; NULL: GAMECONF_IMAGES of the environment, else `images` beside the socket; "":
                        * none */
} gameconf_options;

/* Opens a handle. Never waits: until gameconf_update receives newer values, they are from the mapped image if a daemon updates it, else
 * from the cache, else from the embedded defaults. For a handle with a player, locale or context, a cache of exactly these comes first.
 *
 * Mapped images exist on Linux only: files that the daemon never truncates, of an owner that the folder trusts. A handle without player,
 * locale, context and play reads its values there. It uses the socket for calls, and for values only while the file is not updated.
 *
 * An unusable cache folder is not an error: GAMECONF_CHANGE_QUEUE_FILE reports that nothing survives.
 *
 * Returns 0, -EINVAL (wrong size, no game, malformed player, locale or context), -ENOMEM or -EMFILE. After an error *gc is NULL. */
GAMECONF_API int gameconf_open(gameconf **gc, const gameconf_options *options);

/* Closes a handle. Never waits for the daemon; queued writes stay in the queue file. With `cache`, the known values of the present
 * caller and up to four former ones are written now. This takes as long as the file system needs to accept them; there is no fsync. A
 * process that ends without this call leaves the former cache intact. All views must have been released, and none may be acquired any
 * more. */
GAMECONF_API void gameconf_close(gameconf *gc);

/* Processes received data and sends queued requests. Never blocks, not even for a disk, and takes about a millisecond at most. Values
 * change only here and in set_player. Returns the number of unread changes, or a negative errno value. */
GAMECONF_API int gameconf_update(gameconf *gc);

/* For loading screens and tools: updates until there is a change or an answer, or the time is over. Returns like gameconf_update.
 * Negative `milliseconds` wait forever. With `cache`, a wait with at least a tenth of a second left writes the known values there, at
 * most every five seconds and like gameconf_close: a busy disk may make the wait longer. */
GAMECONF_API int gameconf_wait(gameconf *gc, int milliseconds);

/* For event loops: a descriptor to poll for reading, and the milliseconds after which gameconf_update is due even if nothing arrives.
 * The descriptor belongs to the library: do not read from it. It is valid until gameconf_close and changes in a forked child. -1: no
 * descriptor. A mapped image cannot signal a descriptor; the timeout is then at most 20 ms. */
GAMECONF_API int gameconf_fd(const gameconf *gc);
GAMECONF_API short gameconf_events(const gameconf *gc); /* the events to poll for on that descriptor */
GAMECONF_API int gameconf_timeout(const gameconf *gc);

/* The origin of the values. */
enum {
  GAMECONF_STATE_NONE = 0,     /* none: every getter returns its fallback */
  GAMECONF_STATE_DEFAULTS = 1, /* embedded defaults */
  GAMECONF_STATE_CACHED = 2,   /* the last known values of an earlier run, or from before the connection was lost */
  GAMECONF_STATE_LIVE = 3      /* the daemon sends every change */
};

typedef struct gameconf_status_t {
  size_t size; /* set by the caller */
  int32_t state;
  uint32_t queued;          /* queued writes */
  uint32_t answers;         /* unread answers */
  uint32_t views;           /* acquired views besides the present one */
  uint64_t epoch;           /* of the store; revisions are comparable only within one epoch */
  int64_t revision;         /* of the game's values */
  int64_t player_revision;
  int64_t age_ms;           /* since the last data from the daemon; -1: never */
  int64_t offline_since_ms; /* milliseconds since 1970; 0 while live */
  const char *last_error;   /* "" if there is none; valid until the next gameconf_update or gameconf_close */
  const char *client;       /* the queue's client id; valid until the next gameconf_update or gameconf_close */
  bool pending;             /* the present player's (locale's, context's) values have not arrived yet */
  bool queue_survives;      /* the queue is stored in a file */
} gameconf_status_t;

/* Fills *status up to its size. Returns 0 or -EINVAL. */
GAMECONF_API int gameconf_status(const gameconf *gc, gameconf_status_t *status);

/* Values.
 *
 * Integers can be read as double; doubles can be read as integer only if that is lossless. A wrong type or an unknown key returns the
 * fallback and is reported once in the change queue. A key that the image does not have is looked up in the embedded defaults. Getters
 * never allocate, lock or fail. */

typedef struct gameconf_info {
  int32_t source;         /* GAMECONF_SOURCE_... */
  int32_t reason;         /* GAMECONF_REASON_... */
  uint32_t flags;         /* GAMECONF_VARIES and so on */
  uint32_t type;          /* declared: 1 boolean, 2 integer, 3 double, 4 string, 5 list, 6 object, 7 localized; 0 unknown */
  int64_t revision;       /* of the last change of this value */
  int64_t next_change_at; /* milliseconds since 1970 of the next change because of the time; 0: never or unknown */
  const char *variant;    /* "" if there is none; valid as long as the result of a string getter */
  size_t length;          /* in bytes, of a string or of JSON, without the NUL */
  uint64_t reserved[2];
} gameconf_info;

GAMECONF_API bool gameconf_bool(const gameconf *gc, const char *key, bool fallback);
GAMECONF_API int64_t gameconf_int(const gameconf *gc, const char *key, int64_t fallback);
GAMECONF_API double gameconf_double(const gameconf *gc, const char *key, double fallback);
/* The text is valid until the next gameconf_update, set_player or gameconf_close of this handle. The fallback is returned as it is. */
GAMECONF_API const char *gameconf_string(const gameconf *gc, const char *key, const char *fallback);
/* Returns the value of a key whose default is {daily_hash: salt}. If there is no value or its day has ended, the seed is computed from the
 * salt for the current UTC date, with the same result as the daemon's. The string is valid until the next call in this thread. */
GAMECONF_API const char *gameconf_daily_seed(const gameconf *gc, const char *key, const char *salt);
/* Returns a list or an object as compact JSON, valid as long as the result of a string getter. */
GAMECONF_API const char *gameconf_json(const gameconf *gc, const char *key, const char *fallback);

/* Like the getters above, and fills *info, which may be NULL. */
GAMECONF_API bool gameconf_bool_info(const gameconf *gc, const char *key, bool fallback, gameconf_info *info);
GAMECONF_API int64_t gameconf_int_info(const gameconf *gc, const char *key, int64_t fallback, gameconf_info *info);
GAMECONF_API double gameconf_double_info(const gameconf *gc, const char *key, double fallback, gameconf_info *info);
GAMECONF_API const char *gameconf_string_info(const gameconf *gc, const char *key, const char *fallback, gameconf_info *info);
GAMECONF_API const char *gameconf_json_info(const gameconf *gc, const char *key, const char *fallback, gameconf_info *info);

/* A key handle, for code that reads a value thousands of times a frame. The key need not exist yet. There are at most 4 096 keys; beyond
 * them gameconf_find returns 0, for which every getter returns its fallback. */
GAMECONF_API gameconf_key gameconf_find(gameconf *gc, const char *key);
GAMECONF_API bool gameconf_bool_at(const gameconf *gc, gameconf_key key, bool fallback);
GAMECONF_API int64_t gameconf_int_at(const gameconf *gc, gameconf_key key, int64_t fallback);
GAMECONF_API double gameconf_double_at(const gameconf *gc, gameconf_key key, double fallback);
GAMECONF_API const char *gameconf_string_at(const gameconf *gc, gameconf_key key, const char *fallback);
GAMECONF_API const char *gameconf_json_at(const gameconf *gc, gameconf_key key, const char *fallback);

/* Returns the name of the key at an index, counted from 0; NULL after the last. Valid as long as the result of a string getter. */
GAMECONF_API const char *gameconf_key_name(const gameconf *gc, uint32_t place);

/* Views, for other threads.
 *
 * A view never changes. gameconf_acquire and gameconf_release may be called by any thread between open and close. They cost one atomic
 * operation each and must be paired. While 4 old views are acquired, gameconf_update keeps the present values and tries again later. */
GAMECONF_API const gameconf_view *gameconf_acquire(gameconf *gc);
GAMECONF_API void gameconf_release(const gameconf_view *view);
GAMECONF_API bool gameconf_view_bool(const gameconf_view *view, const char *key, bool fallback, gameconf_info *info);
GAMECONF_API int64_t gameconf_view_int(const gameconf_view *view, const char *key, int64_t fallback, gameconf_info *info);
GAMECONF_API double gameconf_view_double(const gameconf_view *view, const char *key, double fallback, gameconf_info *info);
/* The text is valid until the view is released. */
GAMECONF_API const char *gameconf_view_string(const gameconf_view *view, const char *key, const char *fallback, gameconf_info *info);
GAMECONF_API const char *gameconf_view_json(const gameconf_view *view, const char *key, const char *fallback, gameconf_info *info);
GAMECONF_API bool gameconf_view_bool_at(const gameconf_view *view, gameconf_key key, bool fallback);
GAMECONF_API int64_t gameconf_view_int_at(const gameconf_view *view, gameconf_key key, int64_t fallback);
GAMECONF_API double gameconf_view_double_at(const gameconf_view *view, gameconf_key key, double fallback);
GAMECONF_API const char *gameconf_view_string_at(const gameconf_view *view, gameconf_key key, const char *fallback);

/* Changes */

enum {
  GAMECONF_CHANGE_KEY = 1,         /* a value: name, old_source, new_source */
  GAMECONF_CHANGE_THEME = 2,       /* a theme was unlocked (new_source 1) or locked (0) */
  GAMECONF_CHANGE_ENTITLEMENT = 3, /* an entitlement was granted (1), changed (1) or removed (0) */
  GAMECONF_CHANGE_PRODUCT = 4,     /* a product was purchased (1) or revoked (0) */
  GAMECONF_CHANGE_CONNECTION = 5,  /* new_source is the new GAMECONF_STATE_..., name "" */
  GAMECONF_CHANGE_WRONG_TYPE = 6,  /* the game read this key as a type that it does not have; reported once */
  GAMECONF_CHANGE_UNKNOWN_KEY = 7, /* the game read this key, which does not exist; reported once */
  GAMECONF_CHANGE_CLIENT = 8,      /* the queue has a new client id: name */
  GAMECONF_CHANGE_QUEUE_LOST = 9,  /* the queue's file was damaged and new_source writes are lost; -1: an unknown number */
  GAMECONF_CHANGE_QUEUE_FILE = 10, /* new_source 0: queued writes are lost when the process ends, name is the reason; 1: they survive
                                    * again */
  GAMECONF_CHANGE_REFUSED = 11,    /* queued writes were rejected permanently: name is their path, old_source their number, new_source
                                    * the last status: 422 or another 4xx; 408, 429 and 5xx after retries for a day */
  GAMECONF_CHANGE_DELAYED = 12     /* the server that answered the first write is not gameconfd; the write stays queued. name is its
                                    * path, new_source the status, such as 302; reported once for each write */
};

/* A key has at most one unread entry, from its first old source to its last new one. The struct's size is fixed. */
typedef struct gameconf_change {
  int32_t kind;
  int32_t old_source;
  int32_t new_source;
  uint32_t flags;
  const char *name; /* valid until the next gameconf_next_change, gameconf_update, set_... or gameconf_close */
  uint64_t reserved[3];
} gameconf_change;

/* Returns the next change; false if there is none. */
GAMECONF_API bool gameconf_next_change(gameconf *gc, gameconf_change *change);

/* The player.
 *
 * NULL for no player. The getters omit the former player's layer immediately (_info has GAMECONF_PENDING). The new one arrives as a
 * whole with a later gameconf_update. Queued writes stay those of the former player. Returns 0, or -EINVAL or -ENOMEM without a change. */
GAMECONF_API int gameconf_set_player(gameconf *gc, const char *player);
GAMECONF_API int gameconf_set_locale(gameconf *gc, const char *locale);
GAMECONF_API int gameconf_set_context(gameconf *gc, const char *json);
/* Reads the values that a play pinned when it opened (POST …/plays by gameconf_call); NULL reads the present ones. */
GAMECONF_API int gameconf_set_play(gameconf *gc, const char *play);

/* The player's last known state, without a request.
 *
 * An entitlement is valid until it expires by the game's simulated clock. info->revision is the player's revision, info->next_change_at
 * the expiry. Gates and ads are decided only by the daemon, see gameconf_gate. */
GAMECONF_API bool gameconf_theme_unlocked(const gameconf *gc, const char *theme, bool fallback, gameconf_info *info);
GAMECONF_API bool gameconf_entitled(const gameconf *gc, const char *entitlement, bool fallback, gameconf_info *info);
GAMECONF_API bool gameconf_ad_free(const gameconf *gc, bool fallback, gameconf_info *info);
GAMECONF_API bool gameconf_product_purchased(const gameconf *gc, const char *product, bool fallback, gameconf_info *info);
/* Returns the present by the player's simulated clock, in milliseconds since 1970. */
GAMECONF_API int64_t gameconf_now(const gameconf *gc);

/* Queued writes.
 *
 * Writes are sent in order, each of them once, with the present player and the time of the call. With `cache` they survive the end or a
 * crash of the game. Each accepted write is answered, reported as lost or rejected in the change queue, or still queued.
 *
 * A 4xx status from the daemon is an answer. For 408, 429 and 5xx the write is retried, after pauses that grow to a minute or as
 * Retry-After says (an hour at most). After a day of this the write is given up and reported, so that later ones can be sent. Redirects
 * and other responses that are not from gameconfd leave the write in the queue.
 *
 * With `cache` and while there are queued writes, gameconf_update checks the file: GAMECONF_CHANGE_QUEUE_FILE reports if it was
 * truncated or moved or cannot be written. gameconf_close writes all queued writes once more. A process that opens the game takes over
 * the writes of processes that have ended, however many there were.
 *
 * An event is dated by the daemon's clock. While that is unknown, the event waits and then gets the time at which it was made (a week
 * ago at most). If a server does not send the time within 10 s, this host's clock is used.
 *
 * All return a positive number, which the answer also has, or -EINVAL (also without a player), -EAGAIN (the queue has 1 024 writes or 1
 * MiB), -EMSGSIZE (more than 64 KiB), -ECHILD (in a forked process before its first gameconf_update, because the queue is the parent's). */
typedef struct gameconf_event_t {
  size_t size;
  const char *event; /* required */
  const char *mode;
  const char *reason;
  int64_t score;
  bool scored;         /* true if a score of 0 counts as a score; any other score always does */
  const char *details; /* a JSON object, or NULL */
  const char *play;    /* the play that it belongs to, whose pinned values apply; or NULL */
  const char *state;   /* with play: the game's own state of it, JSON of at most 4 KiB, or NULL; stored in the same transaction */
  bool closes;         /* with play: ends it, in the same transaction */
} gameconf_event_t;

GAMECONF_API int64_t gameconf_event(gameconf *gc, const gameconf_event_t *event);
GAMECONF_API int64_t gameconf_visit(gameconf *gc);
/* `json` is the value that the player chose; NULL removes the choice. */
GAMECONF_API int64_t gameconf_setting(gameconf *gc, const char *key, const char *json);
/* The game's own state of an open play, for example during a pause: JSON of at most 4 KiB. If several states are queued consecutively,
 * only the last is sent. */
GAMECONF_API int64_t gameconf_state(gameconf *gc, const char *play, const char *json);
GAMECONF_API int64_t gameconf_finish(gameconf *gc, const char *transaction);
/* Reports on an ad decision that is at most an hour old; outcome is shown, closed, no_fill, failed or rewarded. */
GAMECONF_API int64_t gameconf_ad_report(gameconf *gc, const char *placement, const char *decision, const char *outcome);

/* Calls, which are not queued: without a daemon the answer is `offline` after 10 s, or after 30 s if the request was sent. At most 64
 * may wait (-EAGAIN). -ECHILD as above. */
GAMECONF_API int64_t gameconf_purchase(gameconf *gc, const char *product, const char *currency);
GAMECONF_API int64_t gameconf_restore(gameconf *gc);
/* `args` is a JSON object or NULL. */
GAMECONF_API int64_t gameconf_gate(gameconf *gc, const char *gate, const char *args);
/* Sends any request of the games socket. `path` begins with /v1/, `json` may be NULL. */
GAMECONF_API int64_t gameconf_call(gameconf *gc, const char *method, const char *path, const char *json);

/* Answers */

enum {
  GAMECONF_ANSWER_EVENT = 1,
  GAMECONF_ANSWER_VISIT = 2,
  GAMECONF_ANSWER_SETTING = 3,
  GAMECONF_ANSWER_FINISH = 4,
  GAMECONF_ANSWER_AD_REPORT = 5,
  GAMECONF_ANSWER_PURCHASE = 6,
  GAMECONF_ANSWER_RESTORE = 7,
  GAMECONF_ANSWER_GATE = 8,
  GAMECONF_ANSWER_CALL = 9,
  GAMECONF_ANSWER_STATE = 10
};
enum {
  GAMECONF_ANSWER_REPEATED = 1 << 0, /* the daemon had processed it before */
  GAMECONF_ANSWER_OFFLINE = 1 << 1,  /* no daemon within 10 s, or no complete response; status is 0 */
  GAMECONF_ANSWER_EARLIER = 1 << 2,  /* the write is from an earlier run of the game */
  GAMECONF_ANSWER_TOO_LONG = 1 << 3  /* the body exceeded 1 MiB and was dropped */
};

/* The struct's size is fixed. Its pointers are valid until the next gameconf_next_answer or gameconf_close. */
typedef struct gameconf_answer {
  int64_t number;     /* the number that the call returned */
  int32_t kind;       /* GAMECONF_ANSWER_... */
  int32_t status;     /* the HTTP status; 2xx: success */
  uint32_t flags;
  uint32_t length;    /* of the body */
  const char *player; /* "" if there is none */
  const char *body;   /* JSON, followed by a NUL */
  void *context;      /* internal to the library */
  uint64_t reserved[2];
} gameconf_answer;

/* Returns the next answer; false if there is none. At 64 unread answers or 1 MiB, the library stops reading further ones. */
GAMECONF_API bool gameconf_next_answer(gameconf *gc, gameconf_answer *answer);
/* Returns the value at a JSON pointer (RFC 6901) in the body, else the fallback. */
GAMECONF_API bool gameconf_answer_bool(const gameconf_answer *answer, const char *pointer, bool fallback);
GAMECONF_API int64_t gameconf_answer_int(const gameconf_answer *answer, const char *pointer, int64_t fallback);
GAMECONF_API double gameconf_answer_double(const gameconf_answer *answer, const char *pointer, double fallback);
GAMECONF_API const char *gameconf_answer_string(const gameconf_answer *answer, const char *pointer, const char *fallback);

/* Returns the library's version, a constant. */
GAMECONF_API const char *gameconf_version(void);

#ifdef __cplusplus
}
#endif
#endif
