/* Images made in memory, folders of a run's own, and the daemon's side of a socket. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int checks_failed, checks_done;

void draft_begin(draft *draft, const char *game, const char *player, int64_t revision, uint32_t flags) {
  gcf_header header;
  memset(draft, 0, sizeof *draft);
  memset(&header, 0, sizeof header);
  memcpy(header.magic, "\x89GCI\r\n\x1a\n", 8);
  header.epoch = 77;
  header.revision = revision;
  header.player_revision = player ? 1 : 0;
  header.made_at = 1767268800000;
  header.clock_rate = 1000;
  header.flags = flags | (player ? GCF_FOR_PLAYER : 0);
  gcf_builder_begin(&draft->builder, &header, 4, 64);
  draft->builder.caller[0] = gcf_builder_text(&draft->builder, game, strlen(game));
  if (player) draft->builder.caller[1] = gcf_builder_text(&draft->builder, player, strlen(player));
}

static gcf_entry *add(draft *draft, struct gcf_list *list, const char *key, uint8_t kind, uint8_t source) {
  if (list->count + 1 >= list->capacity) {
    list->capacity = list->capacity * 2 + 4;
    list->rows = realloc(list->rows, list->capacity * sizeof *list->rows);
  }
  gcf_entry *entry = &list->rows[list->count++];
  memset(entry, 0, sizeof *entry);
  entry->hash = gcf_hash(key, strlen(key));
  entry->key = gcf_builder_text(&draft->builder, key, strlen(key));
  entry->kind = entry->type = kind;
  entry->source = source;
  entry->reason = GAMECONF_REASON_STATIC;
  entry->revision = draft->builder.header.revision;
  return entry;
}

gcf_entry *draft_entry(draft *draft, const char *key, uint8_t kind, uint8_t source) {
  return add(draft, &draft->builder.entries, key, kind, source);
}
void draft_bool(draft *draft, const char *key, bool value) { draft_entry(draft, key, GCF_BOOLEAN, 5)->value.word = value; }
void draft_int(draft *draft, const char *key, int64_t value, uint8_t source) {
  draft_entry(draft, key, GCF_INTEGER, source)->value.integer = value;
}
void draft_double(draft *draft, const char *key, double value) { draft_entry(draft, key, GCF_DOUBLE, 5)->value.real = value; }
void draft_text(draft *draft, const char *key, uint8_t kind, const char *value) {
  gcf_text text = gcf_builder_text(&draft->builder, value, strlen(value));
  draft_entry(draft, key, kind, 5)->value.text = text;
}
void draft_base(draft *draft, const char *key, int64_t value) {
  add(draft, &draft->builder.base, key, GCF_INTEGER, 5)->value.integer = value;
}

/* Records of a part are made one by one; they are few. */
static void *part_record(draft *draft, const char *tag, uint32_t stride) {
  gcf_builder *builder = &draft->builder;
  struct gcf_part *part = NULL;
  for (uint32_t at = 0; at < builder->part_count; at++)
    if (memcmp(builder->parts[at].tag, tag, 4) == 0) part = &builder->parts[at];
  if (!part) {
    part = &builder->parts[builder->part_count++];
    memcpy(part->tag, tag, 4);
    part->stride = stride;
  }
  part->bytes = realloc(part->bytes, part->size + stride);
  memset(part->bytes + part->size, 0, stride);
  part->size += stride;
  return part->bytes + part->size - stride;
}

void draft_gone(draft *draft, const char *key) {
  gcf_text text = gcf_builder_text(&draft->builder, key, strlen(key));
  memcpy(part_record(draft, "GONE", sizeof text), &text, sizeof text);
}
void draft_theme(draft *draft, const char *id, bool unlocked) {
  gcf_mark mark = {gcf_builder_text(&draft->builder, id, strlen(id)), unlocked, 0};
  memcpy(part_record(draft, "THEM", sizeof mark), &mark, sizeof mark);
}
void draft_entitlement(draft *draft, const char *id, bool ends_ads, int64_t until) {
  gcf_entitlement one = {gcf_builder_text(&draft->builder, id, strlen(id)), ends_ads, 0, until};
  memcpy(part_record(draft, "ENTL", sizeof one), &one, sizeof one);
}
void *draft_end(draft *draft, size_t *size) { return gcf_builder_end(&draft->builder, size); }

void *file_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  char *bytes = malloc(1 << 20);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

const char *folder(void) {
  static char path[400];
  if (!path[0]) {
    const char *base = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/gameconf-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(path)) exit(2);
    strcat(path, "/");
  }
  return path;
}
void path_in_folder(char path[512], const char *name) { snprintf(path, 512, "%s%s", folder(), name); }

pid_t forked(void) {
  static unsigned seconds = 60;
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    checks_failed = 0;
    alarm(seconds); /* nobody handles it; another program that this becomes has it too */
    seconds /= 2;
  }
  return child;
}

int forked_end(pid_t child) {
  int end = -1;
  while (child > 0 && waitpid(child, &end, 0) < 0 && errno == EINTR) {}
  if (WIFSIGNALED(end)) {
    bool is_late = WTERMSIG(end) == SIGALRM;
    fprintf(stderr, "a forked process %s%d\n", is_late ? "did not end in its time, and was ended by signal " : "died of signal ", WTERMSIG(end));
  }
  return end;
}

void fake_begin(fake *fake, const char *name) {
  memset(fake, 0, sizeof *fake);
  fake->fd = -1;
  path_in_folder(fake->path, name);
  unlink(fake->path);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%.100s", fake->path);
  fake->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(fake->listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(fake->listener, 8) != 0) {
    perror(fake->path);
    exit(2);
  }
}

void fake_hang_up(fake *fake) {
  if (fake->fd >= 0) close(fake->fd);
  fake->fd = -1;
}

void fake_end(fake *fake) {
  fake_hang_up(fake);
  if (fake->listener >= 0) close(fake->listener);
  fake->listener = -1;
  unlink(fake->path);
}

static bool is_whole(const fake *fake) {
  const char *end = strstr(fake->request, "\r\n\r\n"), *length = strstr(fake->request, "Content-Length: ");
  if (!end) return false;
  size_t body = length && length < end ? (size_t)atoi(length + 16) : 0;
  return fake->request_length >= (size_t)(end + 4 - fake->request) + body;
}

bool fake_request(fake *fake, gameconf *gc) {
  fake->request_length = 0;
  fake->request[0] = 0;
  for (int round = 0; round < 4000; round++) {
    gameconf_update(gc);
    if (fake->fd < 0) fake->fd = accept4(fake->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fake->fd >= 0) {
      ssize_t count = recv(fake->fd, fake->request + fake->request_length, sizeof fake->request - 1 - fake->request_length, 0);
      if (count == 0) fake_hang_up(fake);
      if (count > 0) fake->request_length += (size_t)count, fake->request[fake->request_length] = 0;
      if (is_whole(fake)) return true;
    }
    struct pollfd two[2] = {{.fd = fake->fd >= 0 ? fake->fd : fake->listener, .events = POLLIN}, {.fd = gameconf_fd(gc), .events = POLLIN}};
    int timeout = gameconf_timeout(gc);
    poll(two, 2, timeout < 20 ? timeout : 20);
  }
  return false;
}

bool fake_has(const fake *fake, const char *text) { return strstr(fake->request, text) != NULL; }

size_t fake_send(fake *fake, const void *bytes, size_t length) {
  size_t sent = 0;
  while (sent < length && fake->fd >= 0) {
    ssize_t count = send(fake->fd, (const char *)bytes + sent, length - sent, MSG_NOSIGNAL);
    if (count <= 0) break; /* full: most tests send less than a socket holds */
    sent += (size_t)count;
  }
  return sent;
}
void fake_text(fake *fake, const char *text) { fake_send(fake, text, strlen(text)); }

void fake_stream(fake *fake) {
  char head[200];
  time_t now = time(NULL); /* the daemon's own, whatever the game's is */
  struct tm parts;
  strftime(head, sizeof head, "HTTP/1.1 200 OK\r\nDate: %a, %d %b %Y %H:%M:%S GMT\r\n", gmtime_r(&now, &parts));
  fake_text(fake, head);
  fake_text(fake, "Content-Type: application/vnd.gameconf.image-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
}

void fake_frame(fake *fake, int kind, const char *id, const void *payload, size_t length) {
  char head[300];
  uint8_t frame[8] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16), (uint8_t)(length >> 24), (uint8_t)kind, (uint8_t)strlen(id)};
  int head_length = snprintf(head, sizeof head, "%zx\r\n", 8 + strlen(id) + length);
  fake_send(fake, head, (size_t)head_length);
  fake_send(fake, frame, 8);
  fake_text(fake, id);
  fake_send(fake, payload, length);
  fake_text(fake, "\r\n");
}

void fake_answer(fake *fake, int status, const char *extra, const char *body) {
  char head[1024];
  int length = snprintf(head, sizeof head, "HTTP/1.1 %d Any\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n", status, extra, strlen(body));
  fake_send(fake, head, (size_t)length);
  fake_text(fake, body);
}

bool until_state(gameconf *gc, int32_t state) {
  gameconf_status_t status = {.size = sizeof status};
  for (int round = 0; round < 400; round++) {
    gameconf_update(gc);
    gameconf_status(gc, &status);
    if (status.state == state) return true;
    struct pollfd one = {.fd = gameconf_fd(gc), .events = POLLIN};
    poll(&one, 1, 5);
  }
  fprintf(stderr, "state %d, %s\n", status.state, status.last_error);
  return false;
}

gameconf *open_at(const fake *fake, const char *player, const char *cache) {
  gameconf *gc = NULL;
  gameconf_options options = {.size = sizeof options, .game = "dots", .player = player, .socket = fake->path, .cache = cache};
  CHECK(gameconf_open(&gc, &options) == 0);
  return gc;
}
