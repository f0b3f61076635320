/* A barrier of the workgroup where one of the grid was meant: two accesses to a buffer, one of them a write, have only
 * workgroup barriers between them, and invocations of different workgroups may meet at one element.
 *
 * Where arithmetic shows whether they meet (group_index.h), that decides. Where it does not, an index that is made of
 * lid or wid is taken for one that stays in its workgroup, and so is one that is the same on both sides. */
#include "check/checker.h"
#include "check/group_index.h"
#include "ir/visit.h"

#include <string.h>

enum {
    MOST_ACCESSES = 16,      /* remembered of a buffer in a stretch */
    MOST_CALL_STMTS = 20000, /* looked at in functions, over all calls */
    MOST_LOOPS = 4,          /* inside each other, when indices are compared */
};

typedef struct access {
    bool writes, is_atomic;
    group_index index;
    const gf_expr *expr; /* the index, or NULL */
    bool in_call;        /* names in it mean something else in another call */
    bool lanes_matter;
    unsigned char ids;
    bool is_vague;      /* under a condition on lids that is not understood */
    const gf_expr *pin; /* a condition that one workgroup meets, or NULL */
    gf_span span;
    uint64_t barriers, number;
    uint64_t loop; /* the outermost loop whose turns were looked at, by its first access and 1; 0: none */
} access;

typedef struct buffer_accesses {
    access *items;
    size_t count;
    uint64_t stretch;
    bool warned;
} buffer_accesses;

typedef struct range {
    uint64_t from, to;
} range;

typedef struct walker {
    checker *c;
    index_scope scope;
    unsigned char *ids;                /* scope.ids */
    buffer_accesses *buffers;          /* by symbol id */
    GF_VEC(const gf_symbol *) touched; /* buffers in this stretch */
    const gf_stmt **loops;             /* by symbol id, of loop variables */
    uint64_t stretch, barriers, accesses;
    gf_span barrier;   /* the latest */
    bool is_statement; /* it is `barrier;` */
    bool is_vague;
    const gf_expr *pin;
    GF_VEC(range) other_branches; /* accesses that do not come before the present ones */
    unsigned call_depth;
    size_t call_stmts;
} walker;

static unsigned char ids_in(const walker *at, const gf_expr *expr) {
    return gf_check_ids_in(at->scope.ids, expr);
}

/* ---- pairs of accesses ---- */

static bool is_same_index(const walker *at, const gf_expr *a, const gf_expr *b, int loops) {
    if (a == NULL || b == NULL || a->kind != b->kind || a->op != b->op || a->arg_count != b->arg_count) {
        return false;
    }
    if (a->kind == GF_EXPR_NAME && a->ref.symbol != b->ref.symbol) {
        const gf_stmt *one = at->loops[a->ref.symbol->id], *other = at->loops[b->ref.symbol->id];
        return one != NULL && other != NULL && loops < MOST_LOOPS &&
               is_same_index(at, one->from, other->from, loops + 1) &&
               is_same_index(at, one->to, other->to, loops + 1) &&
               (one->step == other->step || is_same_index(at, one->step, other->step, loops + 1));
    }
    if (a->arg_count == 0) {
        return gf_equal_expr(a, b);
    }
    if (a->kind != GF_EXPR_OP && a->kind != GF_EXPR_CAST) {
        return gf_equal_expr(a, b);
    }
    for (size_t i = 0; i < a->arg_count; i++) {
        if (!is_same_index(at, a->args[i], b->args[i], loops)) {
            return false;
        }
    }
    return a->type == b->type;
}

static bool varies(const group_index *index) {
    return gf_check_differs_by_group(index) || index->low != index->high;
}

/* Both by one workgroup, as far as their conditions say. */
static bool is_one_group(const walker *at, const access *a, const access *b) {
    if (a->pin == NULL || b->pin == NULL) {
        return false;
    }
    const access *sides[2] = {a, b};
    int64_t group[2];
    for (int i = 0; i < 2; i++) {
        const gf_expr *pin = sides[i]->pin, *const *args = pin->args;
        if (pin->kind != GF_EXPR_OP || pin->op != GF_OP_EQ) {
            return true;
        }
        group_index who = gf_check_group_index(&at->scope, args[ids_in(at, args[0]) == 0]);
        group_index what = gf_check_group_index(&at->scope, args[ids_in(at, args[0]) != 0]);
        bool simple = who.is_known && what.is_known && who.base == NULL && what.base == NULL && who.low == 0 &&
                      who.high == 0 && what.low == what.high && who.by_group[0] > 0 &&
                      !gf_check_has_groups(&at->scope, 1) && !gf_check_has_groups(&at->scope, 2);
        if (!simple) {
            return true;
        }
        group[i] = what.low / who.by_group[0];
    }
    return group[0] == group[1];
}

static bool may_meet(const walker *at, const access *a, const access *b) {
    if ((!a->writes && !b->writes) || (a->writes && b->writes) || (a->is_atomic && b->is_atomic) ||
        is_one_group(at, a, b)) {
        return false;
    }
    bool is_vague = (a->is_vague && a->lanes_matter) || (b->is_vague && b->lanes_matter);
    switch (gf_check_index_overlap(&at->scope, &a->index, &b->index)) {
    case INDEX_APART:
        return false;
    case INDEX_SHARED:
        return !is_vague;
    case INDEX_UNSURE:
        break;
    }
    if (a->index.is_known && b->index.is_known &&
        ((!varies(&a->index) && !varies(&b->index)) ||
         (a->index.by_linear == b->index.by_linear && a->ids != 0 &&
          memcmp(a->index.by_group, b->index.by_group, sizeof a->index.by_group) == 0))) {
        return false; /* parts of a buffer, at offsets such as 0 and n */
    }
    bool is_same = !a->in_call && !b->in_call && is_same_index(at, a->expr, b->expr, 0);
    return !is_vague && !(is_same && a->ids != 0) && ((a->ids | b->ids) & (INDEX_LID | INDEX_WID)) == 0;
}

static void warn(walker *at, const gf_symbol *buffer, const access *earlier, const access *later, bool in_turns) {
    gf_diags *diags = at->c->diags;
    const char *name = user_name(buffer);
    at->buffers[buffer->id].warned = true;
    if (later->writes) {
        gf_warn(diags, GF_CODE_WEAK_BARRIER, later->span,
                "this may write into `%s` where another workgroup still reads, and `barrier` orders one workgroup only",
                name);
    } else {
        gf_warn(diags, GF_CODE_WEAK_BARRIER, later->span,
                "this may read what another workgroup wrote into `%s`, and `barrier` orders one workgroup only", name);
    }
    gf_note(diags, earlier->span, "`%s` is %s here%s", name, earlier->writes ? "written" : "read",
            in_turns ? ", a turn before" : "");
    gf_note(diags, at->barrier, at->is_statement ? "the barrier between is here" : "what orders the workgroup is here");
    gf_fix(diags, at->is_statement ? "write `grid_barrier;`" : "put `grid_barrier;` between the two");
}

static bool is_hidden(const walker *at, const access *earlier) {
    for (size_t i = 0; i < at->other_branches.count; i++) {
        const range *branch = &at->other_branches.items[i];
        if (earlier->number >= branch->from && earlier->number < branch->to) {
            return true;
        }
    }
    return false;
}

static bool is_repeated(const walker *at, const access *a, const access *b) {
    return a->writes == b->writes && a->is_atomic == b->is_atomic && a->barriers == b->barriers && a->pin == b->pin &&
           a->is_vague == b->is_vague && a->in_call == b->in_call && !a->in_call &&
           is_same_index(at, a->expr, b->expr, 0) && gf_check_is_same_index(&a->index, &b->index);
}

static void note_access(walker *at, const gf_symbol *buffer, access now) {
    buffer_accesses *of = &at->buffers[buffer->id];
    if (buffer->kind != GF_SYMBOL_BUFFER || !as_check(buffer)->written || of->warned) {
        return;
    }
    if (of->stretch != at->stretch) {
        of->stretch = at->stretch;
        of->count = 0;
        gf_push(at->c->arena, &at->touched, buffer);
    }
    bool is_new = true;
    for (size_t i = 0; i < of->count; i++) {
        const access *earlier = &of->items[i];
        if (earlier->barriers < at->barriers && !is_hidden(at, earlier) && may_meet(at, earlier, &now)) {
            warn(at, buffer, earlier, &now, false);
            return;
        }
        is_new = is_new && !is_repeated(at, earlier, &now);
    }
    if (of->items == NULL) {
        of->items = gf_new_array(at->c->arena, access, MOST_ACCESSES);
    }
    if (is_new && of->count < MOST_ACCESSES) {
        of->items[of->count++] = now;
    }
}

static void note_at(walker *at, const gf_ref *array, const gf_expr *index, int64_t more, bool writes, bool is_atomic,
                    gf_span span) {
    group_index plain = gf_check_group_index(&at->scope, index), settled = gf_check_settle_lanes(&at->scope, plain);
    settled.high += settled.is_known ? more : 0;
    note_access(at, array->symbol,
                (access){.writes = writes,
                         .is_atomic = is_atomic,
                         .index = settled,
                         .expr = more == 0 ? index : NULL,
                         .in_call = at->call_depth > 0,
                         .lanes_matter = !settled.is_known || settled.low != settled.high,
                         .ids = ids_in(at, index),
                         .is_vague = at->is_vague,
                         .pin = at->pin,
                         .span = span,
                         .barriers = at->barriers,
                         .number = at->accesses++});
}

/* The back edge of a loop of the workgroup: what a turn did lies before all that the next one does. */
static void look_at_turns(walker *at, uint64_t first) {
    for (size_t k = 0; k < at->touched.count; k++) {
        const gf_symbol *buffer = at->touched.items[k];
        buffer_accesses *of = &at->buffers[buffer->id];
        size_t inside = 0;
        while (inside < of->count && of->items[inside].number < first) {
            inside++;
        }
        for (size_t i = inside; i < of->count; i++) {
            for (size_t next = inside; next <= i && !of->warned; next++) {
                bool is_known = of->items[i].loop != 0 && of->items[i].loop == of->items[next].loop;
                if (!is_known && may_meet(at, &of->items[i], &of->items[next])) {
                    warn(at, buffer, &of->items[i], &of->items[next], true);
                }
            }
        }
        for (size_t i = inside; i < of->count; i++) {
            of->items[i].loop = first + 1;
        }
    }
}

/* ---- conditions ---- */

typedef struct place {
    index_scope scope;
    bool is_vague;
    const gf_expr *pin;
} place;

static place here(const walker *at) {
    return (place){.scope = at->scope, .is_vague = at->is_vague, .pin = at->pin};
}

/* From here on the condition holds, or does not. */
static void suppose(walker *at, const gf_expr *condition, bool holds) {
    if (condition->kind == (holds ? GF_EXPR_AND : GF_EXPR_OR)) {
        suppose(at, condition->args[0], holds);
        suppose(at, condition->args[1], holds);
        return;
    }
    if (condition->kind == GF_EXPR_OP && condition->op == GF_OP_NOT) {
        suppose(at, condition->args[0], !holds);
        return;
    }
    at->is_vague = !gf_check_narrow_lanes(&at->scope, condition, holds) || at->is_vague;
    if (holds && condition->kind == GF_EXPR_OP && condition->op == GF_OP_EQ) {
        unsigned char left = ids_in(at, condition->args[0]), right = ids_in(at, condition->args[1]);
        bool is_pin = (left == 0 && (right & (INDEX_GID | INDEX_WID)) != 0) ||
                      (right == 0 && (left & (INDEX_GID | INDEX_WID)) != 0);
        at->pin = is_pin ? condition : at->pin;
    }
}

static place enter(walker *at, const gf_expr *condition, bool holds) {
    place before = here(at);
    suppose(at, gf_check_behind(condition), holds);
    return before;
}

static void leave(walker *at, const place *before) {
    at->scope = before->scope;
    at->is_vague = before->is_vague;
    at->pin = before->pin;
}

/* ---- the walk ---- */

static void walk(walker *at, const gf_block *block);

static void look_at_call(walker *at, const gf_expr *call) {
    const gf_symbol *function = call->ref.symbol;
    if (function->body == NULL || at->call_stmts > MOST_CALL_STMTS || at->call_depth >= GF_CHECK_DEPTH) {
        return;
    }
    for (size_t i = 0; i < function->argument_count && i < call->arg_count; i++) {
        uint32_t id = function->arguments[i]->id;
        at->scope.names[id] = gf_check_group_index(&at->scope, call->args[i]);
        at->ids[id] = ids_in(at, call->args[i]);
    }
    at->call_depth++;
    walk(at, function->body);
    at->call_depth--;
}

static void look_at_expr(walker *at, const gf_expr *expr);

/* `a && b && c`: each where those before it hold, and what they say is left in place. */
static void look_at_chain(walker *at, const gf_expr *expr) {
    for (size_t i = 0; i < 2; i++) {
        if (expr->args[i]->kind == expr->kind) {
            look_at_chain(at, expr->args[i]);
        } else {
            look_at_expr(at, expr->args[i]);
            suppose(at, expr->args[i], expr->kind == GF_EXPR_AND);
        }
    }
}

static void look_at_expr(walker *at, const gf_expr *expr) {
    if (expr == NULL) {
        return;
    }
    if (expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR) {
        place before = here(at);
        look_at_chain(at, expr);
        leave(at, &before);
        return;
    }
    bool selects = expr->kind == GF_EXPR_OP && expr->op == GF_OP_SELECT;
    for (size_t i = 0; i < expr->arg_count; i++) {
        place before = selects && i > 0 ? enter(at, expr->args[0], i == 1) : (place){0};
        look_at_expr(at, expr->args[i]);
        if (selects && i > 0) {
            leave(at, &before);
        }
    }
    if (expr->kind == GF_EXPR_LOAD) {
        note_at(at, &expr->ref, expr->args[0], 0, false, false, expr->span);
    } else if (expr->kind == GF_EXPR_ATOMIC) {
        note_at(at, &expr->ref, expr->args[0], 0, expr->atomic != GF_ATOMIC_LOAD, true, expr->span);
    } else if (expr->kind == GF_EXPR_CALL) {
        look_at_call(at, expr);
    }
}

static void step(walker *at, gf_level level, const gf_stmt *stmt) {
    if (level == GF_LEVEL_GRID) {
        at->stretch++;
        at->touched.count = 0;
    } else if (level == GF_LEVEL_GROUP) {
        at->barriers++;
        at->barrier = stmt->head.source != NULL ? stmt->head : stmt->span;
        at->is_statement = stmt->kind == GF_STMT_BARRIER;
    }
}

/* What the statement is a barrier of, by itself. */
static gf_level barrier_level(const gf_stmt *stmt) {
    if (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
        return stmt->value->level;
    }
    if (stmt->kind == GF_STMT_BARRIER) {
        return GF_LEVEL_GROUP;
    }
    bool of_grid = stmt->kind == GF_STMT_GRID_BARRIER || stmt->kind == GF_STMT_SWAP ||
                   stmt->kind == GF_STMT_COLLECTIVE || (stmt->kind == GF_STMT_FORALL && stmt->reduce_count > 0);
    return of_grid ? GF_LEVEL_GRID : GF_LEVEL_NONE;
}

static void look_at_store(walker *at, const gf_stmt *stmt) {
    look_at_expr(at, stmt->index);
    if (stmt->op != GF_OP_NONE) {
        note_at(at, &stmt->target, stmt->index, 0, false, false, stmt->head);
    }
    look_at_expr(at, stmt->value);
    if (stmt->target.symbol->kind == GF_SYMBOL_VAR) {
        at->ids[stmt->target.symbol->id] |= ids_in(at, stmt->value);
        return;
    }
    note_at(at, &stmt->target, stmt->index, 0, true, false, stmt->span);
}

static void look_at_copy(walker *at, const gf_stmt *stmt) {
    look_at_expr(at, stmt->index);
    look_at_expr(at, stmt->from);
    look_at_expr(at, stmt->to);
    group_index count = gf_check_group_index(&at->scope, stmt->to);
    /* How far it reaches must be known, or else nothing is said. */
    if (count.is_known && count.base == NULL && count.high > 0 && !gf_check_differs_by_group(&count)) {
        count = gf_check_settle_lanes(&at->scope, count);
        note_at(at, &stmt->second, stmt->from, count.high - 1, false, false, stmt->span);
        note_at(at, &stmt->target, stmt->index, count.high - 1, true, false, stmt->span);
    }
}

static void define(walker *at, const gf_stmt *stmt) {
    uint32_t id = stmt->target.symbol->id;
    if (stmt->kind == GF_STMT_FOR) {
        at->scope.names[id] = gf_check_loop_index(&at->scope, stmt);
        at->ids[id] = ids_in(at, stmt->from) | ids_in(at, stmt->to);
        at->loops[id] = stmt;
    } else if (stmt->kind == GF_STMT_LET) {
        at->scope.names[id] = gf_check_group_index(&at->scope, stmt->value);
        at->ids[id] = ids_in(at, stmt->value);
    } else if (stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN) {
        at->ids[id] |= ids_in(at, stmt->value);
    }
}

static void walk_if(walker *at, const gf_stmt *stmt) {
    uint64_t first = at->accesses;
    place before = enter(at, stmt->value, true);
    walk(at, stmt->body);
    leave(at, &before);
    if (stmt->otherwise == NULL) {
        return;
    }
    before = enter(at, stmt->value, false);
    gf_push(at->c->arena, &at->other_branches, ((range){first, at->accesses}));
    walk(at, stmt->otherwise);
    at->other_branches.count--;
    leave(at, &before);
}

static void walk_construct(walker *at, const gf_stmt *stmt) {
    step(at, stmt->level, stmt);
    uint64_t first = at->accesses;
    look_at_expr(at, stmt->value);
    look_at_expr(at, stmt->from);
    look_at_expr(at, stmt->to);
    look_at_expr(at, stmt->step);
    step(at, stmt->level, stmt);
    if (stmt->kind == GF_STMT_IF) {
        walk_if(at, stmt);
    } else if (stmt->kind == GF_STMT_WHILE) {
        place before = enter(at, stmt->value, true);
        walk(at, stmt->body);
        leave(at, &before);
    } else {
        if (stmt->kind == GF_STMT_FOR) {
            define(at, stmt);
        }
        walk(at, stmt->body);
    }
    step(at, stmt->level, stmt);
    if (stmt->kind != GF_STMT_IF && stmt->level == GF_LEVEL_GROUP) {
        look_at_turns(at, first);
    }
}

static void walk_stmt(walker *at, const gf_stmt *stmt) {
    bool is_grid_load;
    at->call_stmts += at->call_depth > 0;
    switch (stmt->kind) {
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        walk_construct(at, stmt);
        return;
    case GF_STMT_STORE:
        look_at_store(at, stmt);
        return;
    case GF_STMT_COPY_ASYNC:
        look_at_copy(at, stmt);
        return;
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        /* What grid_load loads lies between two grid barriers. */
        is_grid_load = stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS && stmt->value->cross == GF_CROSS_LOAD;
        look_at_expr(at, is_grid_load ? stmt->value->args[0]->args[0] : stmt->value);
        define(at, stmt);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        walk(at, stmt->body);
        return;
    case GF_STMT_FORALL: /* what its items do has no workgroup */
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_SWAP:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_WAIT:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
        break;
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_RETURN:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        look_at_expr(at, stmt->value);
        break;
    }
    step(at, barrier_level(stmt), stmt);
}

static void walk(walker *at, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        walk_stmt(at, block->items[i]);
    }
}

/* A variable may get its ids from an assignment further down a loop. */
static bool gather_ids(void *user, const gf_stmt *stmt) {
    walker *at = user;
    bool is_local = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN ||
                    (stmt->kind == GF_STMT_STORE && stmt->target.symbol->kind == GF_SYMBOL_VAR);
    if (is_local) {
        at->ids[stmt->target.symbol->id] |= ids_in(at, stmt->value);
    } else if (stmt->kind == GF_STMT_FOR) {
        at->ids[stmt->target.symbol->id] |= ids_in(at, stmt->from) | ids_in(at, stmt->to);
    }
    return true;
}

void gf_check_weak_barriers(checker *c) {
    const gf_kernel_decl *kernel = &c->tree->kernel;
    size_t symbols = c->symbols.count + 1;
    walker at = {.c = c, .stretch = 1, .ids = gf_new_array(c->arena, unsigned char, symbols)};
    gf_check_index_scope(&at.scope, kernel, gf_new_array(c->arena, group_index, symbols), at.ids);
    bool has_groups =
        gf_check_has_groups(&at.scope, 0) || gf_check_has_groups(&at.scope, 1) || gf_check_has_groups(&at.scope, 2);
    if (!has_groups || !gf_check_has_barrier(kernel->body, GF_LEVEL_GROUP)) {
        return;
    }
    at.buffers = gf_new_array(c->arena, buffer_accesses, symbols);
    at.loops = gf_new_array(c->arena, const gf_stmt *, symbols);
    gf_visitor visitor = {.user = &at, .stmt = gather_ids};
    gf_visit_block(&visitor, kernel->body);
    gf_visit_block(&visitor, kernel->body);
    walk(&at, kernel->body);
}
