// What the thread sanitizer has to know of Swift's Mutex on Linux. Its quick way is atomic operations, which the sanitizer follows. Where threads
// wait for each other it goes into libswiftSynchronization and the kernel, where the sanitizer sees nothing: these two stand in front of it and say
// what happens there. The tests link this file in builds for the thread sanitizer only: Tests/Sanitizers/run.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

typedef SWIFT void (*lock_slowly)(uint32_t thread, SELF);
typedef SWIFT void (*unlock_slowly)(SELF);
SWIFT void lock_noticed(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_noticed(SELF) __asm__(UNLOCK);

static void *original(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort(); // another Swift, whose Mutex has other names: planted.swift fails with it
  return found;
}

SWIFT void lock_noticed(uint32_t thread, SELF) {
  ((lock_slowly)original(LOCK))(thread, handle);
  __tsan_acquire(handle);
}

SWIFT void unlock_noticed(SELF) {
  __tsan_release(handle);
  ((unlock_slowly)original(UNLOCK))(handle);
}
