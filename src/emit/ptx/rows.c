/* Rows that are shared out: which, and how. See rows.h. */
#include "emit/ptx/rows.h"
#include "emit/ptx/grid.h"
#include "ir/effects.h"
#include "ir/visit.h"
#include <string.h>

#define WARP 32
#define LONG_ROW 256 /* turns from which a warp is better than a thread: its lanes' rows follow each other there */
#define VERY_LONG_ROW 2048 /* from which a block is better than a warp */
#define MOST_LISTED 128    /* rows of a block; more are left to warps */
#define TOGETHER 4         /* turns of one thread at once */
#define MOST_LETS 12
#define TOO_LONG 0x40000000 /* turns from which counting needs care: left to the thread */

static const gf_pv none = {0};

/* ---- which rows ---- */

typedef struct search {
    gf_ptx_emit *e;
    gf_ptx_rows *rows;
    const gf_stmt *loop;
    bool *inside; /* by symbol id: declared in the body */
    bool fits;
} search;

static bool is_local(const gf_symbol *symbol) {
    return symbol->kind == GF_SYMBOL_LET || symbol->kind == GF_SYMBOL_VAR || symbol->kind == GF_SYMBOL_LOOP ||
           symbol->kind == GF_SYMBOL_ARGUMENT;
}

/* What turns may not do, and what they declare. */
static bool look_at_stmt(void *user, const gf_stmt *stmt) {
    search *s = user;
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
        s->inside[stmt->target.symbol->id] = true;
        s->fits &= !stmt->target.symbol->is_array;
        break;
    case GF_STMT_FOR:
        s->inside[stmt->target.symbol->id] = true;
        break;
    case GF_STMT_ASSIGN:
    case GF_STMT_EXPR:
    case GF_STMT_IF:
    case GF_STMT_BLOCK:
    case GF_STMT_REGION:
        break;
    case GF_STMT_WHILE: /* may never end, and is polled for the thread */
    case GF_STMT_LOOP:
    case GF_STMT_STORE:
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        s->fits = false;
        break;
    }
    return s->fits;
}

static bool look_at_expr(void *user, const gf_expr *expr) {
    search *s = user;
    gf_ptx_rows *rows = s->rows;
    s->fits &= expr->kind != GF_EXPR_BUILTIN && expr->kind != GF_EXPR_CALL && expr->kind != GF_EXPR_CROSS;
    const gf_symbol *symbol = expr->ref.symbol;
    if (symbol == NULL || !is_local(symbol) || s->inside[symbol->id]) {
        return s->fits;
    }
    s->fits &= !symbol->is_array;
    for (size_t i = 0; i < rows->captured_count; i++) {
        if (rows->captured[i].symbol == symbol) {
            return s->fits;
        }
    }
    s->fits &= rows->captured_count < GF_PTX_MOST_CAPTURED;
    if (s->fits) {
        rows->captured[rows->captured_count++].symbol = symbol;
    }
    return s->fits;
}

static bool is_atomic(const gf_expr *expr, gf_atomic a, gf_atomic b) {
    return expr->kind == GF_EXPR_ATOMIC && (expr->atomic == a || expr->atomic == b);
}

/* if atomic_load(A[i]) > y { atomic_min(A[i], y); }, and < with max: a look that saves work and decides nothing. */
static bool is_guarded(const gf_stmt *stmt) {
    const gf_expr *test = stmt->value;
    if (stmt->kind != GF_STMT_IF || stmt->otherwise != NULL || stmt->body->count != 1 || test->kind != GF_EXPR_OP ||
        stmt->body->items[0]->kind != GF_STMT_EXPR) {
        return false;
    }
    const gf_expr *change = stmt->body->items[0]->value;
    bool more = test->op == GF_OP_GT || test->op == GF_OP_GE, less = test->op == GF_OP_LT || test->op == GF_OP_LE;
    if ((!more && !less) || !is_atomic(change, GF_ATOMIC_MIN, GF_ATOMIC_MAX)) {
        return false;
    }
    bool turned = !is_atomic(test->args[0], GF_ATOMIC_LOAD, GF_ATOMIC_LOAD);
    const gf_expr *look = test->args[turned ? 1 : 0], *value = test->args[turned ? 0 : 1];
    bool lowers = turned ? less : more;
    return is_atomic(look, GF_ATOMIC_LOAD, GF_ATOMIC_LOAD) && lowers == (change->atomic == GF_ATOMIC_MIN) &&
           look->ref.symbol == change->ref.symbol && gf_equal_expr(look->args[0], change->args[0]) &&
           gf_equal_expr(value, change->args[1]);
}

typedef struct guard_search {
    const gf_expr *look;
    bool found;
} guard_search;

static bool look_for_guard(void *user, const gf_stmt *stmt) {
    guard_search *g = user;
    if (is_guarded(stmt)) {
        g->found |= stmt->value->args[0] == g->look || stmt->value->args[1] == g->look;
    }
    return !g->found;
}

static bool is_only_a_look(const gf_block *body, const gf_expr *look) {
    guard_search g = {.look = look};
    gf_visitor visitor = {.user = &g, .stmt = look_for_guard};
    gf_visit_block(&visitor, body);
    return g.found;
}

static bool is_order_free(gf_atomic atomic) {
    return atomic == GF_ATOMIC_ADD || atomic == GF_ATOMIC_SUB || atomic == GF_ATOMIC_MIN || atomic == GF_ATOMIC_MAX ||
           atomic == GF_ATOMIC_AND || atomic == GF_ATOMIC_OR || atomic == GF_ATOMIC_XOR;
}

/* Changes are atomics that do not care for order, one operation for each array, which is not looked at otherwise. */
static bool has_free_effects(gf_arena *arena, const gf_block *body) {
    gf_access_list list = {0};
    gf_effects_block(arena, body, &list);
    for (size_t i = 0; i < list.count; i++) {
        const gf_access *a = &list.items[i];
        if (!gf_access_writes(a)) {
            continue;
        }
        if (a->kind != GF_ACCESS_ATOMIC || !is_order_free(a->atomic) || a->result_used ||
            gf_type_is_float(a->array->type)) {
            return false;
        }
        for (size_t k = 0; k < list.count; k++) {
            const gf_access *b = &list.items[k];
            bool other = b->array == a->array && !(b->kind == GF_ACCESS_ATOMIC && b->atomic == a->atomic);
            bool look = b->kind == GF_ACCESS_ATOMIC && b->atomic == GF_ATOMIC_LOAD;
            if (other && !(look && is_only_a_look(body, b->expr))) {
                return false;
            }
        }
    }
    return true;
}

static bool changes_memory(gf_arena *arena, const gf_block *body) {
    gf_access_list list = {0};
    gf_effects_block(arena, body, &list);
    for (size_t i = 0; i < list.count; i++) {
        if (gf_access_writes(&list.items[i])) {
            return true;
        }
    }
    return false;
}

/* ---- sums ---- */

static bool look_for_sum(void *user, const gf_stmt *stmt) {
    search *s = user;
    if (stmt->kind != GF_STMT_ASSIGN || s->inside[stmt->target.symbol->id]) {
        return s->fits;
    }
    gf_ptx_rows *rows = s->rows;
    const gf_symbol *symbol = stmt->target.symbol;
    bool is_float = gf_type_is_float(symbol->type), is_bool = symbol->type == GF_TYPE_BOOL;
    bool adds = stmt->op == GF_OP_ADD || (is_float && stmt->op == GF_OP_SUB);
    bool bits = !is_float && (stmt->op == GF_OP_OR || stmt->op == GF_OP_AND || stmt->op == GF_OP_XOR);
    s->fits &= (adds && !is_bool) || (bits && !is_bool);
    for (size_t i = 0; i < rows->sum_count; i++) {
        s->fits &= rows->sums[i] != symbol; /* one place for each */
    }
    s->fits &= rows->sum_count < GF_PTX_MOST_SUMS;
    if (s->fits) {
        rows->sum_ops[rows->sum_count] = stmt->op;
        rows->sums[rows->sum_count++] = symbol;
    }
    return s->fits;
}

/* Names of sums are no captured ones, and turns do not look at them. */
static bool part_sums(search *s) {
    gf_ptx_rows *rows = s->rows;
    bool any_float = false, all_float = true;
    for (size_t i = 0; i < rows->sum_count; i++) {
        bool is_float = gf_type_is_float(rows->sums[i]->type);
        any_float |= is_float;
        all_float &= is_float;
        for (size_t k = 0; k < rows->captured_count; k++) {
            if (rows->captured[k].symbol == rows->sums[i]) {
                return false;
            }
        }
    }
    rows->in_order = any_float;
    if (!any_float) {
        return true;
    }
    /* In order: lets, and sums in plain sight, in that order. */
    const gf_block *body = s->loop->body;
    bool summing = false;
    for (size_t i = 0; i < body->count; i++) {
        bool is_sum = body->items[i]->kind == GF_STMT_ASSIGN;
        if ((body->items[i]->kind != GF_STMT_LET && !is_sum) || (summing && !is_sum)) {
            return false;
        }
        summing |= is_sum;
    }
    return all_float && !changes_memory(s->e->arena, body);
}

static bool bounds_load(const gf_stmt *loop) {
    return gf_ptx_reads_memory(loop->from) || gf_ptx_reads_memory(loop->to);
}

static bool fits(gf_ptx_emit *e, const gf_stmt *loop, gf_ptx_rows *rows) {
    memset(rows, 0, sizeof *rows);
    if (loop->step != NULL || !bounds_load(loop)) {
        return false;
    }
    rows->stmt = loop;
    search s = {.e = e, .rows = rows, .loop = loop, .fits = true};
    s.inside = gf_new_array(e->arena, bool, e->tree->symbol_count);
    s.inside[loop->target.symbol->id] = true;
    gf_visitor statements = {.user = &s, .stmt = look_at_stmt};
    gf_visit_block(&statements, loop->body);
    if (!s.fits) {
        return false;
    }
    gf_visitor sums = {.user = &s, .stmt = look_for_sum};
    gf_visit_block(&sums, loop->body);
    gf_visitor names = {.user = &s, .expr = look_at_expr};
    if (s.fits) {
        gf_visit_block(&names, loop->body);
    }
    return s.fits && part_sums(&s) && has_free_effects(e->arena, loop->body);
}

/* Those that are in no other loop: each thread comes to them once at most. */
static void find_in(gf_ptx_emit *e, const gf_block *block, gf_ptx_row_list *list) {
    for (size_t i = 0; block != NULL && i < block->count && list->count < GF_PTX_MOST_ROWS; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_FOR && fits(e, stmt, &list->items[list->count])) {
            list->count++;
        }
        if (stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_BLOCK || stmt->kind == GF_STMT_REGION) {
            find_in(e, stmt->body, list);
            find_in(e, stmt->otherwise, list);
        }
    }
}

bool gf_ptx_find_rows(gf_ptx_emit *e, const gf_block *body, gf_ptx_row_list *list) {
    list->count = 0;
    if (!e->options.checked) {
        find_in(e, body, list);
    }
    return list->count > 0;
}

static gf_ptx_rows *row_of(gf_ptx_emit *e, const gf_stmt *stmt) {
    for (size_t i = 0; e->row_list != NULL && i < e->row_list->count; i++) {
        if (e->row_list->items[i].stmt == stmt) {
            return &e->row_list->items[i];
        }
    }
    return NULL;
}

/* ---- leaving ---- */

static gf_pv operate(gf_ptx_emit *e, gf_op op, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, op, a.type, b.type, a, b, none);
}

static gf_pv choose(gf_ptx_emit *e, gf_pv condition, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_SELECT, a.type, GF_TYPE_NONE, condition, a, b);
}

static void begin_row(gf_ptx_emit *e, gf_ptx_rows *rows, uint64_t *bytes) {
    gf_type type = rows->stmt->target.symbol->type;
    rows->waits = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    rows->is_served = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    rows->from = gf_ptx_new_value(&e->p, type);
    rows->to = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, rows->from, gf_ptx_constant(type, 0));
    gf_ptx_move(&e->p, rows->to, gf_ptx_constant(type, 0));
    if (rows->by_block) {
        rows->list = *bytes;
        *bytes += 8 + (uint64_t)8 * MOST_LISTED * (2 + rows->captured_count);
    }
}

/* Nothing behind the row, in the same invocation, looks at what it changes. */
static bool is_last_to_look(gf_arena *arena, const gf_block *body, const gf_stmt *loop) {
    gf_access_list all = {0}, own = {0};
    gf_effects_block(arena, body, &all);
    gf_effects_stmt(arena, loop, &own);
    size_t at = 0;
    while (at < all.count && own.count > 0 &&
           (all.items[at].expr != own.items[0].expr || all.items[at].stmt != own.items[0].stmt)) {
        at++;
    }
    for (size_t i = at + own.count; i < all.count; i++) {
        for (size_t k = 0; k < own.count; k++) {
            if (gf_access_writes(&own.items[k]) && own.items[k].array == all.items[i].array) {
                return false;
            }
        }
    }
    return own.count > 0 && at + own.count <= all.count;
}

void gf_ptx_begin_rows(gf_ptx_emit *e, gf_ptx_row_list *list, bool blocks_meet) {
    uint64_t bytes = 0;
    e->row_list = list;
    for (size_t i = 0; i < list->count; i++) {
        gf_ptx_rows *rows = &list->items[i];
        rows->by_block = blocks_meet && !rows->in_order && rows->sum_count == 0 &&
                         is_last_to_look(e->arena, e->tree->kernel.body, rows->stmt);
        begin_row(e, rows, &bytes);
    }
    e->rows_bytes = bytes > e->rows_bytes ? bytes : e->rows_bytes;
    if (bytes == 0) {
        return;
    }
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, operate(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].by_block) {
            gf_ptx_line(&e->p, "st.shared.u32 [gf_rows+%llu], 0", (unsigned long long)list->items[i].list);
        }
    }
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
}

void gf_ptx_begin_body(gf_ptx_emit *e) {
    gf_ptx_row_list *list = e->row_list;
    if (list == NULL) {
        return;
    }
    list->serve = gf_ptx_label(&e->p);
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].after = gf_ptx_label(&e->p);
        list->items[i].is_left = false;
        gf_ptx_move(&e->p, list->items[i].waits, gf_ptx_constant(GF_TYPE_BOOL, 0));
        gf_ptx_move(&e->p, list->items[i].is_served, gf_ptx_constant(GF_TYPE_BOOL, 0));
    }
}

static gf_pv turns_of(gf_ptx_emit *e, gf_pv from, gf_pv to) {
    gf_pv left = operate(e, GF_OP_SUB, to, from);
    left.type = gf_type_bytes(left.type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    return left;
}

/* ---- turns ---- */

/* What each of several turns at once has of its own: the loop's variable, and what stands plainly in the body. */
typedef struct together {
    gf_pv here[TOGETHER];
    const gf_symbol *lets[MOST_LETS];
    gf_ptx_named named[TOGETHER][MOST_LETS];
    size_t let_count;
} together;

static bool can_go_together(const gf_block *body) {
    size_t lets = 0;
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        bool declares = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
        lets += declares;
        if (!declares && stmt->kind != GF_STMT_IF && stmt->kind != GF_STMT_EXPR && stmt->kind != GF_STMT_ASSIGN) {
            return false;
        }
    }
    return lets <= MOST_LETS;
}

static void take_turn(gf_ptx_emit *e, const together *t, unsigned turn) {
    *gf_ptx_name_of(e, e->rows->stmt->target.symbol) = (gf_ptx_named){.is_set = true, .value = t->here[turn]};
    for (size_t i = 0; i < t->let_count; i++) {
        *gf_ptx_name_of(e, t->lets[i]) = t->named[turn][i];
    }
    e->is_open = true;
}

static void emit_one(gf_ptx_emit *e, const gf_stmt *stmt) {
    const gf_stmt *items[] = {stmt};
    gf_block block = {.items = items, .count = 1};
    gf_ptx_emit_block(e, &block);
}

/* Conditions first, with their loads, and then what each decides. */
static void emit_ifs(gf_ptx_emit *e, const together *t, const gf_stmt *stmt) {
    gf_ptx *p = &e->p;
    gf_pv conditions[TOGETHER];
    for (unsigned turn = 0; turn < TOGETHER; turn++) {
        take_turn(e, t, turn);
        conditions[turn] = gf_ptx_register(p, gf_ptx_emit_expr(e, stmt->value));
    }
    for (unsigned turn = 0; turn < TOGETHER; turn++) {
        uint32_t otherwise = gf_ptx_label(p), after = gf_ptx_label(p);
        take_turn(e, t, turn);
        gf_ptx_jump_if(p, conditions[turn], false, otherwise);
        gf_ptx_known known = {.outer = e->known, .condition = stmt->value};
        e->known = &known;
        gf_ptx_emit_block(e, stmt->body);
        e->known = known.outer;
        gf_ptx_jump(p, after);
        gf_ptx_arrive(e, otherwise);
        gf_ptx_emit_block(e, stmt->otherwise);
        gf_ptx_arrive(e, after);
    }
}

static void emit_together(gf_ptx_emit *e, together *t) {
    const gf_block *body = e->rows->stmt->body;
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        if (stmt->kind == GF_STMT_IF) {
            emit_ifs(e, t, stmt);
            continue;
        }
        for (unsigned turn = 0; turn < TOGETHER; turn++) {
            take_turn(e, t, turn);
            emit_one(e, stmt);
            if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR) {
                t->lets[t->let_count] = stmt->target.symbol;
                t->named[turn][t->let_count] = *gf_ptx_name_of(e, stmt->target.symbol);
            }
        }
        t->let_count += stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
    }
}

static gf_pv turn_at(gf_ptx_emit *e, gf_pv from, gf_pv k) {
    gf_type type = e->rows->stmt->target.symbol->type;
    gf_pv here = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, here, operate(e, GF_OP_ADD, from, gf_ptx_cast(&e->p, type, k)));
    return here;
}

/* Turns first, first + step, ... of a row, in any order. There are less than 2^30. */
static void share_turns(gf_ptx_emit *e, gf_pv from, gf_pv count, gf_pv first, gf_pv step) {
    gf_ptx *p = &e->p;
    gf_pv k = gf_ptx_new_value(p, GF_TYPE_U32), left = gf_ptx_cast(p, GF_TYPE_U32, count);
    uint32_t head = gf_ptx_label(p), latch = gf_ptx_label(p), done = gf_ptx_label(p), rest = gf_ptx_label(p);
    gf_ptx_exit exit = {.outer = NULL, .on_break = done, .on_continue = latch};
    gf_ptx_exit *outer = e->exit;
    e->exit = &exit;
    gf_ptx_move(p, k, first);
    if (can_go_together(e->rows->stmt->body)) {
        uint32_t many = gf_ptx_label(p);
        gf_pv last = operate(e, GF_OP_MUL, step, gf_ptx_u32(TOGETHER - 1));
        gf_pv by = operate(e, GF_OP_MUL, step, gf_ptx_u32(TOGETHER));
        gf_ptx_place(p, many);
        gf_ptx_jump_if(p, operate(e, GF_OP_LT, operate(e, GF_OP_ADD, k, last), left), false, rest);
        together t = {.let_count = 0};
        for (unsigned turn = 0; turn < TOGETHER; turn++) {
            gf_pv offset = turn == 0 ? k : operate(e, GF_OP_ADD, k, operate(e, GF_OP_MUL, step, gf_ptx_u32(turn)));
            t.here[turn] = turn_at(e, from, offset);
        }
        emit_together(e, &t);
        gf_ptx_move(p, k, operate(e, GF_OP_ADD, k, by));
        gf_ptx_jump(p, many);
        gf_ptx_place(p, rest);
    }
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, k, left), false, done);
    gf_ptx_place(p, head);
    *gf_ptx_name_of(e, e->rows->stmt->target.symbol) = (gf_ptx_named){.is_set = true, .value = turn_at(e, from, k)};
    e->is_open = true;
    gf_ptx_emit_block(e, e->rows->stmt->body);
    e->exit = outer;
    gf_ptx_arrive(e, latch);
    gf_ptx_move(p, k, operate(e, GF_OP_ADD, k, step));
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, k, left), true, head);
    gf_ptx_arrive(e, done);
}

/* ---- the list of a block ---- */

static gf_pv list_address(gf_ptx_emit *e, gf_pv slot) {
    gf_pv base = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    uint32_t entry = (uint32_t)(8 * (2 + e->rows->captured_count));
    gf_ptx_line(&e->p, "mov.u32 %s, gf_rows", gf_ptx_spell(base).text);
    gf_pv at = operate(e, GF_OP_ADD, base, gf_ptx_u32(e->rows->list + 8));
    return gf_ptx_register(&e->p, operate(e, GF_OP_ADD, at, operate(e, GF_OP_MUL, slot, gf_ptx_u32(entry))));
}

static const char *suffix_of(gf_type type) {
    bool wide = gf_type_bytes(type) == 8;
    return gf_type_is_float(type) ? (wide ? "f64" : "f32") : wide ? "b64" : "b32";
}

static void put_word(gf_ptx_emit *e, gf_pv at, size_t index, gf_pv v) {
    if (v.is_constant) {
        return;
    }
    v = gf_ptx_register(&e->p, v.type == GF_TYPE_BOOL ? gf_ptx_cast(&e->p, GF_TYPE_U32, v) : v);
    gf_ptx_line(&e->p, "st.shared.%s [%s+%zu], %s", suffix_of(v.type), gf_ptx_spell(at).text, 8 * index,
                gf_ptx_spell(v).text);
}

static gf_pv get_word(gf_ptx_emit *e, gf_pv at, size_t index, gf_pv like) {
    if (like.is_constant) {
        return like;
    }
    bool is_bool = like.type == GF_TYPE_BOOL;
    gf_pv v = gf_ptx_new_value(&e->p, is_bool ? GF_TYPE_U32 : like.type);
    gf_ptx_line(&e->p, "ld.shared.%s %s, [%s+%zu]", suffix_of(v.type), gf_ptx_spell(v).text, gf_ptx_spell(at).text,
                8 * index);
    return is_bool ? operate(e, GF_OP_NE, v, gf_ptx_u32(0)) : v;
}

/* Gives whether the row is on the list. Its owner goes on. */
static void list_row(gf_ptx_emit *e, gf_ptx_rows *rows, gf_pv from, gf_pv to, uint32_t full) {
    gf_ptx *p = &e->p;
    gf_pv slot = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_ptx_line(p, "atom.shared.add.u32 %s, [gf_rows+%llu], 1", gf_ptx_spell(slot).text,
                (unsigned long long)rows->list);
    gf_ptx_jump_if(p, operate(e, GF_OP_GE, slot, gf_ptx_u32(MOST_LISTED)), true, full);
    e->rows = rows;
    gf_pv entry = list_address(e, slot);
    put_word(e, entry, 0, from);
    put_word(e, entry, 1, to);
    for (size_t i = 0; i < rows->captured_count; i++) {
        put_word(e, entry, 2 + i, rows->captured[i].own);
    }
    e->rows = NULL;
    gf_ptx_jump(p, rows->after);
}

bool gf_ptx_leave_row(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv from, gf_pv to) {
    gf_ptx_rows *rows = row_of(e, stmt);
    if (rows == NULL || rows->is_left) {
        return false;
    }
    gf_ptx *p = &e->p;
    uint32_t stays = gf_ptx_label(p), alone = gf_ptx_label(p), full = gf_ptx_label(p);
    from = gf_ptx_register(p, from);
    to = gf_ptx_register(p, to);
    rows->is_left = true;
    for (size_t i = 0; i < rows->captured_count; i++) {
        rows->captured[i].own = gf_ptx_name_of(e, rows->captured[i].symbol)->value;
    }
    for (size_t i = 0; i < rows->sum_count; i++) {
        rows->own_sums[i] = gf_ptx_name_of(e, rows->sums[i])->value;
    }
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, from, to), false, rows->after);
    gf_pv turns = turns_of(e, from, to), least = gf_ptx_constant(turns.type, LONG_ROW);
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, turns, least), true, alone);
    gf_ptx_jump_if(p, operate(e, GF_OP_GE, turns, gf_ptx_constant(turns.type, TOO_LONG)), true, stays);
    if (rows->by_block) {
        gf_ptx_jump_if(p, operate(e, GF_OP_LT, turns, gf_ptx_constant(turns.type, VERY_LONG_ROW)), true, full);
        list_row(e, rows, from, to, full);
        gf_ptx_place(p, full);
    }
    gf_ptx_move(p, rows->from, from);
    gf_ptx_move(p, rows->to, to);
    gf_ptx_move(p, rows->waits, gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_jump(p, e->row_list->serve);
    gf_ptx_place(p, alone);
    if (!rows->in_order) {
        gf_ptx_named *name = gf_ptx_name_of(e, stmt->target.symbol), kept = *name;
        e->rows = rows;
        share_turns(e, from, turns, gf_ptx_u32(0), gf_ptx_u32(1));
        e->rows = NULL;
        *name = kept;
        gf_ptx_jump(p, rows->after);
    }
    gf_ptx_place(p, stays);
    e->is_open = true;
    return true;
}

void gf_ptx_back_from_row(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx_arrive(e, row_of(e, stmt)->after);
}

/* ---- serving ---- */

static gf_pv from_lane(gf_ptx_emit *e, gf_pv v, gf_pv lane) {
    gf_ptx *p = &e->p;
    bool is_bool = v.type == GF_TYPE_BOOL, is_float = gf_type_is_float(v.type), wide = gf_type_bytes(v.type) == 8;
    if (v.is_constant) {
        return v;
    }
    gf_pv bits = is_bool ? gf_ptx_cast(p, GF_TYPE_U32, v) : v;
    if (is_float) {
        bits = gf_ptx_new_value(p, wide ? GF_TYPE_U64 : GF_TYPE_U32);
        gf_ptx_line(p, "mov.b%d %s, %s", wide ? 64 : 32, gf_ptx_spell(bits).text, gf_ptx_spell(v).text);
    }
    bits = gf_ptx_register(p, bits);
    gf_pv got = gf_ptx_new_value(p, wide ? GF_TYPE_U64 : GF_TYPE_U32);
    const gf_ptx_operand from = gf_ptx_spell(lane);
    if (wide) {
        gf_pv half[2], half_got[2];
        for (int i = 0; i < 2; i++) {
            half[i] = gf_ptx_new_value(p, GF_TYPE_U32);
            half_got[i] = gf_ptx_new_value(p, GF_TYPE_U32);
        }
        gf_ptx_line(p, "mov.b64 {%s, %s}, %s", gf_ptx_spell(half[0]).text, gf_ptx_spell(half[1]).text,
                    gf_ptx_spell(bits).text);
        for (int i = 0; i < 2; i++) {
            gf_ptx_line(p, "shfl.sync.idx.b32 %s, %s, %s, 31, 0xffffffff", gf_ptx_spell(half_got[i]).text,
                        gf_ptx_spell(half[i]).text, from.text);
        }
        gf_ptx_line(p, "mov.b64 %s, {%s, %s};", gf_ptx_spell(got).text, gf_ptx_spell(half_got[0]).text,
                    gf_ptx_spell(half_got[1]).text);
    } else {
        gf_ptx_line(p, "shfl.sync.idx.b32 %s, %s, %s, 31, 0xffffffff", gf_ptx_spell(got).text, gf_ptx_spell(bits).text,
                    from.text);
    }
    if (is_float) {
        gf_pv result = gf_ptx_new_value(p, v.type);
        gf_ptx_line(p, "mov.b%d %s, %s", wide ? 64 : 32, gf_ptx_spell(result).text, gf_ptx_spell(got).text);
        return result;
    }
    if (is_bool) {
        return operate(e, GF_OP_NE, got, gf_ptx_u32(0));
    }
    got.type = v.type;
    return got;
}

typedef struct binding {
    gf_ptx_named kept[GF_PTX_MOST_CAPTURED + GF_PTX_MOST_SUMS + 1];
    size_t count;
} binding;

static void rebind(gf_ptx_emit *e, binding *b, const gf_symbol *symbol, gf_pv value) {
    gf_ptx_named *name = gf_ptx_name_of(e, symbol);
    b->kept[b->count++] = *name;
    *name = (gf_ptx_named){.is_set = true, .value = value};
}

static void bind_back(gf_ptx_emit *e, const binding *b, const gf_ptx_rows *rows, bool has_sums) {
    size_t at = 0;
    for (size_t i = 0; i < rows->captured_count; i++) {
        *gf_ptx_name_of(e, rows->captured[i].symbol) = b->kept[at++];
    }
    for (size_t i = 0; has_sums && i < rows->sum_count; i++) {
        *gf_ptx_name_of(e, rows->sums[i]) = b->kept[at++];
    }
    *gf_ptx_name_of(e, rows->stmt->target.symbol) = b->kept[at];
}

static gf_combine combine_of(gf_op op) {
    return op == GF_OP_AND ? GF_COMBINE_AND : op == GF_OP_OR ? GF_COMBINE_OR : GF_COMBINE_ADD;
}

static gf_pv lane_of(gf_ptx_emit *e) {
    gf_pv lane = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %%laneid", gf_ptx_spell(lane).text);
    return lane;
}

/* Each lane adds up its turns, the lanes what they have, and the owner that to what it had. */
static void serve_free(gf_ptx_emit *e, gf_pv from, gf_pv turns, gf_pv lane, gf_pv owner, binding *b) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv parts[GF_PTX_MOST_SUMS];
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_type type = rows->sums[i]->type;
        parts[i] = gf_ptx_new_value(p, type);
        gf_pv zero = rows->sum_ops[i] == GF_OP_AND ? gf_ptx_constant(type, UINT64_MAX) : gf_ptx_constant(type, 0);
        gf_ptx_move(p, parts[i], zero);
        rebind(e, b, rows->sums[i], parts[i]);
    }
    b->kept[b->count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    share_turns(e, from, turns, lane, gf_ptx_u32(WARP));
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_pv is_owner = operate(e, GF_OP_EQ, lane, owner);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_pv all = gf_ptx_new_value(p, parts[i].type);
        gf_ptx_move(p, all, parts[i]);
        for (unsigned by = WARP / 2; by > 0; by /= 2) {
            gf_pv other = from_lane(e, all, operate(e, GF_OP_XOR, lane, gf_ptx_u32(by)));
            gf_ptx_move(p, all,
                        rows->sum_ops[i] == GF_OP_XOR
                            ? operate(e, GF_OP_XOR, all, other)
                            : gf_ptx_combine(p, combine_of(rows->sum_ops[i]), all.type, all, other));
        }
        gf_pv own = rows->own_sums[i];
        gf_ptx_move(p, own, choose(e, is_owner, operate(e, rows->sum_ops[i], own, all), own));
    }
}

/* 32 addends at once, and then one after the other into the owner's sum, which all lanes follow. */
static void serve_in_order(gf_ptx_emit *e, gf_pv from, gf_pv turns, gf_pv lane, gf_pv owner, binding *b) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    const gf_block *body = rows->stmt->body;
    gf_type type = rows->stmt->target.symbol->type;
    gf_pv sums[GF_PTX_MOST_SUMS], addends[GF_PTX_MOST_SUMS];
    b->kept[b->count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    for (size_t i = 0; i < rows->sum_count; i++) {
        sums[i] = gf_ptx_new_value(p, rows->sums[i]->type);
        addends[i] = gf_ptx_new_value(p, rows->sums[i]->type);
        gf_ptx_move(p, sums[i], from_lane(e, rows->own_sums[i], owner));
    }
    gf_pv base = gf_ptx_new_value(p, GF_TYPE_U32), left = gf_ptx_cast(p, GF_TYPE_U32, turns);
    gf_pv here = gf_ptx_new_value(p, type), many = gf_ptx_new_value(p, GF_TYPE_U32);
    uint32_t head = gf_ptx_label(p), past = gf_ptx_label(p), few = gf_ptx_label(p), next = gf_ptx_label(p);
    gf_ptx_move(p, base, gf_ptx_u32(0));
    gf_ptx_place(p, head);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_ptx_move(p, addends[i], gf_ptx_constant(addends[i].type, 0));
    }
    gf_pv k = operate(e, GF_OP_ADD, base, lane);
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, k, left), false, past);
    gf_ptx_move(p, here, operate(e, GF_OP_ADD, from, gf_ptx_cast(p, type, k)));
    *gf_ptx_name_of(e, rows->stmt->target.symbol) = (gf_ptx_named){.is_set = true, .value = here};
    size_t sum = 0;
    gf_block part = {.items = body->items, .count = body->count - rows->sum_count};
    e->is_open = true;
    gf_ptx_emit_block(e, &part);
    for (size_t i = part.count; i < body->count; i++) {
        gf_ptx_move(p, addends[sum++], gf_ptx_emit_expr(e, body->items[i]->value));
    }
    gf_ptx_place(p, past);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_move(p, many, operate(e, GF_OP_SUB, left, base));
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, many, gf_ptx_u32(WARP)), true, few);
    for (unsigned turn = 0; turn < WARP; turn++) {
        for (size_t i = 0; i < rows->sum_count; i++) {
            gf_pv other = from_lane(e, addends[i], gf_ptx_register(p, gf_ptx_u32(turn)));
            gf_ptx_move(p, sums[i], operate(e, rows->sum_ops[i], sums[i], other));
        }
    }
    gf_ptx_jump(p, next);
    gf_ptx_place(p, few);
    gf_pv turn = gf_ptx_new_value(p, GF_TYPE_U32);
    uint32_t again = gf_ptx_label(p);
    gf_ptx_move(p, turn, gf_ptx_u32(0));
    gf_ptx_jump_if(p, operate(e, GF_OP_EQ, many, gf_ptx_u32(0)), true, next);
    gf_ptx_place(p, again);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_ptx_move(p, sums[i], operate(e, rows->sum_ops[i], sums[i], from_lane(e, addends[i], turn)));
    }
    gf_ptx_move(p, turn, operate(e, GF_OP_ADD, turn, gf_ptx_u32(1)));
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, turn, many), true, again);
    gf_ptx_place(p, next);
    gf_ptx_move(p, base, operate(e, GF_OP_ADD, base, gf_ptx_u32(WARP)));
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, base, left), true, head);
    gf_pv is_owner = operate(e, GF_OP_EQ, lane, owner);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_ptx_move(p, rows->own_sums[i], choose(e, is_owner, sums[i], rows->own_sums[i]));
    }
}

/* The rows of a warp's lanes, one after the other. */
static void serve_by_warp(gf_ptx_emit *e, gf_pv waits) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv mask = gf_ptx_new_value(p, GF_TYPE_U32), lane = lane_of(e);
    uint32_t head = gf_ptx_label(p), done = gf_ptx_label(p);
    waits = gf_ptx_register(p, waits);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_line(p, "vote.sync.ballot.b32 %s, %s, 0xffffffff", gf_ptx_spell(mask).text, gf_ptx_spell(waits).text);
    gf_ptx_place(p, head);
    gf_ptx_jump_if(p, operate(e, GF_OP_EQ, mask, gf_ptx_u32(0)), true, done);
    gf_pv owner = gf_ptx_register(p, gf_ptx_op(p, GF_OP_CTZ, GF_TYPE_U32, GF_TYPE_NONE, mask, none, none));
    gf_pv from = from_lane(e, rows->from, owner), to = from_lane(e, rows->to, owner);
    binding b = {0};
    for (size_t i = 0; i < rows->captured_count; i++) {
        rebind(e, &b, rows->captured[i].symbol, from_lane(e, rows->captured[i].own, owner));
    }
    gf_pv turns = turns_of(e, from, to);
    if (rows->in_order) {
        serve_in_order(e, from, turns, lane, owner, &b);
    } else {
        serve_free(e, from, turns, lane, owner, &b);
    }
    bind_back(e, &b, rows, !rows->in_order);
    gf_ptx_move(p, mask, operate(e, GF_OP_AND, mask, operate(e, GF_OP_SUB, mask, gf_ptx_u32(1))));
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
}

/* All threads come by here once for each row, and those whose row waited once more for each that waited. */
void gf_ptx_serve_rows(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_ptx_row_list *list = e->row_list;
    bool any = false;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        any |= list->items[i].is_left;
    }
    if (!any) {
        return;
    }
    gf_ptx_place(p, list->serve);
    for (size_t i = 0; i < list->count; i++) {
        gf_ptx_rows *rows = &list->items[i];
        if (!rows->is_left) {
            continue;
        }
        uint32_t next = gf_ptx_label(p);
        e->rows = rows;
        gf_ptx_jump_if(p, rows->is_served, true, next);
        serve_by_warp(e, rows->waits);
        gf_ptx_move(p, rows->is_served, gf_ptx_constant(GF_TYPE_BOOL, 1));
        gf_ptx_jump_if(p, rows->waits, true, rows->after);
        gf_ptx_place(p, next);
    }
    e->rows = NULL;
    e->is_open = true;
}

static void serve_list(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    uint32_t head = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_pv count = gf_ptx_new_value(p, GF_TYPE_U32), q = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_ptx_line(p, "ld.shared.u32 %s, [gf_rows+%llu]", gf_ptx_spell(count).text, (unsigned long long)rows->list);
    count = operate(e, GF_OP_MIN, count, gf_ptx_u32(MOST_LISTED));
    gf_ptx_move(p, q, gf_ptx_u32(0));
    gf_ptx_place(p, head);
    gf_ptx_jump_if(p, operate(e, GF_OP_GE, q, count), true, done);
    gf_pv entry = list_address(e, q);
    gf_pv from = get_word(e, entry, 0, rows->from), to = get_word(e, entry, 1, rows->to);
    binding b = {0};
    for (size_t i = 0; i < rows->captured_count; i++) {
        rebind(e, &b, rows->captured[i].symbol, get_word(e, entry, 2 + i, rows->captured[i].own));
    }
    b.kept[b.count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    gf_pv threads = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_ptx_line(p, "mov.u32 %s, %%ntid.x", gf_ptx_spell(threads).text);
    share_turns(e, from, turns_of(e, from, to), gf_ptx_thread(e), threads);
    bind_back(e, &b, rows, false);
    gf_ptx_move(p, q, operate(e, GF_OP_ADD, q, gf_ptx_u32(1)));
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
}

void gf_ptx_end_rows(gf_ptx_emit *e) {
    gf_ptx_row_list *list = e->row_list;
    bool meets = false;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (!list->items[i].is_left || !list->items[i].by_block) {
            continue;
        }
        if (!meets) {
            gf_ptx_sync(e);
        }
        meets = true;
        e->rows = &list->items[i];
        serve_list(e);
    }
    e->rows = NULL;
}
