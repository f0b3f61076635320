#include "dev/actor.h"
#include <inttypes.h>
#include <stdio.h>

void gf_name_invocation(const uint64_t id[3], const uint64_t space[3], char *text, size_t size) {
    if (space[2] > 1) {
        (void)snprintf(text, size, "invocation (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", id[0], id[1], id[2]);
    } else if (space[1] > 1) {
        (void)snprintf(text, size, "invocation (%" PRIu64 ", %" PRIu64 ")", id[0], id[1]);
    } else {
        (void)snprintf(text, size, "invocation %" PRIu64, id[0]);
    }
}
