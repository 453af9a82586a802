#include "check.h"
void random_tests(void) {}
