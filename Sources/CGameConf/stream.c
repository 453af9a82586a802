/* The connection for changes: requests the image stream once, then applies its frames. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BACKOFF_FIRST_MS = 500, READ_BYTES = 4 << 10, BUDGET_MS = 1 };

static void ask(gameconf *gc) {
  gcf_buffer body = {0}, *out = &gc->stream.out;
  gcf_put_text(&body, "{");
  if (gc->player) {
    gcf_put_text(&body, "\"player\":");
    gcf_put_json_text(&body, gc->player);
    gcf_put_text(&body, ",");
  }
  if (gc->play) {
    gcf_put_text(&body, "\"play\":");
    gcf_put_json_text(&body, gc->play);
    gcf_put_text(&body, ",");
  }
  gcf_put_text(&body, "\"context\":{");
  const char *inside = gc->context ? strchr(gc->context, '{') : NULL;
  size_t length = inside ? strlen(++inside) : 0;
  while (length > 0 && inside[length - 1] != '}') length--;
  bool has_members = false;
  for (size_t at = 0; at + 1 < length; at++) has_members |= inside[at] == '"';
  if (has_members) gcf_put(&body, inside, length - 1);
  if (gc->locale) {
    if (has_members) gcf_put_text(&body, ",");
    gcf_put_text(&body, "\"locale\":");
    gcf_put_json_text(&body, gc->locale);
  }
  gcf_put_text(&body, "}}");
  out->used = gc->stream.sent = 0;
  gcf_put_text(out, "POST /v1/games/");
  gcf_put_path_part(out, gc->game);
  gcf_put_text(out, "/watch HTTP/1.1\r\nHost: gameconfd\r\nUser-Agent: libgameconf/" GAMECONF_VERSION
                    "\r\nAccept: application/vnd.gameconf.image-stream\r\nContent-Type: application/json\r\n");
  if (gc->resume_id[0]) {
    gcf_put_text(out, "Last-Event-ID: ");
    gcf_put_text(out, gc->resume_id);
    gcf_put_text(out, "\r\n");
  }
  gcf_put_text(out, "Content-Length: ");
  gcf_put_integer(out, (int64_t)body.used);
  gcf_put_text(out, "\r\n\r\n");
  gcf_put(out, body.bytes, body.used);
  if (body.failed) out->failed = true;
  gcf_buffer_free(&body);
}

static void fail(gameconf *gc, int64_t now, const char *says, const char *detail) {
  gcf_link_fail(gc, &gc->stream, now, says, detail);
  gcf_frames_reset(&gc->frames);
  if (gc->state == GAMECONF_STATE_LIVE) gcf_set_state(gc, GAMECONF_STATE_CACHED);
}

void gcf_stream_restart(gameconf *gc) {
  gcf_link_close(gc, &gc->stream);
  gcf_frames_reset(&gc->frames);
  gc->stream.retry_at = 0;
  gc->stream.backoff = BACKOFF_FIRST_MS;
  gc->resume_id[0] = 0;
}

/* Applies a frame with an image or a patch. Returns NULL, or a message. */
static const char *take_over(gameconf *gc, int kind) {
  gcf_image image, scratch;
  void *payload = gc->frames.payload;
  gc->frames.payload = NULL;
  const char *wrong = gcf_image_check(&image, payload, gc->frames.length);
  size_t size = gc->frames.length;
  if (!wrong && strcmp(gcf_image_caller(&image, GCF_CALLER_GAME), gc->game) != 0) wrong = "an image of another game";
  /* A patch that is sent to many players has no player in its header. */
  bool names_player = !wrong && (kind == GCF_FRAME_IMAGE || (image.header->flags & GCF_FOR_PLAYER));
  if (names_player && strcmp(gcf_image_caller(&image, GCF_CALLER_PLAYER), gc->player ? gc->player : "") != 0)
    wrong = "an image for another player";
  if (!wrong && ((image.header->flags & GCF_PATCH) != 0) != (kind == GCF_FRAME_PATCH)) wrong = "an image where a patch belongs";
  const gcf_image *newest = gcf_newest_image(gc, &scratch);
  /* A restored daemon has another epoch. Within one epoch, an older image arrived late and is dropped. */
  if (!wrong && newest->bytes && gcf_image_is_older(&image, newest)) wrong = "an image that is older than what is known";
  if (!wrong && kind == GCF_FRAME_PATCH) {
    void *merged = newest->bytes ? gcf_image_merge(newest, &image, &size) : NULL;
    if (!merged) wrong = newest->bytes ? "no memory for an image" : "a patch without an image";
    else if (newest->header->epoch != image.header->epoch) wrong = "a patch of another epoch";
    if (wrong) free(merged);
    free(payload);
    payload = merged;
    if (wrong) payload = NULL;
  }
  if (wrong) {
    free(payload);
    gc->resume_id[0] = 0; /* the next request is for a whole image */
    return wrong;
  }
  gc->image_at = gcf_monotonic();
  gc->image_is_live = true;
  gcf_take_image(gc, payload, size, 0);
  return NULL;
}

/* The last component of a frame's id is the daemon's clock. */
static void take_time(gameconf *gc, int64_t now) {
  const char *digits = strrchr(gc->resume_id, '.');
  int64_t time = 0;
  if (!digits || !digits[1]) return;
  for (digits++; *digits; digits++) {
    if (*digits < '0' || *digits > '9' || time > INT64_MAX / 100) return;
    time = time * 10 + (*digits - '0');
  }
  gc->host_at = time;
  gc->host_seen_at = now;
}

static const char *take_frame(gameconf *gc, int64_t now) {
  int kind = gcf_frame_kind(&gc->frames);
  const char *wrong = NULL;
  if (kind == GCF_FRAME_DROPPED) return gc->frames.payload ? (const char *)gc->frames.payload : "dropped";
  if (kind == GCF_FRAME_IMAGE || kind == GCF_FRAME_PATCH) wrong = take_over(gc, kind);
  if (wrong) return wrong;
  memcpy(gc->resume_id, gc->frames.id, sizeof gc->resume_id);
  for (char *p = gc->resume_id; *p; p++)
    if (*p < 0x21 || *p > 0x7e) gc->resume_id[0] = 0; /* invalid in a header field */
  take_time(gc, now);
  gc->stream.backoff = BACKOFF_FIRST_MS;
  if (gc->image_is_live || kind != GCF_FRAME_PING) {
    gc->error[0] = 0;
    gcf_set_state(gc, GAMECONF_STATE_LIVE);
  }
  return NULL;
}

static const char *take_body(gameconf *gc, const uint8_t *bytes, size_t length, int64_t now) {
  int got;
  while ((got = gcf_frames_next(&gc->frames, &bytes, &length)) == 1) {
    const char *wrong = take_frame(gc, now);
    if (wrong) return wrong;
  }
  return got < 0 ? "the stream is damaged" : NULL;
}

/* Passes received bytes to the parsers. Returns NULL, or the reason to close the connection. */
static const char *feed(gameconf *gc, const uint8_t *bytes, size_t length, int64_t now, const char **detail) {
  gcf_http *http = &gc->stream.http;
  const uint8_t *piece;
  size_t piece_length;
  for (;;) {
    switch (gcf_http_next(http, &bytes, &length, &piece, &piece_length)) {
      case GCF_HTTP_MORE:
        return NULL;
      case GCF_HTTP_HEAD:
        gcf_host_told(gc, http->date, now);
        if (http->status != 200) {
          /* The id is unknown to the daemon or too old to resume from. */
          gc->resume_id[0] = 0;
          if (http->status == 404) return "the daemon knows no such game, or no image streams";
          return http->status == 403 ? "not allowed" : "the daemon refuses";
        }
        if (strcmp(http->content_type, "application/vnd.gameconf.image-stream") != 0) {
          *detail = http->content_type;
          return "no image stream but";
        }
        break;
      case GCF_HTTP_BODY: {
        const char *wrong = take_body(gc, piece, piece_length, now);
        if (wrong) return wrong;
        break;
      }
      case GCF_HTTP_END:
        return "the daemon ended the stream";
      default:
        return "no HTTP answer";
    }
  }
}

static void read_stream(gameconf *gc, int64_t now) {
  size_t total = 0;
  while (total < GCF_READ_BYTES_MAX && gc->stream.fd >= 0) {
    ssize_t count = gcf_link_read(&gc->stream, gc->read_buffer, READ_BYTES);
    if (count == 0) return;
    if (count < 0) {
      fail(gc, now, "the daemon closed the connection", NULL);
      return;
    }
    gc->stream.heard_at = now;
    total += (size_t)count;
    const char *detail = NULL, *wrong = feed(gc, gc->read_buffer, (size_t)count, now, &detail);
    if (wrong) {
      char copy[160];
      snprintf(copy, sizeof copy, "%s", wrong);
      int64_t retry_after = gc->stream.http.retry_after;
      fail(gc, now, copy, detail);
      if (retry_after > 0 && gc->stream.retry_at < now + retry_after * 1000) gc->stream.retry_at = now + retry_after * 1000;
      return;
    }
    if (gcf_monotonic() - now > BUDGET_MS || (size_t)count < READ_BYTES) return;
  }
}

void gcf_stream_update(gameconf *gc, bool ready, int64_t now) {
  gcf_link *stream = &gc->stream;
  if (stream->fd < 0) {
    if (now < stream->retry_at) return;
    gcf_frames_reset(&gc->frames);
    if (!gcf_link_connect(gc, stream, now)) return;
    ask(gc);
    ready = true;
  }
  if (stream->out.failed) {
    fail(gc, now, "no memory", NULL);
    return;
  }
  if ((ready || stream->out.used) && !gcf_link_flush(gc, stream)) {
    fail(gc, now, "the daemon closed the connection", NULL);
    return;
  }
  if (ready) read_stream(gc, now);
  if (stream->fd >= 0 && now - stream->heard_at > GCF_SILENCE_MS) fail(gc, now, "the daemon is silent", NULL);
}
