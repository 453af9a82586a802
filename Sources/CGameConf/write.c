/* Creates the requests for a game's writes and calls. Writes are stored in the queue, calls only in memory. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Appends a path below …/players/{player}, with an id between two texts. */
static void put_player_path(gcf_buffer *path, const gameconf *gc, const char *before, const char *id, const char *after) {
  gcf_put_text(path, "/v1/games/");
  gcf_put_path_part(path, gc->game);
  gcf_put_text(path, "/players/");
  gcf_put_path_part(path, gc->player);
  gcf_put_text(path, before);
  if (id) gcf_put_path_part(path, id);
  gcf_put_text(path, after);
}

static int64_t queue(gameconf *gc, uint32_t kind, const char *method, gcf_buffer *path, gcf_buffer *body) {
  int64_t number = gcf_fork_noticed(gc) ? -ECHILD : -ENOMEM;
  gc->queue.busy = (uint32_t)gc->in_flight & 1; /* a write is in progress */
  if (number == -ENOMEM && !path->failed && !body->failed && gc->queue.head)
    number = gcf_queue_add(&gc->queue, kind, method, gc->player, gcf_buffer_text(path), gcf_buffer_text(body));
  gcf_buffer_free(path);
  gcf_buffer_free(body);
  return number;
}

static bool is_text(const char *text) { return text && *text && gcf_is_utf8(text, strlen(text)); }
static bool is_text_or_null(const char *text) { return !text || gcf_is_utf8(text, strlen(text)); }
static bool is_json(const char *json) { return gcf_json_is_valid(json, strlen(json)); }
static bool is_object(const char *json) {
  while (*json == ' ' || *json == '\n' || *json == '\t' || *json == '\r') json++;
  return *json == '{' && is_json(json);
}

/* Appends a member with a text or with verbatim JSON, after a brace if it is the first. Appends nothing for NULL. */
static void put(gcf_buffer *body, const char *name, const char *text, bool as_it_is) {
  if (!text) return;
  gcf_put_text(body, body->used ? ",\"" : "{\"");
  gcf_put_text(body, name);
  gcf_put_text(body, "\":");
  as_it_is ? gcf_put_text(body, text) : gcf_put_json_text(body, text);
}

static void put_member(gcf_buffer *body, const char *name, const char *text) { put(body, name, text, false); }

int64_t gameconf_event(gameconf *gc, const gameconf_event_t *given) {
  gameconf_event_t event;
  memset(&event, 0, sizeof event);
  static const uint8_t ends[] = {GCF_END(gameconf_event_t, event),   GCF_END(gameconf_event_t, mode),  GCF_END(gameconf_event_t, reason),
                                 GCF_END(gameconf_event_t, score),   GCF_END(gameconf_event_t, scored), GCF_END(gameconf_event_t, details),
                                 GCF_END(gameconf_event_t, play),    GCF_END(gameconf_event_t, state), GCF_END(gameconf_event_t, closes)};
  if (!gc || !gc->player || !given || !gcf_is_size(given->size, ends, sizeof ends)) return -EINVAL;
  memcpy(&event, given, given->size < sizeof event ? given->size : sizeof event);
  if (!is_text(event.event) || !is_text_or_null(event.mode) || !is_text_or_null(event.reason) || !is_text_or_null(event.play) ||
      (event.details && !is_object(event.details)) || (event.state && !is_json(event.state)) ||
      (!event.play && (event.state || event.closes)))
    return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/events", NULL, "");
  put_member(&body, "event", event.event);
  put_member(&body, "mode", event.mode);
  put_member(&body, "reason", event.reason);
  if (event.score != 0 || event.scored) {
    gcf_put_text(&body, ",\"score\":");
    gcf_put_integer(&body, event.score);
  }
  put(&body, "details", event.details, true);
  put_member(&body, "play", event.play);
  put(&body, "state", event.state, true);
  if (event.closes) gcf_put_text(&body, ",\"close\":true");
  gcf_put_text(&body, ",\"occurred_at\":\"");
  int64_t host = gcf_host_now(gc);
  gcf_put_instant(&body, host ? host : gcf_wall());
  gcf_put_text(&body, "\"}");
  return queue(gc, GAMECONF_ANSWER_EVENT | (host ? 0 : (uint32_t)GCF_UNDATED), "POST", &path, &body);
}

int64_t gameconf_visit(gameconf *gc) {
  if (!gc || !gc->player) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/visits", NULL, "");
  return queue(gc, GAMECONF_ANSWER_VISIT, "POST", &path, &body);
}

/* Queues a value of the player under an id; NULL removes a setting. */
static int64_t put_value(gameconf *gc, uint32_t kind, const char *before, const char *id, const char *after, const char *json) {
  if (!gc || !gc->player || !is_text(id) || (json ? !is_json(json) : *after)) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, before, id, after);
  if (json) {
    put(&body, *after ? after + 1 : "value", json, true);
    gcf_put_text(&body, "}");
  }
  return queue(gc, kind, json ? "PUT" : "DELETE", &path, &body);
}

int64_t gameconf_setting(gameconf *gc, const char *key, const char *json) {
  return put_value(gc, GAMECONF_ANSWER_SETTING, "/settings/", key, "", json);
}

int64_t gameconf_state(gameconf *gc, const char *play, const char *json) {
  return put_value(gc, GAMECONF_ANSWER_STATE, "/plays/", play, "/state", json);
}

int64_t gameconf_finish(gameconf *gc, const char *transaction) {
  if (!gc || !gc->player || !is_text(transaction)) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/transactions/", transaction, "/finish");
  return queue(gc, GAMECONF_ANSWER_FINISH, "POST", &path, &body);
}

int64_t gameconf_ad_report(gameconf *gc, const char *placement, const char *decision, const char *outcome) {
  if (!gc || !gc->player || !is_text(placement) || !is_text(decision) || !is_text(outcome)) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/ads/", placement, "/reports");
  put_member(&body, "decision_id", decision);
  put_member(&body, "outcome", outcome);
  gcf_put_text(&body, "}");
  return queue(gc, GAMECONF_ANSWER_AD_REPORT, "POST", &path, &body);
}

/* Adds a call that waits in memory for at most GCF_OFFLINE_MS. */
static int64_t ask(gameconf *gc, uint32_t kind, const char *method, gcf_buffer *path, gcf_buffer *body, bool repeatable) {
  int64_t number = -EAGAIN;
  if (gcf_fork_noticed(gc)) {
    number = -ECHILD;
  } else if (path->failed || body->failed || !gc->queue.head) {
    number = -ENOMEM;
  } else if (gc->call_count < GCF_CALLS_MAX) {
    gcf_call *call = &gc->waiting_calls[gc->call_count];
    memset(call, 0, sizeof *call);
    call->kind = kind;
    call->method = gcf_copy(method);
    call->player = gcf_copy(gc->player ? gc->player : "");
    call->path = gcf_copy(gcf_buffer_text(path));
    call->body = gcf_copy(gcf_buffer_text(body));
    if (call->method && call->player && call->path && call->body) {
      uint8_t uuid[16];
      gcf_uuid(uuid);
      gcf_uuid_text(uuid, call->key);
      call->repeatable = repeatable;
      call->deadline = gcf_monotonic() + GCF_OFFLINE_MS;
      call->number = number = gc->queue.head->next_number++;
      gc->call_count++;
    } else {
      gcf_call_free(call);
      number = -ENOMEM;
    }
  }
  gcf_buffer_free(path);
  gcf_buffer_free(body);
  return number;
}

int64_t gameconf_purchase(gameconf *gc, const char *product, const char *currency) {
  if (!gc || !gc->player || !is_text(product) || !is_text_or_null(currency)) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/purchases", NULL, "");
  put_member(&body, "product", product);
  put_member(&body, "currency", currency);
  gcf_put_text(&body, "}");
  return ask(gc, GAMECONF_ANSWER_PURCHASE, "POST", &path, &body, true);
}

int64_t gameconf_restore(gameconf *gc) {
  if (!gc || !gc->player) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/restore", NULL, "");
  return ask(gc, GAMECONF_ANSWER_RESTORE, "POST", &path, &body, true);
}

int64_t gameconf_gate(gameconf *gc, const char *gate, const char *args) {
  if (!gc || !gc->player || !is_text(gate) || (args && !is_object(args))) return -EINVAL;
  gcf_buffer path = {0}, body = {0};
  put_player_path(&path, gc, "/gates/", gate, "");
  put(&body, "args", args ? args : "{}", true);
  gcf_put_text(&body, "}");
  return ask(gc, GAMECONF_ANSWER_GATE, "POST", &path, &body, false);
}

int64_t gameconf_call(gameconf *gc, const char *method, const char *path, const char *json) {
  if (!gc || !method || !path || strncmp(path, "/v1/", 4) != 0) return -EINVAL;
  size_t length = 0;
  while (method[length] >= 'A' && method[length] <= 'Z') length++;
  if (length < 1 || length > 7 || method[length]) return -EINVAL;
  if (strlen(path) > 8192 || (json && (strlen(json) > GCF_ANSWER_BYTES_MAX || !is_json(json)))) return -EINVAL;
  for (const char *p = path; *p; p++)
    if (*p < 0x21 || *p > 0x7e) return -EINVAL;
  gcf_buffer target = {0}, body = {0};
  gcf_put_text(&target, path);
  if (json) gcf_put_text(&body, json);
  return ask(gc, GAMECONF_ANSWER_CALL, method, &target, &body, strcmp(method, "GET") == 0);
}
