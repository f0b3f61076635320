/* What the dumps share. Each format is one function over the plan; all text goes through one string. */
#ifndef GF_PLAN_DUMP_H
#define GF_PLAN_DUMP_H

#include "base/str.h"
#include "plan/plan.h"

/* A node without its blocks, as one line: "depth = depth + 1", "while more", "segment 2 \"hop\"". */
void gf_plan_node_line(const gf_plan *plan, const gf_plan_node *node, gf_str *out);
const char *gf_plan_node_kind_name(gf_plan_node_kind kind);
const char *gf_fate_name(gf_fate fate);
const char *gf_role_name(gf_role role);
const char *gf_plan_buffer_kind_name(gf_plan_buffer_kind kind);
unsigned gf_plan_line(gf_span span);

/* Launches, counted over the tree: those of every pass, and those inside loops and ifs. */
typedef struct gf_plan_counts {
    size_t always, in_loops, in_ifs;
} gf_plan_counts;
gf_plan_counts gf_plan_count_launches(const gf_plan_block *block);

/* Elements of a plan buffer for the given sizes; false where they are not known. */
bool gf_plan_buffer_elements(const gf_plan *plan, uint32_t buffer, const gf_plan_sizes *sizes, uint64_t *count);
/* Bytes handed to and taken from a segment by `host`; false where a size is not known. */
bool gf_plan_segment_bytes(const gf_plan *plan, const gf_segment *segment, const gf_plan_sizes *sizes, uint64_t *up,
                           uint64_t *down);
static inline uint64_t gf_plan_bytes(uint64_t elements, gf_type type) {
    return elements * gf_type_bytes(type);
}
uint64_t gf_plan_carried_bytes(const gf_plan *plan); /* per invocation */

void gf_plan_dump_text(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out);
void gf_plan_dump_json(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out);
void gf_plan_dump_dot(const gf_plan *plan, gf_str *out);
void gf_plan_dump_svg(const gf_plan *plan, gf_str *out);
void gf_plan_dump_segments(const gf_plan *plan, gf_str *out);

#endif
