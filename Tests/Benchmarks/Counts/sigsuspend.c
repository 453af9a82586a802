// Preloaded into a daemon under valgrind, which writes into the mask it is given: libdispatch's lies in memory that cannot be written.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
