/* HTTP answers and frames, whole and cut at every byte. */
#include "check.h"

/* What a parser says to an answer that comes in pieces of `cut` bytes: status, body and how it ended. */
static void parse(const char *answer, size_t cut, char *says, size_t room) {
  gcf_http http;
  gcf_http_begin(&http);
  size_t length = strlen(answer), used = 0;
  says[0] = 0;
  for (size_t at = 0; at < length;) {
    size_t count = length - at < cut ? length - at : cut;
    const uint8_t *bytes = (const uint8_t *)answer + at, *piece;
    size_t left = count, piece_length;
    for (;;) {
      gcf_http_event event = gcf_http_next(&http, &bytes, &left, &piece, &piece_length);
      if (event == GCF_HTTP_MORE) break;
      if (event == GCF_HTTP_HEAD) used += (size_t)snprintf(says + used, room - used, "%d:", http.status);
      if (event == GCF_HTTP_BODY) memcpy(says + used, piece, piece_length), used += piece_length, says[used] = 0;
      if (event == GCF_HTTP_END) {
        used += (size_t)snprintf(says + used, room - used, "%s", http.closes ? "|close" : "|");
        gcf_http_begin(&http);
        if (left == 0) break;
      }
      if (event == GCF_HTTP_BAD) {
        snprintf(says + used, room - used, "!");
        return;
      }
    }
    at += count;
  }
}

static void answers(void) {
  struct {
    const char *answer, *says;
  } table[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "200:hello|"},
      {"HTTP/1.1 200 OK\r\ncontent-length:5\r\n\r\nhelloHTTP/1.1 204 No\r\n\r\n", "200:hello|204:|"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n", "200:abcde|"},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\nContent-Length: 0\n\n", "201:|"},
      {"HTTP/1.0 503 No\r\nRetry-After: 7\r\nContent-Length: 1\r\n\r\nx", "503:x|close"},
      {"HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n", "200:|close"},
      {"HTTP/1.1 304 Same\r\nContent-Length: 50\r\n\r\n", "304:|"},
      {"<html><body>502 Bad Gateway</body></html>\r\n", "!"},
      {"HTTP/2 200\r\n\r\n", "!"},
      {"HTTP/1.1 20 OK\r\n\r\n", "!"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "!"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", "!"},
      {"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "!"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "!"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "!"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "200:!"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n", "200:!"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "200:a!"},
  };
  for (size_t at = 0; at < sizeof table / sizeof *table; at++) {
    size_t cuts[] = {1, 2, 7, 4096};
    for (size_t cut = 0; cut < 4; cut++) {
      char says[512];
      parse(table[at].answer, cuts[cut], says, sizeof says);
      CHECK_TEXT(says, table[at].says);
    }
  }
}

static void long_heads(void) {
  gcf_http http;
  char line[3000];
  const uint8_t *piece;
  size_t piece_length;
  gcf_http_begin(&http);
  memset(line, 'x', sizeof line);
  memcpy(line, "HTTP/1.1 200 OK\r\nX: ", 20);
  gcf_http_event event = GCF_HTTP_MORE;
  for (int round = 0; round < 10 && event == GCF_HTTP_MORE; round++) {
    const uint8_t *bytes = (const uint8_t *)line;
    size_t left = sizeof line;
    event = gcf_http_next(&http, &bytes, &left, &piece, &piece_length);
  }
  CHECK(event == GCF_HTTP_BAD);
}

static void frames(void) {
  /* A ping, a frame of a kind to come, an image's frame of 3 bytes. */
  const uint8_t stream[] = {0, 0, 0, 0, 3, 2, 0, 0, 'a', 'b', 1, 0, 0, 0, 9, 0, 0, 0, 'x', 3, 0, 0, 0, 1, 1, 0, 0, 'c', 1, 2, 3};
  for (size_t cut = 1; cut <= sizeof stream; cut++) {
    gcf_frames machine;
    memset(&machine, 0, sizeof machine);
    int seen = 0;
    for (size_t at = 0; at < sizeof stream; at += cut) {
      const uint8_t *bytes = stream + at;
      size_t left = sizeof stream - at < cut ? sizeof stream - at : cut;
      while (gcf_frames_next(&machine, &bytes, &left) == 1) {
        seen++;
        if (seen == 1) CHECK(gcf_frame_kind(&machine) == GCF_FRAME_PING && machine.length == 0 && strcmp(machine.id, "ab") == 0);
        if (seen == 2) CHECK(gcf_frame_kind(&machine) == 9 && machine.length == 1 && machine.payload[0] == 'x' && machine.id[0] == 0);
        if (seen == 3) CHECK(gcf_frame_kind(&machine) == GCF_FRAME_IMAGE && machine.length == 3 && machine.payload[2] == 3);
      }
    }
    CHECK(seen == 3);
    gcf_frames_reset(&machine);
  }
  const uint8_t huge[] = {0, 0, 0, 2, 1, 0, 0, 0};
  const uint8_t *bytes = huge;
  size_t left = sizeof huge;
  gcf_frames machine;
  memset(&machine, 0, sizeof machine);
  CHECK(gcf_frames_next(&machine, &bytes, &left) == -1);
}

void http_tests(void) {
  TEST("answers are read as they are, wherever they are cut", answers);
  TEST("an endless head is refused", long_heads);
  TEST("frames are put together, wherever they are cut", frames);
}
