/* The plan as JSON, for programs. */
#include "base/json_text.h"
#include "plan/dump.h"

static void put_expr(const gf_expr *expr, gf_str *out) {
    gf_str text = {0};
    gf_print_expr(expr, &text);
    if (text.failed)
        out->failed = true;
    else
        gf_json_string(out, text.text == NULL ? "" : text.text);
    gf_str_free(&text);
}

static void put_node(const gf_plan *plan, const gf_plan_node *node, gf_str *out);

static void put_block(const gf_plan *plan, const gf_plan_block *block, gf_str *out) {
    gf_str_add(out, "[");
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        gf_str_add(out, i == 0 ? "" : ", ");
        put_node(plan, block->items[i], out);
    }
    gf_str_add(out, "]");
}

static void put_member(const char *name, const gf_expr *expr, gf_str *out) {
    if (expr == NULL)
        return;
    gf_str_addf(out, ", \"%s\": ", name);
    put_expr(expr, out);
}

static void put_node(const gf_plan *plan, const gf_plan_node *node, gf_str *out) {
    gf_str line = {0};
    gf_plan_node_line(plan, node, &line);
    gf_str_addf(out, "{\"kind\": \"%s\", \"text\": ", gf_plan_node_kind_name(node->kind));
    gf_json_string(out, line.text == NULL ? "" : line.text);
    out->failed = out->failed || line.failed;
    gf_str_free(&line);
    if (node->kind == GF_PLAN_SEGMENT)
        gf_str_addf(out, ", \"segment\": %u%s", node->segment->index,
                    node->follows ? ", \"in_same_stretch\": true" : "");
    if (node->target != NULL) {
        gf_str_add(out, ", \"register\": ");
        gf_json_string(out, node->target->name);
    }
    put_member("value", node->value, out);
    put_member("from", node->from, out);
    put_member("to", node->to, out);
    put_member("step", node->step, out);
    if (node->kind == GF_PLAN_REDUCE)
        gf_str_addf(out, ", \"op\": \"%s\"", gf_combine_name(node->combine));
    if (node->body != NULL) {
        gf_str_add(out, ", \"body\": ");
        put_block(plan, node->body, out);
    }
    if (node->otherwise != NULL) {
        gf_str_add(out, ", \"else\": ");
        put_block(plan, node->otherwise, out);
    }
    gf_str_add(out, "}");
}

static void put_segments(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out) {
    gf_str_add(out, "  \"segments\": [");
    for (size_t i = 0; i < plan->segment_count; i++) {
        const gf_segment *segment = plan->segments[i];
        gf_str_addf(out, "%s\n    {\"index\": %u, \"forall\": %s, \"region\": ", i == 0 ? "" : ",", segment->index,
                    segment->is_forall ? "true" : "false");
        if (segment->region == NULL)
            gf_str_add(out, "null");
        else
            gf_json_string(out, segment->region);
        gf_str_add(out, ", \"params\": [");
        for (size_t k = 0; k < segment->param_count; k++) {
            gf_str_add(out, k == 0 ? "" : ", ");
            gf_json_string(out, segment->params[k].symbol->name);
        }
        gf_str_add(out, "], \"buffers\": [");
        for (size_t k = 0; k < segment->buffer_count; k++) {
            const gf_segment_buffer *use = &segment->buffers[k];
            gf_str_addf(out, "%s{\"name\": ", k == 0 ? "" : ", ");
            gf_json_string(out, use->symbol->name);
            gf_str_addf(out, ", \"type\": \"%s\", \"role\": \"%s\", \"overwrites\": %s",
                        gf_type_name(use->symbol->type), gf_role_name(use->role), use->overwrites ? "true" : "false");
            uint64_t count;
            if (gf_plan_buffer_elements(plan, use->buffer, sizes, &count))
                gf_str_addf(out, ", \"bytes\": %llu", (unsigned long long)gf_plan_bytes(count, use->symbol->type));
            gf_str_add(out, "}");
        }
        gf_str_add(out, "]}");
    }
    gf_str_add(out, "],\n");
}

static void put_lists(const gf_plan *plan, gf_str *out) {
    gf_str_add(out, "  \"crossing\": [");
    for (size_t i = 0; i < plan->crossing_count; i++) {
        const gf_crossing *crossing = &plan->crossings[i];
        gf_str_addf(out, "%s\n    {\"name\": ", i == 0 ? "" : ",");
        gf_json_string(out, crossing->symbol->name);
        gf_str_addf(out, ", \"fate\": \"%s\", \"bytes\": %llu, \"reason\": ", gf_fate_name(crossing->fate),
                    (unsigned long long)crossing->bytes);
        gf_json_string(out, crossing->reason);
        gf_str_add(out, "}");
    }
    gf_str_add(out, "],\n  \"kept\": [");
    for (size_t i = 0; i < plan->kept_count; i++) {
        const gf_plan_kept *kept = &plan->kept[i];
        gf_str_addf(out, "%s\n    {\"line\": %u, \"buffer\": ", i == 0 ? "" : ",", gf_plan_line(kept->loop->span));
        gf_json_string(out, plan->buffers[kept->buffer].symbol->name);
        gf_str_addf(out, ", \"written\": %s}", kept->is_written ? "true" : "false");
    }
    gf_str_add(out, "],\n  \"barriers\": [");
    for (size_t i = 0; i < plan->barrier_count; i++) {
        const gf_barrier_note *note = &plan->barriers[i];
        gf_str_addf(out, "%s\n    {\"line\": %u, \"what\": ", i == 0 ? "" : ",", gf_plan_line(note->span));
        gf_json_string(out, note->what);
        gf_str_addf(out, ", \"dropped\": %s, \"reason\": ", note->dropped ? "true" : "false");
        gf_json_string(out, note->reason);
        gf_str_add(out, "}");
    }
    gf_str_add(out, "],\n  \"hidden\": [");
    bool first = true;
    for (size_t b = 0; b < plan->buffer_count; b++) {
        const gf_plan_buffer *buffer = &plan->buffers[b];
        if (buffer->kind == GF_PLAN_BUFFER_PROGRAM)
            continue;
        gf_str_addf(out, "%s\n    {\"name\": ", first ? "" : ",");
        first = false;
        gf_json_string(out, buffer->symbol->name);
        gf_str_addf(out, ", \"type\": \"%s\", \"kind\": \"%s\", \"elements\": ", gf_type_name(buffer->symbol->type),
                    gf_plan_buffer_kind_name(buffer->kind));
        put_expr(buffer->size, out);
        gf_str_add(out, "}");
    }
    gf_str_add(out, "],\n");
}

void gf_plan_dump_json(const gf_plan *plan, const gf_plan_sizes *sizes, gf_str *out) {
    gf_plan_counts counts = gf_plan_count_launches(plan->body);
    gf_str_add(out, "{\n  \"program\": ");
    gf_json_string(out, plan->program->checked->name);
    gf_str_addf(out, ",\n  \"fixpoint\": %s,\n  \"watched\": [", plan->is_fixpoint ? "true" : "false");
    for (size_t i = 0; i < plan->watched_count; i++) {
        gf_str_add(out, i == 0 ? "" : ", ");
        gf_json_string(out, plan->buffers[plan->watched[i]].symbol->name);
    }
    gf_str_add(out, "],\n  \"once\": ");
    put_block(plan, plan->prologue, out);
    gf_str_add(out, ",\n  \"pass\": ");
    put_block(plan, plan->body, out);
    gf_str_add(out, ",\n");
    put_segments(plan, sizes, out);
    put_lists(plan, out);
    gf_str_addf(out, "  \"launches_per_pass\": %zu,\n  \"launches_in_ifs\": %zu,\n  \"launches_in_loops\": %zu,\n",
                counts.always, counts.in_ifs, counts.in_loops);
    gf_str_addf(out, "  \"carried_bytes_per_invocation\": %llu\n}\n", (unsigned long long)gf_plan_carried_bytes(plan));
}
