/* What is fuzzed: the same for the mutations of `make test` and for libFuzzer. */
#include "check.h"

void fuzz_image(const uint8_t *bytes, size_t size);
void fuzz_answer(const uint8_t *bytes, size_t size);
void fuzz_control(const uint8_t *bytes, size_t size);
void fuzz_json(const uint8_t *bytes, size_t size);
