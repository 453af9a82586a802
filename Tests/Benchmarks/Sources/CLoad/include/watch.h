// Many watchers on one thread.
#pragma once
#include <stdint.h>

typedef struct watch_crowd watch_crowd;

// Opens so many watches and waits until each has been told the state; NULL when that failed. `nanoseconds` takes how long it took.
watch_crowd *watch_open(const char *path, const char *game, int count, int with_player, uint64_t *nanoseconds);

// Sends a change over the admin socket; `times` takes, ascending, when each watcher had heard of it, `write_ns` when it was answered.
// Returns how many never heard.
int watch_round(watch_crowd *crowd, const char *admin, const char *request, uint64_t *times, uint64_t *write_ns);

void watch_close(watch_crowd *crowd);
