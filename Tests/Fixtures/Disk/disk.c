/* A disk under a program in tests: preloaded, it lets calls on files fail, and records what reaches files and when that is made durable.
 *
 *   GAMECONF_DISK_UNDER   only files below this path count
 *   GAMECONF_DISK_FAULTS  a folder: while it has a file “read”, “write” or “sync”, such calls fail with EIO
 *   GAMECONF_DISK_PLAN    a file of five numbers of 4 bytes that a test changes meanwhile: which calls fail (see enum call), after how many more of them,
 *                         how many, with which error (0 writes half of what was to be written), and how many have failed
 *   GAMECONF_DISK_LOG     a file to which every change is appended, one record each, in the order in which the changes happened
 *
 * A record is a kind (1 byte), the file's inode, an offset (8 bytes each), the lengths of two paths and of data (4 bytes each), then those. Numbers are
 * little-endian. Shared memory of SQLite (“-shm”) holds nothing that outlasts a crash and is left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATED = 'C', RESIZED = 'T', WRITTEN = 'W', SYNCED = 'S', FOLDER_SYNCED = 'D', RENAMED = 'R', REMOVED = 'U', FOLDER_MADE = 'M', FOLDER_REMOVED = 'X' };

enum call { READ = 1, WRITE, SYNC_CALL, RESIZE_CALL, OPEN_CALL, RENAME_CALL, REMOVE_CALL, GROW_CALL };
struct plan { int32_t call, left, count, error, failed; };

/* One call at a time while a log is kept, so that its order is the order of the calls. */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int log_descriptor = -2;

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FAIL(name, call)                                               \
  do {                                                                  \
    int kept = errno, error = fails(fd, name) ? EIO : planned(fd, NULL, call); \
    if (error > 0) { errno = error; return -1; }                        \
    errno = kept;                                                       \
  } while (0)
#define FAIL_NAMED(path, call)                    \
  do {                                            \
    int error = planned(-1, path, call);          \
    if (error > 0) { errno = error; return -1; }  \
  } while (0)

static int counts(const char *path) {
  const char *under = getenv("GAMECONF_DISK_UNDER");
  size_t length = strlen(path);
  return under && strncmp(path, under, strlen(under)) == 0 && !(length > 4 && strcmp(path + length - 4, "-shm") == 0);
}

static int named(int fd, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, PATH_MAX - 1);
  if (count < 0) return 0;
  path[count] = 0;
  return counts(path);
}

/* The error that a call is to fail with; 0 for none, -1 for a write of half the bytes. */
static int planned(int fd, const char *name, enum call call) {
  static struct plan *plan = NULL;
  static int is_looked_for = 0;
  char path[PATH_MAX];
  if (!is_looked_for) {
    const char *given = getenv("GAMECONF_DISK_PLAN");
    static int (*opens)(const char *, int, ...);
    if (!opens) opens = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    int file = given ? opens(given, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0) {
      void *mapped = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (mapped != MAP_FAILED) plan = mapped;
    }
    is_looked_for = 1;
  }
  if (!plan || __atomic_load_n(&plan->call, __ATOMIC_ACQUIRE) != (int32_t)call) return 0;
  if (name ? !counts(name) : !named(fd, path)) return 0;
  int32_t left = __atomic_sub_fetch(&plan->left, 1, __ATOMIC_ACQ_REL);
  if (left >= 0 || left < -plan->count) return 0;
  __atomic_add_fetch(&plan->failed, 1, __ATOMIC_ACQ_REL);
  return plan->error > 0 ? plan->error : -1;
}

static int fails(int fd, const char *call) {
  const char *faults = getenv("GAMECONF_DISK_FAULTS");
  char path[PATH_MAX];
  if (!faults) return 0;
  if ((size_t)snprintf(path, sizeof path, "%s/%s", faults, call) >= sizeof path || access(path, F_OK) != 0) return 0;
  return named(fd, path);
}

static int logs(void) {
  if (log_descriptor == -2) {
    const char *path = getenv("GAMECONF_DISK_LOG");
    static int (*opens)(const char *, int, ...);
    if (!opens) opens = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    log_descriptor = path ? opens(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  }
  return log_descriptor >= 0;
}

static void note(enum kind kind, ino_t file, off_t offset, const char *path, const char *other, const void *data, size_t length) {
  unsigned char head[29];
  uint64_t numbers[2] = {(uint64_t)file, (uint64_t)offset};
  uint32_t lengths[3] = {path ? (uint32_t)strlen(path) : 0, other ? (uint32_t)strlen(other) : 0, (uint32_t)length};
  head[0] = (unsigned char)kind;
  memcpy(head + 1, numbers, 16);
  memcpy(head + 17, lengths, 12);
  struct iovec parts[4] = {
      {head, sizeof head}, {(void *)path, lengths[0]}, {(void *)other, lengths[1]}, {(void *)data, lengths[2]}};
  if (writev(log_descriptor, parts, 4) != (ssize_t)(sizeof head + lengths[0] + lengths[1] + lengths[2])) abort();
}

static ino_t inode(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

/* Runs a call in the log's order, and notes it when it succeeded. */
#define ORDERED(type, call, noting)            \
  do {                                         \
    pthread_mutex_lock(&order);                \
    type result = (call);                      \
    int kept = errno;                          \
    if (result >= 0) { noting; }               \
    pthread_mutex_unlock(&order);              \
    errno = kept;                              \
    return result;                             \
  } while (0)

ssize_t pread(int fd, void *to, size_t n, off_t at) { REAL(pread); FAIL("read", READ); return real(fd, to, n, at); }
ssize_t pread64(int fd, void *to, size_t n, off64_t at) { REAL(pread64); FAIL("read", READ); return real(fd, to, n, at); }

/* A full disk lets a file be written over, and none grow. */
static int grown(int fd, off_t end) {
  struct stat status;
  return fstat(fd, &status) == 0 && end > status.st_size ? planned(fd, NULL, GROW_CALL) : 0;
}

#define POSITIONED(name, offset)                                          \
  ssize_t name(int fd, const void *from, size_t n, offset at) {           \
    char path[PATH_MAX];                                                  \
    REAL(name);                                                           \
    int kept = errno, error = fails(fd, "write") ? EIO : planned(fd, NULL, WRITE); \
    if (error == 0) error = grown(fd, (off_t)(at + (offset)n));           \
    if (error > 0) { errno = error; return -1; }                          \
    if (error < 0 && n > 1) n /= 2;                                       \
    errno = kept;                                                         \
    if (!logs() || !named(fd, path)) return real(fd, from, n, at);        \
    ORDERED(ssize_t, real(fd, from, n, at), note(WRITTEN, inode(fd), at, NULL, NULL, from, (size_t)result)); \
  }
POSITIONED(pwrite, off_t)
POSITIONED(pwrite64, off64_t)

ssize_t write(int fd, const void *from, size_t n) {
  char path[PATH_MAX];
  REAL(write);
  int kept = errno, error = planned(fd, NULL, WRITE);
  if (error == 0) error = grown(fd, lseek(fd, 0, SEEK_CUR) + (off_t)n);
  if (error > 0) { errno = error; return -1; }
  if (error < 0 && n > 1) n /= 2;
  errno = kept;
  if (!logs() || !named(fd, path)) return real(fd, from, n);
  ORDERED(ssize_t, real(fd, from, n), note(WRITTEN, inode(fd), lseek(fd, 0, SEEK_CUR) - result, NULL, NULL, from, (size_t)result));
}

#define SYNC(name)                                                        \
  int name(int fd) {                                                      \
    char path[PATH_MAX];                                                  \
    struct stat status;                                                   \
    REAL(name);                                                           \
    FAIL("sync", SYNC_CALL);                                                         \
    if (!logs() || fstat(fd, &status) != 0) return real(fd);              \
    int counted = named(fd, path);                                        \
    const char *under = getenv("GAMECONF_DISK_UNDER");                    \
    /* The folder itself is named without the slash at its end. */        \
    if (!counted && S_ISDIR(status.st_mode) && under) counted = strncmp(under, path, strlen(path)) == 0 && strlen(path) + 1 == strlen(under); \
    if (!counted) return real(fd);                                        \
    ORDERED(int, real(fd), note(S_ISDIR(status.st_mode) ? FOLDER_SYNCED : SYNCED, status.st_ino, 0, path, NULL, NULL, 0)); \
  }
SYNC(fsync)
SYNC(fdatasync)

#define RESIZE(name, offset)                                              \
  int name(int fd, offset size) {                                         \
    char path[PATH_MAX];                                                  \
    REAL(name);                                                           \
    FAIL("resize", RESIZE_CALL);                                          \
    if (!logs() || !named(fd, path)) return real(fd, size);               \
    ORDERED(int, real(fd, size), note(RESIZED, inode(fd), size, NULL, NULL, NULL, 0)); \
  }
RESIZE(ftruncate, off_t)
RESIZE(ftruncate64, off64_t)

#define OPEN(name)                                                        \
  int name(const char *path, int flags, ...) {                            \
    mode_t mode = 0;                                                      \
    REAL(name);                                                           \
    if (flags & (O_CREAT | O_TMPFILE)) {                                  \
      va_list more;                                                       \
      va_start(more, flags);                                              \
      mode = va_arg(more, mode_t);                                        \
      va_end(more);                                                       \
    }                                                                     \
    FAIL_NAMED(path, OPEN_CALL);                                          \
    if (!(flags & (O_CREAT | O_TRUNC)) || !counts(path) || !logs()) return real(path, flags, mode); \
    struct stat status;                                                   \
    pthread_mutex_lock(&order);                                           \
    int was = lstat(path, &status) == 0;                                  \
    int fd = real(path, flags, mode), kept = errno;                       \
    if (fd >= 0 && !was) note(CREATED, inode(fd), 0, path, NULL, NULL, 0); \
    if (fd >= 0 && was && (flags & O_TRUNC)) note(RESIZED, inode(fd), 0, NULL, NULL, NULL, 0); \
    pthread_mutex_unlock(&order);                                         \
    errno = kept;                                                         \
    return fd;                                                            \
  }
OPEN(open)
OPEN(open64)

int rename(const char *from, const char *to) {
  REAL(rename);
  FAIL_NAMED(to, RENAME_CALL);
  if (!counts(to) || !logs()) return real(from, to);
  ORDERED(int, real(from, to), note(RENAMED, 0, 0, from, to, NULL, 0));
}

#define NAMED(name, kind)                                                 \
  int name(const char *path) {                                            \
    REAL(name);                                                           \
    FAIL_NAMED(path, REMOVE_CALL);                                        \
    if (!counts(path) || !logs()) return real(path);                      \
    ORDERED(int, real(path), note(kind, 0, 0, path, NULL, NULL, 0));      \
  }
NAMED(unlink, REMOVED)
NAMED(rmdir, FOLDER_REMOVED)

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  if (!counts(path) || !logs()) return real(path, mode);
  ORDERED(int, real(path, mode), note(FOLDER_MADE, 0, 0, path, NULL, NULL, 0));
}
