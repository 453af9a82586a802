// libpq alone: the rows of events in transactions of a given size, prepared and sent in one turn of the line, with nothing decided.
#include "load.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
      {"PQgetlength", &pq.length},       {"PQntuples", &pq.rows},                {"PQconnectdb", &pq.connect},
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
  snprintf(fault, 128, "PostgreSQL: %s", connection ? pq.fault(connection) : "no memory");
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

static int send(void *connection, int statement, int count, const char *const *values) {
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
    int isSent = send(connection, BEGIN, 0, NULL) == 0 && send(connection, WRITER, 0, NULL) == 0;
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
      isSent = isSent && send(connection, PLAYER, 4, changed) == 0 && send(connection, LINE, 7, added) == 0;
    }
    isSent = isSent && send(connection, COMMIT, 0, NULL) == 0 && pq.sync(connection) == 1;
    if (!isSent || take(connection, 3 + 2 * batch) != 0) return fail(connection, fault);
    now = load_now_ns();
    if (now >= counts_from) result->answers += (uint64_t)batch;
  }
  result->seconds = (double)(now - counts_from) / 1e9;
  pq.finish(connection);
  return 0;
}
