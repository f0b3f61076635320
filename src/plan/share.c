#include "plan/share.h"
#include "ir/make.h"
#include "ir/visit.h"
#include <string.h>

#define NONE UINT32_MAX
#define MOST_VALUES 2048 /* of a body: more are not looked at */

/* What an expression stands for; equal ones have one number. */
typedef struct value {
    gf_expr_kind kind;
    gf_type type;
    gf_op op;
    gf_builtin builtin;
    gf_axis axis;
    uint64_t bits;
    const gf_symbol *symbol;
    uint32_t version; /* of the variable or array */
    uint32_t args[3];
    size_t arg_count;
} value;

/* Where a value was seen first, in code that the present place lies in or behind. */
typedef struct seen {
    uint32_t value;
    uint32_t use;           /* its number among all places where one was seen first */
    const gf_expr *instead; /* while building: what stands for it; NULL: it is nowhere kept */
} seen;

typedef GF_VEC(const gf_stmt *) stmt_list;

typedef struct sharing {
    gf_arena *arena;
    const gf_tree *tree;
    bool is_building; /* the second time; the first counts */
    GF_VEC(value) values;
    uint32_t *of_let;  /* by symbol id: number of the value, or NONE */
    uint32_t *version; /* by symbol id: of variables and arrays */
    uint32_t clock;    /* versions given so far */
    GF_VEC(seen) seen;
    size_t floor;          /* what was seen before may not be used here */
    GF_VEC(uint32_t) uses; /* by place: how often it is seen again */
    size_t next_use;
    unsigned conditional; /* > 0: code that may not be executed, or more than once */
    bool has_effects;     /* in this statement, so far */
    stmt_list *out;       /* building: the present block */
    uint32_t symbol_count;
    bool changed;
} sharing;

/* ---- numbers ---- */

static uint32_t number_of(sharing *s, const gf_expr *expr);

static bool same_value(const value *a, const value *b) {
    return a->kind == b->kind && a->type == b->type && a->op == b->op && a->builtin == b->builtin &&
           a->axis == b->axis && a->bits == b->bits && a->symbol == b->symbol && a->version == b->version &&
           a->arg_count == b->arg_count && memcmp(a->args, b->args, sizeof a->args) == 0;
}

static uint32_t number_value(sharing *s, const value *wanted) {
    for (size_t i = 0; i < s->values.count; i++) {
        if (same_value(&s->values.items[i], wanted)) {
            return (uint32_t)i;
        }
    }
    if (s->values.count == MOST_VALUES) {
        return NONE;
    }
    gf_push(s->arena, &s->values, *wanted);
    return (uint32_t)s->values.count - 1;
}

static bool number_args(sharing *s, const gf_expr *expr, value *v) {
    v->arg_count = expr->arg_count;
    for (size_t i = 0; i < expr->arg_count; i++) {
        v->args[i] = number_of(s, expr->args[i]);
        if (v->args[i] == NONE) {
            return false;
        }
    }
    return true;
}

static uint32_t number_name(sharing *s, const gf_expr *expr, value *v) {
    v->symbol = expr->ref.symbol;
    if (v->symbol->kind == GF_SYMBOL_LET && s->of_let[v->symbol->id] != NONE) {
        return s->of_let[v->symbol->id];
    }
    if (v->symbol->kind == GF_SYMBOL_VAR) {
        v->version = s->version[v->symbol->id];
    }
    return number_value(s, v);
}

/* NONE where it is another one each time. */
static uint32_t number_of(sharing *s, const gf_expr *expr) {
    value v = {.kind = expr->kind, .type = expr->type};
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        v.bits = expr->bits;
        return number_value(s, &v);
    case GF_EXPR_NAME:
        return number_name(s, expr, &v);
    case GF_EXPR_BUILTIN:
        v.builtin = expr->builtin;
        v.axis = expr->axis;
        return number_value(s, &v);
    case GF_EXPR_LEN:
        v.symbol = expr->ref.symbol;
        return number_value(s, &v);
    case GF_EXPR_LOAD:
        v.symbol = expr->ref.symbol;
        v.version = s->version[v.symbol->id];
        return number_args(s, expr, &v) ? number_value(s, &v) : NONE;
    case GF_EXPR_OP:
        v.op = expr->op;
        return number_args(s, expr, &v) ? number_value(s, &v) : NONE;
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        return number_args(s, expr, &v) ? number_value(s, &v) : NONE;
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        break;
    }
    return NONE;
}

/* Worth a name: a load, or what takes many instructions. */
static bool is_dear(const gf_expr *expr) {
    if (expr->kind == GF_EXPR_LOAD) {
        return true;
    }
    return expr->kind == GF_EXPR_OP &&
           (expr->op == GF_OP_DIV || expr->op == GF_OP_REM || expr->op == GF_OP_SQRT || gf_op_is_elementary(expr->op));
}

/* ---- what changes ---- */

static void renew(sharing *s, const gf_symbol *symbol) {
    s->version[symbol->id] = ++s->clock;
}

/* At a barrier, and for whoever is behind it: what was kept would have to cross it. */
static void renew_all(sharing *s) {
    for (uint32_t i = 0; i < s->tree->symbol_count; i++) {
        s->version[i] = ++s->clock;
    }
    s->floor = s->seen.count;
}

static bool note_expr(void *user, const gf_expr *expr) {
    sharing *s = user;
    if (expr->kind == GF_EXPR_ATOMIC && expr->atomic != GF_ATOMIC_LOAD) {
        renew(s, expr->ref.symbol);
    }
    if (expr->kind == GF_EXPR_CROSS) {
        renew_all(s);
    }
    return true;
}

static bool note_stmt(void *user, const gf_stmt *stmt) {
    sharing *s = user;
    switch (stmt->kind) {
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
    case GF_STMT_STORE:
    case GF_STMT_COPY_ASYNC:
        renew(s, stmt->target.symbol);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_FORALL:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_WAIT:
        renew_all(s);
        break;
    case GF_STMT_LET:
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        break;
    }
    return true;
}

/* All that the code writes anywhere is another one from here on. */
static void renew_written(sharing *s, const gf_block *block, const gf_expr *expr) {
    gf_visitor visitor = {.user = s, .stmt = note_stmt, .expr = note_expr, .into_calls = true};
    gf_visit_block(&visitor, block);
    gf_visit_expr(&visitor, expr);
}

static bool note_effect(void *user, const gf_expr *expr) {
    bool *found = user;
    *found |= expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL || expr->kind == GF_EXPR_CROSS;
    return true;
}

static bool has_effect(const gf_expr *expr) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .expr = note_effect};
    gf_visit_expr(&visitor, expr);
    return found;
}

/* ---- what was seen ---- */

static seen *find_seen(sharing *s, uint32_t number) {
    for (size_t i = s->seen.count; number != NONE && i > s->floor; i--) {
        if (s->seen.items[i - 1].value == number) {
            return &s->seen.items[i - 1];
        }
    }
    return NULL;
}

static seen *see(sharing *s, uint32_t number) {
    if (s->next_use == s->uses.count) {
        gf_push(s->arena, &s->uses, 0);
    }
    seen first = {.value = number, .use = (uint32_t)s->next_use++};
    gf_push(s->arena, &s->seen, first);
    return &s->seen.items[s->seen.count - 1];
}

static const gf_expr *keep(sharing *s, const gf_expr *built) {
    const char *name = gf_arena_format(s->arena, "gf_shared_%u", (unsigned)(s->symbol_count - s->tree->symbol_count));
    gf_symbol *symbol = gf_make_symbol(s->arena, GF_SYMBOL_LET, name, built->type, s->symbol_count++);
    symbol->span = built->span;
    gf_push(s->arena, s->out, gf_make_let(s->arena, symbol, built));
    s->changed = true;
    return gf_make_name(s->arena, symbol);
}

/* What it stands for does not change: it needs no name of its own. */
static bool is_lasting(const gf_expr *expr) {
    return expr->kind == GF_EXPR_LITERAL || expr->kind == GF_EXPR_BUILTIN ||
           (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind != GF_SYMBOL_VAR);
}

/* ---- expressions ---- */

static const gf_expr *go_expr(sharing *s, const gf_expr *expr);

static const gf_expr *go_args(sharing *s, const gf_expr *expr) {
    bool is_short = expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR;
    const gf_expr **args = NULL;
    for (size_t i = 0; i < expr->arg_count; i++) {
        s->conditional += is_short && i > 0;
        const gf_expr *arg = go_expr(s, expr->args[i]);
        s->conditional -= is_short && i > 0;
        if (arg != expr->args[i] && args == NULL) {
            args = gf_arena_copy(s->arena, expr->args, expr->arg_count * sizeof *args);
        }
        if (args != NULL) {
            args[i] = arg;
        }
    }
    if (args == NULL) {
        return expr;
    }
    gf_expr *copy = gf_arena_copy(s->arena, expr, sizeof *expr);
    copy->args = args;
    return copy;
}

/* With what it does itself, which begins behind its operands. */
static const gf_expr *go_effect(sharing *s, const gf_expr *expr) {
    bool is_load = expr->kind == GF_EXPR_CROSS && expr->cross == GF_CROSS_LOAD; /* of an element, as it stands */
    const gf_expr *built = is_load ? expr : go_args(s, expr);
    s->has_effects = true;
    if (expr->kind == GF_EXPR_CALL) {
        renew_written(s, expr->ref.symbol->body, NULL);
    } else {
        gf_expr own = *expr;
        own.arg_count = 0;
        renew_written(s, NULL, &own);
    }
    return built;
}

static const gf_expr *go_expr(sharing *s, const gf_expr *expr) {
    if (expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL || expr->kind == GF_EXPR_CROSS) {
        return go_effect(s, expr);
    }
    uint32_t number = is_dear(expr) && !has_effect(expr) ? number_of(s, expr) : NONE;
    const seen *known = find_seen(s, number);
    if (known != NULL) {
        s->uses.items[known->use] += !s->is_building;
        s->changed |= s->is_building;
        return s->is_building ? known->instead : expr;
    }
    const gf_expr *built = go_args(s, expr);
    if (number == NONE || s->conditional > 0 || s->has_effects) {
        return built;
    }
    seen *first = see(s, number);
    if (s->is_building && s->uses.items[first->use] > 0) {
        first->instead = keep(s, built);
        return first->instead;
    }
    return built;
}

/* ---- statements ---- */

static const gf_block *go_block(sharing *s, const gf_block *block);

static const gf_block *go_part(sharing *s, const gf_block *block) {
    size_t seen_before = s->seen.count;
    unsigned conditional = s->conditional;
    s->conditional = 0; /* it is a block of its own, in which things are as they are */
    const gf_block *built = go_block(s, block);
    s->conditional = conditional;
    s->seen.count = seen_before;
    return built;
}

/* len(array) is the number of its elements, and no less because it is a u32. */
static const gf_expr *length_of(sharing *s, const gf_symbol *array, gf_type type) {
    if (array->kind == GF_SYMBOL_SHARED || array->kind == GF_SYMBOL_VAR) {
        return array->length <= UINT32_MAX ? gf_make_literal(s->arena, type, array->length) : NULL;
    }
    const gf_expr *size = array->size;
    bool is_plain = size != NULL && size->type == type && type == GF_TYPE_U32 &&
                    (size->kind == GF_EXPR_LITERAL || size->kind == GF_EXPR_NAME);
    if (!is_plain) {
        return NULL;
    }
    return size->kind == GF_EXPR_LITERAL ? gf_make_literal(s->arena, type, size->bits)
                                         : gf_make_name(s->arena, size->ref.symbol);
}

/* What the element holds from here on, as a load would give it: nothing where it is outside. */
static void forward(sharing *s, const gf_stmt *stmt, gf_stmt *built) {
    const gf_symbol *array = stmt->target.symbol;
    const gf_expr *length = length_of(s, array, stmt->index->type);
    bool fits = gf_type_bytes(array->type) >= 4 && stmt->value->type == array->type && length != NULL &&
                !gf_type_is_signed(stmt->index->type);
    if (!fits || s->conditional > 0 || s->has_effects) {
        renew(s, array);
        return;
    }
    uint32_t index = number_of(s, stmt->index), held = number_of(s, stmt->value);
    renew(s, array);
    value v = {.kind = GF_EXPR_LOAD, .type = array->type, .symbol = array, .version = s->version[array->id]};
    v.args[0] = index;
    v.arg_count = 1;
    uint32_t number = index != NONE && held != NONE ? number_value(s, &v) : NONE;
    if (number == NONE) {
        return;
    }
    seen *first = see(s, number);
    if (!s->is_building || s->uses.items[first->use] == 0) {
        return;
    }
    built->index = is_lasting(built->index) ? built->index : keep(s, built->index);
    built->value = is_lasting(built->value) ? built->value : keep(s, built->value);
    const gf_expr *inside = gf_make_op2(s->arena, GF_OP_LT, built->index, length);
    const gf_expr *nothing = gf_make_literal(s->arena, array->type, 0);
    s->changed = true;
    s->seen.items[s->seen.count - 1].instead =
        keep(s, gf_make_op3(s->arena, GF_OP_SELECT, inside, built->value, nothing));
}

static const gf_expr *go_field(sharing *s, const gf_expr *expr) {
    return expr != NULL ? go_expr(s, expr) : NULL;
}

/* Its own expressions, in order of evaluation. */
static void go_own(sharing *s, gf_stmt *stmt) {
    stmt->index = go_field(s, stmt->index);
    stmt->from = go_field(s, stmt->from);
    stmt->to = go_field(s, stmt->to);
    stmt->step = go_field(s, stmt->step);
    stmt->value = go_field(s, stmt->value);
}

static void go_loop(sharing *s, gf_stmt *stmt) {
    const gf_block *body = stmt->body;
    const gf_expr *head = stmt->value;
    renew_written(s, body, head);
    if (stmt->kind == GF_STMT_WHILE && stmt->level == GF_LEVEL_NONE) {
        s->conditional++; /* evaluated each time: what was seen may be used, nothing is seen there */
        stmt->value = go_field(s, stmt->value);
        s->conditional--;
    }
    stmt->body = go_part(s, body);
    renew_written(s, body, head);
}

static void go_if(sharing *s, gf_stmt *stmt) {
    const gf_block *body = stmt->body, *otherwise = stmt->otherwise;
    if (stmt->level == GF_LEVEL_NONE) {
        stmt->value = go_field(s, stmt->value);
    }
    stmt->body = go_part(s, body);
    stmt->otherwise = otherwise != NULL ? go_part(s, otherwise) : NULL;
    renew_written(s, body, NULL);
    renew_written(s, otherwise, NULL);
}

/* Its invocations are others: what was seen outside is not theirs. */
static void go_forall(sharing *s, gf_stmt *stmt) {
    size_t floor = s->floor;
    renew_all(s);
    s->floor = s->seen.count;
    stmt->body = go_part(s, stmt->body);
    s->floor = floor;
    renew_all(s);
}

static void go_let(sharing *s, gf_stmt *stmt) {
    const gf_expr *original = stmt->value;
    uint32_t number = has_effect(original) ? NONE : number_of(s, original);
    const seen *known = find_seen(s, number);
    s->of_let[stmt->target.symbol->id] = number;
    if (known == NULL && number != NONE && is_dear(original) && s->conditional == 0) {
        gf_expr *copy = gf_arena_copy(s->arena, go_args(s, original), sizeof *copy);
        stmt->value = copy;
        see(s, number)->instead = gf_make_name(s->arena, stmt->target.symbol);
        return;
    }
    stmt->value = go_expr(s, original);
}

static void go_stmt(sharing *s, const gf_stmt *stmt) {
    gf_stmt built = *stmt;
    s->has_effects = false;
    switch (stmt->kind) {
    case GF_STMT_LET:
        go_let(s, &built);
        break;
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        go_own(s, &built);
        renew(s, stmt->target.symbol);
        break;
    case GF_STMT_STORE:
        go_own(s, &built);
        if (stmt->op == GF_OP_NONE) {
            forward(s, stmt, &built);
        } else {
            renew(s, stmt->target.symbol);
        }
        break;
    case GF_STMT_IF:
        go_if(s, &built);
        break;
    case GF_STMT_FOR:
        if (stmt->level == GF_LEVEL_NONE) {
            go_own(s, &built);
        }
        go_loop(s, &built);
        break;
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        go_loop(s, &built);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        built.body = go_part(s, stmt->body);
        break;
    case GF_STMT_FORALL:
        go_forall(s, &built);
        break;
    case GF_STMT_EXPR:
    case GF_STMT_RETURN:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        go_own(s, &built);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        (void)note_stmt(s, stmt);
        break;
    }
    if (s->is_building) {
        gf_push(s->arena, s->out, gf_arena_copy(s->arena, &built, sizeof built));
    }
}

static const gf_block *go_block(sharing *s, const gf_block *block) {
    stmt_list list = {0}, *outer = s->out;
    s->out = &list;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        go_stmt(s, block->items[i]);
    }
    s->out = outer;
    if (!s->is_building || block == NULL) {
        return block;
    }
    gf_block *built = gf_arena_copy(s->arena, block, sizeof *block);
    built->items = list.items;
    built->count = list.count;
    return built;
}

/* ---- both times ---- */

static const gf_block *go(sharing *s, bool is_building) {
    s->is_building = is_building;
    s->seen.count = s->next_use = s->floor = s->conditional = 0;
    s->clock = 0;
    for (uint32_t i = 0; i < s->tree->symbol_count; i++) {
        s->of_let[i] = NONE;
        s->version[i] = 0;
    }
    return go_block(s, s->tree->kernel.body);
}

const gf_tree *gf_share_values(gf_arena *arena, const gf_tree *tree) {
    sharing s = {.arena = arena, .tree = tree, .symbol_count = tree->symbol_count};
    s.of_let = gf_new_array(arena, uint32_t, tree->symbol_count);
    s.version = gf_new_array(arena, uint32_t, tree->symbol_count);
    (void)go(&s, false);
    const gf_block *body = go(&s, true);
    if (!s.changed) {
        return tree;
    }
    gf_tree *built = gf_arena_copy(arena, tree, sizeof *tree);
    built->kernel.body = body;
    built->symbol_count = s.symbol_count;
    return built;
}
