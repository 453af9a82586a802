// libpq alone: the rows of events in transactions of a given size, prepared and sent in one turn of the line, with nothing decided. Also connections
// that only listen for changes, and the time until a second host serves an override.
#define _GNU_SOURCE
#include "exchange.h"
#include "load.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// The library is found when it is wanted, as by the daemon: whoever builds the benchmarks needs no headers of it.
enum { CONNECTION_OK = 0, COMMAND_OK = 1, TUPLES_OK = 2, PIPELINE_SYNC = 10 };

static struct {
  void *(*connect)(const char *);
  int (*status)(const void *);
  char *(*fault)(const void *);
  void (*finish)(void *);
  void *(*execute)(void *, const char *);
  void *(*prepare)(void *, const char *, const char *, int, const unsigned *);
  int (*begin_pipeline)(void *);
  int (*send)(void *, const char *, int, const char *const *, const int *, const int *, int);
  int (*sync)(void *);
  void *(*next)(void *);
  int (*status_of)(const void *);
  void (*clear)(void *);
  char *(*value)(const void *, int, int);
  int (*length)(const void *, int, int);
  int (*rows)(const void *);
  int (*socket)(const void *);
  int (*consume)(void *);
  void *(*notification)(void *);
  void (*free)(void *);
} pq;

static int load_library(char fault[128]) {
  if (pq.connect) return 0;
  void *library = dlopen("libpq.so.5", RTLD_NOW);
  if (!library) {
    snprintf(fault, 128, "%s", dlerror());
    return -1;
  }
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"PQstatus", &pq.status},         {"PQerrorMessage", &pq.fault},          {"PQfinish", &pq.finish},
      {"PQexec", &pq.execute},          {"PQprepare", &pq.prepare},             {"PQenterPipelineMode", &pq.begin_pipeline},
      {"PQsendQueryPrepared", &pq.send}, {"PQpipelineSync", &pq.sync},           {"PQgetResult", &pq.next},
      {"PQresultStatus", &pq.status_of}, {"PQclear", &pq.clear},                 {"PQgetvalue", &pq.value},
      {"PQgetlength", &pq.length},       {"PQntuples", &pq.rows},                {"PQsocket", &pq.socket},
      {"PQconsumeInput", &pq.consume},   {"PQnotifies", &pq.notification},       {"PQfreemem", &pq.free},
      {"PQconnectdb", &pq.connect},
  };
  for (size_t each = 0; each < sizeof functions / sizeof *functions; each++) {
    void *found = dlsym(library, functions[each].name);
    if (!found) {
      snprintf(fault, 128, "libpq has no %s", functions[each].name);
      pq.connect = NULL;
      return -1;
    }
    memcpy(functions[each].place, &found, sizeof found);
  }
  return 0;
}

static int fail(void *connection, char fault[128]) {
  const char *reason = connection ? pq.fault(connection) : "no memory", *fatal = strstr(reason, "FATAL:");
  // The path of the socket comes first, and would leave no place for the reason.
  if (fatal) reason = fatal;
  snprintf(fault, 128, "PostgreSQL: %.*s", (int)strcspn(reason, "\n"), reason);
  if (connection) pq.finish(connection);
  return -1;
}

static void *opened(const char *address, char fault[128]) {
  if (load_library(fault) != 0) return NULL;
  void *connection = pq.connect(address);
  if (connection && pq.status(connection) == CONNECTION_OK) return connection;
  fail(connection, fault);
  return NULL;
}

int fleet_run(const char *address, const char *statements, char fault[128]) {
  void *connection = opened(address, fault);
  if (!connection) return -1;
  void *answer = pq.execute(connection, statements);
  int status = pq.status_of(answer);
  pq.clear(answer);
  if (status != COMMAND_OK && status != TUPLES_OK) return fail(connection, fault);
  pq.finish(connection);
  return 0;
}

struct texts {
  char state[16384], line[4096], answer[4096], requests[8192];
};

static int read_texts(void *connection, const char *schema, struct texts *texts) {
  char query[512];
  snprintf(query, sizeof query,
           "SELECT state, line, answer, requests FROM \"%s\".players JOIN \"%s\".player_lines ON player_lines.number = head"
           " WHERE players.player = 'p0000000'",
           schema, schema);
  void *answer = pq.execute(connection, query);
  int status = -1;
  if (pq.status_of(answer) == TUPLES_OK && pq.rows(answer) == 1) {
    char *const into[] = {texts->state, texts->line, texts->answer, texts->requests};
    const size_t capacities[] = {sizeof texts->state, sizeof texts->line, sizeof texts->answer, sizeof texts->requests};
    status = 0;
    for (int each = 0; each < 4; each++)
      if (snprintf(into[each], capacities[each], "%s", pq.value(answer, 0, each)) >= (int)capacities[each]) status = -1;
  }
  pq.clear(answer);
  return status;
}

enum { BEGIN, WRITER, PLAYER, LINE, COMMIT, COUNT };

static int prepare(void *connection, const char *schema) {
  char queries[COUNT][512];
  snprintf(queries[BEGIN], sizeof *queries, "BEGIN");
  snprintf(queries[WRITER], sizeof *queries, "UPDATE \"%s\".writers SET batch = batch + 1", schema);
  snprintf(queries[PLAYER], sizeof *queries,
           "UPDATE \"%s\".players SET revision = revision + 1, head = $1, state = $2, requests = $3 WHERE number = $4", schema);
  snprintf(queries[LINE], sizeof *queries,
           "INSERT INTO \"%s\".player_lines (number, player, prior, entry, at_ms, line, answer) VALUES ($1, $2, $3, $4, $5, $6, $7)", schema);
  snprintf(queries[COMMIT], sizeof *queries, "COMMIT");
  for (int each = 0; each < COUNT; each++) {
    char name[8];
    snprintf(name, sizeof name, "s%d", each);
    void *answer = pq.prepare(connection, name, queries[each], 0, NULL);
    int status = pq.status_of(answer);
    pq.clear(answer);
    if (status != COMMAND_OK) return -1;
  }
  return 0;
}

static int send_prepared(void *connection, int statement, int count, const char *const *values) {
  char name[8];
  snprintf(name, sizeof name, "s%d", statement);
  return pq.send(connection, name, count, values, NULL, NULL, 1) == 1 ? 0 : -1;
}

// Takes the answers to so many statements and to what ends them.
static int take(void *connection, int statements) {
  int status = 0;
  for (int each = 0; each <= statements; each++) {
    void *answer = pq.next(connection);
    int code = answer ? pq.status_of(answer) : -1;
    if (code != (each < statements ? COMMAND_OK : PIPELINE_SYNC)) status = -1;
    if (answer) pq.clear(answer);
    // Behind each statement's answer comes an empty one.
    if (each < statements && (answer = pq.next(connection))) {
      pq.clear(answer);
      status = -1;
    }
  }
  return status;
}

int fleet_write(const char *address, const char *schema, uint64_t players, int batch, double warm_up_seconds, double seconds,
                struct load_result *result, char fault[128]) {
  static struct texts texts;
  static uint64_t line = (uint64_t)1 << 50;
  void *connection = opened(address, fault);
  if (!connection) return -1;
  memset(result, 0, sizeof *result);
  if (read_texts(connection, schema, &texts) != 0 || prepare(connection, schema) != 0 || pq.begin_pipeline(connection) != 1)
    return fail(connection, fault);
  uint64_t random = load_now_ns() | 1, began = load_now_ns(), counts_from = began + (uint64_t)(warm_up_seconds * 1e9);
  uint64_t until = counts_from + (uint64_t)(seconds * 1e9), now = began;
  while (now < until) {
    int isSent = send_prepared(connection, BEGIN, 0, NULL) == 0 && send_prepared(connection, WRITER, 0, NULL) == 0;
    for (int each_event = 0; each_event < batch; each_event++) {
      char number[24], player[24], prior[24], entry[24];
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      // The first is the one that the others were made like.
      snprintf(player, sizeof player, "%" PRIu64, 1001 + (random >> 8) % (players - 1));
      snprintf(number, sizeof number, "%" PRIu64, ++line);
      snprintf(prior, sizeof prior, "%" PRIu64, line - 1);
      snprintf(entry, sizeof entry, "%" PRIu64, line & 0xffff);
      const char *const changed[] = {number, texts.state, texts.requests, player};
      const char *const added[] = {number, player, prior, entry, "1700000000000", texts.line, texts.answer};
      isSent = isSent && send_prepared(connection, PLAYER, 4, changed) == 0 && send_prepared(connection, LINE, 7, added) == 0;
    }
    isSent = isSent && send_prepared(connection, COMMIT, 0, NULL) == 0 && pq.sync(connection) == 1;
    if (!isSent || take(connection, 3 + 2 * batch) != 0) return fail(connection, fault);
    now = load_now_ns();
    if (now >= counts_from) result->answers += (uint64_t)batch;
  }
  result->seconds = (double)(now - counts_from) / 1e9;
  pq.finish(connection);
  return 0;
}

struct fleet_listeners {
  void **connections;
  int count, poll, end, cpu;
  pthread_t thread;
  int has_thread;
  _Atomic int64_t notifications;
  _Atomic int has_lost_one;
};

static void *receive(void *argument) {
  struct fleet_listeners *listeners = argument;
  struct epoll_event ready[64];
  load_pin(listeners->cpu);
  for (;;) {
    int count = epoll_wait(listeners->poll, ready, 64, -1);
    for (int at = 0; at < count; at++) {
      void *connection = ready[at].data.ptr, *notification;
      // The descriptor that ends the thread belongs to no connection.
      if (!connection) return NULL;
      if (pq.consume(connection) != 1) {
        epoll_ctl(listeners->poll, EPOLL_CTL_DEL, pq.socket(connection), NULL);
        atomic_store(&listeners->has_lost_one, 1);
        continue;
      }
      while ((notification = pq.notification(connection))) {
        pq.free(notification);
        atomic_fetch_add(&listeners->notifications, 1);
      }
    }
  }
}

static int listen_once_more(struct fleet_listeners *listeners, const char *address, char fault[128]) {
  void *connection = opened(address, fault);
  if (!connection) return -1;
  void *answer = pq.execute(connection, "LISTEN gameconf_changes");
  int status = pq.status_of(answer);
  pq.clear(answer);
  if (status != COMMAND_OK) return fail(connection, fault);
  listeners->connections[listeners->count++] = connection;
  struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(listeners->poll, EPOLL_CTL_ADD, pq.socket(connection), &wanted) == 0) return 0;
  snprintf(fault, 128, "epoll: %s", strerror(errno));
  return -1;
}

struct fleet_listeners *fleet_listen(const char *address, int count, int cpu, char fault[128]) {
  struct fleet_listeners *listeners = calloc(1, sizeof *listeners);
  if (!listeners) return NULL;
  listeners->connections = calloc((size_t)count, sizeof *listeners->connections);
  listeners->poll = epoll_create1(EPOLL_CLOEXEC);
  listeners->end = eventfd(0, EFD_CLOEXEC);
  listeners->cpu = cpu;
  struct epoll_event ending = {.events = EPOLLIN};
  snprintf(fault, 128, "no listening connections: %s", strerror(errno));
  int status = listeners->connections ? epoll_ctl(listeners->poll, EPOLL_CTL_ADD, listeners->end, &ending) : -1;
  while (status == 0 && listeners->count < count) status = listen_once_more(listeners, address, fault);
  if (status == 0) status = pthread_create(&listeners->thread, NULL, receive, listeners);
  listeners->has_thread = status == 0;
  if (listeners->has_thread) return listeners;
  fleet_close(listeners);
  return NULL;
}

int64_t fleet_notifications(struct fleet_listeners *listeners) {
  return atomic_load(&listeners->has_lost_one) ? -1 : atomic_load(&listeners->notifications);
}

void fleet_close(struct fleet_listeners *listeners) {
  if (listeners->has_thread && eventfd_write(listeners->end, 1) == 0) pthread_join(listeners->thread, NULL);
  for (int each = 0; each < listeners->count; each++) pq.finish(listeners->connections[each]);
  close(listeners->poll);
  close(listeners->end);
  free(listeners->connections);
  free(listeners);
}

// One exchange on an open connection, whose answer must be 2xx; 0, or -1 with the reason in `fault`.
static int exchange_on(int descriptor, const char *request, char *answer, size_t answer_bytes_max, char fault[128]) {
  size_t count = 0, whole = 0;
  if (load_write_all(descriptor, request, strlen(request)) != 0) {
    snprintf(fault, 128, "send: %s", strerror(errno));
    return -1;
  }
  while (whole == 0 || count < whole) {
    ssize_t got = count < answer_bytes_max - 1 ? recv(descriptor, answer + count, answer_bytes_max - 1 - count, 0) : 0;
    if (got <= 0) {
      snprintf(fault, 128, "the answer ended after %zu bytes", count);
      return -1;
    }
    count += (size_t)got;
    answer[count] = 0;
    if (whole == 0) whole = load_whole_length(answer, count);
  }
  if (strncmp(answer, "HTTP/1.1 2", 10) == 0) return 0;
  snprintf(fault, 128, "%.*s", (int)strcspn(answer, "\r"), answer);
  return -1;
}

int fleet_serve_time(const char *admin, const char *put, const char *games, const char *get, const char *value, uint64_t *nanoseconds,
                     char fault[128]) {
  static const uint64_t patience_ns = 10000000000u;
  static const useconds_t pause_us = 100;
  char answer[8192];
  int status = -1, writer = load_open_connection(admin), reader = load_open_connection(games);
  if (writer < 0 || reader < 0) {
    snprintf(fault, 128, "connect: %s", strerror(errno));
  } else if (exchange_on(writer, put, answer, sizeof answer, fault) == 0) {
    uint64_t answered = load_now_ns();
    while ((status = exchange_on(reader, get, answer, sizeof answer, fault)) == 0 && !strstr(answer, value)) {
      if (load_now_ns() - answered > patience_ns) {
        snprintf(fault, 128, "the other host does not serve %s within ten seconds", value);
        status = -1;
        break;
      }
      usleep(pause_us);
    }
    *nanoseconds = load_now_ns() - answered;
  }
  if (writer >= 0) close(writer);
  if (reader >= 0) close(reader);
  return status;
}
