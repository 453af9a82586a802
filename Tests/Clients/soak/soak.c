/* The judge of the soak: looks at every frame of a game from inside, by clocks that know what the game's thread was doing. */
#define _GNU_SOURCE 1
#include "soak.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The board, as conduct.py has it: words of 64 bits. */
enum { PLAYING = 0, QUIET = 1, OVER = 2, PRESSING = 3, EVENT_FRAMES = 10, WARM_FRAMES = 10, SLOW_NS = 5000000, EPOCHS = 64, WHY = 256 };
typedef struct handle {
  int64_t state, revision, beat, beat_at, load, load_at, epochs;
} handle;
typedef struct game {
  int64_t frames, events, scores, answers, refused, queued;
  int64_t lost, back, blocked, longest_ns, longest_asleep_ns;
  handle handles[2];
  char why[WHY];
} game;
typedef struct board {
  volatile int64_t command;
  game games[];
} board;

static board *all;
static game *mine;
static char epochs[2][EPOCHS][24];
static struct {
  int64_t due, wall, processor, waiting, sleeps;
} frame;
static int file;

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How long this thread has waited for a processor that others had. */
static int64_t waited_ns(void) {
  char text[100];
  if (file < 0) return 0;
  ssize_t count = pread(file, text, sizeof text - 1, 0);
  text[count > 0 ? count : 0] = 0;
  char *space = strchr(text, ' ');
  return space ? strtoll(space, NULL, 10) : 0;
}

static int64_t sleeps(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

static void fault(int64_t *count, const char *says) {
  if ((*count)++ == 0 && !mine->why[0]) snprintf(mine->why, sizeof mine->why, "frame %lld: %.220s", (long long)mine->frames, says);
}

bool soak_open(const char *path, int place) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  off_t size = lseek(fd, 0, SEEK_END);
  all = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (all == MAP_FAILED || (off_t)(sizeof *all + (size_t)(place + 1) * sizeof *mine) > size) return false;
  mine = &all->games[place];
  file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  return true;
}

bool soak_begin(void) {
  int64_t now = clock_ns(CLOCK_MONOTONIC), sixtieth = 16666667;
  frame.due = frame.due + sixtieth > now ? frame.due + sixtieth : now + sixtieth;
  struct timespec due = {frame.due / 1000000000, frame.due % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  if (all->command == OVER) return false;
  frame.waiting = waited_ns();
  frame.sleeps = sleeps();
  frame.processor = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  frame.wall = clock_ns(CLOCK_MONOTONIC);
  return true;
}

void soak_end(void) {
  int64_t wall = clock_ns(CLOCK_MONOTONIC) - frame.wall, processor = clock_ns(CLOCK_THREAD_CPUTIME_ID) - frame.processor;
  bool slept = sleeps() > frame.sleeps;
  /* Whoever neither runs nor waits for a processor waits for something else: just that a frame must not do. In its first ones a program is
   * still being read from the disk, as far as it goes. */
  int64_t asleep = slept ? wall - processor - (waited_ns() - frame.waiting) : 0;
  if (mine->frames >= WARM_FRAMES && wall > mine->longest_ns) mine->longest_ns = wall;
  bool is_warm = mine->frames >= WARM_FRAMES;
  if (is_warm && asleep > mine->longest_asleep_ns) mine->longest_asleep_ns = asleep;
  if (is_warm && asleep > SLOW_NS) {
    char says[100];
    snprintf(says, sizeof says, "asleep for %.1f ms of %.1f", (double)asleep / 1e6, (double)wall / 1e6);
    fault(&mine->blocked, says);
  }
  mine->frames++;
}

static void watch_epoch(int number, const char *epoch, bool *is_new) {
  handle *handle = &mine->handles[number];
  char (*known)[24] = epochs[number];
  *is_new = handle->epochs == 0 || strcmp(known[handle->epochs - 1], epoch) != 0;
  if (!*is_new) return;
  for (int at = 0; at < handle->epochs; at++)
    if (strcmp(known[at], epoch) == 0) fault(&mine->back, "an epoch that was over came back");
  if (handle->epochs < EPOCHS) snprintf(known[handle->epochs++], sizeof *known, "%s", epoch);
}

void soak_seen(int number, int state, const char *epoch, int64_t revision, int64_t queued, int64_t beat, double still, const char *label) {
  handle *handle = &mine->handles[number];
  int64_t now = clock_ns(CLOCK_MONOTONIC), load = label && strncmp(label, "loaded-", 7) == 0 ? atoll(label + 7) : -1;
  char says[WHY];
  if (number == 0) mine->queued = queued;
  if (handle->state == 0 && state == 0) return; /* it has just begun, and nothing was ever known */
  bool is_new;
  watch_epoch(number, epoch, &is_new);
  snprintf(says, sizeof says, "handle %d in state %d: revision %lld, beat %lld, still %g, label %s, after revision %lld, beat %lld, loaded-%lld", number,
           state, (long long)revision, (long long)beat, still, label ? label : "none", (long long)handle->revision, (long long)handle->beat,
           (long long)handle->load);
  if (state == 0 || beat < 0 || still != 2.5 || load < 0) fault(&mine->lost, says);
  else if (!is_new && (revision < handle->revision || beat < handle->beat || load < handle->load)) fault(&mine->back, says);
  if (beat != handle->beat || handle->beat_at == 0) handle->beat_at = now;
  if (load != handle->load || handle->load_at == 0) handle->load_at = now;
  handle->beat = beat;
  handle->load = load;
  handle->revision = revision;
  handle->state = state;
}

int64_t soak_due(void) {
  int64_t command = all->command;
  bool is_due = command == PRESSING || (command == PLAYING && mine->frames % EVENT_FRAMES == 0);
  return is_due ? mine->events % 97 + 1 : 0;
}

void soak_recorded(int64_t number, int64_t score) {
  if (number <= 0) {
    fault(&mine->refused, "the library refused an event");
    return;
  }
  mine->events++;
  mine->scores += score;
}

void soak_answer(int64_t number, int status, const char *body) {
  mine->answers++;
  if (status == 200) return;
  char says[WHY];
  snprintf(says, sizeof says, "event %lld was answered %d %.150s", (long long)number, status, body ? body : "");
  fault(&mine->refused, says);
}
