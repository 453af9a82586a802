/* The connection for writes and calls. It sends one request at a time, in order, and applies each response to the queue. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { NOTHING, A_WRITE, A_CALL, WRITE_ANSWER_MS = 60000, CALL_ANSWER_MS = 30000, READ_BYTES = 64 << 10 };
/* A postponed write is retried after pauses that double, or after Retry-After. It is given up once it has been postponed for a day. */
enum { PAUSE_FIRST_MS = 1000, PAUSE_MAX_MS = 60000, RETRY_AFTER_MAX_S = 3600, ATTEMPTS_MIN = 5, GIVEN_UP_MS = 86400000 };

void gcf_call_free(gcf_call *call) {
  free(call->method);
  free(call->player);
  free(call->path);
  free(call->body);
  memset(call, 0, sizeof *call);
}

static void add_answer(gameconf *gc, uint32_t kind, int64_t number, const char *player, int status, uint32_t flags) {
  if (gc->answer_count == GCF_ANSWERS_MAX) return; /* the caller has checked that there is space */
  gcf_answer *answer = &gc->answers[(gc->answer_head + gc->answer_count) % GCF_ANSWERS_MAX];
  memset(answer, 0, sizeof *answer);
  const char *body = status && !gc->body_too_long ? gcf_buffer_text(&gc->body) : "";
  answer->player = gcf_copy(player ? player : "");
  answer->body = gcf_copy(body);
  answer->shown.number = number;
  answer->shown.kind = (int32_t)kind;
  answer->shown.status = status;
  answer->shown.flags = flags | (status && gc->body_too_long ? (uint32_t)GAMECONF_ANSWER_TOO_LONG : 0);
  answer->shown.player = answer->player ? answer->player : "";
  answer->shown.body = answer->body ? answer->body : "";
  answer->shown.length = (uint32_t)strlen(answer->shown.body);
  gc->answer_bytes += answer->shown.length;
  gc->answer_count++;
}

/* True if there is space for another answer besides that to the request in progress. */
static bool has_room(const gameconf *gc) {
  return gc->answer_count + (gc->in_flight != NOTHING) < GCF_ANSWERS_MAX && gc->answer_bytes < GCF_ANSWER_BYTES_MAX;
}

bool gcf_calls_want(const gameconf *gc) { return gc->in_flight || gc->call_count > 0 || gc->queue.count > 0; }

static void put_head(gameconf *gc, const char *method, const char *path, const char *body) {
  gcf_buffer *out = &gc->calls.out;
  out->used = gc->calls.sent = 0;
  out->failed = false;
  gcf_put_text(out, method);
  gcf_put_text(out, " ");
  gcf_put_text(out, path);
  gcf_put_text(out, " HTTP/1.1\r\nHost: gameconfd\r\nUser-Agent: libgameconf/" GAMECONF_VERSION "\r\nAccept: application/json\r\n");
  if (*body) gcf_put_text(out, "Content-Type: application/json\r\n");
  if (*body || strcmp(method, "GET") != 0) {
    gcf_put_text(out, "Content-Length: ");
    gcf_put_integer(out, (int64_t)strlen(body));
    gcf_put_text(out, "\r\n");
  }
}

static void send_write(gameconf *gc, const gcf_write *write, int64_t now) {
  gcf_buffer *out = &gc->calls.out;
  char client[37];
  gcf_uuid_text(write->client, client);
  put_head(gc, gcf_write_method(write), gcf_write_path(write), gcf_write_body(write));
  gcf_put_text(out, "Gameconf-Sequence: ");
  gcf_put_text(out, client);
  gcf_put_text(out, "/");
  gcf_put_integer(out, (int64_t)write->sequence);
  gcf_put_text(out, "\r\n\r\n");
  gcf_put_text(out, gcf_write_body(write));
  gc->in_flight = A_WRITE;
  gc->answer_by = now + WRITE_ANSWER_MS;
}

static void send_call(gameconf *gc, const gcf_call *call, int64_t now) {
  gcf_buffer *out = &gc->calls.out;
  put_head(gc, call->method, call->path, call->body);
  if (call->repeatable) {
    gcf_put_text(out, "Idempotency-Key: ");
    gcf_put_text(out, call->key);
    gcf_put_text(out, "\r\n");
  }
  gcf_put_text(out, "\r\n");
  gcf_put_text(out, call->body);
  gc->in_flight = A_CALL;
  gc->answer_by = now + CALL_ANSWER_MS;
}

static void answer_call(gameconf *gc, uint32_t at, int status, uint32_t flags) {
  gcf_call *call = &gc->waiting_calls[at];
  add_answer(gc, call->kind, call->number, call->player, status, flags);
  gcf_call_free(call);
  memmove(call, call + 1, (--gc->call_count - at) * sizeof *call);
}

static void answer_offline(gameconf *gc, uint32_t at) { answer_call(gc, at, 0, GAMECONF_ANSWER_OFFLINE); }

/* Postpones the first write. The first retry is immediate if only the client id was wrong. */
static void put_off(gameconf *gc, int64_t now, bool is_renumbered) {
  uint32_t doubled = gc->queue_attempts++ - is_renumbered;
  int64_t pause = gc->calls.http.retry_after;
  if (pause >= 0) pause = pause < 1 ? PAUSE_FIRST_MS : (pause < RETRY_AFTER_MAX_S ? pause : RETRY_AFTER_MAX_S) * 1000;
  else pause = doubled + 1 == 0 ? 0 : doubled < 6 ? PAUSE_FIRST_MS << doubled : PAUSE_MAX_MS;
  gc->queue.head->refused_ms += gc->put_off_at ? now - gc->put_off_at : 0;
  gcf_queue_save(&gc->queue);
  gc->put_off_at = now;
  gc->queue_retry_at = now + pause;
}

/* True if this process created the write and the client id has not changed since. */
static bool is_ours(const gameconf *gc, const gcf_write *write) {
  return write->run == (uint32_t)gc->queue.head->run && memcmp(write->client, gc->queue.head->client, sizeof write->client) == 0;
}

static void note_sent(gameconf *gc, const gcf_write *write) {
  if (is_ours(gc, write) && write->sequence > gc->queue.sent_to) gc->queue.sent_to = write->sequence;
}

/* Applies the daemon's response to the first queued write. */
static void settle_write(gameconf *gc, int64_t now) {
  const gcf_http *http = &gc->calls.http;
  const gcf_write *write = gcf_queue_first(&gc->queue);
  if (!write) return;
  int status = http->status;
  bool is_stray = status < 200 || status / 100 == 3 || status > 599; /* not a response of gameconfd, so not the write's fault */
  bool is_later = status == 408 || status == 429 || status / 100 == 5;
  bool is_over = gc->queue_attempts >= ATTEMPTS_MIN && gc->queue.head->refused_ms + now - gc->put_off_at >= GIVEN_UP_MS;
  if (is_stray || (is_later && !is_over)) {
    note_sent(gc, write);
    if (is_stray && !gc->is_stray_told) gcf_change_note(&gc->changes, GAMECONF_CHANGE_DELAYED, gcf_write_path(write), 0, status, 0);
    gc->is_stray_told |= is_stray;
    put_off(gc, now, false);
    gcf_set_error(gc, is_stray ? "what answers there is no gameconfd" : "the daemon cannot take a write now", NULL);
    return;
  }
  const char *code = NULL;
  size_t code_length = 0;
  bool forgotten = status == 409 && !gc->body_too_long &&
                   gcf_json_find(gcf_buffer_text(&gc->body), gc->body.used, "/code", &code, &code_length) && code_length == 18 &&
                   memcmp(code, "\"CLIENT_FORGOTTEN\"", 18) == 0;
  /* Another process has used the same client id, so the request that the daemon considers done was not ours. */
  bool stolen = http->repeated && is_ours(gc, write) && gc->queue.sent_to < write->sequence;
  if (forgotten || stolen) {
    /* A repeated rejection means that this host's clock is behind, so the next UUID gets a timestamp further in the future. */
    gcf_queue_new_client(&gc->queue, gc->times_forgotten ? (int64_t)1000 << (2 * gc->times_forgotten) : 0);
    if (forgotten && gc->times_forgotten < 14) gc->times_forgotten++;
    gc->queue.sent_to = 0;
    put_off(gc, now, true);
    gcf_change_note(&gc->changes, GAMECONF_CHANGE_CLIENT, gc->queue.client_text, 0, 0, 0);
    return;
  }
  gc->queue_attempts = gc->times_forgotten = 0;
  gc->put_off_at = 0;
  gc->is_stray_told = false;
  uint32_t flags = (http->repeated ? (uint32_t)GAMECONF_ANSWER_REPEATED : 0) | 
                   (write->run == (uint32_t)gc->queue.head->run ? 0 : (uint32_t)GAMECONF_ANSWER_EARLIER);
  if (status >= 400) gcf_change_note(&gc->changes, GAMECONF_CHANGE_REFUSED, gcf_write_path(write), 1, status, 0);
  if (!(gc->options & GAMECONF_NO_ANSWERS)) add_answer(gc, write->kind, write->number, gcf_write_player(write), status, flags);
  gcf_queue_remove_first(&gc->queue);
}

static void settle(gameconf *gc, int64_t now) {
  int32_t in_flight = gc->in_flight;
  gc->in_flight = NOTHING;
  gc->calls.backoff = 500;
  if (in_flight == A_WRITE) settle_write(gc, now);
  else answer_call(gc, 0, gc->calls.http.status, gc->calls.http.repeated ? GAMECONF_ANSWER_REPEATED : 0);
  bool closes = gc->calls.http.closes;
  gcf_http_begin(&gc->calls.http);
  gc->body.used = 0;
  gc->body_too_long = false;
  if (closes) gcf_link_close(gc, &gc->calls);
}

static void lost(gameconf *gc, int64_t now, const char *says) {
  bool idle = gc->in_flight == NOTHING;
  if (gc->in_flight == A_CALL && !gc->waiting_calls[0].repeatable) answer_offline(gc, 0);
  /* A write stays in the queue and is sent again with the same sequence number. */
  if (gc->in_flight == A_WRITE) {
    const gcf_write *write = gcf_queue_first(&gc->queue);
    if (write && gc->calls.out.used == 0) note_sent(gc, write);
  }
  gc->in_flight = NOTHING;
  gc->body.used = 0;
  gc->body_too_long = false;
  if (idle) gcf_link_close(gc, &gc->calls);
  else gcf_link_fail(gc, &gc->calls, now, says, NULL);
}

/* Parses received bytes; returns false if they are not a valid response. */
static bool feed(gameconf *gc, const uint8_t *bytes, size_t length, int64_t now) {
  const uint8_t *piece;
  size_t piece_length;
  while (gc->calls.fd >= 0) {
    gcf_http_event event = gcf_http_next(&gc->calls.http, &bytes, &length, &piece, &piece_length);
    if (event == GCF_HTTP_MORE) return true;
    if (event == GCF_HTTP_BAD || gc->in_flight == NOTHING) return false;
    if (event == GCF_HTTP_HEAD) gcf_host_told(gc, gc->calls.http.date, now);
    if (event == GCF_HTTP_BODY) {
      if (gc->body.used + piece_length > GCF_ANSWER_BYTES_MAX) gc->body_too_long = true;
      if (!gc->body_too_long) gcf_put(&gc->body, piece, piece_length);
    }
    if (event == GCF_HTTP_END) {
      settle(gc, now);
      if (length > 0) return false; /* a response without a request */
      return true;
    }
  }
  return true;
}

static void read_calls(gameconf *gc, int64_t now) {
  size_t total = 0;
  while (total < GCF_READ_BYTES_MAX && gc->calls.fd >= 0) {
    ssize_t count = gcf_link_read(&gc->calls, gc->read_buffer, READ_BYTES);
    if (count == 0) return;
    if (count < 0) {
      if (gc->in_flight && gcf_http_eof(&gc->calls.http) == GCF_HTTP_END) settle(gc, now);
      else lost(gc, now, "the daemon closed the connection");
      return;
    }
    total += (size_t)count;
    if (!feed(gc, gc->read_buffer, (size_t)count, now)) {
      lost(gc, now, "no HTTP answer");
      gcf_link_close(gc, &gc->calls);
      return;
    }
    if ((size_t)count < READ_BYTES) return;
  }
}

int64_t gcf_write_due(const gameconf *gc, int64_t now) {
  const gcf_write *write = gcf_queue_first(&gc->queue);
  if (!write) return INT64_MAX;
  int64_t due = gc->queue_retry_at, told = gc->asked_at ? gc->asked_at + GCF_OFFLINE_MS : now + GCF_OFFLINE_MS;
  return (write->kind & GCF_UNDATED) && !gcf_host_now(gc) && told > due ? told : due;
}

/* Returns the first write with its date filled in, or NULL if it may not be sent yet. */
static const gcf_write *write_to_send(gameconf *gc, int64_t now) {
  if (gcf_write_due(gc, now) > now) return NULL;
  const gcf_write *write = gcf_queue_first(&gc->queue);
  if (write->kind & GCF_UNDATED) gcf_queue_date_first(&gc->queue, gcf_host_now(gc));
  return write;
}

static void send_next(gameconf *gc, int64_t now) {
  const gcf_write *write = write_to_send(gc, now);
  if ((gc->call_count == 0 && !write) || !has_room(gc)) return;
  if (gc->calls.fd < 0) {
    if (now < gc->calls.retry_at || !gcf_link_connect(gc, &gc->calls, now)) return;
  }
  if (gc->call_count > 0) send_call(gc, &gc->waiting_calls[0], now);
  else send_write(gc, write, now);
  if (gc->calls.out.failed || !gcf_link_flush(gc, &gc->calls)) lost(gc, now, "the daemon closed the connection");
}

void gcf_calls_update(gameconf *gc, bool ready, int64_t now) {
  gcf_link *calls = &gc->calls;
  if (calls->fd >= 0) {
    if (calls->out.used && !gcf_link_flush(gc, calls)) lost(gc, now, "the daemon closed the connection");
    else if (ready) read_calls(gc, now);
    if (calls->fd >= 0 && gc->in_flight && now > gc->answer_by) lost(gc, now, "the daemon does not answer");
  }
  /* A call that was sent may still be answered until its own deadline, so only the calls after it time out here. */
  for (uint32_t first = gc->in_flight == A_CALL; gc->call_count > first && now >= gc->waiting_calls[first].deadline && has_room(gc);)
    answer_offline(gc, first);
  if (!gc->in_flight) send_next(gc, now);
}

void gcf_answers_free(gameconf *gc) {
  for (; gc->answer_count > 0; gc->answer_count--, gc->answer_head = (gc->answer_head + 1) % GCF_ANSWERS_MAX) {
    free(gc->answers[gc->answer_head].player);
    free(gc->answers[gc->answer_head].body);
  }
  while (gc->call_count > 0) gcf_call_free(&gc->waiting_calls[--gc->call_count]);
}
