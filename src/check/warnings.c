/* What is legal and most likely not meant. Few false alarms matter more than catching everything. */
#include "check/checker.h"
#include "check/group_index.h"
#include "ir/effects.h"
#include "ir/visit.h"
#include <stdlib.h>
#include <string.h>

typedef struct warner {
    checker *c;
    unsigned char *from; /* by symbol id: ids in the value of a let or loop variable */
    bool *tests;         /* by symbol id: of a let of a bool, whether it tests lanes */
    bool *warned;        /* by symbol id, of workgroup arrays */
    bool is_padded;      /* the last workgroup may be cut short */
} warner;

const gf_expr *gf_check_behind(const gf_expr *expr) {
    bool is_let = expr->kind == GF_EXPR_NAME && as_check(expr->ref.symbol)->definition != NULL;
    return is_let ? as_check(expr->ref.symbol)->definition : expr;
}

static unsigned char ids_in(const warner *at, const gf_expr *expr) {
    return gf_check_ids_in(at->from, expr);
}

/* ---- own elements ---- */

static bool is_own_gid(const checker *c, const gf_expr *index) {
    const gf_expr *e = gf_check_behind(index);
    return e->kind == GF_EXPR_BUILTIN && e->builtin == GF_BUILTIN_GID &&
           (e->axis == GF_AXIS_LINEAR || (e->axis == GF_AXIS_X && c->tree->kernel.space_axes <= 1));
}

/* On several axes: anything made of lid alone. */
static bool is_own_lid(const warner *at, const gf_expr *index) {
    const gf_expr *e = gf_check_behind(index);
    if (e->kind == GF_EXPR_BUILTIN && e->builtin == GF_BUILTIN_LID) {
        return true;
    }
    const uint32_t *group = at->c->tree->kernel.workgroup;
    return (group[1] > 1 || group[2] > 1) && (ids_in(at, index) & (INDEX_LID | INDEX_GID | INDEX_WID)) == INDEX_LID;
}

static bool is_zero(const gf_expr *expr) {
    const gf_expr *e = gf_check_behind(expr);
    return (e->kind == GF_EXPR_LITERAL && e->bits == 0) ||
           (e->kind == GF_EXPR_NAME && e->ref.symbol->kind == GF_SYMBOL_CONST && e->ref.symbol->constant.bits == 0);
}

/* ---- a space in whole workgroups ---- */

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A number that divides the value, whatever the params are; 0 for zero. */
static uint64_t known_factor(const gf_expr *expr) {
    if (expr->kind == GF_EXPR_LITERAL) {
        return expr->bits;
    }
    if (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_CONST) {
        return expr->ref.symbol->constant.bits;
    }
    if (expr->kind == GF_EXPR_CAST) {
        return known_factor(expr->args[0]);
    }
    if (expr->kind == GF_EXPR_OP && (expr->op == GF_OP_ADD || expr->op == GF_OP_SUB)) {
        return gcd(known_factor(expr->args[0]), known_factor(expr->args[1]));
    }
    if (expr->kind == GF_EXPR_OP && expr->op == GF_OP_MUL) {
        uint64_t a = known_factor(expr->args[0]);
        uint64_t b = known_factor(expr->args[1]);
        return a == 0 || b == 0 ? 0 : a > UINT64_MAX / b ? a : a * b;
    }
    return 1;
}

static bool has_padding(const gf_kernel_decl *kernel) {
    if (kernel->space_kind != GF_SPACE_ITEMS) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        uint64_t factor = i < kernel->space_axes ? known_factor(kernel->space[i]) : 1;
        if (factor % kernel->workgroup[i] != 0) {
            return true;
        }
    }
    return false;
}

static void fix_padding(const warner *at) {
    const gf_kernel_decl *kernel = &at->c->tree->kernel;
    const char *space = kernel->space[0] == NULL ? "n" : gf_check_text(at->c, kernel->space[0]->span);
    gf_fix(at->c->diags,
           "write the space in whole workgroups, `kernel groups(...)`, and test `gid.x < %s` where it matters", space);
}

/* ---- what looks at lanes ---- */

static bool tests_lanes(const warner *at, const gf_expr *expr) {
    if (expr->kind == GF_EXPR_OP && expr->op == GF_OP_EQ && (is_zero(expr->args[0]) || is_zero(expr->args[1]))) {
        return false; /* lane 0 is always there */
    }
    if (expr->kind == GF_EXPR_NAME && as_check(expr->ref.symbol)->definition != NULL &&
        as_check(expr->ref.symbol)->definition->type == GF_TYPE_BOOL) {
        return at->tests[expr->ref.symbol->id];
    }
    if (expr->kind == GF_EXPR_NAME || expr->kind == GF_EXPR_BUILTIN) {
        return (ids_in(at, expr) & INDEX_LID) != 0;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (tests_lanes(at, expr->args[i])) {
            return true;
        }
    }
    return false;
}

static bool holds_write(const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool writes =
            (stmt->kind == GF_STMT_STORE && stmt->target.symbol->kind != GF_SYMBOL_VAR) ||
            (stmt->value != NULL && stmt->value->kind == GF_EXPR_ATOMIC && stmt->value->atomic != GF_ATOMIC_LOAD);
        if (writes || holds_write(stmt->body) || holds_write(stmt->otherwise)) {
            return true;
        }
    }
    return false;
}

static void warn_lane_test(warner *at, const gf_stmt *stmt) {
    if (!at->is_padded || !tests_lanes(at, stmt->value) ||
        (!holds_write(stmt->body) && !holds_write(stmt->otherwise))) {
        return;
    }
    gf_warn(at->c->diags, GF_CODE_LANE_MISSING, stmt->value->span,
            "the last workgroup may be cut short, and lanes that this asks for may not exist there");
    gf_note(at->c->diags, at->c->tree->kernel.space[0]->span, "the space is not known to be whole workgroups");
    fix_padding(at);
}

static void look_at_shared(warner *at, const gf_symbol *array, const gf_expr *index, gf_span span) {
    if (!at->is_padded || at->warned[array->id] || is_own_lid(at, index) || is_zero(index)) {
        return;
    }
    at->warned[array->id] = true;
    gf_warn(
        at->c->diags, GF_CODE_LANE_MISSING, span,
        "the last workgroup may be cut short, and the lane that this element of `%s` belongs to may not exist there",
        array->name);
    gf_note(at->c->diags, at->c->tree->kernel.space[0]->span, "the space is not known to be whole workgroups");
    fix_padding(at);
}

static bool look_at_expr(void *user, const gf_expr *expr) {
    warner *at = user;
    if (expr->kind != GF_EXPR_LOAD && expr->kind != GF_EXPR_ATOMIC) {
        return true;
    }
    if (expr->ref.symbol->kind == GF_SYMBOL_SHARED) {
        look_at_shared(at, expr->ref.symbol, expr->args[0], expr->span);
    }
    return true;
}

/* ---- the loop that each invocation runs alone ---- */

static void warn_loop_alone(warner *at, const gf_stmt *loop) {
    checker *c = at->c;
    gf_access_list reads = {0};
    gf_effects_expr(c->arena, loop->value, loop, &reads);
    gf_access_list writes = {0};
    bool is_listed = false;
    for (size_t i = 0; i < reads.count; i++) {
        const gf_access *read = &reads.items[i];
        if (read->kind != GF_ACCESS_READ || read->array->kind != GF_SYMBOL_BUFFER || !as_check(read->array)->written) {
            continue;
        }
        if (!is_listed) {
            gf_effects_block(c->arena, loop->body, &writes);
            is_listed = true;
        }
        for (size_t k = 0; k < writes.count; k++) {
            const gf_access *write = &writes.items[k];
            if (write->array != read->array || !gf_access_writes(write) ||
                (write->index != NULL && is_own_gid(c, write->index))) {
                continue;
            }
            gf_warn(c->diags, GF_CODE_LOOP_ALONE, loop->value->span,
                    "each invocation runs this loop alone, while others change `%s`, which its condition reads",
                    read->array->name);
            gf_note(c->diags, write->expr != NULL ? write->expr->span : write->stmt->span, "`%s` is changed here",
                    read->array->name);
            gf_fix(c->diags, "if the whole grid runs it together, write `grid while`");
            return;
        }
    }
}

/* ---- the walk ---- */

static void walk(warner *at, const gf_block *block, gf_level level);

static void walk_stmt(warner *at, const gf_stmt *stmt, gf_level level) {
    bool is_construct = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE ||
                        stmt->kind == GF_STMT_LOOP;
    gf_visitor visitor = {.user = at, .expr = look_at_expr};
    gf_visit_own_exprs(&visitor, stmt);
    if (stmt->kind == GF_STMT_LET) {
        at->from[stmt->target.symbol->id] = ids_in(at, stmt->value);
        at->tests[stmt->target.symbol->id] = stmt->value->type == GF_TYPE_BOOL && tests_lanes(at, stmt->value);
    } else if (stmt->kind == GF_STMT_FOR) {
        at->from[stmt->target.symbol->id] = ids_in(at, stmt->from) | ids_in(at, stmt->to);
    } else if (stmt->kind == GF_STMT_STORE && stmt->target.symbol->kind == GF_SYMBOL_SHARED) {
        look_at_shared(at, stmt->target.symbol, stmt->index, stmt->span);
    } else if (stmt->kind == GF_STMT_IF) {
        warn_lane_test(at, stmt);
    } else if (stmt->kind == GF_STMT_WHILE && level == GF_LEVEL_GRID && stmt->level == GF_LEVEL_NONE) {
        warn_loop_alone(at, stmt);
    }
    bool is_plain = (is_construct && stmt->level != GF_LEVEL_GRID) || stmt->kind == GF_STMT_FORALL;
    walk(at, stmt->body, is_plain ? GF_LEVEL_NONE : level);
    walk(at, stmt->otherwise, is_plain ? GF_LEVEL_NONE : level);
}

static void walk(warner *at, const gf_block *block, gf_level level) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        walk_stmt(at, block->items[i], level);
    }
}

/* ---- tags ---- */

typedef struct tag_list {
    checker *c;
    GF_VEC(const char *) tags;
    GF_VEC(const gf_stmt *) waits;
} tag_list;

static bool note_tag(void *user, const gf_stmt *stmt) {
    tag_list *list = user;
    if (stmt->kind == GF_STMT_COPY_ASYNC) {
        gf_push(list->c->arena, &list->tags, stmt->text);
    } else if (stmt->kind == GF_STMT_WAIT) {
        gf_push(list->c->arena, &list->waits, stmt);
    }
    return true;
}

static int compare_tags(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void warn_tags(checker *c) {
    tag_list list = {.c = c};
    gf_visitor visitor = {.user = &list, .stmt = note_tag};
    gf_visit_block(&visitor, c->tree->kernel.body);
    for (size_t i = 0; i < c->tree->decl_count; i++) {
        gf_visit_block(&visitor, c->tree->decls[i]->body);
    }
    if (list.tags.count > 0) {
        qsort(list.tags.items, list.tags.count, sizeof *list.tags.items, compare_tags);
    }
    for (size_t i = 0; i < list.waits.count; i++) {
        const gf_stmt *wait = list.waits.items[i];
        if (list.tags.count == 0 ||
            bsearch(&wait->text, list.tags.items, list.tags.count, sizeof *list.tags.items, compare_tags) == NULL) {
            gf_warn(c->diags, GF_CODE_UNKNOWN_TAG, wait->span,
                    "no copy_async has the tag `%s`, so this waits for nothing", wait->text);
        }
    }
}

void gf_check_warnings(checker *c) {
    warner at = {.c = c, .is_padded = has_padding(&c->tree->kernel)};
    at.from = gf_new_array(c->arena, unsigned char, c->symbols.count + 1);
    at.warned = gf_new_array(c->arena, bool, c->symbols.count + 1);
    at.tests = gf_new_array(c->arena, bool, c->symbols.count + 1);
    walk(&at, c->tree->kernel.body, GF_LEVEL_GRID);
    gf_check_weak_barriers(c);
    warn_tags(c);
}
