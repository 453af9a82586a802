// Many watchers on one thread.
#pragma once
#include <stdint.h>

typedef struct watch_crowd watch_crowd;

// Opens so many watches and waits until each has been told the state; NULL when that failed. `nanoseconds` takes how long it took.
watch_crowd *watch_open(const char *path, const char *game, int count, int with_player, uint64_t *nanoseconds);

// Sends a change over the admin socket; `times` takes, ascending, when each watcher had heard of it, `write_ns` when it was answered.
// Returns how many never heard.
int watch_round(watch_crowd *crowd, const char *admin, const char *request, uint64_t *times, uint64_t *write_ns);

// Sends a change over the admin socket and takes its answer; -1 when that failed.
int watch_write(const char *admin, const char *request, uint64_t *write_ns);

// Ends all watches and opens them again, each with its last id, against a daemon that was started anew and changed meanwhile; `nanoseconds` takes
// how long it took until each was told what it had missed. Returns how many never were.
int watch_return(watch_crowd *crowd, const char *path, const char *game, int with_player, uint64_t *nanoseconds);

// One watch that nobody ever reads; -1 when it cannot be opened. It is ended by close().
int watch_deaf(const char *path, const char *game);

// Whether the daemon has ended that watch, now or within so many milliseconds.
int watch_is_cut_off(int descriptor, int patience_ms);

// What this machine needs at least: so many pairs of sockets, to each of which a process on that CPU writes one event, and nothing else.
watch_crowd *watch_floor(int count, int cpu);
int watch_floor_round(watch_crowd *crowd, uint64_t *times);
// Processor time of the process that writes, so far.
int64_t watch_writer_ns(const watch_crowd *crowd);

void watch_close(watch_crowd *crowd);
