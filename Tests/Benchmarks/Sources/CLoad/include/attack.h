// One user at its worst, and another who is measured meanwhile.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum attack_way {
  /// Asks, reads the whole answer away, asks again.
  ATTACK_EXCHANGE,
  /// Keeps sending, and reads what comes.
  ATTACK_PIPELINE,
  /// Sends all but the last byte, keeps it so for a while, closes, comes again.
  ATTACK_HOLD,
  /// Sends, and never reads.
  ATTACK_UNREAD,
};

struct attack_plan {
  const char *path;
  const char *request;
  size_t request_bytes;
  int connections;
  enum attack_way way;
  double seconds;
};

struct attack_result {
  uint64_t sent_bytes, received_bytes, opened;
};

/// Attacks until the time is over. Returns 0, or -1 when nothing could be begun.
int attack_run(const struct attack_plan *plan, struct attack_result *result);

/// What is asked at a fixed rate, whether answers come or not: a sample's time runs from when it should have been asked.
struct open_plan {
  const char *path;
  const char *request;
  size_t request_bytes;
  double per_second;
  int samples;
  /// How many can be under way at once; a sample that finds none free waits, and its time runs.
  int connections;
  /// As whom; 0 for whoever runs this.
  unsigned uid;
};

struct open_result {
  uint64_t median_ns, p99_ns, max_ns;
  /// Answers that were no 2xx, and exchanges that broke off.
  int refused, broken;
  /// Samplers that could not be put before everything else on the machine: their times have in them how long they waited for a processor themselves.
  int unranked;
};

/// Takes the samples. Returns 0, or -1 with the reason in `fault`.
int open_run(const struct open_plan *plan, struct open_result *result, char fault[128]);

/// Becomes another user; returns 0 or -1.
int attack_become(unsigned uid);
