#include "coverage.h"
#include "ir/visit.h"
#include "modes.h"
#include <stdio.h>
#include <string.h>

static const char *const statement_names[GF_STMT_COUNT] = {
    "let",          "var",    "assign", "store",  "expression", "swap",       "converged",  "if",
    "for",          "while",  "loop",   "forall", "break",      "continue",   "return",     "barrier",
    "grid_barrier", "region", "block",  "assert", "trap",       "collective", "copy_async", "wait"};
static const char *const expr_names[EXPR_KINDS] = {"literal", "name",      "builtin", "len",
                                                   "load",    "operation", "&&",      "||",
                                                   "cast",    "bitcast",   "atomic",  "group or grid operation",
                                                   "call"};
static const char *const builtin_names[BUILTINS] = {"gid",        "lid",   "wid",  "grid_size",
                                                    "group_size", "space", "rank", "ranks"};
static const char *const collective_names[COLLECTIVES] = {"all_reduce", "all_gather", "reduce_scatter", "broadcast"};
static const char *const role_names[ROLES] = {"in", "inout", "out", "scratch"};
static const char *const space_names[SPACES] = {"none", "items", "groups", "indirect"};
static const char *const axes_names[] = {"of one axis", "of two", "of three"};
static const char *const node_names[NODES] = {"segment",   "set", "reduce", "scan", "fill",  "swap",     "collective",
                                              "converged", "if",  "while",  "for",  "break", "continue", "return"};
static const char *const fate_names[FATES] = {"recomputed", "grid register", "carried", "workgroup array saved",
                                              "alive"};
static const char *const hidden_names[HIDDEN] = {"of the program", "carried values", "returned invocations",
                                                 "workgroup arrays", "values handed to reductions"};
static const char *const level_names[LEVELS] = {"of an invocation", "of a workgroup", "of the grid"};

/* ---- counting ---- */

static bool count_expr(void *user, const gf_expr *expr) {
    coverage_table *to = user;
    to->expr_kinds[expr->kind]++;
    to->values[expr->type]++;
    if (expr->kind == GF_EXPR_OP) {
        /* Of a comparison the operands' type. */
        to->ops[expr->op][expr->args[expr->arg_count - 1]->type]++;
    } else if (expr->kind == GF_EXPR_ATOMIC) {
        to->atomics[expr->atomic]++;
    } else if (expr->kind == GF_EXPR_CROSS) {
        to->crosses[expr->cross][expr->level]++;
    } else if (expr->kind == GF_EXPR_BUILTIN) {
        to->builtins[expr->builtin]++;
    } else if (expr->kind == GF_EXPR_CAST) {
        to->casts[expr->type]++;
    }
    return true;
}

static bool count_stmt(void *user, const gf_stmt *stmt) {
    coverage_table *to = user;
    to->statements++;
    to->statement_kinds[stmt->kind][stmt->level]++;
    if (stmt->kind == GF_STMT_COLLECTIVE) {
        to->collectives[stmt->collective]++;
    } else if (stmt->kind == GF_STMT_VAR && stmt->target.symbol->is_array) {
        to->local_arrays++;
    }
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        to->combines[stmt->reduces[i].combine]++;
    }
    return true;
}

void coverage_add_program(coverage_table *to, const gf_tree *tree) {
    const gf_visitor visitor = {.user = to, .stmt = count_stmt, .expr = count_expr, .into_calls = true};
    gf_visit_block(&visitor, tree->kernel.body);
    to->programs++;
    to->spaces[tree->kernel.space_kind]++;
    to->axes[tree->kernel.workgroup_axes]++;
    to->with_fixpoint += tree->kernel.fixpoint != NULL;
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_BUFFER) {
            to->buffers[symbol->role][symbol->type]++;
        } else if (symbol->kind == GF_SYMBOL_SHARED) {
            to->workgroup_arrays++;
        }
    }
}

static void count_nodes(coverage_table *to, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        to->nodes[block->items[i]->kind]++;
        count_nodes(to, block->items[i]->body);
        count_nodes(to, block->items[i]->otherwise);
    }
}

/* Without names, numbers and places. */
static void make_plain(const char *text, char out[REASON_SIZE]) {
    size_t length = 0;
    bool in_name = false;
    for (; *text != '\0' && length + 1 < REASON_SIZE; text++) {
        if (*text == '`') {
            in_name = !in_name;
            out[length++] = '`';
        } else if (!in_name && (*text < '0' || *text > '9')) {
            out[length++] = *text;
        }
    }
    out[length] = '\0';
}

static void count_reason(coverage_table *to, const char *text, uint64_t dropped, uint64_t kept) {
    size_t i = 0;
    while (i + 1 < MOST_REASONS && to->reasons[i].text[0] != '\0' && strcmp(to->reasons[i].text, text) != 0) {
        i++;
    }
    (void)snprintf(to->reasons[i].text, REASON_SIZE, "%s", text);
    to->reasons[i].dropped += dropped;
    to->reasons[i].kept += kept;
}

void coverage_add_plan(coverage_table *to, const gf_plan *plan) {
    count_nodes(to, plan->prologue);
    count_nodes(to, plan->body);
    for (size_t i = 0; i < plan->crossing_count; i++) {
        to->fates[plan->crossings[i].fate]++;
    }
    for (size_t i = 0; i < plan->buffer_count; i++) {
        to->plan_buffers[plan->buffers[i].kind]++;
    }
    for (size_t i = 0; i < plan->barrier_count; i++) {
        const gf_barrier_note *note = &plan->barriers[i];
        char reason[REASON_SIZE];
        make_plain(note->reason != NULL ? note->reason : "", reason);
        to->barriers_dropped += note->dropped;
        to->barriers_kept += !note->dropped;
        count_reason(to, reason, note->dropped, !note->dropped);
    }
}

/* All before the reasons are counters. */
void coverage_sum(coverage_table *to, const coverage_table *part) {
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *more = (const uint64_t *)part;
    for (size_t i = 0; i < offsetof(coverage_table, reasons) / sizeof(uint64_t); i++) {
        sum[i] += more[i];
    }
    for (size_t i = 0; i < MOST_REASONS && part->reasons[i].text[0] != '\0'; i++) {
        count_reason(to, part->reasons[i].text, part->reasons[i].dropped, part->reasons[i].kept);
    }
}

/* ---- telling ---- */

typedef void visit_kind(void *user, const char *group, const char *name, const char *more, uint64_t count);

static uint64_t sum_of(const uint64_t *counts, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += counts[i];
    }
    return sum;
}

static void visit_list(const uint64_t *counts, const char *const *names, size_t count, const char *group,
                       visit_kind *visit, void *user) {
    for (size_t i = 0; i < count; i++) {
        visit(user, group, names[i], "", counts[i]);
    }
}

static bool is_value_type(int type) {
    return type == GF_TYPE_BOOL || (type >= GF_TYPE_U32 && type <= GF_TYPE_I64) || type == GF_TYPE_F32 ||
           type == GF_TYPE_F64;
}

static void visit_types(const coverage_table *from, visit_kind *visit, void *user) {
    for (int t = GF_TYPE_NONE + 1; t < GF_TYPE_COUNT; t++) {
        const char *name = gf_type_name((gf_type)t);
        if (is_value_type(t)) {
            visit(user, "value", name, "", from->values[t]);
            visit(user, "cast to", name, "", from->casts[t]);
        }
        for (int role = 0; role < ROLES && t != GF_TYPE_BOOL; role++) {
            visit(user, "buffer", role_names[role], name, from->buffers[role][t]);
        }
    }
}

/* Levels at which a statement of that kind can stand: bits. */
static unsigned levels_of(int kind) {
    switch ((gf_stmt_kind)kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
        return 7;
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        return 1u << GF_LEVEL_GRID;
    case GF_STMT_BARRIER:
        return 1u << GF_LEVEL_GROUP;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
    return 1;
}

static void visit_all(const coverage_table *from, visit_kind *visit, void *user) {
    for (int op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
        visit(user, "operation", gf_op_spelling((gf_op)op), gf_op_arity((gf_op)op) == 1 ? "of one" : "",
              sum_of(from->ops[op], GF_TYPE_COUNT));
    }
    for (int kind = 0; kind < GF_STMT_COUNT; kind++) {
        for (unsigned level = 0; level < LEVELS; level++) {
            if ((levels_of(kind) >> level & 1) != 0) {
                visit(user, "statement", statement_names[kind], level_names[level], from->statement_kinds[kind][level]);
            }
        }
    }
    visit_list(from->expr_kinds, expr_names, EXPR_KINDS, "expression", visit, user);
    for (int atomic = 0; atomic < GF_ATOMIC_COUNT; atomic++) {
        visit(user, "atomic", gf_atomic_name((gf_atomic)atomic), "", from->atomics[atomic]);
    }
    for (int cross = 0; cross < GF_CROSS_COUNT; cross++) {
        for (int level = GF_LEVEL_GROUP; level <= GF_LEVEL_GRID; level++) {
            if (gf_cross_exists((gf_cross)cross, level == GF_LEVEL_GRID)) {
                visit(user, level == GF_LEVEL_GRID ? "over the grid" : "over a workgroup",
                      gf_cross_name((gf_cross)cross), "", from->crosses[cross][level]);
            }
        }
    }
    visit_list(from->builtins, builtin_names, BUILTINS, "name", visit, user);
    visit_list(from->collectives, collective_names, COLLECTIVES, "collective", visit, user);
    for (int combine = 0; combine < GF_COMBINE_COUNT; combine++) {
        visit(user, "reduce", gf_combine_name((gf_combine)combine), "", from->combines[combine]);
    }
    visit_types(from, visit, user);
    visit(user, "array", level_names[GF_LEVEL_NONE], "", from->local_arrays);
    visit(user, "array", level_names[GF_LEVEL_GROUP], "", from->workgroup_arrays);
    visit_list(from->spaces, space_names, SPACES, "space", visit, user);
    visit_list(from->axes + 1, axes_names, 3, "workgroup", visit, user);
    visit_list(from->nodes, node_names, NODES, "plan node", visit, user);
    visit_list(from->fates, fate_names, FATES, "crossing value", visit, user);
    visit_list(from->plan_buffers, hidden_names, HIDDEN, "plan buffer", visit, user);
    visit(user, "barrier", "dropped", "", from->barriers_dropped);
    visit(user, "barrier", "kept", "", from->barriers_kept);
    visit(user, "program", "with a fixpoint", "", from->with_fixpoint);
    visit(user, "program", "that converges", "", from->converged);
    visit(user, "program", "that traps", "", from->trapped);
    visit(user, "program", "that depends on order", "", from->order_dependent);
    visit(user, "program", "with a race", "", from->racing);
    for (size_t m = 0; m < interpreter_mode_count; m++) {
        visit(user, "run on the interpreter", interpreter_modes[m].name, "", from->runs[0][m]);
    }
}

static void print_kind(void *user, const char *group, const char *name, const char *more, uint64_t count) {
    (void)fprintf(user, "  %-24s %-32s %-18s %12llu\n", group, name, more, (unsigned long long)count);
}

void coverage_print(const coverage_table *from, FILE *stream) {
    (void)fprintf(stream, "%llu programs, %llu statements\n", (unsigned long long)from->programs,
                  (unsigned long long)from->statements);
    visit_all(from, print_kind, stream);
    for (size_t m = 0; m < device_mode_count; m++) {
        print_kind(stream, "run on the device", device_modes[m].name, "", from->runs[1][m]);
    }
    for (size_t i = 0; i < MOST_REASONS && from->reasons[i].text[0] != '\0'; i++) {
        const coverage_reason *reason = &from->reasons[i];
        (void)fprintf(stream, "  barriers dropped %10llu, kept %10llu: %s\n", (unsigned long long)reason->dropped,
                      (unsigned long long)reason->kept, reason->text);
    }
}

typedef struct missing {
    FILE *stream;
    size_t count;
} missing;

static void look_for_missing(void *user, const char *group, const char *name, const char *more, uint64_t count) {
    missing *at = user;
    if (count == 0) {
        (void)fprintf(at->stream, "never: %s %s %s\n", group, name, more);
        at->count++;
    }
}

size_t coverage_missing(const coverage_table *from, FILE *stream) {
    missing at = {stream, 0};
    visit_all(from, look_for_missing, &at);
    return at.count;
}
