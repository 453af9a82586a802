/* Records what a daemon under test receives and sends on its Unix sockets; preloaded into it by tests.
 *
 *   GAMECONF_TRAFFIC  the folder of the recordings: one file for each process of the program "gameconfd"
 *
 * A record is the number of a connection (4 bytes), a kind (4 bytes), the count of bytes (4 bytes), then those. Numbers are little-endian. Kinds are
 * 'A' accepted, 'R' received, 'S' sent, 'C' closed, and 'L' for a connection of which the rest is left out, since it had too much.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 1 << 16, BYTES_MAX = 8 << 20, PIECES_MAX = 64 };
static int file = -1;
static _Atomic uint32_t count;
static _Atomic uint32_t ids[DESCRIPTORS];
static _Atomic uint32_t left[DESCRIPTORS];

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
  char path[PATH_MAX];
  const char *folder = getenv("GAMECONF_TRAFFIC");
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (!folder || length < 10 || (path[length] = 0, strcmp(path + length - 10, "/gameconfd"))) return;
  snprintf(path, sizeof path, "%s/%d.XXXXXX", folder, getpid());
  int made = mkostemp(path, O_APPEND | O_CLOEXEC);
  if (made < 0) return;
  /* Not among the standard streams, of which a test may have closed one. */
  file = fcntl(made, F_DUPFD_CLOEXEC, 64);
  syscall(SYS_close, made);
}

static void put(uint32_t id, uint32_t kind, const struct iovec *pieces, size_t many, size_t bytes) {
  uint32_t head[3] = {id, kind, (uint32_t)bytes};
  struct iovec all[PIECES_MAX + 1] = {{head, sizeof head}};
  size_t used = 1;
  for (size_t at = 0; at < many && bytes > 0 && used <= PIECES_MAX; at++) {
    size_t length = pieces[at].iov_len < bytes ? pieces[at].iov_len : bytes;
    all[used++] = (struct iovec){pieces[at].iov_base, length};
    bytes -= length;
  }
  if (bytes > 0) head[2] -= (uint32_t)bytes;
  syscall(SYS_writev, file, all, used);
}

static void note(int fd, uint32_t kind, const struct iovec *pieces, size_t many, ssize_t bytes) {
  if (file < 0 || fd < 0 || fd >= DESCRIPTORS || bytes <= 0) return;
  int kept = errno;
  uint32_t id = ids[fd];
  if (id) {
    uint32_t room = left[fd];
    if (room < (size_t)bytes || many > PIECES_MAX) {
      put(id, 'L', NULL, 0, 0);
      ids[fd] = 0;
    } else {
      left[fd] = room - (uint32_t)bytes;
      put(id, kind, pieces, many, (size_t)bytes);
    }
  }
  errno = kept;
}

static int accepted(int fd) {
  int domain = 0;
  socklen_t length = sizeof domain;
  if (file < 0 || fd < 0 || fd >= DESCRIPTORS) return fd;
  int kept = errno;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_UNIX) {
    left[fd] = BYTES_MAX;
    ids[fd] = ++count;
    put(ids[fd], 'A', NULL, 0, 0);
  }
  errno = kept;
  return fd;
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  REAL(accept4);
  return accepted(real(fd, address, length, flags));
}

int accept(int fd, struct sockaddr *address, socklen_t *length) {
  REAL(accept);
  return accepted(real(fd, address, length));
}

int close(int fd) {
  REAL(close);
  if (file >= 0 && fd >= 0 && fd < DESCRIPTORS) {
    uint32_t id = atomic_exchange(&ids[fd], 0);
    if (id) put(id, 'C', NULL, 0, 0);
  }
  return real(fd);
}

ssize_t read(int fd, void *bytes, size_t length) {
  REAL(read);
  ssize_t done = real(fd, bytes, length);
  note(fd, 'R', &(struct iovec){bytes, length}, 1, done);
  return done;
}

ssize_t readv(int fd, const struct iovec *pieces, int many) {
  REAL(readv);
  ssize_t done = real(fd, pieces, many);
  note(fd, 'R', pieces, (size_t)many, done);
  return done;
}

ssize_t recv(int fd, void *bytes, size_t length, int flags) {
  REAL(recv);
  ssize_t done = real(fd, bytes, length, flags);
  if (!(flags & MSG_PEEK)) note(fd, 'R', &(struct iovec){bytes, length}, 1, done);
  return done;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  REAL(recvmsg);
  ssize_t done = real(fd, message, flags);
  if (!(flags & MSG_PEEK)) note(fd, 'R', message->msg_iov, message->msg_iovlen, done);
  return done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write);
  ssize_t done = real(fd, bytes, length);
  note(fd, 'S', &(struct iovec){(void *)bytes, length}, 1, done);
  return done;
}

ssize_t writev(int fd, const struct iovec *pieces, int many) {
  REAL(writev);
  ssize_t done = real(fd, pieces, many);
  note(fd, 'S', pieces, (size_t)many, done);
  return done;
}

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
  REAL(send);
  ssize_t done = real(fd, bytes, length, flags);
  note(fd, 'S', &(struct iovec){(void *)bytes, length}, 1, done);
  return done;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  REAL(sendmsg);
  ssize_t done = real(fd, message, flags);
  note(fd, 'S', message->msg_iov, message->msg_iovlen, done);
  return done;
}
