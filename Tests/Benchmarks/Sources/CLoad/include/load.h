// Load on a Unix socket, and processes to put it on. In C so that it is never what limits: it keeps 400 000 exchanges a second on a core.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What a run of load has seen.
struct load_result {
  uint64_t answers;
  double seconds;
  /// Of one exchange, in nanoseconds.
  uint64_t median_ns;
  uint64_t p99_ns;
};

/// What to ask, for how long, on how many connections, one exchange at a time on each.
struct load_plan {
  const char *path;
  /// The requests, one behind the other, and the length of each; they are asked in turns.
  const char *requests;
  const size_t *request_bytes;
  int request_count;
  /// The length of every answer; 0 when they differ, then each must be HTTP and say 2xx.
  size_t answer_bytes;
  int connections;
  double warm_up_seconds;
  double seconds;
  /// Ends after so many exchanges, if that comes first; 0 for no end.
  uint64_t exchanges_max;
};

/// Follows a plan. Returns 0, or -1 with the reason in `fault`.
int load_run(const struct load_plan *plan, struct load_result *result, char fault[128]);

/// Follows a plan on a thread of its own; what the plan points to is copied. Returns NULL with the reason in `errno`.
struct load_thread *load_begin(const struct load_plan *plan);

/// Waits until the plan has been followed. Returns 0, or -1 with the reason in `fault`.
int load_finish(struct load_thread *thread, struct load_result *result, char fault[128]);

/// How often a second 4 KiB at the end of a file reach the disk, one after the other; negative when they cannot.
double load_syncs(const char *path, double seconds);

/// What is asked about players.
enum load_request {
  /// A placement's counters.
  LOAD_COUNTERS,
  /// Records events as a game does.
  LOAD_EVENTS,
  /// Records events with the detail `stage`, each with a higher score than all before.
  LOAD_BETTER,
  /// The same with a score of 0.
  LOAD_NO_BETTER,
  /// The first rows of the leaderboard `classic`.
  LOAD_TOP,
  /// A player's place on it, with one row.
  LOAD_RANK,
};

/// What is asked of many players: each request is about another one.
struct load_course {
  enum load_request request;
  int connections;
  /// Players are `p0000000` and on; events go to any of them, reads through them so that none comes twice.
  uint64_t players;
  /// What the ids of events begin with.
  const char *ids;
  /// The first score of events that are each better than the ones before.
  uint64_t first_score;
  double warm_up_seconds;
  double seconds;
  /// Ends after so many exchanges, if that comes first; 0 for no end.
  uint64_t exchanges_max;
};

/// Runs a course, one exchange at a time on each connection; every answer must be 200. Returns 0, or -1 with the reason in `fault`.
int load_players(const char *path, const struct load_course *course, struct load_result *result, char fault[128]);

/// Sends `count` requests of a course at a steady rate, on the course's connections. `latencies[n]` is the time from when request n was due until its
/// answer, so that a request that waits for a free connection counts as late. Returns 0, or -1 with the reason in `fault`.
int load_steady(const char *path, const struct load_course *course, double per_second, uint64_t *latencies, int count, char fault[128]);

/// Gives a daemon's database, which is not open, so many players like `p0000000`, which is there. Returns 0 or -1.
int peer_fill(const char *database, uint64_t players, char fault[128]);

/// Gives every player of a daemon's database, which is not open, a row on the leaderboard `classic`, which has one. Returns 0 or -1.
int peer_rank(const char *database, char fault[128]);

/// Asks a database, which is not written meanwhile, for the first hundred rows of that board (`is_rank` 0) or for how many rows stand before that of
/// some player (1), by the statements that its index was made for. Returns 0 or -1.
int peer_board(const char *database, uint64_t players, int is_rank, double seconds, struct load_result *result, char fault[128]);

/// Gives a copy of a daemon's database the tables, and so the pages, that the daemon had at 1941aa8: the peer stays what it was then, whatever the
/// daemon writes since. Returns 0 or -1.
int peer_freeze(const char *database, char fault[128]);

/// Writes to a database that peer_freeze made what an event wrote at 1941aa8: the same statements on rows of the same size, so many in each
/// durable transaction, with nothing decided. Returns 0 or -1.
int peer_write(const char *database, uint64_t players, int batch, double warm_up_seconds, double seconds, struct load_result *result,
               char fault[128]);

/// Runs statements on a PostgreSQL server, over libpq. Returns 0, or -1 with the reason in `fault`.
int fleet_run(const char *address, const char *statements, char fault[128]);

/// Writes what an event writes to copies of a daemon's tables in a schema of PostgreSQL, so many in each durable transaction, over libpq alone and
/// with nothing decided: the rows of players `1001` and on, which are all alike. Returns 0 or -1.
int fleet_write(const char *address, const char *schema, uint64_t players, int batch, double warm_up_seconds, double seconds,
                struct load_result *result, char fault[128]);

/// Opens connections to a PostgreSQL server that only listen for the changes that a fleet's hosts announce, and starts a thread on one CPU that reads
/// what they receive. Returns NULL with the reason in `fault`.
struct fleet_listeners *fleet_listen(const char *address, int count, int cpu, char fault[128]);

/// The notifications that all connections together have received so far; -1 if a connection was lost.
int64_t fleet_notifications(struct fleet_listeners *listeners);

/// Closes the connections and ends their thread.
void fleet_close(struct fleet_listeners *listeners);

/// Sends a request that sets an override to one host's admin socket, then asks another host for its value, with 100 µs between two questions, until
/// the answer contains the text `value`. Returns 0 with the time from the first host's answer until then, or -1 with the reason in `fault`.
int fleet_serve_time(const char *admin, const char *put, const char *games, const char *get, const char *value, uint64_t *nanoseconds,
                     char fault[128]);

/// Copies a file. Returns 0 or -1.
int load_copy(const char *from, const char *to);

/// Lets the system forget what it has of a file in memory. Returns 0 or -1.
int load_forget(const char *path);

/// One exchange of HTTP or RESP; returns the answer's length, or -1 with the reason in `fault`.
ssize_t load_fetch(const char *path, const void *request, size_t request_bytes, char *answer, size_t answer_bytes_max, char fault[128]);

/// Processor time of a process so far, in nanoseconds; 0 when there is none.
int64_t load_processor_ns(pid_t pid);

/// Starts a program on one CPU (-1: any), its output into a file; it is killed when this process ends. Returns its pid or -1.
pid_t load_start(char *const arguments[], char *const environment[], int cpu, const char *output);

/// Puts this thread on one CPU.
void load_pin(int cpu);

/// Asks a process to end and waits until it has; kills it after ten seconds.
void load_stop(pid_t pid);

/// A datagram socket for NOTIFY_SOCKET, or -1.
int load_notify_socket(const char *path);

/// Waits for READY=1; returns its arrival in nanoseconds of the monotonic clock, or 0 when none came in time.
uint64_t load_wait_ready(int descriptor, int timeout_ms);

/// Whether somebody accepts on the socket.
int load_accepts(const char *path);

/// Nanoseconds of the monotonic clock.
uint64_t load_now_ns(void);

/// Removes a folder and everything in it.
void load_remove_tree(const char *path);

/// Shows each line as it is printed, in a pipe too.
void load_print_by_line(void);

/// Allocations of this process since it began.
uint64_t load_allocations(void);
