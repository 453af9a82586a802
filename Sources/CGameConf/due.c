/* The part of gameconf_update that does I/O: reading, sending, detecting forks. Also gameconf_wait and the status. */
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAPPED_MS = 20 }; /* the longest sleep of an event loop with a mapped image, which cannot wake it */

/* Detects and repairs changes to the queue's file by other processes, even if no write is queued. */
static void look_at_queue(gameconf *gc, int64_t now) {
  if (gc->queue.count == 0 || now - gc->queue_looked_at < GCF_LOOK_MS) return;
  gc->queue_looked_at = now;
  gcf_queue_look(&gc->queue);
}

/* A forked child keeps its values but gets new connections and a new queue. Those of the parent are left untouched. */
static void begin_in_child(gameconf *gc) {
  gcf_fork_unwatch(gc);
  gcf_fork_watch(gc);
  gcf_link_close(gc, &gc->stream);
  gcf_link_close(gc, &gc->calls);
  gcf_stream_restart(gc);
  gc->calls.retry_at = 0;
  gcf_http_begin(&gc->calls.http);
  if (gc->poll_fd >= 0) {
    close(gc->poll_fd);
    gc->poll_fd = gcf_poll_open();
  }
  gcf_answers_free(gc);
  gc->queue_retry_at = gc->put_off_at = 0;
  gc->queue_attempts = 0;
  gc->in_flight = 0;
  gc->answer_bytes = 0;
  gc->body.used = 0;
  gcf_queue_close(&gc->queue);
  /* The child's queue is in memory, because its file would be taken for that of the next process that starts. */
  int32_t lost = 0;
  (void)gcf_queue_open(&gc->queue, NULL, gc->game, &lost);
  gc->image_is_live = gc->map.serves = false;
  gcf_change_note(&gc->changes, GAMECONF_CHANGE_CLIENT, gc->queue.client_text, 0, 0, 0);
  gcf_set_state(gc, gc->view->image.bytes ? GAMECONF_STATE_CACHED : gc->defaults.bytes ? GAMECONF_STATE_DEFAULTS : GAMECONF_STATE_NONE);
}

void gcf_queue_tell(gameconf *gc) {
  if (gc->queue_survived == gc->queue.survives) return;
  gcf_change_note(&gc->changes, GAMECONF_CHANGE_QUEUE_FILE, gc->queue.why, gc->queue_survived, gc->queue.survives, 0);
  gc->queue_survived = gc->queue.survives;
}

int gcf_update_due(gameconf *gc) {
  if (gcf_fork_noticed(gc)) begin_in_child(gc);
  gcf_queue_tell(gc);
  if (!gc->queue.head) return -ENOMEM;
  gcf_changes_go_on(gc, GCF_DIFF_RECORDS);
  if (gc->waiting) gcf_take_waiting(gc);
  int64_t now = gcf_monotonic();
  look_at_queue(gc, now);
  if (gc->poll_fd >= 0) {
    bool is_mapped = gcf_map_update(gc, now);
    uint32_t ready = is_mapped && gc->calls.fd < 0 ? 0 : gcf_poll_ready(gc);
    if (is_mapped) ready &= 2; /* the mapped image replaces the stream */
    else if ((ready & 1) || gc->stream.fd < 0 || gc->stream.out.used || now - gc->stream.heard_at > GCF_SILENCE_MS)
      gcf_stream_update(gc, ready & 1, now);
    if ((ready & 2) || gcf_calls_want(gc)) gcf_calls_update(gc, ready & 2, now);
  }
  if (atomic_load_explicit(&gc->misuse_pending, memory_order_relaxed)) gcf_misuses_tell(gc);
  gcf_queue_tell(gc);
  return (int)(gc->changes.count - gc->changes.head);
}

int gameconf_wait(gameconf *gc, int milliseconds) {
  if (!gc) return -EINVAL;
  int64_t end = gcf_monotonic() + (milliseconds > 0 ? milliseconds : 0);
  for (;;) {
    gc->map.countdown = 1; /* reads the clock in each iteration */
    int changes = gameconf_update(gc);
    int64_t left = milliseconds < 0 ? 1000 : end - gcf_monotonic();
    if (changes != 0 || gc->answer_count > 0 || left <= 0) return changes;
    if (gcf_cache_save_within(gc, left)) continue;
    int timeout = gameconf_timeout(gc);
    if (timeout < 0 || timeout > left) timeout = (int)left;
    if (gc->map.serves && !gcf_calls_want(gc) && !gc->waiting) {
      gcf_map_wait(gc, (int)(left < 1000 ? left : 1000));
      continue;
    }
    struct pollfd one = {.fd = gc->poll_fd, .events = POLLIN};
    if (poll(&one, gc->poll_fd >= 0 ? 1 : 0, timeout > 0 ? timeout : 1) < 0 && errno != EINTR) return -errno;
  }
}

int gameconf_fd(const gameconf *gc) { return gc ? gc->poll_fd : -1; }
short gameconf_events(const gameconf *gc) { return gc && gc->poll_fd >= 0 ? POLLIN : 0; }

int gameconf_timeout(const gameconf *gc) {
  if (!gc || gc->poll_fd < 0) return 1000;
  /* A mapped image has no descriptor that an event loop could wait for, hence the short timeout. */
  int64_t now = gcf_monotonic(), due = now + (gc->map.serves ? MAPPED_MS : 1000);
  if (!gc->map.serves && gc->stream.fd < 0 && gc->stream.retry_at < due) due = gc->stream.retry_at;
  bool waits = gc->call_count > 0 || gc->queue.count > 0;
  if (waits && !gc->in_flight) {
    int64_t at = gc->calls.fd < 0 ? gc->calls.retry_at : now;
    int64_t write_at = gcf_write_due(gc, now);
    if (gc->call_count == 0 && write_at > at) at = write_at;
    if (at < due) due = at;
  }
  if (gc->waiting && now + 5 < due) due = now + 5;
  if (gc->diff.former) due = now;
  return due > now ? (int)(due - now) : 0;
}

int gameconf_status(const gameconf *gc, gameconf_status_t *status) {
  static const uint8_t ends[] = {
      GCF_END(gameconf_status_t, state),    GCF_END(gameconf_status_t, queued),   GCF_END(gameconf_status_t, answers),
      GCF_END(gameconf_status_t, views),    GCF_END(gameconf_status_t, epoch),    GCF_END(gameconf_status_t, revision),
      GCF_END(gameconf_status_t, player_revision), GCF_END(gameconf_status_t, age_ms), GCF_END(gameconf_status_t, offline_since_ms),
      GCF_END(gameconf_status_t, last_error), GCF_END(gameconf_status_t, client), GCF_END(gameconf_status_t, pending),
      GCF_END(gameconf_status_t, queue_survives)};
  if (!gc || !status || !gcf_is_size(status->size, ends, sizeof ends)) return -EINVAL;
  gameconf_status_t full;
  memset(&full, 0, sizeof full);
  full.size = status->size < sizeof full ? status->size : sizeof full;
  full.state = gc->state;
  full.queued = gc->queue.count;
  full.answers = gc->answer_count;
  for (int at = 0; at < GCF_VIEWS; at++) full.views += gc->views[at].used && &gc->views[at] != gc->view;
  const gcf_header *header = gc->view->image.bytes ? gc->view->image.header : gc->defaults.bytes ? gc->defaults.header : NULL;
  if (header) {
    full.epoch = header->epoch;
    full.revision = header->revision;
    full.player_revision = header->player_revision;
  }
  int64_t mapped_age = gcf_map_age(gc);
  full.age_ms = mapped_age >= 0 ? mapped_age : gc->image_at ? gcf_monotonic() - (gc->stream.fd >= 0 && gc->stream.heard_at > gc->image_at ? gc->stream.heard_at : gc->image_at) : -1;
  full.offline_since_ms = gc->offline_since;
  full.last_error = gc->error;
  full.client = gc->queue.client_text;
  full.pending = (atomic_load_explicit(&gc->view->flags, memory_order_relaxed) & GAMECONF_PENDING) != 0;
  full.queue_survives = gc->queue.survives;
  memcpy(status, &full, full.size);
  return 0;
}
