// What every kind of load shares: connections, whole answers, quantiles.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Durations by powers of two, each cut in 32: within 3 %.
enum { LOAD_SLICES = 32, LOAD_BUCKETS = 64 * LOAD_SLICES };

int load_open_connection(const char *path);
int load_write_all(int descriptor, const char *bytes, size_t count);

// The whole length of an answer whose head has arrived, or 0.
size_t load_whole_length(const char *answer, size_t count);

unsigned load_bucket_of(uint64_t ns);
uint64_t load_quantile(const uint32_t *buckets, uint64_t total, double part);
