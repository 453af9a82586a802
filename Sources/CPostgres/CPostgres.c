// Finds libpq's functions in the library when it is wanted, and calls them.
#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char fault[512];

// Each function three times: where it is kept, how it is called, how it is found. V is for those that answer nothing.
#define FUNCTIONS(X, V)                                                                                                             \
  X(int, PQlibVersion, (void), ())                                                                                                  \
  X(void *, PQconninfoParse, (const char *s, char **w), (s, w))                                                                     \
  V(PQconninfoFree, (void *o), (o))                                                                                                 \
  X(PGconn *, PQconnectdbParams, (const char *const *k, const char *const *v, int e), (k, v, e))                                    \
  X(int, PQstatus, (const PGconn *c), (c))                                                                                          \
  X(char *, PQerrorMessage, (const PGconn *c), (c))                                                                                 \
  X(void *, PQsetNoticeProcessor, (PGconn * c, void (*p)(void *, const char *), void *a), (c, p, a))                                \
  V(PQfinish, (PGconn * c), (c))                                                                                                    \
  X(int, PQsocket, (const PGconn *c), (c))                                                                                          \
  X(int, PQserverVersion, (const PGconn *c), (c))                                                                                   \
  X(const char *, PQparameterStatus, (const PGconn *c, const char *n), (c, n))                                                      \
  X(int, PQsetnonblocking, (PGconn * c, int n), (c, n))                                                                             \
  X(int, PQenterPipelineMode, (PGconn * c), (c))                                                                                    \
  X(int, PQpipelineSync, (PGconn * c), (c))                                                                                         \
  X(int, PQsendPrepare, (PGconn * c, const char *n, const char *q, int k, const unsigned int *t), (c, n, q, k, t))                  \
  X(int, PQsendQueryPrepared,                                                                                                       \
    (PGconn * c, const char *n, int k, const char *const *v, const int *l, const int *f, int r), (c, n, k, v, l, f, r))             \
  X(int, PQsendQueryParams,                                                                                                         \
    (PGconn * c, const char *q, int k, const unsigned int *t, const char *const *v, const int *l, const int *f, int r),             \
    (c, q, k, t, v, l, f, r))                                                                                                       \
  X(int, PQflush, (PGconn * c), (c))                                                                                                \
  X(int, PQconsumeInput, (PGconn * c), (c))                                                                                         \
  X(int, PQisBusy, (PGconn * c), (c))                                                                                               \
  X(PGresult *, PQgetResult, (PGconn * c), (c))                                                                                     \
  X(CPostgresNotify *, PQnotifies, (PGconn * c), (c))                                                                               \
  V(PQfreemem, (void *m), (m))                                                                                                      \
  X(int, PQresultStatus, (const PGresult *r), (r))                                                                                  \
  X(char *, PQresultErrorField, (const PGresult *r, int f), (r, f))                                                                 \
  X(char *, PQresultErrorMessage, (const PGresult *r), (r))                                                                         \
  V(PQclear, (PGresult * r), (r))                                                                                                   \
  X(int, PQntuples, (const PGresult *r), (r))                                                                                       \
  X(int, PQnfields, (const PGresult *r), (r))                                                                                       \
  X(char *, PQfname, (const PGresult *r, int c), (r, c))                                                                            \
  X(unsigned int, PQftype, (const PGresult *r, int c), (r, c))                                                                      \
  X(char *, PQgetvalue, (const PGresult *r, int n, int c), (r, n, c))                                                               \
  X(int, PQgetlength, (const PGresult *r, int n, int c), (r, n, c))                                                                 \
  X(int, PQgetisnull, (const PGresult *r, int n, int c), (r, n, c))                                                                 \
  X(char *, PQcmdTuples, (PGresult * r), (r))

#define KEPT(result, name, parameters, arguments) static result(*kept_##name) parameters;
#define KEPT_VOID(name, parameters, arguments) static void(*kept_##name) parameters;
FUNCTIONS(KEPT, KEPT_VOID)

#define CALLED(result, name, parameters, arguments) \
  result cpostgres_##name parameters { return kept_##name arguments; }
#define CALLED_VOID(name, parameters, arguments) \
  void cpostgres_##name parameters { kept_##name arguments; }
FUNCTIONS(CALLED, CALLED_VOID)

// The server's words about its own end; what ails the connection is told by what is asked of it next.
static void swallow(void *argument, const char *words) {
  (void)argument;
  (void)words;
}

void cpostgres_silence(PGconn *connection) { kept_PQsetNoticeProcessor(connection, swallow, NULL); }

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(fault, sizeof fault, "PostgreSQL's client library libpq.so.5 cannot be loaded (%s); install it (Debian: libpq5)", dlerror());
    return;
  }
#define FOUND(result, name, parameters, arguments) FOUND_VOID(name, parameters, arguments)
#define FOUND_VOID(name, parameters, arguments)                                                                          \
  *(void **)&kept_##name = dlsym(library, #name);                                                                        \
  if (!kept_##name) {                                                                                                    \
    snprintf(fault, sizeof fault, "PostgreSQL's client library libpq.so.5 has no " #name ": version 14 or newer is needed"); \
    return;                                                                                                              \
  }
  FUNCTIONS(FOUND, FOUND_VOID)
}

const char *cpostgres_load(void) {
  pthread_once(&once, load);
  return fault[0] ? fault : NULL;
}
