/* The plan as text, for people; and its segments as programs. */
#include "plan/dump.h"
#include <string.h>

static void put_tree(const gf_plan *plan, const gf_plan_block *block, unsigned depth, gf_str *out) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        gf_str_addf(out, "%*s", (int)(2 + 2 * depth), "");
        gf_plan_node_line(plan, node, out);
        gf_str_add(out, "\n");
        put_tree(plan, node->body, depth + 1, out);
        if (node->otherwise != NULL && node->otherwise->count != 0) {
            gf_str_addf(out, "%*selse\n", (int)(2 + 2 * depth), "");
            put_tree(plan, node->otherwise, depth + 1, out);
        }
    }
}

static void put_space(const gf_segment *segment, gf_str *out) {
    const gf_kernel_decl *kernel = &segment->tree->kernel;
    if (kernel->space_kind == GF_SPACE_ONE) {
        gf_str_add(out, "one invocation");
        return;
    }
    gf_str_add(out, kernel->space_kind == GF_SPACE_GROUPS ? "groups(" : "(");
    for (size_t i = 0; i < kernel->space_axes; i++) {
        gf_str_add(out, i == 0 ? "" : ", ");
        gf_print_expr(kernel->space[i], out);
    }
    gf_str_addf(out, ") workgroup(%u", kernel->workgroup[0]);
    if (kernel->workgroup[1] != 1 || kernel->workgroup[2] != 1)
        gf_str_addf(out, ", %u", kernel->workgroup[1]);
    if (kernel->workgroup[2] != 1)
        gf_str_addf(out, ", %u", kernel->workgroup[2]);
    gf_str_add(out, ")");
}

static void put_segment(const gf_plan *plan, const gf_segment *segment, const gf_plan_sizes *sizes, gf_str *out) {
    gf_str_addf(out, "\nsegment %u", segment->index);
    if (segment->region != NULL)
        gf_str_addf(out, " \"%s\"", segment->region);
    gf_str_add(out, segment->is_forall ? ", a forall: " : ": ");
    put_space(segment, out);
    gf_str_add(out, "\n");
    if (segment->param_count != 0) {
        gf_str_add(out, "  params ");
        for (size_t i = 0; i < segment->param_count; i++)
            gf_str_addf(out, " %s", segment->params[i].symbol->name);
        gf_str_add(out, "\n");
    }
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_segment_buffer *use = &segment->buffers[i];
        gf_str_addf(out, "  %-6s %s %s[", gf_role_name(use->role), gf_type_name(use->symbol->type), use->symbol->name);
        if (plan->buffers[use->buffer].size != NULL)
            gf_print_expr(plan->buffers[use->buffer].size, out);
        gf_str_add(out, "]");
        uint64_t count;
        if (gf_plan_buffer_elements(plan, use->buffer, sizes, &count))
            gf_str_addf(out, "  %llu bytes", (unsigned long long)gf_plan_bytes(count, use->symbol->type));
        gf_str_add(out, use->overwrites ? "  every element written\n" : "\n");
    }
    uint64_t up, down;
    if (gf_plan_segment_bytes(plan, segment, sizes, &up, &down))
        gf_str_addf(out, "  host hands over %llu bytes and takes back %llu\n", (unsigned long long)up,
                    (unsigned long long)down);
}

static void put_crossings(const gf_plan *plan, gf_str *out) {
    if (plan->crossing_count == 0) {
        gf_str_add(out, "\nno value crosses a cut\n");
        return;
    }
    gf_str_add(out, "\nvalues that cross a cut\n");
    size_t width = 0;
    for (size_t i = 0; i < plan->crossing_count; i++)
        if (strlen(plan->crossings[i].symbol->name) > width)
            width = strlen(plan->crossings[i].symbol->name);
    for (size_t i = 0; i < plan->crossing_count; i++) {
        const gf_crossing *crossing = &plan->crossings[i];
        gf_str_addf(out, "  %-*s  %-15s  %4llu bytes%s  %s\n", (int)width, crossing->symbol->name,
                    gf_fate_name(crossing->fate), (unsigned long long)crossing->bytes,
                    crossing->fate == GF_FATE_SHARED ? " a workgroup" : " an invocation", crossing->reason);
    }
}

static void put_kept(const gf_plan *plan, gf_str *out) {
    if (plan->kept_count != 0)
        gf_str_add(out,
                   "\nbuffers that stay with their invocations while a loop goes on, as it looks at no other element");
    for (size_t i = 0; i < plan->kept_count; i++) {
        const gf_plan_kept *kept = &plan->kept[i];
        bool begins = i == 0 || plan->kept[i - 1].loop != kept->loop;
        if (begins)
            gf_str_addf(out, "\n  line %-4u ", gf_plan_line(kept->loop->span));
        gf_str_addf(out, "%s%s", begins ? "" : ", ", plan->buffers[kept->buffer].symbol->name);
    }
    gf_str_add(out, plan->kept_count != 0 ? "\n" : "");
}

static void put_barriers(const gf_plan *plan, gf_str *out) {
    if (plan->barrier_count == 0) {
        gf_str_add(out, "\nno barrier\n");
        return;
    }
    gf_str_add(out, "\nbarriers\n");
    for (size_t i = 0; i < plan->barrier_count; i++) {
        const gf_barrier_note *note = &plan->barriers[i];
        gf_str_addf(out, "  line %-4u %-7s %s: %s\n", gf_plan_line(note->span), note->dropped ? "dropped" : "kept",
                    note->what, note->reason);
    }
}

static void put_hidden(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out) {
    bool title = false;
    for (uint32_t b = 0; b < plan->buffer_count; b++) {
        const gf_plan_buffer *buffer = &plan->buffers[b];
        if (buffer->kind == GF_PLAN_BUFFER_PROGRAM)
            continue;
        gf_str_add(out, title ? "" : "\nhidden buffers\n");
        title = true;
        gf_str_addf(out, "  %s %s[", gf_type_name(buffer->symbol->type), buffer->symbol->name);
        gf_print_expr(buffer->size, out);
        gf_str_addf(out, "]  %s", buffer->reason);
        uint64_t count;
        if (gf_plan_buffer_elements(plan, b, sizes, &count))
            gf_str_addf(out, "  %llu bytes", (unsigned long long)gf_plan_bytes(count, buffer->symbol->type));
        gf_str_add(out, "\n");
    }
}

static void put_strategies(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out) {
    uint64_t carried = gf_plan_carried_bytes(plan);
    gf_plan_counts counts = gf_plan_count_launches(plan->body);
    gf_str_addf(out, "\nlaunches per pass: %zu", counts.always);
    if (counts.in_ifs != 0)
        gf_str_addf(out, ", %zu where an `if` says so", counts.in_ifs);
    if (counts.in_loops != 0)
        gf_str_addf(out, ", %zu in loops, once a turn", counts.in_loops);
    gf_str_add(out, "\nbytes moved\n");
    gf_str_add(out, "  native      buffers up once and down once; crossing values stay in registers\n");
    uint64_t arrays = 0;
    for (size_t i = 0; i < plan->crossing_count; i++)
        arrays += plan->crossings[i].fate == GF_FATE_SHARED ? plan->crossings[i].bytes : 0;
    static const char *const names[] = {"persistent", "resident  "};
    for (size_t i = 0; i < 2; i++) {
        gf_str_addf(out, "  %s  the same, and %llu bytes carried an invocation", names[i], (unsigned long long)carried);
        if (arrays != 0)
            gf_str_addf(out, " and %llu a workgroup", (unsigned long long)arrays);
        gf_str_add(out, " where a segment needs them\n");
    }
    uint64_t up_all = 0, down_all = 0, up, down;
    bool known = plan->segment_count != 0;
    for (size_t i = 0; i < plan->segment_count; i++) {
        known = gf_plan_segment_bytes(plan, plan->segments[i], sizes, &up, &down) && known;
        up_all += up;
        down_all += down;
    }
    if (known)
        gf_str_addf(out, "  host        each segment launched once: %llu bytes up, %llu down\n",
                    (unsigned long long)up_all, (unsigned long long)down_all);
    else
        gf_str_add(out, "  host        for each launch the `in` and `inout` buffers of its segment up, `out` and "
                        "`inout` down\n");
}

void gf_plan_dump_text(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out) {
    size_t dropped = 0;
    for (size_t i = 0; i < plan->barrier_count; i++)
        dropped += plan->barriers[i].dropped;
    gf_str_addf(out, "plan %s: %zu segment%s, %zu barrier%s kept, %zu dropped\n", plan->program->checked->name,
                plan->segment_count, plan->segment_count == 1 ? "" : "s", plan->barrier_count - dropped,
                plan->barrier_count - dropped == 1 ? "" : "s", dropped);
    if (plan->prologue->count != 0) {
        gf_str_add(out, "\nonce\n");
        put_tree(plan, plan->prologue, 0, out);
    }
    gf_str_add(out, plan->is_fixpoint ? "\neach pass, until nothing changes in" : "\none pass");
    for (size_t i = 0; plan->is_fixpoint && i < plan->watched_count; i++)
        gf_str_addf(out, "%s %s", i == 0 ? "" : ",", plan->buffers[plan->watched[i]].symbol->name);
    gf_str_add(out, "\n");
    put_tree(plan, plan->body, 0, out);
    for (size_t i = 0; i < plan->segment_count; i++)
        put_segment(plan, plan->segments[i], sizes, out);
    put_crossings(plan, out);
    put_kept(plan, out);
    put_barriers(plan, out);
    put_hidden(plan, sizes, out);
    put_strategies(plan, sizes, out);
}

void gf_plan_dump_segments(const gf_plan *plan, gf_str *out) {
    for (size_t i = 0; i < plan->segment_count; i++) {
        gf_str_addf(out, "%s// segment %zu of %zu\n", i == 0 ? "" : "\n", i, plan->segment_count);
        if (!gf_print_tree(plan->segments[i]->tree, out))
            out->failed = true;
    }
}
