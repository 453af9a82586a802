// Load on a thread of its own, so that two kinds of it can run at once.
#include "load.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct load_thread {
  pthread_t thread;
  struct load_plan plan;
  struct load_result result;
  int status;
  char fault[128];
};

static void *follow(void *argument) {
  struct load_thread *thread = argument;
  thread->status = load_run(&thread->plan, &thread->result, thread->fault);
  return NULL;
}

static void *copy_of(const void *bytes, size_t count) {
  void *copy = malloc(count);
  return copy ? memcpy(copy, bytes, count) : NULL;
}

static int end_thread(struct load_thread *thread) {
  int status = thread->status;
  free((void *)thread->plan.path);
  free((void *)thread->plan.requests);
  free((void *)thread->plan.request_bytes);
  free(thread);
  return status;
}

struct load_thread *load_begin(const struct load_plan *plan) {
  struct load_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  size_t bytes = 0;
  for (int index = 0; index < plan->request_count; index++) bytes += plan->request_bytes[index];
  thread->plan = *plan;
  thread->plan.path = copy_of(plan->path, strlen(plan->path) + 1);
  thread->plan.requests = copy_of(plan->requests, bytes);
  thread->plan.request_bytes = copy_of(plan->request_bytes, (size_t)plan->request_count * sizeof *plan->request_bytes);
  int problem = ENOMEM;
  if (!thread->plan.path || !thread->plan.requests || !thread->plan.request_bytes ||
      (problem = pthread_create(&thread->thread, NULL, follow, thread)) != 0) {
    end_thread(thread);
    errno = problem;
    return NULL;
  }
  return thread;
}

int load_finish(struct load_thread *thread, struct load_result *result, char fault[128]) {
  pthread_join(thread->thread, NULL);
  *result = thread->result;
  memcpy(fault, thread->fault, sizeof thread->fault);
  return end_thread(thread);
}
