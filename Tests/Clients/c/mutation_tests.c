/* Damaged images, streams, answers and JSON by the thousands, from a fixed seed; fuzz.c does the same with libFuzzer. */
#include "fuzz.h"
#include "mapped.h"

static uint64_t state = 42;

static uint32_t below(uint32_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % bound;
}

static void mutate(uint8_t *bytes, size_t *size, size_t room) {
  for (uint32_t count = 1 + below(8); count > 0 && *size > 0; count--) {
    size_t at = below((uint32_t)*size);
    switch (below(6)) {
      case 0: bytes[at] ^= (uint8_t)(1 << below(8)); break;
      case 1: bytes[at] = (uint8_t)below(256); break;
      case 2: bytes[at] = below(2) ? 0xff : 0; break;
      case 3: *size = at; break;
      case 4:
        if (*size + 16 < room) memmove(bytes + at + 8, bytes + at, *size - at), *size += 8;
        break;
      default: {
        size_t from = below((uint32_t)*size), count_moved = 1 + below(8);
        size_t last = at > from ? at : from;
        if (last + count_moved <= *size) memmove(bytes + at, bytes + from, count_moved);
      }
    }
  }
}

static void run(int rounds, void (*feed)(const uint8_t *, size_t), const void *seed, size_t seed_size) {
  uint8_t *bytes = malloc(seed_size + 256);
  for (int round = 0; round < rounds; round++) {
    size_t size = seed_size;
    memcpy(bytes, seed, seed_size);
    mutate(bytes, &size, seed_size + 200);
    /* In memory of its own length, so that the address sanitizer sees its end. */
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, bytes, size);
    feed(exact, size);
    free(exact);
  }
  free(bytes);
}

void mutation_tests(void) {
  const char *rounds_text = getenv("MUTATIONS");
  int rounds = rounds_text ? atoi(rounds_text) : 20000;
  size_t size;
  void *image = file_bytes("Tests/Fixtures/Images/sample.image", &size);
  run(rounds, fuzz_image, image, size);
  free(image);
  image = file_bytes("Tests/Fixtures/Images/sample.patch", &size);
  run(rounds, fuzz_image, image, size);
  free(image);
  static const char answer[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nRetry-After: 3\r\n\r\n10\r\n\x03\0\0\0\x01\x01\0\0iabc\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n";
  run(rounds, fuzz_answer, answer, sizeof answer - 1);
  static const char json[] = "/a/1/b~1c\0{\"a\":[10,{\"b/c\":true,\"\\u00e9\":-1.5e+3}],\"\\ud83d\\ude00\":\"x\"}";
  run(rounds, fuzz_json, json, sizeof json - 1);
  /* A control page as it is, that names an image that is there. */
  mapped mapped;
  mapped_begin(&mapped, "fuzzed");
  mapped_image(&mapped, 1, 3);
  run(rounds / 4, fuzz_control, mapped.page, 80);
  mapped_end(&mapped);
  checks_done += 5;
}
