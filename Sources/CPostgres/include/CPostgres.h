// What is used of libpq, found in the library at run time: nothing of it is needed to build or link, and a host without it misses nothing.
//
// The functions are libpq's own by the same names behind `cpostgres_`; its documentation says what they do. None may be called before
// cpostgres_load() has returned NULL.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

/// A row of PQnotifies(); freed by cpostgres_PQfreemem.
typedef struct CPostgresNotify {
  char *relname;
  int be_pid;
  char *extra;
  struct CPostgresNotify *next;
} CPostgresNotify;

enum {
  CPOSTGRES_CONNECTION_OK = 0,
  CPOSTGRES_COMMAND_OK = 1,
  CPOSTGRES_TUPLES_OK = 2,
  CPOSTGRES_NONFATAL_ERROR = 6,
  CPOSTGRES_FATAL_ERROR = 7,
  CPOSTGRES_PIPELINE_SYNC = 10,
  CPOSTGRES_PIPELINE_ABORTED = 11,
  CPOSTGRES_SQLSTATE = 'C',
  CPOSTGRES_LIBRARY_MIN = 140000
};

/// Loads the library; may be called again and by several threads.
/// - Returns: NULL when it is loaded, else why it is not, in words that stay.
const char *cpostgres_load(void);

/// Keeps the library from writing what servers remark to the standard error.
void cpostgres_silence(PGconn *connection);

int cpostgres_PQlibVersion(void);
void *cpostgres_PQconninfoParse(const char *text, char **words);
void cpostgres_PQconninfoFree(void *options);
PGconn *cpostgres_PQconnectdbParams(const char *const *keywords, const char *const *values, int expand_dbname);
int cpostgres_PQstatus(const PGconn *connection);
char *cpostgres_PQerrorMessage(const PGconn *connection);
void *cpostgres_PQsetNoticeProcessor(PGconn *connection, void (*processor)(void *argument, const char *words), void *argument);
void cpostgres_PQfinish(PGconn *connection);
int cpostgres_PQsocket(const PGconn *connection);
int cpostgres_PQserverVersion(const PGconn *connection);
const char *cpostgres_PQparameterStatus(const PGconn *connection, const char *name);
int cpostgres_PQsetnonblocking(PGconn *connection, int isNonblocking);
int cpostgres_PQenterPipelineMode(PGconn *connection);
int cpostgres_PQpipelineSync(PGconn *connection);
int cpostgres_PQsendPrepare(PGconn *connection, const char *name, const char *query, int count, const unsigned int *types);
int cpostgres_PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats, int resultFormat);
int cpostgres_PQsendQueryParams(
    PGconn *connection, const char *query, int count, const unsigned int *types, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
int cpostgres_PQflush(PGconn *connection);
int cpostgres_PQconsumeInput(PGconn *connection);
int cpostgres_PQisBusy(PGconn *connection);
PGresult *cpostgres_PQgetResult(PGconn *connection);
CPostgresNotify *cpostgres_PQnotifies(PGconn *connection);
void cpostgres_PQfreemem(void *memory);
int cpostgres_PQresultStatus(const PGresult *result);
char *cpostgres_PQresultErrorField(const PGresult *result, int field);
char *cpostgres_PQresultErrorMessage(const PGresult *result);
void cpostgres_PQclear(PGresult *result);
int cpostgres_PQntuples(const PGresult *result);
int cpostgres_PQnfields(const PGresult *result);
char *cpostgres_PQfname(const PGresult *result, int column);
unsigned int cpostgres_PQftype(const PGresult *result, int column);
char *cpostgres_PQgetvalue(const PGresult *result, int row, int column);
int cpostgres_PQgetlength(const PGresult *result, int row, int column);
int cpostgres_PQgetisnull(const PGresult *result, int row, int column);
char *cpostgres_PQcmdTuples(PGresult *result);

#endif
