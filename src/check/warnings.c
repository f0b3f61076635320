#include "check/checker.h"

void check_warnings(checker *c) {
    (void)c;
}
