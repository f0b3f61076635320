/* Scalar expressions over an environment, and the bodies of the pure functions that they call: a small tree walker for
 * sizes, heads and registers, not for kernels. */
#include "ir/eval.h"

#include "base/memory.h"
#include "ir/op.h"

#include <string.h>

enum { STEP_LIMIT = 1000000, CALL_DEPTH = 64 };
#define LOCAL_BYTES_LIMIT ((uint64_t)1 << 26)

/* A local of a function that is being evaluated; `array` holds loaded values, 8 bytes each. */
typedef struct local {
    const gf_symbol *symbol;
    uint64_t bits;
    uint64_t *array;
} local;

typedef struct machine {
    const gf_env *env;
    local *locals;
    size_t count, capacity;
    size_t frame; /* the first local of the present function */
    uint64_t steps;
    uint64_t array_bytes;
    unsigned depth;
} machine;

typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_FAILED } flow;

static bool eval(machine *at, const gf_expr *expr, uint64_t *bits);
static flow run_block(machine *at, const gf_block *block, uint64_t *returned);

static bool step(machine *at) {
    return ++at->steps <= STEP_LIMIT;
}

static local *find_local(machine *at, const gf_symbol *symbol) {
    for (size_t i = at->count; i > at->frame; i--) {
        if (at->locals[i - 1].symbol == symbol) {
            return &at->locals[i - 1];
        }
    }
    return NULL;
}

static void drop_locals(machine *at, size_t count) {
    while (at->count > count) {
        local *last = &at->locals[--at->count];
        at->array_bytes -= last->array == NULL ? 0 : last->symbol->length * sizeof *last->array;
        gf_free(last->array);
    }
}

static bool add_local(machine *at, const gf_symbol *symbol, uint64_t bits) {
    if (symbol == NULL) {
        return false;
    }
    if (at->count == at->capacity) {
        size_t capacity = at->capacity == 0 ? 16 : at->capacity * 2;
        local *grown = gf_realloc(at->locals, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        at->locals = grown;
        at->capacity = capacity;
    }
    uint64_t *array = NULL;
    if (symbol->is_array) {
        if (symbol->length > (LOCAL_BYTES_LIMIT - at->array_bytes) / sizeof *array) {
            return false;
        }
        array = gf_calloc((size_t)symbol->length + 1, sizeof *array);
        if (array == NULL) {
            return false;
        }
        at->array_bytes += symbol->length * sizeof *array;
    }
    at->locals[at->count++] = (local){.symbol = symbol, .bits = bits, .array = array};
    return true;
}

/* An index of any integer type; false where it is negative. */
static bool index_value(const gf_expr *index, uint64_t bits, uint64_t *out) {
    bits = gf_eval_cast(index->type, gf_type_is_signed(index->type) ? GF_TYPE_I64 : GF_TYPE_U64, bits);
    *out = bits;
    return !gf_type_is_signed(index->type) || bits <= INT64_MAX;
}

/* Whether the evaluation may go on behind an access at that index. */
static bool check_access(machine *at, const gf_symbol *array, const gf_expr *index, uint64_t bits, bool inside,
                         uint64_t length, gf_span span) {
    const gf_eval_fault fault = {.span = span, .array = array, .type = index->type, .index = bits, .length = length};
    return inside || at->env->fault == NULL || at->env->fault(at->env->user, &fault);
}

static bool check_divisor(machine *at, gf_op op, gf_type type, uint64_t divisor, gf_span span) {
    bool divides = (op == GF_OP_DIV || op == GF_OP_REM) && gf_type_is_integer(type);
    const gf_eval_fault fault = {.span = span};
    return !divides || divisor != 0 || at->env->fault == NULL || at->env->fault(at->env->user, &fault);
}

static bool eval_load(machine *at, const gf_expr *expr, uint64_t *bits) {
    uint64_t raw = 0;
    uint64_t index = 0;
    const gf_symbol *symbol = expr->ref.symbol;
    if (!eval(at, expr->args[0], &raw)) {
        return false;
    }
    bool inside = index_value(expr->args[0], raw, &index);
    const local *array = find_local(at, symbol);
    *bits = 0;
    if (array != NULL) {
        inside = inside && array->array != NULL && index < symbol->length;
        *bits = inside ? array->array[index] : 0;
        return check_access(at, symbol, expr->args[0], index, inside, symbol->length, expr->span);
    }
    bool is_array = symbol != NULL && (symbol->kind == GF_SYMBOL_BUFFER || symbol->kind == GF_SYMBOL_SHARED);
    if (!is_array || at->env->load == NULL) {
        return false;
    }
    uint64_t length = 0;
    if (at->env->fault != NULL && at->env->length != NULL && at->env->length(at->env->user, symbol, &length) &&
        !check_access(at, symbol, expr->args[0], index, inside && index < length, length, expr->span)) {
        return false;
    }
    return !inside || at->env->load(at->env->user, symbol, index, bits);
}

static bool eval_name(machine *at, const gf_symbol *symbol, uint64_t *bits) {
    if (symbol == NULL) {
        return false;
    }
    if (symbol->kind == GF_SYMBOL_CONST) {
        *bits = symbol->constant.bits;
        return symbol->constant.type != GF_TYPE_NONE;
    }
    const local *found = find_local(at, symbol);
    if (found != NULL) {
        *bits = found->bits;
        return found->array == NULL;
    }
    return at->env->symbol != NULL && at->env->symbol(at->env->user, symbol, bits);
}

static bool eval_builtin(const gf_env *env, const gf_expr *expr, uint64_t *bits) {
    const uint64_t *extents = NULL;
    switch (expr->builtin) {
    case GF_BUILTIN_RANK:
        *bits = 0;
        return true;
    case GF_BUILTIN_RANKS:
        *bits = 1;
        return true;
    case GF_BUILTIN_GRID_SIZE:
        extents = env->groups;
        break;
    case GF_BUILTIN_GROUP_SIZE:
        extents = env->workgroup;
        break;
    case GF_BUILTIN_SPACE:
        extents = env->space;
        break;
    case GF_BUILTIN_WID:
        if (!env->in_group) {
            return false;
        }
        if (expr->axis == GF_AXIS_LINEAR) {
            *bits = (uint32_t)(env->wid[0] + env->groups[0] * (env->wid[1] + env->groups[1] * env->wid[2]));
            return true;
        }
        extents = env->wid;
        break;
    case GF_BUILTIN_GID:
    case GF_BUILTIN_LID:
        return false;
    }
    if (!env->has_geometry || expr->axis > GF_AXIS_Z) {
        return false;
    }
    *bits = extents[expr->axis];
    return expr->type != GF_TYPE_U32 || *bits <= UINT32_MAX;
}

static bool eval_call(machine *at, const gf_expr *expr, uint64_t *bits) {
    const gf_symbol *function = expr->ref.symbol;
    if (function == NULL || function->body == NULL || function->argument_count != expr->arg_count ||
        at->depth == CALL_DEPTH) {
        return false;
    }
    /* Arguments are evaluated in the caller's frame, and become the first locals of the new one. */
    size_t base = at->count, frame = at->frame;
    bool done = true;
    for (size_t i = 0; i < expr->arg_count && done; i++) {
        uint64_t value;
        done = eval(at, expr->args[i], &value) && add_local(at, function->arguments[i], value);
    }
    uint64_t returned = 0;
    if (done) {
        at->frame = base;
        at->depth++;
        done = step(at) && run_block(at, function->body, &returned) != FLOW_FAILED;
        at->depth--;
        at->frame = frame;
    }
    drop_locals(at, base);
    *bits = returned;
    return done;
}

static bool eval_op(machine *at, const gf_expr *expr, uint64_t *bits) {
    uint64_t values[3] = {0};
    if (expr->arg_count > 3 || expr->arg_count == 0) {
        return false;
    }
    if (expr->op == GF_OP_SELECT && expr->arg_count == 3) {
        /* The side that is not taken can do nothing but fault, and then it counts as not done. */
        return eval(at, expr->args[0], &values[0]) && eval(at, expr->args[values[0] != 0 ? 1 : 2], bits);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!eval(at, expr->args[i], &values[i])) {
            return false;
        }
    }
    gf_type type = expr->args[0]->type;
    *bits = gf_eval_op(expr->op, type, values[0], values[1], values[2]);
    return check_divisor(at, expr->op, type, values[1], expr->span);
}

static bool eval(machine *at, const gf_expr *expr, uint64_t *bits) {
    uint64_t value;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        *bits = expr->bits;
        return true;
    case GF_EXPR_NAME:
        return eval_name(at, expr->ref.symbol, bits);
    case GF_EXPR_BUILTIN:
        return eval_builtin(at->env, expr, bits);
    case GF_EXPR_LEN:
        return expr->ref.symbol != NULL && at->env->length != NULL &&
               at->env->length(at->env->user, expr->ref.symbol, bits);
    case GF_EXPR_LOAD:
        return eval_load(at, expr, bits);
    case GF_EXPR_OP:
        return eval_op(at, expr, bits);
    case GF_EXPR_AND:
        return eval(at, expr->args[0], bits) && (*bits == 0 || eval(at, expr->args[1], bits));
    case GF_EXPR_OR:
        return eval(at, expr->args[0], bits) && (*bits != 0 || eval(at, expr->args[1], bits));
    case GF_EXPR_CAST:
        if (!eval(at, expr->args[0], &value)) {
            return false;
        }
        *bits = gf_eval_cast(expr->args[0]->type, expr->type, value);
        return true;
    case GF_EXPR_BITCAST:
        if (!eval(at, expr->args[0], &value)) {
            return false;
        }
        *bits = gf_eval_bitcast(expr->args[0]->type, expr->type, value);
        return true;
    case GF_EXPR_CALL:
        return eval_call(at, expr, bits);
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
        break;
    }
    return false;
}

static bool is_true(machine *at, const gf_expr *expr, bool *truth) {
    uint64_t bits;
    if (!eval(at, expr, &bits)) {
        return false;
    }
    *truth = bits != 0;
    return true;
}

static flow run_store(machine *at, const gf_stmt *stmt) {
    uint64_t index, value;
    local *array = find_local(at, stmt->target.symbol);
    if (array == NULL || array->array == NULL || !eval(at, stmt->index, &index)) {
        return FLOW_FAILED;
    }
    gf_type type = stmt->target.symbol->type, loaded = gf_type_loaded(type);
    bool inside = index_value(stmt->index, index, &index) && index < stmt->target.symbol->length;
    uint64_t old = inside ? array->array[index] : 0;
    if (!eval(at, stmt->value, &value)) {
        return FLOW_FAILED;
    }
    if (!check_access(at, stmt->target.symbol, stmt->index, index, inside, stmt->target.symbol->length, stmt->span) ||
        !check_divisor(at, stmt->op, loaded, value, stmt->span)) {
        return FLOW_FAILED;
    }
    /* The value may have called a function, and the list of locals may have moved. */
    array = find_local(at, stmt->target.symbol);
    if (stmt->op != GF_OP_NONE) {
        value = gf_eval_op(stmt->op, loaded, old, value, 0);
    }
    if (inside) {
        unsigned char element[8] = {0};
        gf_element_store(type, element, value);
        array->array[index] = gf_element_load(type, element);
    }
    return FLOW_NEXT;
}

static flow run_assign(machine *at, const gf_stmt *stmt) {
    uint64_t value;
    const local *old = find_local(at, stmt->target.symbol);
    if (old == NULL || old->array != NULL) {
        return FLOW_FAILED;
    }
    uint64_t before = old->bits;
    if (!eval(at, stmt->value, &value)) {
        return FLOW_FAILED;
    }
    if (!check_divisor(at, stmt->op, stmt->target.symbol->type, value, stmt->span)) {
        return FLOW_FAILED;
    }
    if (stmt->op != GF_OP_NONE) {
        value = gf_eval_op(stmt->op, stmt->target.symbol->type, before, value, 0);
    }
    find_local(at, stmt->target.symbol)->bits = value;
    return FLOW_NEXT;
}

static flow run_for(machine *at, const gf_stmt *stmt, uint64_t *returned) {
    uint64_t from, to, by = 1;
    if (stmt->target.symbol == NULL || !eval(at, stmt->from, &from) || !eval(at, stmt->to, &to) ||
        (stmt->step != NULL && !eval(at, stmt->step, &by))) {
        return FLOW_FAILED;
    }
    gf_type type = stmt->from->type;
    uint64_t turns = gf_eval_turns(type, from, to, by);
    for (uint64_t turn = 0; turn < turns; turn++) {
        size_t base = at->count;
        flow now =
            step(at) && add_local(at, stmt->target.symbol, from) ? run_block(at, stmt->body, returned) : FLOW_FAILED;
        drop_locals(at, base);
        if (now == FLOW_BREAK) {
            break;
        }
        if (now == FLOW_RETURN || now == FLOW_FAILED) {
            return now;
        }
        from = gf_eval_op(GF_OP_ADD, type, from, by, 0);
    }
    return FLOW_NEXT;
}

/* WHILE, and LOOP, which has no condition. */
static flow run_while(machine *at, const gf_stmt *stmt, uint64_t *returned) {
    for (;;) {
        bool truth = true;
        if (!step(at) || (stmt->value != NULL && !is_true(at, stmt->value, &truth))) {
            return FLOW_FAILED;
        }
        if (!truth) {
            return FLOW_NEXT;
        }
        flow now = run_block(at, stmt->body, returned);
        if (now == FLOW_BREAK) {
            return FLOW_NEXT;
        }
        if (now == FLOW_RETURN || now == FLOW_FAILED) {
            return now;
        }
    }
}

static flow run_stmt(machine *at, const gf_stmt *stmt, uint64_t *returned) {
    uint64_t value = 0;
    bool truth;
    if (!step(at)) {
        return FLOW_FAILED;
    }
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
        if (stmt->value != NULL && !eval(at, stmt->value, &value)) {
            return FLOW_FAILED;
        }
        return add_local(at, stmt->target.symbol, value) ? FLOW_NEXT : FLOW_FAILED;
    case GF_STMT_ASSIGN:
        return run_assign(at, stmt);
    case GF_STMT_STORE:
        return run_store(at, stmt);
    case GF_STMT_EXPR:
        return eval(at, stmt->value, &value) ? FLOW_NEXT : FLOW_FAILED;
    case GF_STMT_IF:
        if (!is_true(at, stmt->value, &truth)) {
            return FLOW_FAILED;
        }
        return run_block(at, truth ? stmt->body : stmt->otherwise, returned);
    case GF_STMT_FOR:
        return run_for(at, stmt, returned);
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        return run_while(at, stmt, returned);
    case GF_STMT_BREAK:
        return FLOW_BREAK;
    case GF_STMT_CONTINUE:
        return FLOW_CONTINUE;
    case GF_STMT_RETURN:
        return stmt->value == NULL || eval(at, stmt->value, returned) ? FLOW_RETURN : FLOW_FAILED;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        return run_block(at, stmt->body, returned);
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
    return FLOW_FAILED;
}

static flow run_block(machine *at, const gf_block *block, uint64_t *returned) {
    size_t base = at->count;
    flow now = FLOW_NEXT;
    for (size_t i = 0; block != NULL && i < block->count && now == FLOW_NEXT; i++) {
        now = run_stmt(at, block->items[i], returned);
    }
    drop_locals(at, base);
    return now;
}

bool gf_eval(const gf_expr *expr, const gf_env *env, uint64_t *bits) {
    static const gf_env nothing;
    machine at = {.env = env != NULL ? env : &nothing};
    bool done = expr != NULL && eval(&at, expr, bits);
    drop_locals(&at, 0);
    gf_free(at.locals);
    return done;
}

uint64_t gf_eval_turns(gf_type type, uint64_t a, uint64_t b, uint64_t s) {
    uint64_t distance, width;
    if (gf_type_is_signed(type)) {
        int64_t from = (int64_t)gf_eval_cast(type, GF_TYPE_I64, a), to = (int64_t)gf_eval_cast(type, GF_TYPE_I64, b);
        int64_t by = (int64_t)gf_eval_cast(type, GF_TYPE_I64, s);
        if (by == 0 || from == to || (from < to) != (by > 0)) {
            return 0;
        }
        distance = from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
        width = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
    } else {
        if (s == 0 || a >= b) {
            return 0;
        }
        distance = b - a;
        width = s;
    }
    return distance / width + (distance % width != 0);
}
