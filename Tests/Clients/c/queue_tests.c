/* The queue: what survives, what is refused, and who it belongs to. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char cache[512];

static int writes_left = INT_MAX; /* that the disk still takes */

ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at) {
  if (writes_left == 0) return errno = ENOSPC, -1;
  writes_left--;
  return __real_pwrite(fd, bytes, size, at);
}

static const char *fresh_cache(const char *name) {
  path_in_folder(cache, name);
  mkdir(cache, 0700);
  return cache;
}

static int64_t add(gcf_queue *queue, const char *body) { return gcf_queue_add(queue, 1, "POST", "p1", "/v1/x", body); }

static void survives_crash(void) {
  const char *folder = fresh_cache("crash");
  char client[40];
  int status;
  pid_t child = forked();
  if (child == 0) {
    gcf_queue queue;
    int32_t lost = 0;
    if (gcf_queue_open(&queue, folder, "dots", &lost) != 0 || add(&queue, "one") != 1 || add(&queue, "two") != 2) _exit(1);
    abort(); /* the game crashes */
  }
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  gcf_queue queue;
  int32_t lost = 0;
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && queue.survives && lost == 0 && queue.count == 2);
  const gcf_write *write = gcf_queue_first(&queue);
  CHECK(write && write->sequence == 1 && write->number == 1 && write->run != queue.head->run);
  CHECK_TEXT(gcf_write_body(write), "one");
  CHECK_TEXT(gcf_write_path(write), "/v1/x");
  CHECK_TEXT(gcf_write_player(write), "p1");
  CHECK(add(&queue, "three") == 3);
  strcpy(client, queue.client_text);
  gcf_queue_remove_first(&queue);
  gcf_queue_close(&queue);
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && queue.count == 2 && gcf_queue_first(&queue)->sequence == 2);
  CHECK_TEXT(queue.client_text, client);
  gcf_queue_close(&queue);
  struct stat file;
  char path[600];
  snprintf(path, sizeof path, "%s/dots.queue", folder);
  CHECK(stat(path, &file) == 0 && (file.st_mode & 0777) == 0600);
}

static void bounds(void) {
  gcf_queue queue;
  int32_t lost = 0;
  CHECK(gcf_queue_open(&queue, NULL, "dots", &lost) == 0 && !queue.survives);
  for (int at = 1; at <= GCF_QUEUE_MAX; at++) CHECK(add(&queue, "x") == at);
  CHECK(add(&queue, "x") == -EAGAIN);
  gcf_queue_remove_first(&queue);
  CHECK(add(&queue, "x") == GCF_QUEUE_MAX + 1);
  char *long_body = malloc(GCF_WRITE_BYTES_MAX + 1);
  memset(long_body, 'x', GCF_WRITE_BYTES_MAX);
  long_body[GCF_WRITE_BYTES_MAX] = 0;
  CHECK(add(&queue, long_body) == -EMSGSIZE);
  while (queue.count) gcf_queue_remove_first(&queue);
  /* Round the ring many times, with lengths that never fit its end. */
  long_body[30000] = 0;
  int added = 0, removed = 0;
  for (int round = 0; round < 500; round++) {
    long_body[30000] = 'x';
    size_t length = 1000 + (size_t)(round * 7919 % 50000);
    char kept = long_body[length];
    long_body[length] = 0;
    while (add(&queue, long_body) == -EAGAIN) {
      CHECK(strlen(gcf_write_body(gcf_queue_first(&queue))) == gcf_queue_first(&queue)->body);
      gcf_queue_remove_first(&queue);
      removed++;
    }
    added++;
    long_body[length] = kept;
  }
  uint64_t last = 0;
  for (; queue.count; removed++) {
    const gcf_write *write = gcf_queue_first(&queue);
    CHECK(write && write->sequence > last);
    last = write->sequence;
    gcf_queue_remove_first(&queue);
  }
  CHECK(added == 500 && removed == 500);
  free(long_body);
  gcf_queue_close(&queue);
}

static void one_file_each(void) {
  const char *folder = fresh_cache("twice");
  gcf_queue first, second;
  int32_t lost = 0;
  CHECK(gcf_queue_open(&first, folder, "dots", &lost) == 0 && gcf_queue_open(&second, folder, "dots", &lost) == 0);
  CHECK(first.survives && second.survives && memcmp(first.head->client, second.head->client, 16) != 0);
  gcf_queue_close(&first);
  gcf_queue_close(&second);
}

static void copied(void) {
  const char *folder = fresh_cache("copied");
  char one[600], other[600], client[40];
  gcf_queue queue;
  int32_t lost = 0;
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && add(&queue, "one") == 1);
  strcpy(client, queue.client_text);
  gcf_queue_close(&queue);
  snprintf(one, sizeof one, "%s/dots.queue", folder);
  snprintf(other, sizeof other, "%s/other.queue", folder);
  FILE *from = fopen(one, "rb"), *to = fopen(other, "wb");
  for (int c; (c = fgetc(from)) != EOF;) fputc(c, to);
  fclose(from);
  fclose(to);
  CHECK(gcf_queue_open(&queue, folder, "other", &lost) == 0 && lost == 0 && queue.count == 1);
  CHECK(strcmp(queue.client_text, client) != 0);
  char waiting[37];
  gcf_uuid_text(gcf_queue_first(&queue)->client, waiting);
  CHECK_TEXT(waiting, client);
  CHECK(add(&queue, "two") == 2 && queue.head->next_sequence == 2);
  gcf_queue_close(&queue);
}

static void damaged(void) {
  const char *folder = fresh_cache("damaged");
  char path[600];
  gcf_queue queue;
  int32_t lost = 0;
  snprintf(path, sizeof path, "%s/dots.queue", folder);
  for (int round = 0; round < 4000; round++) {
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0);
    while (queue.count < 5) add(&queue, "{\"event\":\"game_over\"}");
    /* One byte somewhere in the head or the first writes is another. */
    size_t at = (size_t)(round * 2654435761u % (4096 + 800));
    off_t place = (off_t)(at < 200 ? at : at < 4096 ? at % 200 : at);
    uint8_t byte = (uint8_t)(((uint8_t *)queue.head)[place] ^ (1 << round % 8));
    CHECK(pwrite(queue.fd, &byte, 1, place) == 1);
    gcf_queue_close(&queue);
    lost = 0;
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && queue.count <= GCF_QUEUE_MAX);
    while (queue.count) gcf_queue_remove_first(&queue);
    gcf_queue_close(&queue);
    if (round % 100 == 0) unlink(path);
  }
  FILE *file = fopen(path, "wb");
  fputs("not a queue", file);
  fclose(file);
  lost = 0;
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == -1 && queue.survives && queue.count == 0);
  gcf_queue_close(&queue);
  unlink(path);
  mkdir(path, 0700);
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) < 0 && queue.head && !queue.survives && add(&queue, "x") == 1);
  gcf_queue_close(&queue);
  rmdir(path);
  CHECK(gcf_queue_open(&queue, "/nowhere/at/all", "dots", &lost) < 0 && add(&queue, "x") == 1);
  gcf_queue_close(&queue);
}

/* What another process does to the file of a game that runs. */
static void meddled(void) {
  const char *folder = fresh_cache("meddled");
  char path[600];
  snprintf(path, sizeof path, "%s/dots.queue", folder);
  char *bytes = malloc(2 << 20);
  for (int how = 0; how < 5; how++) {
    gcf_queue queue, again;
    int32_t lost = 0;
    unlink(path);
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && add(&queue, "one") == 1 && add(&queue, "two") == 2);
    int file = open(path, O_RDWR);
    ssize_t size = pread(file, bytes, 2 << 20, 0);
    CHECK(size > 4096);
    switch (how) {
      case 0: CHECK(ftruncate(file, 0) == 0); break;
      case 1: CHECK(ftruncate(file, 4096 + 100) == 0); break;
      case 2: CHECK(ftruncate(file, size * 2) == 0); break;
      case 3: memset(bytes, 'x', (size_t)size); break;
      default: memset(bytes + 4096, 0, 64); break; /* an older copy */
    }
    struct timespec later[2] = {{.tv_sec = 1}, {.tv_sec = 1}}; /* so that a clock of few ticks tells the copy from our own write */
    if (how >= 3) CHECK(pwrite(file, bytes, (size_t)size, 0) == size && futimens(file, later) == 0);
    close(file);
    CHECK_TEXT(gcf_write_body(gcf_queue_first(&queue)), "one");
    CHECK(add(&queue, "three") == 3 && queue.count == 3 && queue.survives);
    gcf_queue_remove_first(&queue);
    gcf_queue_close(&queue);
    CHECK(gcf_queue_open(&again, folder, "dots", &lost) == 0 && lost == 0 && again.count == 2);
    CHECK_TEXT(gcf_write_body(gcf_queue_first(&again)), "two");
    /* Gone, and what comes is in memory only. */
    CHECK(unlink(path) == 0 && add(&again, "four") == 4 && !again.survives && *again.why);
    gcf_queue_close(&again);
  }
  free(bytes);
}

/* The disk stops at each write in turn: what was there before is there afterwards, and what came is there once its head is. */
static void stopped_at_each_write(void) {
  const char *folder = fresh_cache("stopped");
  for (int taken = 0; taken < 3; taken++) {
    gcf_queue queue;
    int32_t lost = 0;
    char path[600];
    snprintf(path, sizeof path, "%s/dots.queue", folder);
    unlink(path);
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && add(&queue, "one") == 1);
    writes_left = taken;
    CHECK(add(&queue, "two") == 2 && queue.survives == (taken == 2));
    gcf_queue_close(&queue); /* as a crash leaves it: nothing is written at the end */
    writes_left = INT_MAX;
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == 0 && queue.count == (taken == 2 ? 2 : 1));
    CHECK_TEXT(gcf_write_body(gcf_queue_first(&queue)), "one");
    /* A disk that has room again takes everything. */
    writes_left = 0;
    CHECK(add(&queue, "three") > 0 && !queue.survives);
    writes_left = INT_MAX;
    CHECK(add(&queue, "four") > 0 && queue.survives);
    uint32_t count = queue.count;
    gcf_queue_close(&queue);
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == 0 && queue.count == count);
    gcf_queue_close(&queue);
  }
}

static int64_t add_state(gcf_queue *queue, const char *body) {
  return gcf_queue_add(queue, GAMECONF_ANSWER_STATE, "PUT", "p1", "/v1/x/state", body);
}

/* A game that is killed between the two writes of a state that replaces another has one of them, and nothing is damaged. */
static void newest_state(void) {
  const char *folder = fresh_cache("state");
  char large[2000] = {[0 ... 1998] = '1'};
  for (int written = 0; written < 3; written++) {
    gcf_queue queue;
    int32_t lost = 0;
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == 0 && queue.count == 0);
    CHECK(add(&queue, "one") > 0 && add_state(&queue, "1") > 0 && add_state(&queue, "22") > 0 && queue.count == 2);
    writes_left = written;
    CHECK(add_state(&queue, "333") > 0 && queue.count == 2 && queue.survives == (written == 2));
    writes_left = INT_MAX;
    gcf_queue_close(&queue);
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == 0 && queue.count == 2);
    CHECK_TEXT(gcf_write_body(gcf_queue_first(&queue)), "one");
    gcf_queue_remove_first(&queue);
    CHECK_TEXT(gcf_write_body(gcf_queue_first(&queue)), written ? "333" : "22");
    CHECK(add_state(&queue, large) > 0 && queue.count == 2);
    gcf_queue_remove_first(&queue);
    CHECK_TEXT(gcf_write_body(gcf_queue_first(&queue)), large);
    gcf_queue_remove_first(&queue);
    CHECK(queue.count == 0 && add_state(&queue, "4") > 0 && queue.count == 1);
    gcf_queue_remove_first(&queue);
    gcf_queue_close(&queue);
  }
}

/* What follows a state that was written without its head has numbers of its own: the daemon would take it for that state, done already. */
static void numbers_after_state(void) {
  const char *folder = fresh_cache("numbers");
  gcf_queue queue;
  int32_t lost = 0;
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && add_state(&queue, "1") > 0);
  writes_left = 1;
  CHECK(add_state(&queue, "22") > 0);
  writes_left = INT_MAX;
  gcf_queue_close(&queue);
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && queue.count == 1);
  gcf_write state = *gcf_queue_first(&queue);
  CHECK_TEXT(gcf_write_body(gcf_queue_first(&queue)), "22");
  CHECK(add(&queue, "after") > state.number);
  gcf_queue_close(&queue);
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == 0 && queue.count == 2);
  gcf_queue_remove_first(&queue);
  const gcf_write *after = gcf_queue_first(&queue);
  CHECK_TEXT(gcf_write_body(after), "after");
  CHECK(memcmp(after->client, state.client, sizeof state.client) == 0 && after->sequence > state.sequence);
  gcf_queue_remove_first(&queue);
  gcf_queue_close(&queue);
}

/* A machine loses its power: any pages of the file are those that the system had written already, and the others are older ones. */
static void power_lost(void) {
  enum { PAGE = 4096, PAGES = 257, STATES = 12, ROUNDS = 100, EQUAL = PAGE - (int)sizeof(gcf_write) - 15 };
  const char *folder = fresh_cache("power");
  char path[600], *body = malloc(9001), *states = malloc((size_t)STATES * PAGES * PAGE);
  uint64_t random = 88172645463325252u;
#define DRAW(count) (random ^= random << 13, random ^= random >> 7, random ^= random << 17, (size_t)(random % (count)))
  snprintf(path, sizeof path, "%s/dots.queue", folder);
  for (int round = 0; round < ROUNDS; round++) {
    gcf_queue queue;
    int32_t lost = 0;
    int64_t number = 0;
    unlink(path);
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0);
    /* The ring goes round, in writes that are all as long or are not. */
    for (size_t before = round % 2 ? 200 + DRAW(200) : 0, at = 0; at < before + STATES; at++) {
      size_t length = round % 4 < 2 ? EQUAL : DRAW(9000);
      memset(body, 'a' + (int)(number % 26), length);
      body[length] = 0;
      if (queue.count > 1 && (at < before || DRAW(3) == 0)) gcf_queue_remove_first(&queue);
      CHECK(add(&queue, body) == ++number);
      if (at >= before) CHECK(pread(queue.fd, states + (at - before) * PAGES * PAGE, PAGES * PAGE, 0) == PAGES * PAGE);
    }
    for (size_t page = 0; page < PAGES; page++)
      CHECK(pwrite(queue.fd, states + (DRAW(STATES) * PAGES + page) * PAGE, PAGE, (off_t)(page * PAGE)) == PAGE);
    gcf_queue_close(&queue);
    /* What is there still is whole and in order, and what comes is delivered behind it. */
    CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && queue.survives);
    uint32_t left = queue.count;
    CHECK(add(&queue, "after") > 0 && queue.count == left + 1);
    uint64_t last = 0;
    for (; queue.count > 1; gcf_queue_remove_first(&queue)) {
      const gcf_write *write = gcf_queue_first(&queue);
      CHECK(write && write->sequence > last && write->number <= number);
      if (!write) break;
      last = write->sequence;
      for (const char *byte = gcf_write_body(write); *byte; byte++)
        if (*byte != 'a' + (int)((write->number - 1) % 26)) CHECK(!"a body of another write");
    }
    const gcf_write *write = gcf_queue_first(&queue);
    CHECK(write && write->sequence > last);
    CHECK_TEXT(write ? gcf_write_body(write) : "", "after");
    gcf_queue_close(&queue);
  }
#undef DRAW
  free(body);
  free(states);
}

static void folder_of_the_cache(void) {
  char path[600], way[700];
  path_in_folder(path, "made");
  struct {
    const char *cache;
    bool survives;
  } folders[] = {{path, true}, {(snprintf(way, sizeof way, "%s/two/levels", path), way), false}, {"/proc/made", false}};
  for (size_t at = 0; at < sizeof folders / sizeof *folders; at++) {
    gameconf *gc;
    gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = "/nowhere", .cache = folders[at].cache};
    CHECK(gameconf_open(&gc, &options) == 0);
    gameconf_event_t event = {.size = sizeof event, .event = "game_over"};
    CHECK(gameconf_event(gc, &event) == 1 && gameconf_update(gc) >= 0);
    bool told = false;
    gameconf_change change;
    while (gameconf_next_change(gc, &change))
      if (change.kind == GAMECONF_CHANGE_QUEUE_FILE) told = change.new_source == 0 && *change.name;
    gameconf_status_t status = {.size = sizeof status};
    CHECK(told == !folders[at].survives && gameconf_status(gc, &status) == 0 && status.queue_survives == folders[at].survives);
    gameconf_close(gc);
    CHECK(gameconf_open(&gc, &options) == 0);
    CHECK(gameconf_status(gc, &status) == 0 && status.queued == (folders[at].survives ? 1 : 0));
    gameconf_close(gc);
  }
}

/* A file that is changed while the game runs is told, and so is that it is whole again. */
static void told_while_it_runs(void) {
  gameconf *gc;
  gameconf_options options = {
      .size = sizeof options, .game = "dots", .player = "p1", .socket = "/nowhere", .cache = fresh_cache("told")};
  gameconf_event_t event = {.size = sizeof event, .event = "game_over"};
  CHECK(gameconf_open(&gc, &options) == 0);
  for (int survives = 0; survives < 2; survives++) {
    writes_left = survives ? INT_MAX : 0;
    int told = 0;
    gameconf_change change;
    CHECK(gameconf_event(gc, &event) > 0 && gameconf_event(gc, &event) > 0 && gameconf_update(gc) > 0);
    while (gameconf_next_change(gc, &change))
      if (change.kind == GAMECONF_CHANGE_QUEUE_FILE) told++, CHECK(change.new_source == survives && change.old_source == !survives);
    CHECK(told == 1);
  }
  gameconf_close(gc);
}

static void renumbered(void) {
  gcf_queue queue;
  int32_t lost = 0;
  char client[40];
  gcf_queue_open(&queue, NULL, "dots", &lost);
  add(&queue, "one");
  add(&queue, "two");
  gcf_queue_remove_first(&queue);
  strcpy(client, queue.client_text);
  gcf_queue_new_client(&queue, 0);
  CHECK(strcmp(queue.client_text, client) > 0);
  CHECK(gcf_queue_first(&queue)->sequence == 1 && gcf_queue_first(&queue)->number == 2 && queue.head->next_sequence == 2);
  gcf_queue_close(&queue);
}

void queue_tests(void) {
  TEST("a play's newest state takes the place of the last, and a kill leaves one of the two", newest_state);
  TEST("what follows a state that a kill left without its head has numbers of its own", numbers_after_state);
  TEST("what was queued survives the game's crash", survives_crash);
  TEST("a full queue refuses, and its ring goes round", bounds);
  TEST("two processes of one folder have a queue each", one_file_each);
  TEST("a copied queue has a client id of its own, and what waits in it keeps the old one", copied);
  TEST("a damaged queue is no trouble", damaged);
  TEST("a file that another process cuts, lengthens or writes over costs nothing", meddled);
  TEST("a write that stops anywhere leaves the queue as it was", stopped_at_each_write);
  TEST("after a loss of power, a file of old and new pages opens, and delivers what is whole of it in order", power_lost);
  TEST("a folder that is missing is made, and one that cannot be used is told", folder_of_the_cache);
  TEST("a game is told when what it queues no longer survives, and when it does again", told_while_it_runs);
  TEST("a new client id numbers from 1", renumbered);
}
