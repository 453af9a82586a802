/* libgameconf: a game's configuration, read in nanoseconds and changed from outside while the game runs.
 *
 * This header is the manual. Plain C11, libc only. The library starts no thread, calls nothing back, installs no signal handler and
 * never ends the process; every call takes NULL for any pointer and then answers its fallback or -EINVAL.
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
 * Threads: a `gameconf *` belongs to the thread that calls gameconf_update. Other threads take a view (gameconf_acquire) and read that.
 * Lives: what a pointer points to lives as long as its call says; nothing that is given out is ever freed by the caller.
 * Failures: calls that can fail answer a negative errno; getters answer the caller's fallback. */
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

/* A game's handle: its values, its connections and its queue. */
typedef struct gameconf gameconf;
/* The values of one moment, for threads that do not update. */
typedef struct gameconf_view gameconf_view;
/* A key that was looked up once; 0 is no key. Lives as long as the handle it came from. */
typedef uint32_t gameconf_key;

/* Where a value comes from. */
enum {
  GAMECONF_SOURCE_FALLBACK = 0, /* the caller's own fallback */
  GAMECONF_SOURCE_PLAYER_OVERRIDE = 1,
  GAMECONF_SOURCE_GAME_OVERRIDE = 2,
  GAMECONF_SOURCE_SETTING = 3,
  GAMECONF_SOURCE_REMOTE = 4,
  GAMECONF_SOURCE_DEFAULT = 5,
  GAMECONF_SOURCE_PLAY = 6
};

/* Why it is what it is, in OpenFeature's words. */
enum {
  GAMECONF_REASON_UNKNOWN = 0,
  GAMECONF_REASON_STATIC = 1,
  GAMECONF_REASON_DEFAULT = 2,
  GAMECONF_REASON_TARGETING_MATCH = 3,
  GAMECONF_REASON_SPLIT = 4,
  GAMECONF_REASON_DISABLED = 5,
  GAMECONF_REASON_ERROR = 6
};

/* What else is known of a value. */
enum {
  GAMECONF_VARIES = 1 << 0,         /* another caller may get another value */
  GAMECONF_OVERRIDDEN = 1 << 1,     /* an admin forces it */
  GAMECONF_DEGRADED = 1 << 2,       /* a layer could not be asked */
  GAMECONF_TIME_DEPENDENT = 1 << 3, /* it may change by itself, nobody knows when */
  GAMECONF_PENDING = 1 << 8,        /* it still leaves the present player (locale, context) out */
  GAMECONF_STALE = 1 << 9,          /* not from a live connection: from the cache or from embedded defaults */
  GAMECONF_EMBEDDED = 1 << 10       /* the image lacks the key; the embedded defaults have it */
};

/* Opening and closing */

enum {
  GAMECONF_OFFLINE = 1 << 0,   /* never connect; cache and embedded defaults only */
  GAMECONF_NO_ANSWERS = 1 << 1 /* answers of queued writes are dropped; those of purchase, restore, gate and call still come */
};

/* All texts are copied by gameconf_open; `defaults` is not and must live until gameconf_close. */
typedef struct gameconf_options {
  size_t size;         /* sizeof(gameconf_options); one that ends within a field is refused, here and in other structs */
  const char *game;    /* required */
  const char *player;  /* NULL: values for everybody; 1 to 256 bytes of UTF-8, not "." or ".." */
  const char *locale;  /* a language tag such as fr-CA, or NULL */
  const char *context; /* a JSON object of at most 2 KiB: platform, app_version, country, ...; locale and player are not in it; or NULL */
  const char *socket;  /* NULL: GAMECONF_SOCKET of the environment, else /run/gameconfd/games.sock */
  const char *cache;   /* a folder of the game's own where images and the queue survive, made if only it is missing; or NULL */
  const void *defaults; /* an image embedded in the game (`gameconfctl catalog image`), or NULL */
  size_t defaults_size;
  uint32_t flags;      /* GAMECONF_OFFLINE, GAMECONF_NO_ANSWERS */
  const char *images;  /* the folder of mapped images; NULL: GAMECONF_IMAGES of the environment, else `images` beside the socket; "": none */
} gameconf_options;

/* Makes a handle. Never waits: the values are those of the mapped image if a daemon keeps one up to date, else of the cache, else of the
 * embedded defaults, until gameconf_update has better ones. (Of a handle with a player, locale or context a cache of just these comes
 * first.)
 * Mapped images are Linux's: files that the daemon never makes shorter, of an owner that the folder trusts; a handle without player,
 * locale, context and play reads its values there, and uses the socket for calls, and for values only while the file is not kept.
 * A folder that cannot be used is no failure: GAMECONF_CHANGE_QUEUE_FILE says that nothing survives.
 * 0, or -EINVAL (a wrong size, no game, a malformed player, locale or context), -ENOMEM, -EMFILE. On failure *gc is NULL. */
GAMECONF_API int gameconf_open(gameconf **gc, const gameconf_options *options);

/* Ends everything. Never waits for the daemon; what is queued stays in the queue file. With `cache`, what is known is written there
 * now, of the present caller and of up to four before: as long as a file system takes to accept it, never synced. A process that ends
 * without this leaves the cache as it was, whole. No view may be held, and none acquired, from here on. */
GAMECONF_API void gameconf_close(gameconf *gc);

/* Reads what has arrived and sends what is due. Never blocks, not for a disk either, and takes at most a millisecond or so. Values
 * change here and in set_player, nowhere else. The number of changes that wait, or a negative errno. */
GAMECONF_API int gameconf_update(gameconf *gc);

/* For loading screens and tools: updates until a change or an answer waits or the time is over. As gameconf_update.
 * `milliseconds` below 0 waits for ever. With `cache`, a wait that still has a tenth of a second writes what is known there, at most
 * every five seconds, as gameconf_close does: a busy disk may lengthen it. */
GAMECONF_API int gameconf_wait(gameconf *gc, int milliseconds);

/* For event loops: a descriptor to poll for reading (it is the library's, never read it, it lives until gameconf_close and changes
 * in a forked child), and the milliseconds after which gameconf_update is due even if nothing arrives. -1: no descriptor. A mapped
 * image tells no descriptor: the timeout is 20 ms at most then. */
GAMECONF_API int gameconf_fd(const gameconf *gc);
GAMECONF_API short gameconf_events(const gameconf *gc); /* poll's events for that descriptor */
GAMECONF_API int gameconf_timeout(const gameconf *gc);

/* Where the values come from. */
enum {
  GAMECONF_STATE_NONE = 0,     /* nothing: every getter answers its fallback */
  GAMECONF_STATE_DEFAULTS = 1, /* embedded defaults */
  GAMECONF_STATE_CACHED = 2,   /* what was last known when the game ran before, or before the connection was lost */
  GAMECONF_STATE_LIVE = 3      /* the daemon tells of every change */
};

typedef struct gameconf_status_t {
  size_t size; /* set by the caller */
  int32_t state;
  uint32_t queued;          /* writes that wait */
  uint32_t answers;         /* answers that wait */
  uint32_t views;           /* views that are held beside the present one */
  uint64_t epoch;           /* of the store; revisions compare within one only */
  int64_t revision;         /* of the game */
  int64_t player_revision;
  int64_t age_ms;           /* since the daemon was last heard, -1: never */
  int64_t offline_since_ms; /* milliseconds since 1970, 0 while live */
  const char *last_error;   /* a text, "" when all is well; lives until the next gameconf_update or gameconf_close */
  const char *client;       /* the queue's client id; lives until the next gameconf_update or gameconf_close */
  bool pending;             /* the present player's (locale's, context's) values are still to come */
  bool queue_survives;      /* the queue is in a file */
} gameconf_status_t;

/* Fills as much of *status as its size says. 0 or -EINVAL. */
GAMECONF_API int gameconf_status(const gameconf *gc, gameconf_status_t *status);

/* Values.
 *
 * Integers read as double; doubles as integer only without loss. A wrong type or an unknown key answers the fallback and is told once
 * in the change queue. A key that the image lacks is looked up in the embedded defaults. No getter allocates, locks or fails. */

typedef struct gameconf_info {
  int32_t source;         /* GAMECONF_SOURCE_... */
  int32_t reason;         /* GAMECONF_REASON_... */
  uint32_t flags;         /* GAMECONF_VARIES and so on */
  uint32_t type;          /* as declared: 1 boolean, 2 integer, 3 double, 4 string, 5 list, 6 object, 7 localized; 0 unknown */
  int64_t revision;       /* that last changed this value */
  int64_t next_change_at; /* milliseconds since 1970 when it may change by itself, 0: never, or nobody knows */
  const char *variant;    /* "" when there is none; lives as the value of a string getter does */
  size_t length;          /* bytes of a string or of JSON, without the NUL */
  uint64_t reserved[2];
} gameconf_info;

GAMECONF_API bool gameconf_bool(const gameconf *gc, const char *key, bool fallback);
GAMECONF_API int64_t gameconf_int(const gameconf *gc, const char *key, int64_t fallback);
GAMECONF_API double gameconf_double(const gameconf *gc, const char *key, double fallback);
/* The text lives until the next gameconf_update, set_player or gameconf_close of this handle; the fallback is returned as it is. */
GAMECONF_API const char *gameconf_string(const gameconf *gc, const char *key, const char *fallback);
/* A list or an object as compact JSON; lives as a string does. */
GAMECONF_API const char *gameconf_json(const gameconf *gc, const char *key, const char *fallback);

/* The same, and what is known of the value in *info (may be NULL). */
GAMECONF_API bool gameconf_bool_info(const gameconf *gc, const char *key, bool fallback, gameconf_info *info);
GAMECONF_API int64_t gameconf_int_info(const gameconf *gc, const char *key, int64_t fallback, gameconf_info *info);
GAMECONF_API double gameconf_double_info(const gameconf *gc, const char *key, double fallback, gameconf_info *info);
GAMECONF_API const char *gameconf_string_info(const gameconf *gc, const char *key, const char *fallback, gameconf_info *info);
GAMECONF_API const char *gameconf_json_info(const gameconf *gc, const char *key, const char *fallback, gameconf_info *info);

/* A key looked up once, for code that runs thousands of times a frame; works for keys that do not exist yet. At most 4 096 keys;
 * 0 when there are more, and every getter answers its fallback for 0. */
GAMECONF_API gameconf_key gameconf_find(gameconf *gc, const char *key);
GAMECONF_API bool gameconf_bool_at(const gameconf *gc, gameconf_key key, bool fallback);
GAMECONF_API int64_t gameconf_int_at(const gameconf *gc, gameconf_key key, int64_t fallback);
GAMECONF_API double gameconf_double_at(const gameconf *gc, gameconf_key key, double fallback);
GAMECONF_API const char *gameconf_string_at(const gameconf *gc, gameconf_key key, const char *fallback);
GAMECONF_API const char *gameconf_json_at(const gameconf *gc, gameconf_key key, const char *fallback);

/* The keys there are: the name of the key at that place (from 0), NULL behind the last; lives as a string does. */
GAMECONF_API const char *gameconf_key_name(const gameconf *gc, uint32_t place);

/* Views, for other threads.
 *
 * A view never changes. gameconf_acquire and gameconf_release may be called from any thread between open and close, cost one atomic
 * each, and go in pairs. While 4 old views are held, gameconf_update keeps the present values and tries again later. */
GAMECONF_API const gameconf_view *gameconf_acquire(gameconf *gc);
GAMECONF_API void gameconf_release(const gameconf_view *view);
GAMECONF_API bool gameconf_view_bool(const gameconf_view *view, const char *key, bool fallback, gameconf_info *info);
GAMECONF_API int64_t gameconf_view_int(const gameconf_view *view, const char *key, int64_t fallback, gameconf_info *info);
GAMECONF_API double gameconf_view_double(const gameconf_view *view, const char *key, double fallback, gameconf_info *info);
/* The text lives until the view is released. */
GAMECONF_API const char *gameconf_view_string(const gameconf_view *view, const char *key, const char *fallback, gameconf_info *info);
GAMECONF_API const char *gameconf_view_json(const gameconf_view *view, const char *key, const char *fallback, gameconf_info *info);
GAMECONF_API bool gameconf_view_bool_at(const gameconf_view *view, gameconf_key key, bool fallback);
GAMECONF_API int64_t gameconf_view_int_at(const gameconf_view *view, gameconf_key key, int64_t fallback);
GAMECONF_API double gameconf_view_double_at(const gameconf_view *view, gameconf_key key, double fallback);
GAMECONF_API const char *gameconf_view_string_at(const gameconf_view *view, gameconf_key key, const char *fallback);

/* What changed */

enum {
  GAMECONF_CHANGE_KEY = 1,         /* a value: name, old_source, new_source */
  GAMECONF_CHANGE_THEME = 2,       /* a theme was unlocked (new_source 1) or locked (0) */
  GAMECONF_CHANGE_ENTITLEMENT = 3, /* an entitlement came (1), changed (1) or went (0) */
  GAMECONF_CHANGE_PRODUCT = 4,     /* a product was purchased (1) or taken back (0) */
  GAMECONF_CHANGE_CONNECTION = 5,  /* new_source is the new GAMECONF_STATE_..., name "" */
  GAMECONF_CHANGE_WRONG_TYPE = 6,  /* the game asked for this key as another type than it has; told once */
  GAMECONF_CHANGE_UNKNOWN_KEY = 7, /* the game asked for this key and there is none; told once */
  GAMECONF_CHANGE_CLIENT = 8,      /* the queue has a new client id: name */
  GAMECONF_CHANGE_QUEUE_LOST = 9,  /* the queue's file was damaged; new_source writes of it are lost, -1: nobody knows how many */
  GAMECONF_CHANGE_QUEUE_FILE = 10, /* new_source 0: what is queued is lost when the process ends, name says why; 1: it survives again */
  GAMECONF_CHANGE_REFUSED = 11,    /* queued writes were refused for good: name is their path, old_source how many, new_source the last
                                    * status: 422 and other 4xx; 408, 429 and 5xx once a write was tried for a day */
  GAMECONF_CHANGE_DELAYED = 12     /* what answers the first write is no gameconfd: it stays. name is its path, new_source the status, such
                                    * as 302; told once a write */
};

/* A key has at most one entry: the first old source and the last new one of what was not read. Its size is fixed. */
typedef struct gameconf_change {
  int32_t kind;
  int32_t old_source;
  int32_t new_source;
  uint32_t flags;
  const char *name; /* lives until the next gameconf_next_change, gameconf_update, set_... or gameconf_close */
  uint64_t reserved[3];
} gameconf_change;

/* The next change; false when there is none. */
GAMECONF_API bool gameconf_next_change(gameconf *gc, gameconf_change *change);

/* Who plays.
 *
 * NULL for nobody. At once the getters leave the former player's layer out (_info says GAMECONF_PENDING); the new one comes at a later
 * gameconf_update, all of it together. Writes that are queued stay the former player's. 0, -EINVAL or -ENOMEM (nothing changed). */
GAMECONF_API int gameconf_set_player(gameconf *gc, const char *player);
GAMECONF_API int gameconf_set_locale(gameconf *gc, const char *locale);
GAMECONF_API int gameconf_set_context(gameconf *gc, const char *json);
/* Reads the values that a play pinned when it opened (POST p/plays by gameconf_call); NULL for the present ones. */
GAMECONF_API int gameconf_set_play(gameconf *gc, const char *play);

/* The player's part, from what was last known, without a call.
 *
 * An entitlement counts until its end by the game's simulated clock. info->revision is the player revision, info->next_change_at the
 * end. Gates and ads are never answered from here. */
GAMECONF_API bool gameconf_theme_unlocked(const gameconf *gc, const char *theme, bool fallback, gameconf_info *info);
GAMECONF_API bool gameconf_entitled(const gameconf *gc, const char *entitlement, bool fallback, gameconf_info *info);
GAMECONF_API bool gameconf_ad_free(const gameconf *gc, bool fallback, gameconf_info *info);
GAMECONF_API bool gameconf_product_purchased(const gameconf *gc, const char *product, bool fallback, gameconf_info *info);
/* The player's simulated time now, milliseconds since 1970. */
GAMECONF_API int64_t gameconf_now(const gameconf *gc);

/* Writes that are kept.
 *
 * They are queued, sent in order, each once, with the present player and the time of the call; with `cache` they survive the end or the
 * crash of the game. One that was taken is answered for good, or told as lost or refused in the change queue, or still there.
 * The daemon's 4xx is an answer. 408, 429 and 5xx are tried again, after pauses that grow to a minute or as Retry-After says (an hour at
 * most): a write is given up, and told, after a day of that, so that those behind it go on. Redirects and what else is no answer of
 * gameconfd's leave it where it is.
 * With `cache` and while something waits, gameconf_update sees that the file still has it: GAMECONF_CHANGE_QUEUE_FILE tells when it is cut,
 * moved or cannot be written. gameconf_close writes what waits once more. A process that opens the game takes over what others left that
 * have ended, however many there were.
 * An event has the daemon's time. While that is not known it waits, and is dated as long ago as it was made (a week ago at most); where
 * somebody answers who does not tell the time within 10 s, this machine's clock counts.
 * All answer a number above 0 that the answer carries, or -EINVAL (also when there is no player), -EAGAIN (1 024 writes or 1 MiB wait;
 * this one is refused), -EMSGSIZE (64 KiB), -ECHILD (in a forked process before its first gameconf_update: the queue is the parent's). */
typedef struct gameconf_event_t {
  size_t size;
  const char *event; /* required */
  const char *mode;
  const char *reason;
  int64_t score;
  bool scored;         /* says that a score of 0 is a score; any other is one anyway */
  const char *details; /* a JSON object, or NULL */
  const char *play;    /* the play it belongs to, or NULL: the values that the play pinned count */
  const char *state;   /* with play: the game's own state of it, JSON of at most 4 KiB, or NULL; one transaction with the event */
  bool closes;         /* with play: ends it, in the same transaction */
} gameconf_event_t;

GAMECONF_API int64_t gameconf_event(gameconf *gc, const gameconf_event_t *event);
GAMECONF_API int64_t gameconf_visit(gameconf *gc);
/* `json` is the value the player chose; NULL takes the choice back. */
GAMECONF_API int64_t gameconf_setting(gameconf *gc, const char *key, const char *json);
/* For a pause: the game's own state of an open play, JSON of at most 4 KiB. Of states that wait one after the other only the newest is sent. */
GAMECONF_API int64_t gameconf_state(gameconf *gc, const char *play, const char *json);
GAMECONF_API int64_t gameconf_finish(gameconf *gc, const char *transaction);
/* Of a decision at most an hour old; outcome is shown, closed, no_fill, failed or rewarded. */
GAMECONF_API int64_t gameconf_ad_report(gameconf *gc, const char *placement, const char *decision, const char *outcome);

/* Calls that are not kept: without a daemon their answer is `offline` after 10 s, and of one that was sent after 30 s. At most 64 wait
 * (-EAGAIN). -ECHILD as above. */
GAMECONF_API int64_t gameconf_purchase(gameconf *gc, const char *product, const char *currency);
GAMECONF_API int64_t gameconf_restore(gameconf *gc);
/* `args` is a JSON object or NULL. */
GAMECONF_API int64_t gameconf_gate(gameconf *gc, const char *gate, const char *args);
/* Any call of the games socket; `path` begins with /v1/, `json` may be NULL. */
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
  GAMECONF_ANSWER_REPEATED = 1 << 0, /* the daemon had done it before */
  GAMECONF_ANSWER_OFFLINE = 1 << 1,  /* no daemon within 10 s, or no whole answer; status is 0 */
  GAMECONF_ANSWER_EARLIER = 1 << 2,  /* to a write of an earlier run of the game */
  GAMECONF_ANSWER_TOO_LONG = 1 << 3  /* the body was longer than 1 MiB and is left out */
};

/* Its size is fixed. Everything it points to lives until the next gameconf_next_answer or gameconf_close. */
typedef struct gameconf_answer {
  int64_t number;     /* what the call answered */
  int32_t kind;       /* GAMECONF_ANSWER_... */
  int32_t status;     /* HTTP's; 2xx: done */
  uint32_t flags;
  uint32_t length;    /* of the body */
  const char *player; /* "" without one */
  const char *body;   /* JSON, with a NUL behind it */
  void *context;      /* the library's own */
  uint64_t reserved[2];
} gameconf_answer;

/* The next answer; false when there is none. 64 answers or 1 MiB wait, then the library reads no more of them. */
GAMECONF_API bool gameconf_next_answer(gameconf *gc, gameconf_answer *answer);
/* What a JSON pointer (RFC 6901) finds in its body, else the fallback. */
GAMECONF_API bool gameconf_answer_bool(const gameconf_answer *answer, const char *pointer, bool fallback);
GAMECONF_API int64_t gameconf_answer_int(const gameconf_answer *answer, const char *pointer, int64_t fallback);
GAMECONF_API double gameconf_answer_double(const gameconf_answer *answer, const char *pointer, double fallback);
GAMECONF_API const char *gameconf_answer_string(const gameconf_answer *answer, const char *pointer, const char *fallback);

/* The library's version; lives for ever. */
GAMECONF_API const char *gameconf_version(void);

#ifdef __cplusplus
}
#endif
#endif
