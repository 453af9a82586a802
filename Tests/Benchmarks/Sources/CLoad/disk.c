// What the disk can do by itself.
#define _GNU_SOURCE
#include "load.h"

#include <fcntl.h>
#include <unistd.h>

double load_syncs(const char *path, double seconds) {
  static const char page[4096];
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  uint64_t began = load_now_ns(), until = began + (uint64_t)(seconds * 1e9), now = began;
  int count = 0, failed = 0;
  while (now < until && !failed) {
    failed = write(file, page, sizeof page) != sizeof page || fdatasync(file) != 0;
    count++;
    now = load_now_ns();
  }
  close(file);
  unlink(path);
  return failed ? -1 : count / ((double)(now - began) / 1e9);
}
