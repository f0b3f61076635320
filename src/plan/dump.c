/* What the dumps share, and the visitor over the tree. */
#include "plan/dump.h"
#include "base/memory.h"
#include "ir/eval.h"

const char *gf_plan_node_kind_name(gf_plan_node_kind kind) {
    static const char *const names[] = {"segment",   "set", "reduce", "scan", "fill",  "swap",     "collective",
                                        "converged", "if",  "while",  "for",  "break", "continue", "return"};
    return names[kind];
}

const char *gf_fate_name(gf_fate fate) {
    static const char *const names[] = {"recompute", "register", "carry", "workgroup array", "returned"};
    return names[fate];
}

const char *gf_role_name(gf_role role) {
    static const char *const names[] = {"in", "inout", "out", "scratch"};
    return names[role];
}

const char *gf_plan_buffer_kind_name(gf_plan_buffer_kind kind) {
    static const char *const names[] = {"program", "carry", "returned", "workgroup array", "values"};
    return names[kind];
}

unsigned gf_plan_line(gf_span span) {
    uint32_t line = 0, column = 0;
    if (span.source != NULL)
        gf_span_line_column(span, &line, &column);
    return line;
}

static const char *buffer_name(const gf_plan *plan, uint32_t buffer) {
    return buffer == UINT32_MAX ? "?" : plan->buffers[buffer].symbol->name;
}

static void collective_line(const gf_plan *plan, const gf_plan_node *node, gf_str *out) {
    static const char *const names[] = {"all_reduce", "all_gather", "reduce_scatter", "broadcast"};
    gf_str_addf(out, "%s %s", names[node->collective], buffer_name(plan, node->buffer));
    if (node->second != UINT32_MAX)
        gf_str_addf(out, " -> %s", buffer_name(plan, node->second));
}

void gf_plan_node_line(const gf_plan *plan, const gf_plan_node *node, gf_str *out) {
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        gf_str_addf(out, "segment %u", node->segment->index);
        if (node->segment->region != NULL)
            gf_str_addf(out, " \"%s\"", node->segment->region);
        if (node->follows)
            gf_str_add(out, ", in the same stretch");
        break;
    case GF_PLAN_SET:
        gf_str_addf(out, "%s = ", node->target->name);
        gf_print_expr(node->value, out);
        break;
    case GF_PLAN_REDUCE:
        gf_str_addf(out, "%s = %s", node->target->name, gf_combine_name(node->combine));
        if (node->keep_old)
            gf_str_addf(out, " of %s and", node->target->name);
        else
            gf_str_add(out, node->by_group ? " by workgroup of" : " of");
        gf_str_addf(out, " %s", buffer_name(plan, node->buffer));
        break;
    case GF_PLAN_SCAN:
        gf_str_addf(out, "%s = exclusive sums of %s", buffer_name(plan, node->second), buffer_name(plan, node->buffer));
        break;
    case GF_PLAN_FILL:
        gf_str_addf(out, "fill %s with %#llx", buffer_name(plan, node->buffer), (unsigned long long)node->bits);
        break;
    case GF_PLAN_SWAP:
        gf_str_addf(out, "swap %s, %s", buffer_name(plan, node->buffer), buffer_name(plan, node->second));
        break;
    case GF_PLAN_COLLECTIVE:
        collective_line(plan, node, out);
        break;
    case GF_PLAN_CONVERGED:
        gf_str_add(out, "converged ");
        gf_print_expr(node->value, out);
        break;
    case GF_PLAN_IF:
    case GF_PLAN_WHILE:
        gf_str_add(out, node->kind == GF_PLAN_IF ? "if " : "while ");
        gf_print_expr(node->value, out);
        break;
    case GF_PLAN_FOR:
        gf_str_addf(out, "for %s in ", node->target->name);
        gf_print_expr(node->from, out);
        gf_str_add(out, " .. ");
        gf_print_expr(node->to, out);
        if (node->step != NULL) {
            gf_str_add(out, " step ");
            gf_print_expr(node->step, out);
        }
        break;
    case GF_PLAN_BREAK:
    case GF_PLAN_CONTINUE:
    case GF_PLAN_RETURN:
        gf_str_add(out, gf_plan_node_kind_name(node->kind));
        break;
    }
}

/* ---- figures ---- */

static void count_block(const gf_plan_block *block, bool in_loop, bool in_if, gf_plan_counts *counts) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->kind == GF_PLAN_SEGMENT) {
            counts->in_loops += in_loop;
            counts->in_ifs += !in_loop && in_if;
            counts->always += !in_loop && !in_if;
        }
        bool loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        count_block(node->body, in_loop || loop, in_if || node->kind == GF_PLAN_IF, counts);
        count_block(node->otherwise, in_loop, true, counts);
    }
}

gf_plan_counts gf_plan_count_launches(const gf_plan_block *block) {
    gf_plan_counts counts = {0};
    count_block(block, false, false, &counts);
    return counts;
}

typedef struct size_env {
    const gf_plan *plan;
    const gf_plan_sizes *sizes;
} size_env;

static bool param_value(void *user, const gf_symbol *symbol, uint64_t *bits) {
    size_env *env = user;
    const gf_tree *tree = env->plan->program->checked;
    size_t at = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        if (tree->decls[i]->kind != GF_SYMBOL_PARAM)
            continue;
        if (tree->decls[i] == symbol && env->sizes->params != NULL && env->sizes->params[at].type != GF_TYPE_NONE) {
            *bits = env->sizes->params[at].bits;
            return true;
        }
        at++;
    }
    return false;
}

static bool buffer_length(void *user, const gf_symbol *symbol, uint64_t *count) {
    size_env *env = user;
    for (uint32_t b = 0; b < env->plan->buffer_count; b++)
        if (env->plan->buffers[b].symbol == symbol)
            return gf_plan_buffer_elements(env->plan, b, env->sizes, count);
    return false;
}

static void set_geometry(gf_env *env, const gf_kernel_decl *kernel) {
    env->has_geometry = false;
    uint64_t space[3] = {1, 1, 1};
    for (size_t i = 0; i < kernel->space_axes && kernel->space_kind != GF_SPACE_INDIRECT; i++)
        if (!gf_eval_size(kernel->space[i], env, "space", &space[i], NULL))
            return;
    if (kernel->space_kind == GF_SPACE_INDIRECT)
        return;
    for (size_t i = 0; i < 3; i++) {
        uint64_t workgroup = kernel->workgroup[i] == 0 ? 1 : kernel->workgroup[i];
        bool groups = kernel->space_kind == GF_SPACE_GROUPS;
        env->workgroup[i] = workgroup;
        env->groups[i] = groups ? space[i] : (space[i] + workgroup - 1) / workgroup;
        env->space[i] = groups ? space[i] * workgroup : space[i];
    }
    env->has_geometry = true;
}

bool gf_plan_buffer_elements(const gf_plan *plan, uint32_t buffer, const gf_plan_sizes *sizes, uint64_t *count) {
    const gf_plan_buffer *entry = &plan->buffers[buffer];
    if (sizes == NULL)
        return false;
    if (entry->size == NULL) {
        if (entry->kind != GF_PLAN_BUFFER_PROGRAM || sizes->lengths == NULL || sizes->lengths[buffer] == UINT64_MAX)
            return false;
        *count = sizes->lengths[buffer];
        return true;
    }
    size_env user = {.plan = plan, .sizes = sizes};
    gf_env env = {.user = &user, .symbol = param_value, .length = buffer_length};
    set_geometry(&env, &plan->program->checked->kernel);
    return gf_eval_size(entry->size, &env, "size", count, NULL);
}

bool gf_plan_segment_bytes(const gf_plan *plan, const gf_segment *segment, const gf_plan_sizes *sizes, uint64_t *up,
                           uint64_t *down) {
    *up = *down = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_segment_buffer *use = &segment->buffers[i];
        uint64_t count;
        if (!gf_plan_buffer_elements(plan, use->buffer, sizes, &count))
            return false;
        uint64_t bytes = count * gf_type_bytes(use->symbol->type);
        if (use->role != GF_ROLE_OUT)
            *up += bytes;
        if (use->role != GF_ROLE_IN)
            *down += bytes;
    }
    return true;
}

uint64_t gf_plan_carried_bytes(const gf_plan *plan) {
    uint64_t bytes = 0;
    for (size_t b = 0; b < plan->buffer_count; b++) {
        gf_plan_buffer_kind kind = plan->buffers[b].kind;
        if (kind != GF_PLAN_BUFFER_CARRY && kind != GF_PLAN_BUFFER_RETURNED)
            continue;
        uint64_t length = 1;
        for (size_t i = 0; i < plan->crossing_count; i++)
            if (plan->crossings[i].fate == GF_FATE_CARRY && plan->crossings[i].buffer == b &&
                plan->crossings[i].symbol->is_array)
                length = plan->crossings[i].symbol->length;
        bytes += length * gf_type_bytes(plan->buffers[b].symbol->type);
    }
    return bytes;
}

/* ---- the visitor ---- */

typedef struct walker {
    const gf_plan *plan;
    bool (*visit)(void *user, const gf_plan_visit *node);
    void *user;
    gf_str line;
} walker;

static bool walk_block(walker *w, const gf_plan_block *block, unsigned depth, bool in_else) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        w->line.length = 0;
        gf_plan_node_line(w->plan, node, &w->line);
        gf_plan_visit seen = {.kind = node->kind,
                              .depth = depth,
                              .in_else = in_else,
                              .segment = node->kind == GF_PLAN_SEGMENT ? node->segment->index : 0,
                              .text = w->line.text};
        if (w->line.failed || !w->visit(w->user, &seen) || !walk_block(w, node->body, depth + 1, false) ||
            !walk_block(w, node->otherwise, depth + 1, true))
            return false;
    }
    return true;
}

bool gf_plan_walk(const gf_plan *plan, bool (*visit)(void *user, const gf_plan_visit *node), void *user) {
    if (plan == NULL || visit == NULL)
        return false;
    walker w = {.plan = plan, .visit = visit, .user = user};
    bool done = walk_block(&w, plan->prologue, 0, false) && walk_block(&w, plan->body, 0, false);
    gf_str_free(&w.line);
    return done;
}

char *gf_plan_dump_sized(const gf_plan *plan, gf_plan_format format, const gf_plan_sizes *sizes, gf_diags *diags) {
    if (plan == NULL)
        return NULL;
    gf_str out = {0};
    switch (format) {
    case GF_PLAN_TEXT:
        gf_plan_dump_text(plan, sizes, &out);
        break;
    case GF_PLAN_JSON:
        gf_plan_dump_json(plan, sizes, &out);
        break;
    case GF_PLAN_DOT:
        gf_plan_dump_dot(plan, &out);
        break;
    case GF_PLAN_SVG:
        gf_plan_dump_svg(plan, &out);
        break;
    case GF_PLAN_SEGMENTS:
        gf_plan_dump_segments(plan, &out);
        break;
    }
    char *text = gf_str_take(&out);
    if (text == NULL) {
        gf_str_free(&out);
        gf_fail_memory(diags);
    }
    return text;
}

char *gf_plan_dump(const gf_plan *plan, gf_plan_format format, gf_diags *diags) {
    return gf_plan_dump_sized(plan, format, NULL, diags);
}
