/* From an override to a reader of mapped images that waits for it, through a running daemon: beside a bare futex between the same two
 * threads, and to the next frame of a game of 60 frames a second.
 *
 *   woken ADMIN-SOCKET IMAGES-FOLDER GAME KEY
 *
 * The key is a double that may be 2.1, 2.2 and 2.3. */
#include "../../../Sources/CGameConf/internal.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 400, FRAME_ROUNDS = 60, FRAME_NS = 16666667 };

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double at(double *figures, int count, double share) {
  qsort(figures, (size_t)count, sizeof *figures, by_size);
  return figures[(int)((count - 1) * share)];
}

static _Atomic uint32_t word;
static _Atomic double woken_at;

static void *wait_bare(void *context) {
  (void)context;
  for (uint32_t known = 0; known < ROUNDS; known++) {
    while (word == known) syscall(SYS_futex, &word, FUTEX_WAIT, known, NULL, NULL, 0);
    woken_at = now_us();
  }
  return NULL;
}

static gameconf *game;
static const char *key;
static _Atomic int64_t seen;

static int64_t tenths(void) { return (int64_t)(gameconf_double(game, key, 0) * 10 + 0.5); }
/* Another value than the one before, that a key of seconds admits. */
static int64_t value_of(int round) { return 21 + round % 3; }

static void *wait_mapped(void *context) {
  (void)context;
  int64_t last = tenths();
  for (int changes = 0; changes < ROUNDS;) {
    gameconf_wait(game, 10000);
    gameconf_change change;
    while (gameconf_next_change(game, &change)) {}
    int64_t value = tenths();
    if (value == last) continue;
    woken_at = now_us();
    seen = last = value;
    changes++;
  }
  return NULL;
}

/* Sends an override and reads its answer. */
static bool put(int fd, const char *name, const char *in_game, int64_t tenths) {
  char request[1024], body[128], answer[4096];
  int length = snprintf(body, sizeof body, "{\"value\":%lld.%lld,\"reason\":\"measured\"}", (long long)tenths / 10, (long long)tenths % 10);
  int total = snprintf(request, sizeof request,
                       "PUT /v1/games/%s/overrides/%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", in_game,
                       name, length, body);
  if (write(fd, request, (size_t)total) != total) return false;
  ssize_t count = read(fd, answer, sizeof answer - 1);
  if (count <= 0) return false;
  answer[count] = 0;
  if (strncmp(answer, "HTTP/1.1 20", 11) == 0) return true;
  fprintf(stderr, "%s\n", answer);
  return false;
}

static void pause_us(long us) {
  struct timespec time = {us / 1000000, us % 1000000 * 1000};
  nanosleep(&time, NULL);
}

int main(int count, char **names) {
  if (count != 5) return 2;
  key = names[4];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", names[1]);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return 1;
  static double woken[ROUNDS], answered[ROUNDS], after[ROUNDS], bare[ROUNDS], frames[FRAME_ROUNDS];
  pthread_t reader;

  if (pthread_create(&reader, NULL, wait_bare, NULL) != 0) return 1;
  for (int round = 0; round < ROUNDS; round++) {
    pause_us(2000);
    woken_at = 0;
    double start = now_us();
    word++;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    while (woken_at == 0) pause_us(50);
    bare[round] = woken_at - start;
  }
  pthread_join(reader, NULL);

  gameconf_options options = {.size = sizeof options, .game = names[3], .socket = "/nowhere", .images = names[2]};
  if (gameconf_open(&game, &options) != 0 || !game->map.serves) return 1;
  if (pthread_create(&reader, NULL, wait_mapped, NULL) != 0) return 1;
  for (int round = 0; round < ROUNDS; round++) {
    pause_us(20000);
    double start = now_us();
    if (!put(fd, key, names[3], value_of(round))) return 1;
    double answer = now_us();
    while (seen != value_of(round)) pause_us(50);
    woken[round] = woken_at - start;
    answered[round] = answer - start;
    after[round] = woken_at - answer;
  }
  pthread_join(reader, NULL);

  /* A frame loop: how many frames after the answer the value is there. */
  for (int round = 0; round < FRAME_ROUNDS; round++) {
    int64_t wanted = value_of(ROUNDS + round);
    if (!put(fd, key, names[3], wanted)) return 1;
    double start = now_us();
    int frame = 0;
    do {
      pause_us(FRAME_NS / 1000);
      frame++;
      gameconf_update(game);
    } while (tenths() != wanted && now_us() - start < 1e6);
    frames[round] = frame;
  }
  double late50 = at(after, ROUNDS, 0.5), late99 = at(after, ROUNDS, 0.99);
  printf("%-44s %8.1f us p50 %8.1f us p99\n", "a bare futex, another thread woken", at(bare, ROUNDS, 0.5), at(bare, ROUNDS, 0.99));
  printf("%-44s %8.1f us p50 %8.1f us p99\n", "override asked -> answered (durable)", at(answered, ROUNDS, 0.5), at(answered, ROUNDS, 0.99));
  printf("%-44s %8.1f us p50 %8.1f us p99\n", "override asked -> a woken mapped reader", at(woken, ROUNDS, 0.5), at(woken, ROUNDS, 0.99));
  printf("%-44s %8.1f us p50 %8.1f us p99  budget 300 us p50, 5000 us p99: %s\n", "override answered -> a woken mapped reader", late50, late99,
         late50 <= 300 && late99 <= 5000 ? "met" : "MISSED");
  printf("%-44s %8.0f frames p50 %5.0f frames p99  budget the next frame: %s\n", "override answered -> the value at 60 Hz", at(frames, FRAME_ROUNDS, 0.5),
         at(frames, FRAME_ROUNDS, 0.99), at(frames, FRAME_ROUNDS, 0.99) <= 1 ? "met" : "MISSED");
  gameconf_close(game);
  return 0;
}
