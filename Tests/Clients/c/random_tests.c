/* Games that call at random, side by side, that fork and are killed, beside a daemon that answers every status there is and while somebody
 * writes over, cuts and moves their files: what was accepted is answered once, told as lost, or still there. RANDOM_CALLS says how many
 * calls, RANDOM_SEED which. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITES_MAX = 1 << 20, GAMES = 3, LINKS = 2 * GAMES + 10, CLIENTS = 1 << 15, WINDOW = 256, FILE_BYTES = 4096 + (1 << 20) };
enum { MEANT = 1, ACCEPTED = 2, APPLIED = 4, REFUSED = 8, MAYBE_LOST = 16, REPLACED = 32, TWICE = 64 };

/* What the games' processes and the daemon know of all of them. */
static struct {
  _Atomic uint8_t writes[WRITES_MAX];
  _Atomic pid_t stated_by[WRITES_MAX]; /* the process whose write is a play's state; 0 for other writes */
  _Atomic uint32_t next;
  _Atomic int64_t calls, lost, lost_unknown, forks;
  _Atomic bool survives[GAMES];
  enum { CLEAN, COUNTED, UNCOUNTED } damage; /* to files: none, such as leaves the number of what is lost, any */
} *all;

/* A client of the daemon: which of its writes were done. */
typedef struct client {
  char id[37];
  bool done[WINDOW];
  int64_t highest;
} client;

static struct {
  int listener, links[LINKS];
  struct {
    char bytes[8192];
    size_t used;
  } in[LINKS];
  client *clients;
  uint32_t client_count;
  int64_t statuses[1000];
  char path[512], cache[512];
} daemon_;

static uint64_t state;

static uint32_t below(uint32_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % bound;
}

/* The daemon. */

static void answer(int link, const char *text) { (void)!send(daemon_.links[link], text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT); }

static void hang_up(int link) {
  close(daemon_.links[link]);
  daemon_.links[link] = -1;
  daemon_.in[link].used = 0;
}

static client *client_of(const char *id) {
  for (uint32_t at = daemon_.client_count; at > 0; at--)
    if (memcmp(daemon_.clients[at - 1].id, id, 36) == 0) return &daemon_.clients[at - 1];
  if (daemon_.client_count == CLIENTS) return NULL;
  client *made = &daemon_.clients[daemon_.client_count++];
  memcpy(made->id, id, 36);
  return made;
}

/* Which write it is that a request carries. */
static uint32_t number_in(const char *request) {
  static const char *const before[] = {"\"score\":", "{\"value\":", "{\"state\":", "/transactions/", "\"decision_id\":\""};
  for (size_t at = 0; at < sizeof before / sizeof *before; at++) {
    const char *found = strstr(request, before[at]);
    if (found) return (uint32_t)atoi(found + strlen(before[at]));
  }
  return 0;
}

/* What the daemon does with a write, as its documentation has it: each sequence once; below the window it is settled. */
static void serve_write(int link, const char *request, const char *sequence) {
  char text[200];
  client *client = client_of(sequence);
  int64_t place = atoll(sequence + 37);
  uint32_t number = number_in(request);
  if (!client || number == 0 || number >= WRITES_MAX) {
    CHECK(!"a write that nobody meant");
    return hang_up(link);
  }
  bool is_below = place <= client->highest - WINDOW, is_done = !is_below && place <= client->highest && client->done[place % WINDOW];
  int status = below(3) ? 200 : below(20) ? 100 + (int)below(500) : 409;
  daemon_.statuses[status]++;
  if (status == 409 && !is_done && !is_below && below(2)) {
    answer(link, "HTTP/1.1 409 No\r\nContent-Length: 27\r\n\r\n{\"code\":\"CLIENT_FORGOTTEN\"}");
    return;
  }
  if (status / 100 == 2 && !is_done && !is_below) {
    for (; client->highest < place; client->done[client->highest % WINDOW] = false) client->highest++;
    client->done[place % WINDOW] = true;
    if (all->writes[number] & APPLIED) all->writes[number] |= TWICE;
    all->writes[number] |= APPLIED;
  }
  switch (below(24)) {
    case 0: return hang_up(link); /* nobody hears of it */
    case 1:
      answer(link, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"half\":");
      return hang_up(link);
    case 2:
      answer(link, "HTTP/1.1 102 Later\r\n\r\n");
      break;
    case 3: return answer(link, "no HTTP\r\n\r\n");
  }
  bool is_refused = status / 100 == 4 && status != 408 && status != 429;
  if (is_refused && !is_done && !is_below) all->writes[number] |= REFUSED;
  if (is_done || is_below) status = 200;
  const char *length = status < 200 || status == 204 || status == 304 ? "" : "Content-Length: 2\r\n";
  snprintf(text, sizeof text, "HTTP/1.1 %d Any\r\n%s%s%s\r\n%s", status, length, is_done || is_below ? "Gameconf-Repeated: true\r\n" : "",
           below(8) ? "" : "Retry-After: 2\r\n", *length ? "{}" : "");
  answer(link, text);
}

static void serve(int link, const char *request) {
  const char *sequence = strstr(request, "Gameconf-Sequence: ");
  if (strstr(request, "/watch HTTP"))
    answer(link, below(4) ? "HTTP/1.1 200 OK\r\nDate: Fri, 27 Nov 2026 10:00:00 GMT\r\nContent-Type: "
                            "application/vnd.gameconf.image-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                          : "HTTP/1.1 503 No\r\nDate: Fri, 27 Nov 2026 10:00:00 GMT\r\nContent-Length: 0\r\n\r\n");
  else if (sequence) serve_write(link, request, sequence + 19);
  else answer(link, below(3) ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" : "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
}

/* Serves what is there, or comes within a moment. */
static void serve_all(void) {
  struct pollfd those[LINKS + 1];
  for (int at = 0; at < LINKS; at++) those[at] = (struct pollfd){.fd = daemon_.links[at], .events = POLLIN};
  those[LINKS] = (struct pollfd){.fd = daemon_.listener, .events = POLLIN};
  if (poll(those, LINKS + 1, 1) <= 0) return;
  for (int at = 0; at < LINKS; at++) {
    if (daemon_.links[at] < 0) {
      daemon_.links[at] = accept4(daemon_.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
      continue;
    }
    if (!those[at].revents) continue;
    char *bytes = daemon_.in[at].bytes;
    ssize_t count = recv(daemon_.links[at], bytes + daemon_.in[at].used, sizeof daemon_.in[at].bytes - 1 - daemon_.in[at].used, 0);
    if (count <= 0) {
      hang_up(at);
      continue;
    }
    daemon_.in[at].used += (size_t)count;
    bytes[daemon_.in[at].used] = 0;
    const char *end = strstr(bytes, "\r\n\r\n"), *length = strstr(bytes, "Content-Length: ");
    if (!end || daemon_.in[at].used < (size_t)(end + 4 - bytes) + (length && length < end ? (size_t)atoi(length + 16) : 0)) continue;
    daemon_.in[at].used = 0; /* a game asks one thing at a time */
    serve(at, bytes);
  }
}

/* A game. */

typedef struct game {
  gameconf *gc;
  uint32_t place, last_state;
  bool in_child;
} game;

/* What waits may be lost: that was told. */
static void mark_lost(void) {
  for (uint32_t number = 1; number < all->next; number++)
    if ((all->writes[number] & (ACCEPTED | APPLIED | REFUSED)) == ACCEPTED) all->writes[number] |= MAYBE_LOST;
}

static void read_changes(game *game) {
  gameconf_change change;
  while (gameconf_next_change(game->gc, &change)) {
    if (change.kind == GAMECONF_CHANGE_QUEUE_LOST && change.new_source > 0) all->lost += change.new_source;
    if (change.kind == GAMECONF_CHANGE_QUEUE_LOST && change.new_source < 0) {
      all->lost_unknown++;
      mark_lost();
    }
    if (change.kind == GAMECONF_CHANGE_QUEUE_FILE && !game->in_child) all->survives[game->place] = change.new_source != 0;
  }
}

static void write_something(game *game) {
  gameconf_status_t status = {.size = sizeof status};
  uint32_t number = all->next++;
  if (number >= WRITES_MAX) return;
  char text[24];
  snprintf(text, sizeof text, "%u", number);
  all->writes[number] = MEANT;
  gameconf_status(game->gc, &status);
  uint32_t queued = status.queued, kind = below(6);
  int64_t taken = 0;
  /* Said before, since a process may be killed between the call and what follows it. */
  if (kind == 3) all->writes[game->last_state] |= REPLACED;
  switch (kind) {
    case 0:
    case 1: taken = gameconf_event(game->gc, &(gameconf_event_t){.size = sizeof(gameconf_event_t), .event = "game_over", .score = number}); break;
    case 2: taken = gameconf_setting(game->gc, "volume", text); break;
    case 3: taken = gameconf_state(game->gc, "play", text); break;
    case 4: taken = gameconf_finish(game->gc, text); break;
    default: taken = gameconf_ad_report(game->gc, "banner", text, "shown");
  }
  CHECK(taken > 0 || taken == -EAGAIN || (game->in_child && taken == -ECHILD));
  gameconf_status(game->gc, &status);
  /* Of a play's states that wait one after the other only the newest is sent. Where fewer wait than before, the call has found damage, and what it
   * replaced is not known. */
  if (kind == 3 && status.queued > queued) all->writes[game->last_state] &= (uint8_t)~REPLACED;
  if (kind == 3 && taken <= 0) all->writes[game->last_state] &= (uint8_t)~REPLACED;
  if (taken <= 0) return;
  if (kind == 3) game->last_state = number, all->stated_by[number] = getpid();
  all->writes[number] |= ACCEPTED;
  /* In memory only, as is told: it may end with the process. */
  if (!status.queue_survives) all->writes[number] |= MAYBE_LOST;
}

static void killed_at_random(bool is_armed) {
  struct itimerval timer = {.it_value.tv_usec = is_armed ? 1 + (suseconds_t)below(20000) : 0};
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* Somebody does something to the files of the games' folder, once in a while so that nobody knows how much is lost. A file that is moved while its game runs is told by the next look. */
static void meddle(game *game, bool is_running) {
  if (all->damage == CLEAN) return;
  char path[700], aside[600], junk[64];
  int number = (int)below(4);
  snprintf(path, sizeof path, "%s/dots%s%.*s.queue", daemon_.cache, number ? "." : "", number ? 1 : 0, "0123" + number);
  snprintf(aside, sizeof aside, "%s/aside", daemon_.cache);
  int file = open(path, O_RDWR | O_CLOEXEC);
  bool is_held = file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0;
  if (file < 0 || is_held != is_running) {
    if (file >= 0) close(file);
    return;
  }
  for (size_t at = 0; at < sizeof junk; at++) junk[at] = (char)below(256);
  uint32_t how = all->damage == COUNTED ? 0 : below(is_running ? 18 : 16);
  bool is_head = all->damage == UNCOUNTED && below(8) == 0;
  /* Most often where something waits. */
  gcf_queue_head head = {0};
  uint64_t waits = pread(file, &head, sizeof head, 0) == sizeof head ? head.head - head.tail : 0;
  uint64_t place = waits > 0 && waits < FILE_BYTES && below(4) ? head.tail + below((uint32_t)waits) : below(1 << 20);
  if (how < 15) (void)!pwrite(file, junk, 1 + below(sizeof junk), (off_t)(is_head ? below(200) : 4096 + place % (1 << 20)));
  else if (how == 15) (void)!ftruncate(file, (off_t)below(FILE_BYTES));
  else if (how == 16) (void)!unlink(path);
  else (void)!rename(path, aside);
  close(file);
  if (!is_running) return;
  /* Whoever runs looks before anything ends it. */
  for (int round = 0; round < 2; round++) {
    skip_time(GCF_LOOK_MS);
    gameconf_update(game->gc);
    read_changes(game);
  }
}

static bool goes_on(game *game);

static void fork_once(game *game) {
  if (game->in_child || below(20)) return;
  all->forks++;
  killed_at_random(false);
  pid_t child = fork();
  if (child == 0) {
    game->in_child = true;
    state ^= 0x9E3779B97F4A7C15u;
    gameconf_answer got;
    for (int round = (int)below(30); round > 0 && goes_on(game); round--) gameconf_next_answer(game->gc, &got);
    if (below(2)) gameconf_close(game->gc);
    _exit(checks_failed != 0);
  }
  int end = 0;
  while (waitpid(child, &end, 0) < 0 && errno == EINTR) {}
  CHECK(end == 0);
}

/* One call; false at the end. */
static bool goes_on(game *game) {
  gameconf *gc = game->gc;
  gameconf_answer got;
  all->calls++;
  switch (below(40)) {
    case 0: gameconf_set_player(gc, below(4) ? "p1" : "p2"); break;
    case 1: gameconf_set_locale(gc, below(2) ? "fr" : NULL); break;
    case 2: gameconf_purchase(gc, "remove_ads", NULL); break;
    case 3: gameconf_call(gc, "GET", "/v1/games", NULL); break;
    case 4: gameconf_gate(gc, "insane", NULL); break;
    case 5: gameconf_wait(gc, (int)below(3)); break;
    case 6: (void)gameconf_string(gc, "title", "none"); break;
    case 7: gameconf_release(gameconf_acquire(gc)); break;
    case 8: skip_time(below(200000)); break;
    case 9: skip_time(below(3000)); break;
    case 10: fork_once(game); break;
    case 11: set_wall_wrong((int64_t)below(3) * 31536000000 - 31536000000); break;
    case 12:
    case 13: read_changes(game); break;
    case 14:
    case 15: while (gameconf_next_answer(gc, &got)) (void)gameconf_answer_bool(&got, "/show", false); break;
    case 16: case 17: case 18: case 19: case 20: case 21: write_something(game); break;
    case 22: return below(8) > 0;
    default: gameconf_update(gc); usleep(below(50)); break;
  }
  return true;
}

static _Noreturn void play(uint32_t place, uint64_t seed) {
  game game = {.place = place};
  state = seed * 0x9E3779B97F4A7C15u;
  for (int at = 0; at < 8; at++) below(2); /* seeds that are near each other begin alike */
  checks_failed = 0;
  all->survives[place] = true;
  bool is_killed = below(2);
  if (below(8) == 0) meddle(&game, false);
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = daemon_.path, .cache = daemon_.cache,
                              .flags = below(4) ? 0 : GAMECONF_NO_ANSWERS};
  if (is_killed) killed_at_random(true);
  CHECK(gameconf_open(&game.gc, &options) == 0);
  read_changes(&game);
  while (goes_on(&game)) {
    if (below(1500)) continue;
    killed_at_random(false);
    meddle(&game, true);
    if (is_killed) killed_at_random(true);
  }
  if (is_killed && below(2)) raise(SIGKILL);
  killed_at_random(false);
  if (below(4)) gameconf_close(game.gc);
  _exit(checks_failed != 0);
}

static void begin(const char *name, int damage) {
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) exit(2);
  all->next = 1;
  all->damage = damage;
  fake fake;
  fake_begin(&fake, "random.sock");
  memset(&daemon_, 0, sizeof daemon_);
  daemon_.listener = fake.listener;
  strcpy(daemon_.path, fake.path);
  daemon_.clients = calloc(CLIENTS, sizeof *daemon_.clients);
  for (int at = 0; at < LINKS; at++) daemon_.links[at] = -1;
  path_in_folder(daemon_.cache, name);
}

/* True if another process has handed over a newer state. It may have taken over the queue of the ended process, and replaced the state that waited there. */
static bool is_replaced_by_other(uint32_t number) {
  if (!all->stated_by[number]) return false;
  for (uint32_t later = number + 1; later < all->next && later < WRITES_MAX; later++)
    if (all->stated_by[later] && all->stated_by[later] != all->stated_by[number]) return true;
  return false;
}

/* Everybody's games, some at once, until so many calls were made; then one alone, whose daemon takes everything. */
static void calls_at_random(const char *name, int damage) {
  const char *count_text = getenv("RANDOM_CALLS"), *seed_text = getenv("RANDOM_SEED");
  int64_t count = count_text ? atoll(count_text) / 3 : 7000, games = 0, kills = 0, volatile_ends = 0;
  uint64_t seed = seed_text ? (uint64_t)atoll(seed_text) : 42;
  printf("seed %llu, ", (unsigned long long)seed);
  pid_t running[GAMES] = {0};
  begin(name, damage);
  for (bool is_over = false; !is_over;) {
    is_over = all->calls >= count || checks_failed;
    for (uint32_t place = 0; place < GAMES; place++) {
      int end = 0;
      if (running[place] && waitpid(running[place], &end, WNOHANG) == running[place]) {
        CHECK(end == 0 || (WIFSIGNALED(end) && (WTERMSIG(end) == SIGPROF || WTERMSIG(end) == SIGKILL)));
        kills += WIFSIGNALED(end);
        running[place] = 0;
        /* It was told that what it has does not survive it, and did not close. */
        if (!all->survives[place]) mark_lost(), volatile_ends++;
      }
      if (running[place] == 0 && !is_over && (place == 0 || below(3000) == 0)) {
        state = seed + (uint64_t)++games * 7919;
        running[place] = fork();
        if (running[place] == 0) play(place, state);
      }
      is_over &= running[place] == 0;
    }
    serve_all();
  }
  uint32_t accepted = 0, applied = 0, refused = 0, missing = 0, twice = 0, replaced = 0, maybe = 0;
  pid_t last = fork();
  if (last == 0) {
    game game = {0};
    gameconf_options options = {.size = sizeof options, .game = "dots", .player = "p1", .socket = daemon_.path, .cache = daemon_.cache};
    gameconf_status_t status = {.size = sizeof status};
    gameconf_answer got;
    /* What did not fit into one queue waits for the next. */
    for (int runs = 0; runs < 12; runs++) {
      CHECK(gameconf_open(&game.gc, &options) == 0);
      for (gameconf_status(game.gc, &status); status.queued > 0; gameconf_status(game.gc, &status)) {
        gameconf_update(game.gc);
        while (gameconf_next_answer(game.gc, &got)) {}
        read_changes(&game);
        skip_time(500);
        usleep(100);
      }
      read_changes(&game);
      gameconf_close(game.gc);
    }
    _exit(checks_failed != 0);
  }
  int end = 0;
  while (waitpid(last, &end, WNOHANG) == 0) serve_all();
  CHECK(end == 0);
  for (uint32_t number = 1; number < all->next && number < WRITES_MAX; number++) {
    uint8_t is = all->writes[number];
    bool is_missing = (is & (ACCEPTED | APPLIED | REFUSED | REPLACED)) == ACCEPTED && !is_replaced_by_other(number);
    accepted += (is & ACCEPTED) != 0, applied += (is & APPLIED) != 0, refused += (is & REFUSED) != 0, twice += (is & TWICE) != 0;
    replaced += (is & (REPLACED | ACCEPTED | APPLIED | REFUSED)) == (REPLACED | ACCEPTED);
    maybe += is_missing && (is & MAYBE_LOST);
    missing += is_missing && !(is & MAYBE_LOST);
  }
  int statuses = 0;
  for (int status = 100; status < 600; status++) statuses += daemon_.statuses[status] > 0;
  printf("%s: %lld calls of %lld games (%lld killed, %lld forked), %d statuses: %u writes accepted, %u done, %u refused, %u replaced, "
         "%u lost of unknown number (%lld times) or with a process in memory only (%lld times), %u missing of %lld told by number, %u twice\n",
         name, (long long)all->calls, (long long)games, (long long)kills, (long long)all->forks, statuses, accepted, applied, refused, replaced, maybe,
         (long long)all->lost_unknown, (long long)volatile_ends,          missing, (long long)all->lost, twice);
  CHECK(accepted > 0 && twice == 0 && (int64_t)missing <= all->lost && (damage == UNCOUNTED || all->lost_unknown == 0));
  CHECK(damage != CLEAN || (missing == 0 && all->lost == 0));
  close(daemon_.listener);
  free(daemon_.clients);
  for (int at = 0; at < LINKS; at++)
    if (daemon_.links[at] >= 0) close(daemon_.links[at]);
  munmap(all, sizeof *all);
}

static void clean(void) { calls_at_random("clean", CLEAN); }
static void counted(void) { calls_at_random("counted", COUNTED); }
static void uncounted(void) { calls_at_random("uncounted", UNCOUNTED); }

void random_tests(void) {
  TEST("what a game hands over at random is answered once or still there", clean);
  TEST("the same where its files are damaged, or told as lost", counted);
  TEST("the same where files are cut, moved and damaged at their head", uncounted);
}
