/* Runs the library's tests: all of them, or those whose group is named. */
#include "check.h"

int main(int count, char **names) {
  struct {
    const char *name;
    void (*run)(void);
  } groups[] = {{"image", image_tests},   {"json", json_tests}, {"http", http_tests},     {"queue", queue_tests},      {"stream", stream_tests},
                {"calls", call_tests},    {"handle", handle_tests}, {"views", view_tests}, {"life", life_tests}, {"map", map_tests}, {"frames", frame_tests}, {"order", order_tests}, {"loss", loss_tests}, {"random", random_tests}, {"mutations", mutation_tests}};
  for (size_t at = 0; at < sizeof groups / sizeof *groups; at++) {
    bool wanted = count == 1;
    for (int name = 1; name < count; name++) wanted |= strcmp(names[name], groups[at].name) == 0;
    if (wanted) groups[at].run();
  }
  printf("%d checks, %d failed\n", checks_done, checks_failed);
  return checks_failed > 0;
}
