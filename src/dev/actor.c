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

void gf_name_item(gf_value from, uint64_t index, char *text, size_t size) {
    uint64_t item = from.bits + index;
    bool is_narrow = gf_type_bytes(from.type) < sizeof item;
    if (gf_type_is_signed(from.type)) {
        int64_t value = is_narrow ? (int32_t)(uint32_t)item : (int64_t)item;
        (void)snprintf(text, size, "item %" PRId64 " of a forall", value);
    } else {
        (void)snprintf(text, size, "item %" PRIu64 " of a forall", is_narrow ? (uint32_t)item : item);
    }
}
