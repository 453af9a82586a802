/* What a game hands to the queue is answered for good, told as lost, or still there: each way in which it was lost before. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MINUTE_MS = 60000, HOUR_MS = 60 * MINUTE_MS, DAY_MS = 24 * HOUR_MS, WEEK_MS = 7 * DAY_MS, HEAD_BYTES = 4096, RING_BYTES = 1 << 20 };

/* A daemon whose stream is answered, so that the next connection is the one for calls. */
static gameconf *with_stream(fake *daemon, const char *name, const char *cache) {
  fake_begin(daemon, name);
  gameconf *gc = open_at(daemon, "p1", cache);
  CHECK(fake_request(daemon, gc));
  fake_stream(daemon);
  daemon->fd = -1; /* stays open, silent */
  return gc;
}

static const char *fresh_cache(const char *name) {
  static char path[512];
  path_in_folder(path, name);
  mkdir(path, 0700);
  return path;
}

static void path_of(char path[600], const char *cache, const char *name) { snprintf(path, 600, "%s/%s", cache, name); }

static int64_t setting(gameconf *gc, int value) {
  char json[16];
  snprintf(json, sizeof json, "%d", value);
  return gameconf_setting(gc, "volume", json);
}

static int64_t event(gameconf *gc) { return gameconf_event(gc, &(gameconf_event_t){.size = sizeof(gameconf_event_t), .event = "game_over"}); }

static gameconf_status_t status_of(const gameconf *gc) {
  gameconf_status_t status = {.size = sizeof status};
  CHECK(gameconf_status(gc, &status) == 0);
  return status;
}

/* How often a kind of change was told, and the last one. */
static int told(gameconf *gc, int32_t kind, gameconf_change *last) {
  gameconf_change change;
  int count = 0;
  while (gameconf_next_change(gc, &change))
    if (change.kind == kind) count++, *last = change;
  return count;
}

/* The next write or call. A stream that was silent for too long is asked for again, and answered. */
static bool next_request(fake *daemon, gameconf *gc) {
  while (fake_request(daemon, gc)) {
    if (!fake_has(daemon, "/watch HTTP")) return true;
    fake_stream(daemon);
    daemon->fd = -1;
  }
  return false;
}

/* Updates until the library has read the answer to its first write. */
static void until_read(gameconf *gc) {
  uint32_t count = gc->queue.count, attempts = gc->queue_attempts;
  for (int round = 0; round < 5000 && gc->queue.count == count && gc->queue_attempts == attempts; round++) gameconf_update(gc), usleep(200);
  CHECK(gc->queue.count != count || gc->queue_attempts != attempts);
}

/* Answers the request that is there and updates until the library has read it. */
static void answered(fake *daemon, gameconf *gc, int status, const char *extra, const char *body) {
  fake_answer(daemon, status, extra, body);
  until_read(gc);
}

/* The same; how long the write that was refused waits now. */
static int64_t put_off(fake *daemon, gameconf *gc, int status, const char *extra) {
  CHECK(next_request(daemon, gc));
  answered(daemon, gc, status, extra, "{}");
  return gc->queue_retry_at - gc->put_off_at;
}

/* What is delivered to a daemon that takes everything: the values, in their order, as one number. */
static int64_t delivered(fake *daemon, gameconf *gc) {
  int64_t values = 0;
  while (status_of(gc).queued > 0) {
    if (!next_request(daemon, gc)) return -1;
    const char *value = strstr(daemon->request, "\"value\":");
    values = values * 10 + (value ? atoi(value + 8) : 9);
    answered(daemon, gc, 200, "", "{}");
  }
  return values;
}

static void refusals(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "refusals.sock", NULL);
  static const int statuses[] = {408, 429, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599};
  gameconf_answer answer;
  for (size_t at = 0; at < sizeof statuses / sizeof *statuses; at++) {
    CHECK(setting(gc, 1) > 0 && setting(gc, 2) > 0);
    int64_t pause = 0;
    for (int times = 0; times < 9; times++) {
      int64_t next = put_off(&daemon, gc, statuses[at], "");
      CHECK(next == (times < 6 ? 1000 << times : MINUTE_MS) && strstr(daemon.request, "\"value\":1"));
      CHECK(!gameconf_next_answer(gc, &answer) && status_of(gc).queued == 2);
      skip_time(pause = next);
    }
    CHECK(pause == MINUTE_MS);
    CHECK(put_off(&daemon, gc, statuses[at], "Retry-After: 7\r\n") == 7000);
    skip_time(7000);
    CHECK(put_off(&daemon, gc, statuses[at], "Retry-After: 99999999\r\n") == HOUR_MS);
    skip_time(HOUR_MS);
    CHECK(put_off(&daemon, gc, statuses[at], "Retry-After: 0\r\n") == 1000);
    skip_time(1000);
    CHECK(delivered(&daemon, gc) == 12);
    while (gameconf_next_answer(gc, &answer)) CHECK(answer.status == 200);
  }
  gameconf_close(gc);
  fake_end(&daemon);
}

/* For a day nothing is given up, across the runs of a game; then what no daemon digests is, and what is behind it goes on. */
static void given_up(void) {
  fake daemon;
  char cache[512];
  strcpy(cache, fresh_cache("given-up"));
  gameconf *gc = with_stream(&daemon, "given-up.sock", cache);
  CHECK(setting(gc, 1) > 0 && setting(gc, 2) > 0);
  int64_t waited = 0;
  gameconf_answer answer;
  gameconf_change change = {0};
  while (status_of(gc).queued == 2 && waited < 2 * (int64_t)DAY_MS) {
    int64_t pause = put_off(&daemon, gc, 500, waited % 3 ? "" : "Retry-After: 900\r\n");
    if (status_of(gc).queued < 2) break;
    skip_time(pause);
    waited += pause;
    if (waited > DAY_MS / 2 && waited < DAY_MS / 2 + HOUR_MS) {
      gameconf_close(gc);
      fake_end(&daemon);
      gc = with_stream(&daemon, "given-up.sock", cache);
    }
  }
  CHECK(waited >= DAY_MS && waited < DAY_MS + 3 * HOUR_MS);
  CHECK(told(gc, GAMECONF_CHANGE_REFUSED, &change) == 1 && change.new_source == 500 && change.old_source == 1);
  CHECK(gameconf_next_answer(gc, &answer) && answer.status == 500);
  CHECK(delivered(&daemon, gc) == 2);
  gameconf_close(gc);
  fake_end(&daemon);
}

static void no_answers_of_ours(void) {
  static const int statuses[] = {300, 301, 302, 304, 307, 399, 600, 999};
  fake daemon;
  gameconf *gc = with_stream(&daemon, "stray.sock", NULL);
  for (size_t at = 0; at < sizeof statuses / sizeof *statuses; at++) {
    gameconf_change change = {0};
    CHECK(setting(gc, 1) > 0 && setting(gc, 2) > 0);
    for (int times = 0; times < 4; times++) {
      /* 304 has no body, whatever is said. */
      CHECK(next_request(&daemon, gc));
      char head[100];
      snprintf(head, sizeof head, "HTTP/1.1 %d Any\r\nLocation: /elsewhere\r\n%s\r\n", statuses[at], statuses[at] == 304 ? "" : "Content-Length: 0\r\n");
      fake_text(&daemon, head);
      until_read(gc);
      CHECK(told(gc, GAMECONF_CHANGE_DELAYED, &change) == !times && status_of(gc).queued == 2 && *status_of(gc).last_error);
      skip_time(gc->queue_retry_at - gcf_monotonic());
    }
    CHECK(change.new_source == statuses[at]);
    CHECK(delivered(&daemon, gc) == 12);
  }
  gameconf_close(gc);
  fake_end(&daemon);
}

/* What another process does to the file of a game that runs and writes nothing more. */
static void file_while_it_runs(void) {
  char cache[512], path[600], aside[600];
  for (int how = 0; how < 6; how++) {
    for (int looks = 0; looks < 2; looks++) {
      strcpy(cache, fresh_cache(how * 2 + looks == 0 ? "file0" : "file"));
      path_of(path, cache, "dots.queue"), path_of(aside, cache, "aside");
      unlink(path), unlink(aside);
      fake daemon;
      gameconf_change change = {0};
      gameconf *gc = with_stream(&daemon, "file.sock", cache);
      fake_end(&daemon); /* nobody takes what is queued */
      CHECK(setting(gc, 1) > 0 && setting(gc, 2) > 0);
      char *bytes = malloc(HEAD_BYTES + RING_BYTES);
      memset(bytes, 'x', HEAD_BYTES + RING_BYTES);
      int file = open(path, O_RDWR | O_CLOEXEC);
      switch (how) {
        case 0: CHECK(ftruncate(file, 0) == 0); break;
        case 1: CHECK(ftruncate(file, HEAD_BYTES + 100) == 0); break;
        case 2: CHECK(pwrite(file, bytes, HEAD_BYTES + RING_BYTES, 0) > 0 && futimens(file, (struct timespec[2]){{.tv_sec = 1}, {.tv_sec = 1}}) == 0); break;
        case 3: CHECK(unlink(path) == 0); break;
        case 4: CHECK(rename(path, aside) == 0); break;
        default: {
          int other = open(aside, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
          CHECK(pwrite(other, bytes, 100, 0) == 100 && rename(aside, path) == 0);
          close(other);
        }
      }
      close(file);
      free(bytes);
      told(gc, 0, &change);
      if (looks) {
        skip_time(GCF_LOOK_MS);
        gameconf_update(gc);
        CHECK(status_of(gc).queue_survives == (how < 3));
        CHECK(told(gc, GAMECONF_CHANGE_QUEUE_FILE, &change) == (how >= 3) && (how < 3 || (change.new_source == 0 && *change.name)));
      }
      gameconf_close(gc);
      gc = with_stream(&daemon, "file.sock", cache);
      /* What lay in the place of the moved file is no queue, which is told; what waited is there. */
      CHECK(status_of(gc).queued == 2 && told(gc, GAMECONF_CHANGE_QUEUE_LOST, &change) == (how == 5));
      CHECK(delivered(&daemon, gc) == 12);
      gameconf_close(gc);
      fake_end(&daemon);
      path_of(path, cache, "dots.1.queue");
      unlink(path);
    }
  }
}

/* What processes left that ran at once is one's that runs alone, whole and in order, with the ids it had. */
static void left_by_others(void) {
  char cache[512], clients[3][40];
  gameconf *all[3];
  strcpy(cache, fresh_cache("left"));
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = "/nowhere", .cache = cache};
  for (int at = 0; at < 3; at++) {
    CHECK(gameconf_open(&all[at], &options) == 0 && setting(all[at], 2 * at + 1) > 0 && setting(all[at], 2 * at + 2) > 0);
    strcpy(clients[at], status_of(all[at]).client);
  }
  for (int at = 0; at < 3; at++) gameconf_close(all[at]);
  fake daemon;
  gameconf *gc = with_stream(&daemon, "left.sock", cache);
  CHECK(status_of(gc).queued == 6);
  for (int at = 0; at < 6; at++) {
    char sequence[80], value[20];
    snprintf(sequence, sizeof sequence, "Gameconf-Sequence: %s/%d\r\n", clients[at / 2], at % 2 + 1);
    snprintf(value, sizeof value, "{\"value\":%d}", at + 1);
    CHECK(next_request(&daemon, gc) && fake_has(&daemon, sequence) && fake_has(&daemon, value));
    /* One of another process that the daemon knows already was done: it is not sent under another id. */
    answered(&daemon, gc, 200, at == 3 ? "Gameconf-Repeated: true\r\n" : "", "{}");
    gameconf_answer answer;
    CHECK(gameconf_next_answer(gc, &answer) && (answer.flags & GAMECONF_ANSWER_EARLIER));
  }
  /* Who takes the file next has another id: of the one that waited here nothing is sent before its time. */
  gameconf *second = NULL;
  CHECK(gameconf_open(&second, &options) == 0 && status_of(second).queued == 0);
  for (int at = 0; at < 3; at++) CHECK(strcmp(status_of(second).client, clients[at]) != 0);
  gameconf_close(second);
  gameconf_close(gc);
  fake_end(&daemon);
}

/* What does not fit stays where it is, as a whole, for the one that opens next. */
static void left_too_much(void) {
  char cache[512];
  strcpy(cache, fresh_cache("much"));
  gcf_queue queues[2], queue;
  int32_t lost = 0;
  for (int at = 0; at < 2; at++) CHECK(gcf_queue_open(&queues[at], cache, "dots", &lost) == 0);
  for (int at = 0; at < 2; at++)
    for (int count = 0; count < 600; count++) CHECK(gcf_queue_add(&queues[at], 1, "POST", "p1", "/v1/x", "{}") > 0);
  for (int at = 0; at < 2; at++) gcf_queue_close(&queues[at]);
  for (int at = 0; at < 2; at++) {
    CHECK(gcf_queue_open(&queue, cache, "dots", &lost) == 0 && lost == 0 && queue.count == 600);
    while (queue.count > 0) gcf_queue_remove_first(&queue);
    gcf_queue_close(&queue);
  }
  CHECK(gcf_queue_open(&queue, cache, "dots", &lost) == 0 && queue.count == 0);
  gcf_queue_close(&queue);
}

/* How many writes the file says that wait. */
static uint32_t waiting_in(const char *cache) {
  char path[600];
  gcf_queue_head head = {0};
  path_of(path, cache, "dots.queue");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  CHECK(pread(file, &head, sizeof head, 0) == sizeof head);
  close(file);
  return head.waiting;
}

/* A child that closes what it never updated leaves alone what its parent has queued meanwhile. */
static void closed_in_a_child(void) {
  char cache[512], byte = 0;
  int added[2];
  strcpy(cache, fresh_cache("closed-child"));
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = "/nowhere", .cache = cache};
  CHECK(gameconf_open(&gc, &options) == 0 && setting(gc, 1) > 0 && pipe(added) == 0);
  pid_t child = forked();
  if (child == 0) {
    close(added[1]);
    CHECK(read(added[0], &byte, 1) == 0);
    gameconf_close(gc);
    _exit(checks_failed != 0);
  }
  close(added[0]);
  CHECK(setting(gc, 2) > 0 && waiting_in(cache) == 2);
  close(added[1]);
  CHECK(forked_end(child) == 0 && waiting_in(cache) == 2);
  gameconf_close(gc);
}

static void in_a_child(void) {
  char cache[512];
  strcpy(cache, fresh_cache("child"));
  fake daemon;
  gameconf *gc = with_stream(&daemon, "child.sock", cache);
  CHECK(setting(gc, 1) > 0);
  pid_t child = forked();
  if (child == 0) {
    gameconf_change change;
    CHECK(event(gc) == -ECHILD && setting(gc, 7) == -ECHILD && gameconf_visit(gc) == -ECHILD && gameconf_restore(gc) == -ECHILD);
    CHECK(gameconf_call(gc, "GET", "/v1/games", NULL) == -ECHILD && status_of(gc).queued == 1);
    pid_t grandchild = forked();
    if (grandchild == 0) {
      gameconf_close(gc); /* the file is the first process's */
      _exit(0);
    }
    CHECK(forked_end(grandchild) == 0);
    gc->socket[0] = 'n'; /* nobody is there: the daemon here has one connection at a time */
    gameconf_update(gc);
    CHECK(told(gc, GAMECONF_CHANGE_QUEUE_FILE, &change) == 1 && change.new_source == 0 && status_of(gc).queued == 0);
    CHECK(setting(gc, 3) > 0 && status_of(gc).queued == 1);
    gameconf_close(gc); /* which leaves a file of its own */
    _exit(checks_failed != 0);
  }
  CHECK(forked_end(child) == 0);
  CHECK(setting(gc, 2) > 0 && delivered(&daemon, gc) == 12);
  gameconf_close(gc);
  fake_end(&daemon);
  gc = with_stream(&daemon, "child.sock", cache);
  CHECK(status_of(gc).queued == 1 && delivered(&daemon, gc) == 3);
  gameconf_close(gc);
  fake_end(&daemon);
}

/* Damage that a checksum does not see, or that is forged with a right one. What is whole before it stays; the rest is told. */
static void damaged_files(void) {
  enum { MARKED, MARKED_LATER, NO_END, NOTHING_WITHIN, LONG, HEAD_AWRY, HEAD_AWRY_UNSEALED, HEAD_FORGED, DAMAGES };
  char cache[512], path[600];
  strcpy(cache, fresh_cache("forged"));
  path_of(path, cache, "dots.queue");
  for (int damage = 0; damage < DAMAGES; damage++) {
    gcf_queue queue;
    int32_t lost = 0;
    unlink(path);
    CHECK(gcf_queue_open(&queue, cache, "dots", &lost) == 0);
    for (int at = 0; at < 4; at++) CHECK(gcf_queue_add(&queue, GAMECONF_ANSWER_SETTING, "PUT", "p1", "/v1/x", "{\"value\":5}") > 0);
    gcf_write *write = (gcf_write *)(void *)queue.ring;
    if (damage == MARKED_LATER) write = (gcf_write *)(void *)(queue.ring + write->length);
    gcf_queue_head *head = queue.head;
    if (damage == MARKED || damage == MARKED_LATER) write->length = GCF_WRITE_WRAPS;
    if (damage == NO_END) memset(write + 1, 'x', write->length - sizeof *write);
    if (damage == NOTHING_WITHIN) ((char *)(write + 1))[1] = 0;
    if (damage == LONG) write->body = 0xfffffff0;
    if (damage == NO_END || damage == NOTHING_WITHIN || damage == LONG) write->check = (uint32_t)gcf_checksum((const uint8_t *)write + 8, write->length - 8);
    if (damage >= HEAD_AWRY) head->tail = damage == HEAD_FORGED ? head->head + 8 : 8;
    if (damage == HEAD_AWRY_UNSEALED) head->check = 0;
    if (damage == HEAD_FORGED) head->check = (uint32_t)gcf_checksum(head, offsetof(gcf_queue_head, check));
    CHECK(pwrite(queue.fd, queue.head, HEAD_BYTES + RING_BYTES, 0) == HEAD_BYTES + RING_BYTES);
    gcf_queue_close(&queue);
    static const int32_t are_lost[DAMAGES] = {4, 3, 4, 4, 4, -1, -1, 4};
    for (int times = 0; times < 2; times++) {
      /* It is told until a game has read it. */
      fake daemon;
      gameconf_change change = {0};
      gameconf *gc = with_stream(&daemon, "forged.sock", cache);
      if (times == 0 && damage == MARKED) {
        gameconf_close(gc);
        fake_end(&daemon);
        gc = with_stream(&daemon, "forged.sock", cache);
      }
      CHECK(told(gc, GAMECONF_CHANGE_QUEUE_LOST, &change) == !times && (times || change.new_source == are_lost[damage]));
      uint32_t whole = times ? 1 : are_lost[damage] < 0 ? 0 : 4 - (uint32_t)are_lost[damage];
      CHECK(status_of(gc).queued == whole);
      if (!times) CHECK(setting(gc, 6) > 0 && status_of(gc).queue_survives);
      if (!times && whole) CHECK(next_request(&daemon, gc) && (answered(&daemon, gc, 200, "", "{}"), true));
      if (times) CHECK(delivered(&daemon, gc) == 6);
      gameconf_close(gc);
      fake_end(&daemon);
    }
  }
}

/* An answer that drips ends in its time, and what is behind it does not wait for that. */
static void dripping(void) {
  fake daemon;
  gameconf *gc = with_stream(&daemon, "drip.sock", NULL);
  gameconf_answer answer = {0};
  for (int is_write = 0; is_write < 2; is_write++) {
    int64_t first = is_write ? setting(gc, 1) : gameconf_call(gc, "POST", "/v1/slow", "{}");
    CHECK(first > 0 && next_request(&daemon, gc));
    int64_t behind = gameconf_call(gc, "GET", "/v1/games", NULL), waited = 0, offline_at = 0;
    fake_text(&daemon, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    while (gc->in_flight && waited < HOUR_MS) {
      fake_text(&daemon, " ");
      skip_time(1000), waited += 1000;
      for (int round = 0; round < 3; round++) gameconf_update(gc);
      while (gameconf_next_answer(gc, &answer)) {
        CHECK(answer.flags == GAMECONF_ANSWER_OFFLINE && (answer.number == first || answer.number == behind));
        if (answer.number == behind) offline_at = waited;
      }
    }
    CHECK(offline_at >= GCF_OFFLINE_MS && offline_at <= GCF_OFFLINE_MS + 1000);
    CHECK(waited > (is_write ? 59000 : 29000) && waited < 62000);
    fake_hang_up(&daemon);
    skip_time(MINUTE_MS);
    if (is_write) CHECK(delivered(&daemon, gc) == 1);
  }
  gameconf_close(gc);
  fake_end(&daemon);
}

/* A daemon that takes every write for done, or forgets every client, is not asked without end. */
static void endless_renumbering(void) {
  for (int is_forgotten = 0; is_forgotten < 2; is_forgotten++) {
    fake daemon;
    gameconf *gc = with_stream(&daemon, "renumbered.sock", NULL);
    CHECK(setting(gc, 1) > 0);
    int requests = 0;
    for (int64_t waited = 0; waited < HOUR_MS; requests++) {
      CHECK(next_request(&daemon, gc));
      if (is_forgotten) answered(&daemon, gc, 409, "", "{\"code\":\"CLIENT_FORGOTTEN\"}");
      else answered(&daemon, gc, 200, "Gameconf-Repeated: true\r\n", "{}");
      int64_t pause = gc->queue_retry_at - gcf_monotonic();
      if (pause > 0) skip_time(pause), waited += pause;
    }
    CHECK(requests > 60 && requests < 80 && status_of(gc).queued == 1);
    CHECK(delivered(&daemon, gc) == 1);
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Each of many records is another: as marks, and as entries of an image and of a patch. No update does it all, and all is told. */
static void many_renamed(void) {
  enum { RECORDS = 40000 };
  for (int what = 0; what < 3; what++) {
    fake daemon;
    gameconf_change change;
    gameconf *gc = with_stream(&daemon, "many.sock", NULL);
    double spent = 0;
    int changes = 0, updates = 0;
    for (int revision = 1; revision < 3; revision++) {
      draft draft;
      size_t size;
      char name[40];
      draft_begin(&draft, "dots", "p1", revision, what == 2 && revision == 2 ? GCF_PATCH : 0);
      for (int at = 0; at < RECORDS; at++) {
        snprintf(name, sizeof name, "a_name_of_%d_%d", revision, at);
        if (what == 0) draft_theme(&draft, name, true);
        else draft_int(&draft, name, at, GAMECONF_SOURCE_REMOTE);
        snprintf(name, sizeof name, "a_name_of_%d_%d", 1, at);
        if (what == 2 && revision == 2) draft_gone(&draft, name);
      }
      void *image = draft_end(&draft, &size);
      double before = cpu_seconds();
      if (what == 2 && revision == 2) {
        gcf_image patch;
        CHECK(gcf_image_check(&patch, image, size) == NULL);
        void *merged = gcf_image_merge(&gc->view->image, &patch, &size);
        free(image);
        image = merged;
      }
      gcf_take_image(gc, image, size, 0);
      for (bool goes_on = true; goes_on; updates++) {
        while (gameconf_next_change(gc, &change)) changes += change.kind == GAMECONF_CHANGE_KEY || change.kind == GAMECONF_CHANGE_THEME;
        goes_on = gc->diff.former != NULL;
        gameconf_update(gc);
      }
      spent += cpu_seconds() - before;
    }
    CHECK(changes == 3 * RECORDS && updates > 10);
    if (spent > 1.5) fprintf(stderr, "%f s in way %d\n", spent, what);
    CHECK(spent < 1.5); /* a time that grows with the square of their number is some seconds */
    gameconf_close(gc);
    fake_end(&daemon);
  }
}

/* A struct of a header that ends between two fields is taken; one that ends within is refused, and nothing behind it is read. */
static void sizes(void) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = "/nowhere"};
  CHECK(gameconf_open(&gc, &options) == 0);
  int taken = 0;
  for (size_t size = 0; size <= 4096 + 16; size++) {
    size_t room = size < sizeof(size_t) ? sizeof(size_t) : size;
    char *bytes = calloc(1, room); /* no longer than it says, so that the address sanitizer sees its end */
    gameconf_event_t whole = {.size = size, .event = "game_over", .mode = "m", .reason = "r", .score = 1, .scored = true, .details = "{}"};
    memcpy(bytes, &whole, room < sizeof whole ? room : sizeof whole);
    int64_t number = gameconf_event(gc, (const gameconf_event_t *)(void *)bytes);
    bool is_end = size >= 16 && (size % 8 == 0 || size == offsetof(gameconf_event_t, scored) + 1 || size == offsetof(gameconf_event_t, closes) + 1) && size <= 4096;
    CHECK(number == (is_end ? ++taken : -EINVAL));
    free(bytes);
    bytes = calloc(1, room);
    gameconf_options other = options;
    other.size = size;
    memcpy(bytes, &other, room < sizeof other ? room : sizeof other);
    gameconf *again = NULL;
    is_end = size >= 16 && (size % 8 == 0 || size == offsetof(gameconf_options, flags) + 4) && size <= 4096;
    CHECK(gameconf_open(&again, (const gameconf_options *)(void *)bytes) == (is_end ? 0 : -EINVAL));
    gameconf_close(again);
    memcpy(bytes, &size, sizeof size);
    is_end = size >= 12 && (size % 8 == 0 || size == 12 || size == 20 || size == offsetof(gameconf_status_t, pending) + 1 ||
                            size == offsetof(gameconf_status_t, queue_survives) + 1) && size <= 4096;
    CHECK(gameconf_status(gc, (gameconf_status_t *)(void *)bytes) == (is_end ? 0 : -EINVAL));
    free(bytes);
    if (gc->queue.count > 900)
      while (gc->queue.count > 0) gcf_queue_remove_first(&gc->queue);
  }
  gameconf_close(gc);
}

/* The date in a request, in milliseconds since 1970; 0 for none. */
static int64_t date_in(const fake *daemon) {
  const char *text = strstr(daemon->request, "\"occurred_at\":\"");
  struct tm parts = {0};
  if (!text || !strptime(text + 15, "%Y-%m-%dT%H:%M:%S", &parts)) return 0;
  return (int64_t)timegm(&parts) * 1000;
}

static bool is_about(int64_t is, int64_t wanted) { return is > wanted - 20000 && is < wanted + 20000; }

/* This machine's clock is a year off. What was made before the daemon told the time is dated by that all the same. */
static void wrong_clock(void) {
  const int64_t year = 365 * (int64_t)DAY_MS;
  for (int is_ahead = 0; is_ahead < 2; is_ahead++) {
    char cache[512];
    strcpy(cache, fresh_cache(is_ahead ? "ahead" : "behind"));
    set_wall_wrong(is_ahead ? year : -year);
    int64_t truth = (int64_t)time(NULL) * 1000;
    gameconf *gc = NULL;
    gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = "/nowhere", .cache = cache};
    CHECK(gameconf_open(&gc, &options) == 0 && event(gc) > 0);
    gameconf_close(gc); /* of an earlier run: ten minutes ago by the clock there is */
    skip_time(10 * MINUTE_MS);
    fake daemon;
    fake_begin(&daemon, "clock.sock");
    gc = open_at(&daemon, "p1", cache);
    CHECK(event(gc) > 0 && gameconf_visit(gc) > 0);
    skip_time(2 * MINUTE_MS);
    if (is_ahead) set_wall_wrong(0); /* somebody sets it right meanwhile */
    CHECK(fake_request(&daemon, gc) && fake_has(&daemon, "/watch"));
    for (int round = 0; round < 50; round++) gameconf_update(gc), usleep(200);
    CHECK(accept(daemon.listener, NULL, NULL) < 0 && gameconf_timeout(gc) > 500); /* nothing is sent before the time is known, nor waited for in vain */
    fake_stream(&daemon);
    int stream = daemon.fd;
    daemon.fd = -1;
    CHECK(next_request(&daemon, gc) && is_about(date_in(&daemon), is_ahead ? truth - WEEK_MS + 2 * MINUTE_MS : truth - 12 * MINUTE_MS) == !is_ahead);
    char sequence[100], date[60];
    snprintf(sequence, sizeof sequence, "%.80s", strstr(daemon.request, "Gameconf-Sequence: "));
    snprintf(date, sizeof date, "%.40s", strstr(daemon.request, "\"occurred_at\":"));
    fake_hang_up(&daemon); /* sent again it is the same */
    skip_time(MINUTE_MS);
    CHECK(next_request(&daemon, gc) && strstr(daemon.request, date) && date_in(&daemon) >= truth - WEEK_MS);
    answered(&daemon, gc, 200, "", "{}");
    CHECK(next_request(&daemon, gc) && is_about(date_in(&daemon), truth - 2 * MINUTE_MS));
    answered(&daemon, gc, 200, "", "{}");
    CHECK(next_request(&daemon, gc) && fake_has(&daemon, "/visits"));
    answered(&daemon, gc, 200, "", "{}");
    CHECK(event(gc) > 0 && next_request(&daemon, gc) && is_about(date_in(&daemon), truth + MINUTE_MS));
    close(stream);
    gameconf_close(gc);
    fake_end(&daemon);
    set_wall_wrong(0);
  }
  /* Somebody who answers and tells no time is sent this machine's. */
  fake daemon;
  fake_begin(&daemon, "clock.sock");
  gameconf *gc = open_at(&daemon, "p1", NULL);
  CHECK(event(gc) > 0 && fake_request(&daemon, gc) && fake_has(&daemon, "/watch"));
  int64_t made_at = gcf_wall();
  daemon.fd = -1;
  skip_time(GCF_OFFLINE_MS + 1);
  CHECK(next_request(&daemon, gc) && is_about(date_in(&daemon), made_at));
  gameconf_close(gc);
  fake_end(&daemon);
}

/* Offline answers do not take the room of the one that is under way. */
static void room_for_answers(void) {
  fake daemon;
  gameconf_answer answer;
  gameconf *gc = with_stream(&daemon, "room.sock", NULL);
  int64_t number = setting(gc, 1);
  CHECK(number > 0 && next_request(&daemon, gc));
  for (int at = 0; at < GCF_CALLS_MAX; at++) CHECK(gameconf_restore(gc) > 0);
  skip_time(GCF_OFFLINE_MS + 1);
  gameconf_update(gc);
  fake_answer(&daemon, 200, "", "{}");
  for (int round = 0; round < 2000 && gc->in_flight; round++) gameconf_update(gc), usleep(200);
  bool is_there = false;
  for (int round = 0; round < 3; round++, gameconf_update(gc))
    while (gameconf_next_answer(gc, &answer)) is_there |= answer.number == number && answer.status == 200;
  CHECK(is_there);
  gameconf_close(gc);
  fake_end(&daemon);
}

void loss_tests(void) {
  TEST("what the daemon cannot do now is tried again, after pauses that grow to a minute", refusals);
  TEST("a write is given up after a day, and those behind it go on", given_up);
  TEST("a redirect is no answer: what waits stays, and is told once", no_answers_of_ours);
  TEST("a file that is cut, overwritten, moved or replaced while a game runs costs nothing", file_while_it_runs);
  TEST("what other processes left is taken over, in order, under its ids", left_by_others);
  TEST("what does not fit is not taken over by halves", left_too_much);
  TEST("a forked process is refused before its first update, and the parent keeps all", in_a_child);
  TEST("a forked process that closes leaves the parent's file alone", closed_in_a_child);
  TEST("a damaged or forged file is told, and the queue goes on", damaged_files);
  TEST("an answer that drips ends in its time", dripping);
  TEST("pauses grow where every answer asks for a new client id", endless_renumbering);
  TEST("many renamed records are told in time that grows with their number, over several updates", many_renamed);
  TEST("a size that ends within a field is refused", sizes);
  TEST("events have the daemon's time, whatever this machine's clock says", wrong_clock);
  TEST("an answer under way has its room", room_for_answers);
}
