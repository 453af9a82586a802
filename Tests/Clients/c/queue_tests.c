/* The queue: what survives, what is refused, and who it belongs to. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char cache[512];

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
    ((uint8_t *)queue.head)[at < 200 ? at : at < 4096 ? at % 200 : at] ^= (uint8_t)(1 << round % 8);
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
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) == 0 && lost == 1 && queue.survives && queue.count == 0);
  gcf_queue_close(&queue);
  unlink(path);
  mkdir(path, 0700);
  CHECK(gcf_queue_open(&queue, folder, "dots", &lost) < 0 && queue.head && !queue.survives && add(&queue, "x") == 1);
  gcf_queue_close(&queue);
  rmdir(path);
  CHECK(gcf_queue_open(&queue, "/nowhere/at/all", "dots", &lost) < 0 && add(&queue, "x") == 1);
  gcf_queue_close(&queue);
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
  TEST("what was queued survives the game's crash", survives_crash);
  TEST("a full queue refuses, and its ring goes round", bounds);
  TEST("two processes of one folder have a queue each", one_file_each);
  TEST("a copied queue has a client id of its own, and what waits in it keeps the old one", copied);
  TEST("a damaged queue is no trouble", damaged);
  TEST("a new client id numbers from 1", renumbered);
}
