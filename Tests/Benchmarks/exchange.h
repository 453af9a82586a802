// Blocking HTTP over a Unix socket, for the programs that put load on a daemon: each includes it once. It ends the program at the first failure.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

static void fail(const char *what) {
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
  exit(1);
}

static int connected(const char *path, int seconds) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path is too long");
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct timeval limit = {.tv_sec = seconds};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  return descriptor;
}

static void send_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) fail("send");
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void exchange(int descriptor, const char *request, size_t count) {
  static char answer[1 << 20];
  size_t got = 0, whole = 0;
  send_all(descriptor, request, count);
  while (whole == 0 || got < whole) {
    ssize_t more = recv(descriptor, answer + got, sizeof answer - 1 - got, 0);
    if (more <= 0) fail("an answer ended");
    got += (size_t)more;
    answer[got] = 0;
    const char *end = whole == 0 ? strstr(answer, "\r\n\r\n") : NULL, *length = end ? strcasestr(answer, "content-length:") : NULL;
    if (end) whole = (size_t)(end - answer) + 4 + (length ? strtoul(length + 15, NULL, 10) : 0);
  }
  if (strncmp(answer, "HTTP/1.1 2", 10) == 0) return;
  fprintf(stderr, "%s: %.*s\n", program_invocation_short_name, (int)strcspn(answer, "\r"), answer);
  exit(1);
}
