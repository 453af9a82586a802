/* Writes and calls: in order, once each, and what the daemon's refusals mean. */
#include "check.h"

#include <errno.h>
#include <unistd.h>

/* A daemon whose stream is answered, so that the second connection is the one for calls. */
static gameconf *with_stream(fake *daemon, const char *name) {
  fake_begin(daemon, name);
  gameconf *gc = open_at(daemon, "p 1", NULL);
  CHECK(fake_request(daemon, gc));
  fake_stream(daemon);
  daemon->fd = -1; /* stays open, silent */
  return gc;
}

static int64_t event(gameconf *gc, const char *name, int64_t score) {
  return gameconf_event(gc, &(gameconf_event_t){.size = sizeof(gameconf_event_t), .event = name, .mode = "classic", .score = score});
}

static bool answer(fake *daemon, gameconf *gc, int status, const char *extra, const char *body, gameconf_answer *into) {
  fake_answer(daemon, status, extra, body);
  for (int round = 0; round < 500; round++) {
    gameconf_update(gc);
    if (gameconf_next_answer(gc, into)) return true;
    usleep(1000);
  }
  return false;
}

static void in_order(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "calls.sock");
  gameconf_answer got;
  int64_t first = event(gc, "game_over", 55), second = gameconf_setting(gc, "volume", "0.5");
  CHECK(first > 0 && second == first + 1);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "POST /v1/games/dots/players/p%201/events HTTP/1.1\r\n"));
  CHECK(fake_has(&daemon, "\r\nGameconf-Sequence: ") && fake_has(&daemon, "/1\r\n") && fake_has(&daemon, "\"score\":55,\"occurred_at\":\"2"));
  CHECK(answer(&daemon, gc, 200, "", "{\"ads\":{\"game_over\":{\"show\":true,\"next\":3}},\"title\":\"\\u00e9\"}", &got));
  CHECK(got.number == first && got.kind == GAMECONF_ANSWER_EVENT && got.status == 200 && got.flags == 0);
  CHECK_TEXT(got.player, "p 1");
  CHECK(gameconf_answer_bool(&got, "/ads/game_over/show", false) && gameconf_answer_int(&got, "/ads/game_over/next", 0) == 3);
  CHECK(gameconf_answer_double(&got, "/ads/game_over/next", 0) == 3 && !gameconf_answer_bool(&got, "/ads/x", false));
  CHECK_TEXT(gameconf_answer_string(&got, "/title", ""), "é");
  CHECK_TEXT(gameconf_answer_string(&got, "/ads", "none"), "none");
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "PUT /v1/games/dots/players/p%201/settings/volume HTTP/1.1") && fake_has(&daemon, "/2\r\n"));
  CHECK(fake_has(&daemon, "\r\n\r\n{\"value\":0.5}"));
  CHECK(answer(&daemon, gc, 422, "", "{\"code\":\"OUT_OF_RANGE\"}", &got) && got.status == 422 && got.number == second);
  gameconf_change change;
  bool is_told = false;
  while (gameconf_next_change(gc, &change))
    if (change.kind == GAMECONF_CHANGE_REFUSED) is_told = change.new_source == 422 && strstr(change.name, "/settings/volume") != NULL;
  CHECK(is_told);
  gameconf_status_t status = {.size = sizeof status};
  gameconf_status(gc, &status);
  CHECK(status.queued == 0);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void of_a_play(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "play.sock");
  gameconf_event_t over = {.size = sizeof over, .event = "game_over", .score = 8, .play = "8f\"d", .state = "{\"over\":true}", .closes = true};
  CHECK(gameconf_event(gc, &over) > 0 && fake_request(&daemon, gc));
  CHECK(fake_has(&daemon, "\"score\":8,\"play\":\"8f\\\"d\",\"state\":{\"over\":true},\"close\":true,\"occurred_at\":\"2"));
  gameconf_close(gc);
  fake_end(&daemon);
}

/* The newest of a play only: a state that is under way is not replaced, nor one that another write follows, nor another play's. */
static void states_of_plays(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "states.sock");
  gameconf_answer got;
  CHECK(gameconf_state(gc, "a", NULL) == -EINVAL && gameconf_state(gc, "a", "{") == -EINVAL && gameconf_state(gc, NULL, "1") == -EINVAL);
  CHECK(gameconf_state(gc, "a", "1") > 0);
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "PUT /v1/games/dots/players/p%201/plays/a/state HTTP/1.1\r\n"));
  CHECK(fake_has(&daemon, "\r\n\r\n{\"state\":1}"));
  int64_t numbers[6];
  const char *plays[] = {"a", "a", "b", "b", NULL, "b"}, *states[] = {"2", "3", "{\"n\":4}", "5", NULL, "6"};
  for (int at = 0; at < 6; at++) {
    numbers[at] = plays[at] ? gameconf_state(gc, plays[at], states[at]) : event(gc, "game_over", 1);
    CHECK(numbers[at] > 0);
  }
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0 && status.queued == 5);
  CHECK(answer(&daemon, gc, 200, "", "{\"state_tag\":\"t\"}", &got) && got.kind == GAMECONF_ANSWER_STATE && got.status == 200);
  const char *sent[] = {"{\"state\":3}", "{\"state\":5}", "\"score\":1", "{\"state\":6}"};
  const int of[] = {1, 3, 4, 5};
  for (int at = 0; at < 4; at++) {
    CHECK(fake_request(&daemon, gc) && fake_has(&daemon, sent[at]));
    CHECK(answer(&daemon, gc, 200, "", "{}", &got) && got.number == numbers[of[at]]);
  }
  CHECK(gameconf_status(gc, &status) == 0 && status.queued == 0);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void again(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "again.sock");
  gameconf_answer got;
  char sequence[100];
  CHECK(event(gc, "game_over", 1) > 0 && fake_request(&daemon, gc));
  const char *header = strstr(daemon.request, "Gameconf-Sequence: ");
  snprintf(sequence, sizeof sequence, "%.*s", (int)strcspn(header, "\r"), header);
  fake_hang_up(&daemon); /* it may have been done */
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, sequence));
  fake_answer(&daemon, 503, "Retry-After: 0\r\n", "{}");
  CHECK(fake_request(&daemon, gc) && fake_has(&daemon, sequence));
  CHECK(answer(&daemon, gc, 200, "Gameconf-Repeated: true\r\n", "{}", &got) && got.flags == GAMECONF_ANSWER_REPEATED);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void client_ids(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "client.sock");
  gameconf_answer got;
  gameconf_change change;
  gameconf_status_t status = {.size = sizeof status};
  char client[40];
  gameconf_status(gc, &status);
  strcpy(client, status.client);
  /* Done before, and yet never sent by this process: another one has used the id. */
  CHECK(event(gc, "game_over", 1) > 0 && fake_request(&daemon, gc) && fake_has(&daemon, client));
  fake_answer(&daemon, 200, "Gameconf-Repeated: true\r\n", "{}");
  CHECK(fake_request(&daemon, gc) && !fake_has(&daemon, client) && fake_has(&daemon, "/1\r\n"));
  gameconf_status(gc, &status);
  strcpy(client, status.client);
  bool told = false;
  while (gameconf_next_change(gc, &change)) told |= change.kind == GAMECONF_CHANGE_CLIENT && strcmp(change.name, client) == 0;
  CHECK(told);
  fake_answer(&daemon, 409, "", "{\"status\":409,\"code\":\"CLIENT_FORGOTTEN\"}");
  CHECK(fake_request(&daemon, gc) && !fake_has(&daemon, client));
  CHECK(answer(&daemon, gc, 200, "", "{}", &got) && got.status == 200);
  CHECK(!gameconf_next_answer(gc, &got));
  gameconf_close(gc);
  fake_end(&daemon);
}

static void purchases(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "buy.sock");
  gameconf_answer got;
  CHECK(gameconf_purchase(gc, "remove_ads", NULL) > 0 && fake_request(&daemon, gc));
  CHECK(fake_has(&daemon, "/purchases HTTP/1.1") && fake_has(&daemon, "Idempotency-Key: ") && fake_has(&daemon, "{\"product\":\"remove_ads\"}"));
  CHECK(answer(&daemon, gc, 201, "Connection: close\r\n", "{\"state\":\"purchased\"}", &got) && got.kind == GAMECONF_ANSWER_PURCHASE);
  CHECK_TEXT(gameconf_answer_string(&got, "/state", ""), "purchased");
  fake_hang_up(&daemon);
  CHECK(gameconf_gate(gc, "insane", "{\"level\":3}") > 0 && fake_request(&daemon, gc));
  CHECK(fake_has(&daemon, "/gates/insane HTTP/1.1") && fake_has(&daemon, "{\"args\":{\"level\":3}}"));
  fake_hang_up(&daemon); /* asked, and nobody knows what became of it */
  for (int round = 0; round < 500 && !gameconf_next_answer(gc, &got); round++) gameconf_update(gc), usleep(1000);
  CHECK(got.kind == GAMECONF_ANSWER_GATE && got.status == 0 && got.flags == GAMECONF_ANSWER_OFFLINE);
  CHECK(gameconf_call(gc, "GET", "/v1/games", NULL) > 0 && fake_request(&daemon, gc) && fake_has(&daemon, "GET /v1/games HTTP/1.1\r\n"));
  fake_text(&daemon, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"games\"\r\n4\r\n:[]}\r\n0\r\n\r\n");
  for (int round = 0; round < 500 && !gameconf_next_answer(gc, &got); round++) gameconf_update(gc), usleep(1000);
  CHECK_TEXT(got.body, "{\"games\":[]}");
  CHECK(gameconf_call(gc, "get", "/v1/", NULL) == -EINVAL && gameconf_call(gc, "GET", "/v1/ x", NULL) == -EINVAL);
  CHECK(gameconf_call(gc, "POST", "/v1/x", "{") == -EINVAL && gameconf_call(gc, "GET", "/other", NULL) == -EINVAL);
  for (int at = 0; at < GCF_CALLS_MAX; at++) CHECK(gameconf_restore(gc) > 0);
  CHECK(gameconf_restore(gc) == -EAGAIN);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void unread_answers(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "unread.sock");
  gameconf_answer got;
  for (int at = 0; at < GCF_ANSWERS_MAX + 2; at++) event(gc, "game_over", at + 1);
  for (int at = 0; at < GCF_ANSWERS_MAX; at++) {
    CHECK(fake_request(&daemon, gc));
    fake_answer(&daemon, 200, "", "{}");
    daemon.request_length = 0;
  }
  gameconf_status_t status = {.size = sizeof status};
  for (int round = 0; round < 100; round++) gameconf_update(gc), usleep(200);
  gameconf_status(gc, &status);
  CHECK(status.answers == GCF_ANSWERS_MAX && status.queued == 2);
  CHECK(gameconf_next_answer(gc, &got) && fake_request(&daemon, gc) && fake_has(&daemon, "\"score\":65"));
  gameconf_close(gc);
  fake_end(&daemon);
}

static void long_answers(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "long.sock");
  gameconf_answer got;
  char *body = malloc(1 << 20);
  memset(body, ' ', 1 << 20);
  CHECK(gameconf_call(gc, "GET", "/v1/games", NULL) > 0 && fake_request(&daemon, gc));
  fake_text(&daemon, "HTTP/1.1 200 OK\r\nContent-Length: 2097152\r\n\r\n");
  size_t sent = 0;
  memset(&got, 0, sizeof got);
  for (int round = 0; round < 20000 && !gameconf_next_answer(gc, &got); round++) {
    if (sent < 2097152) sent += fake_send(&daemon, body, 2097152 - sent < 8192 ? 2097152 - sent : 8192);
    gameconf_update(gc);
  }
  CHECK(got.status == 200 && got.flags == GAMECONF_ANSWER_TOO_LONG && got.length == 0);
  free(body);
  gameconf_close(gc);
  fake_end(&daemon);
}

void call_tests(void) {
  TEST("writes go in order, each with its sequence, and their answers say what they are to", in_order);
  TEST("an event says its play, what it leaves there and that it ends it", of_a_play);
  TEST("of a play's states that wait one after the other only the newest is sent", states_of_plays);
  TEST("a write that may be lost is sent again under its sequence", again);
  TEST("a client id that others use is given up", client_ids);
  TEST("purchases, gates and calls", purchases);
  TEST("answers that nobody reads hold the writes back", unread_answers);
  TEST("an answer that is too long is left out", long_answers);
}
