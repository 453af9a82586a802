// SQLite alone: the rows of events in transactions of a given size, with nothing before and nothing after.
#include "exchange.h"
#include "load.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(sqlite3 *database, char fault[128]) {
  snprintf(fault, 128, "SQLite: %s", database ? sqlite3_errmsg(database) : "no memory");
  sqlite3_close(database);
  return -1;
}

static sqlite3 *opened(const char *path, const char *settings, char fault[128]) {
  sqlite3 *database = NULL;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK && sqlite3_exec(database, settings, NULL, NULL, NULL) == SQLITE_OK)
    return database;
  fail(database, fault);
  return NULL;
}

int peer_fill(const char *path, uint64_t players, char fault[128]) {
  sqlite3 *database = opened(path, "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144", fault);
  if (!database) return -1;
  char statements[2048];
  snprintf(statements, sizeof statements,
           "BEGIN;"
           "CREATE TEMP TABLE pattern AS SELECT * FROM players WHERE player = 'p0000000';"
           "CREATE TEMP TABLE newest AS SELECT * FROM player_lines WHERE number = (SELECT head FROM pattern);"
           "INSERT INTO players (number, game, player, revision, state, requests, head)"
           "  WITH RECURSIVE counted(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM counted WHERE n < %" PRIu64 ")"
           "  SELECT n + 1000, 'wheresthedot', printf('p%%07d', n), 20, state, requests, n + 1000 FROM counted, pattern;"
           "INSERT INTO player_lines (number, player, prior, entry, at_ms, line, answer)"
           "  SELECT players.head, players.number, NULL, newest.entry, at_ms, line, answer FROM players, newest"
           "  WHERE players.number > 1000 ORDER BY 1;"
           "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)",
           players - 1);
  if (sqlite3_exec(database, statements, NULL, NULL, NULL) != SQLITE_OK) return fail(database, fault);
  sqlite3_close(database);
  return 0;
}

int peer_rank(const char *path, char fault[128]) {
  sqlite3 *database = opened(path, "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144", fault);
  if (!database) return -1;
  // Scores as games have them: many low ones, few high ones, ties everywhere.
  const char *statements =
      "BEGIN;"
      "INSERT OR REPLACE INTO board_rows (board, player, score, at_ms)"
      "  SELECT (SELECT number FROM boards WHERE board = 'classic'), number, abs(random()) % (1 + abs(random()) % 5000), 1700000000000 + number"
      "  FROM players WHERE game = 'wheresthedot';"
      "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)";
  if (sqlite3_exec(database, statements, NULL, NULL, NULL) != SQLITE_OK) return fail(database, fault);
  sqlite3_close(database);
  return 0;
}

int peer_board(const char *path, uint64_t players, int is_rank, double seconds, struct load_result *result, char fault[128]) {
  static uint32_t buckets[LOAD_BUCKETS];
  sqlite3 *database = opened(path, "PRAGMA query_only = 1; PRAGMA cache_size = -16384", fault);
  if (!database) return -1;
  const char *query =
      is_rank ? "SELECT (SELECT count(*) FROM (SELECT 1 FROM board_rows WHERE board = own.board AND score > own.score LIMIT 10000))"
                " + (SELECT count(*) FROM (SELECT 1 FROM board_rows WHERE board = own.board AND score = own.score"
                "    AND (at_ms, player) < (own.at_ms, own.player) LIMIT 10000))"
                " FROM board_rows AS own WHERE own.board = (SELECT number FROM boards WHERE board = 'classic')"
                " AND own.player = (SELECT number FROM players WHERE game = 'wheresthedot' AND player = ?)"
              : "SELECT players.player, score, at_ms FROM board_rows CROSS JOIN players ON players.number = board_rows.player"
                " WHERE board = (SELECT number FROM boards WHERE board = 'classic') ORDER BY score DESC, at_ms, board_rows.player LIMIT 100";
  sqlite3_stmt *rows = NULL;
  if (sqlite3_prepare_v2(database, query, -1, &rows, NULL) != SQLITE_OK) return fail(database, fault);
  memset(buckets, 0, sizeof buckets);
  memset(result, 0, sizeof *result);
  uint64_t began = load_now_ns(), until = began + (uint64_t)(seconds * 1e9), now = began;
  for (uint64_t number = 0; now < until; number++) {
    char player[16];
    uint64_t query_began = load_now_ns();
    if (is_rank) {
      int bytes = snprintf(player, sizeof player, "p%07" PRIu64, (number * 7919 + began) % players);
      sqlite3_bind_text(rows, 1, player, bytes, SQLITE_STATIC);
    }
    int found = 0;
    while (sqlite3_step(rows) == SQLITE_ROW) found++;
    sqlite3_reset(rows);
    if (found == 0) {
      snprintf(fault, 128, "the board has no rows");
      sqlite3_finalize(rows);
      sqlite3_close(database);
      return -1;
    }
    now = load_now_ns();
    result->answers++;
    buckets[load_bucket_of(now - query_began)]++;
  }
  result->seconds = (double)(now - began) / 1e9;
  result->median_ns = load_quantile(buckets, result->answers, 0.5);
  result->p99_ns = load_quantile(buckets, result->answers, 0.99);
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return 0;
}

int peer_freeze(const char *path, char fault[128]) {
  sqlite3 *database = opened(path, "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144", fault);
  if (!database) return -1;
  const char *statements =
      "BEGIN;"
      "CREATE TABLE frozen_players ("
      "  number INTEGER PRIMARY KEY, game TEXT NOT NULL, player TEXT NOT NULL, revision INTEGER NOT NULL, offset_ms INTEGER NOT NULL DEFAULT 0,"
      "  state TEXT, requests BLOB, UNIQUE (game, player));"
      "INSERT INTO frozen_players SELECT number, game, player, revision, offset_ms, state, requests FROM players ORDER BY number;"
      "DROP TABLE players; ALTER TABLE frozen_players RENAME TO players;"
      "CREATE TABLE player_history ("
      "  number INTEGER NOT NULL, slot INTEGER NOT NULL, entry INTEGER NOT NULL, line TEXT NOT NULL, answer TEXT, PRIMARY KEY (number, slot)"
      ") WITHOUT ROWID;"
      "INSERT INTO player_history SELECT player, entry % 200, entry, line, answer FROM player_lines WHERE player > 0 ORDER BY 1, 2;"
      "DROP TABLE player_lines;"
      "COMMIT; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)";
  if (sqlite3_exec(database, statements, NULL, NULL, NULL) != SQLITE_OK) return fail(database, fault);
  sqlite3_close(database);
  return 0;
}

struct texts {
  char state[16384], line[4096], answer[4096], requests[4096];
  int request_bytes;
};

static int read_texts(sqlite3 *database, struct texts *texts) {
  sqlite3_stmt *rows = NULL;
  const char *query = "SELECT state, line, answer, requests FROM players JOIN player_history USING (number) WHERE player = 'p0000000' LIMIT 1";
  if (sqlite3_prepare_v2(database, query, -1, &rows, NULL) != SQLITE_OK) return -1;
  int status = sqlite3_step(rows) == SQLITE_ROW ? 0 : -1;
  if (status == 0) {
    snprintf(texts->state, sizeof texts->state, "%s", (const char *)sqlite3_column_text(rows, 0));
    snprintf(texts->line, sizeof texts->line, "%s", (const char *)sqlite3_column_text(rows, 1));
    snprintf(texts->answer, sizeof texts->answer, "%s", (const char *)sqlite3_column_text(rows, 2));
    texts->request_bytes = sqlite3_column_bytes(rows, 3);
    if (texts->request_bytes > (int)sizeof texts->requests) status = -1;
    else memcpy(texts->requests, sqlite3_column_blob(rows, 3), (size_t)texts->request_bytes);
  }
  sqlite3_finalize(rows);
  return status;
}

// Runs a statement whose parameters are bound and that gives no rows; 0, or -1.
static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? 0 : -1;
}

int peer_write(const char *path, uint64_t players, int batch, double warm_up_seconds, double seconds, struct load_result *result,
               char fault[128]) {
  static struct texts texts;
  // How often each player was written, over all rounds with so many.
  static uint32_t *written;
  static uint64_t written_players;
  if (written_players != players) {
    free(written);
    written = calloc(players, sizeof *written);
    written_players = written ? players : 0;
  }
  if (!written) return fail(NULL, fault);
  sqlite3 *database = opened(path,
                             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;"
                             "PRAGMA cache_size = -16384",
                             fault);
  if (!database) return -1;
  memset(result, 0, sizeof *result);
  const char *queries[] = {
      "BEGIN IMMEDIATE", "COMMIT",
      "UPDATE players SET revision = revision + 1, state = ?, requests = ? WHERE game = 'wheresthedot' AND player = ?",
      "INSERT OR REPLACE INTO player_history (number, slot, entry, line, answer)"
      " VALUES ((SELECT number FROM players WHERE game = 'wheresthedot' AND player = ?), ?, ?, ?, ?)",
  };
  enum { BEGIN, COMMIT, PLAYER, HISTORY, COUNT };
  sqlite3_stmt *statements[COUNT];
  if (read_texts(database, &texts) != 0) return fail(database, fault);
  for (int each = 0; each < COUNT; each++)
    if (sqlite3_prepare_v3(database, queries[each], -1, SQLITE_PREPARE_PERSISTENT, &statements[each], NULL) != SQLITE_OK)
      return fail(database, fault);

  uint64_t random = load_now_ns() | 1, began = load_now_ns(), counts_from = began + (uint64_t)(warm_up_seconds * 1e9);
  uint64_t until = counts_from + (uint64_t)(seconds * 1e9), now = began;
  while (now < until) {
    if (run(statements[BEGIN]) < 0) return fail(database, fault);
    for (int each_event = 0; each_event < batch; each_event++) {
      char player[16];
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      uint64_t at = (random >> 8) % players;
      int bytes = snprintf(player, sizeof player, "p%07" PRIu64, at);
      sqlite3_bind_text(statements[PLAYER], 1, texts.state, -1, SQLITE_STATIC);
      sqlite3_bind_blob(statements[PLAYER], 2, texts.requests, texts.request_bytes, SQLITE_STATIC);
      sqlite3_bind_text(statements[PLAYER], 3, player, bytes, SQLITE_STATIC);
      int64_t revision = 20 + ++written[at];
      sqlite3_bind_text(statements[HISTORY], 1, player, bytes, SQLITE_STATIC);
      sqlite3_bind_int64(statements[HISTORY], 2, revision % 200);
      sqlite3_bind_int64(statements[HISTORY], 3, revision);
      sqlite3_bind_text(statements[HISTORY], 4, texts.line, -1, SQLITE_STATIC);
      sqlite3_bind_text(statements[HISTORY], 5, texts.answer, -1, SQLITE_STATIC);
      if (run(statements[PLAYER]) != 0 || run(statements[HISTORY]) != 0) return fail(database, fault);
    }
    if (run(statements[COMMIT]) < 0) return fail(database, fault);
    now = load_now_ns();
    if (now >= counts_from) result->answers += (uint64_t)batch;
  }
  result->seconds = (double)(now - counts_from) / 1e9;
  for (int each = 0; each < COUNT; each++) sqlite3_finalize(statements[each]);
  sqlite3_close(database);
  return 0;
}
