/* What invocations will load is fetched before they run.
 *
 *     forall v { let e = row[v]; if e < row[v + 1] { link(v, col[e]); } }      // looks at comp[col[e]]
 *
 * A processor goes on to the invocations behind while a load is on its way, but only as far as it guesses right what
 * comes of it, and not beyond an atomic. So where lanes have loops, and are thus no vectors, a strip of them is looked
 * at twice before it runs. While the strip before it is due, what lies at places that are loaded is fetched, as col[e];
 * when it is due itself, that is there, and what it leads to is fetched, as comp[col[e]]. These loops have no branches
 * to guess, and all that they fetch is on its way at the same time.
 *
 * It is done as far as an address follows from loads alone. These are hints: a value that is another one by the time
 * the lane runs does no harm, so what the segment itself writes may be loaded too. Bounds rules hold for what is loaded
 * to find an address; a fetch cannot fail. Of loops the first turn is looked at. What stands under a condition is left
 * alone, for nobody knows how often it holds, unless that is about the place itself, as in `e < row[v + 1]`.
 *
 * The body is walked three times: to find what is known and which names are wanted for addresses, to count what is
 * fetched, and to emit that. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"
#include <string.h>

#define BUDGET 4096 /* statements that a walk looks at */
#define MOST_TURNS 8
#define FAR ((uint64_t)512 << 10) /* bytes of an array that is not in a near cache anyhow */

/* What is known of a value before the lane runs. */
typedef enum knowledge {
    NOT,     /* nothing: it depends on what the lane does */
    SAME,    /* it is the same for all lanes, as far as can be seen */
    LANE,    /* it follows from the number of the lane */
    LOADED,  /* from what lies at such a place */
    FARTHER, /* from what lies at a place that is loaded itself */
} knowledge;

typedef enum mode { LOOK, COUNT, EMIT } mode;

typedef struct walker {
    gf_emit *e;
    gf_ahead *ahead;
    mode mode;
    knowledge *known;      /* by symbol id */
    bool *wanted;          /* by symbol id: some address or condition needs it */
    const gf_expr **means; /* by symbol id, of lets and arguments */
    bool in_loop, changed; /* something more is wanted */
    unsigned *budget;      /* of statements */
    unsigned fetches;
    const gf_symbol *fetched[GF_MOST_AHEAD];
} walker;

static knowledge more(knowledge a, knowledge b) {
    return a == NOT || b == NOT ? NOT : a > b ? a : b;
}

static bool is_memory(const walker *w, const gf_symbol *array) {
    const gf_array *known = array->kind == GF_SYMBOL_BUFFER ? gf_name(w->e, array)->array : NULL;
    return known != NULL && !known->is_private && !known->is_reduced;
}

static knowledge builtin_known(gf_builtin builtin) {
    switch (builtin) {
    case GF_BUILTIN_GID:
    case GF_BUILTIN_LID:
    case GF_BUILTIN_WID:
        return LANE;
    case GF_BUILTIN_GRID_SIZE:
    case GF_BUILTIN_GROUP_SIZE:
    case GF_BUILTIN_SPACE:
    case GF_BUILTIN_RANK:
    case GF_BUILTIN_RANKS:
        break;
    }
    return SAME;
}

static knowledge name_known(const walker *w, const gf_symbol *symbol) {
    bool fixed = symbol->kind == GF_SYMBOL_CONST || symbol->kind == GF_SYMBOL_PARAM;
    return fixed ? SAME : w->known[symbol->id];
}

/* Recursion is as deep as the expression, which the parser bounds. */
static knowledge known_of(const walker *w, const gf_expr *expr) {
    knowledge all = SAME;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
        return SAME;
    case GF_EXPR_BUILTIN:
        return builtin_known(expr->builtin);
    case GF_EXPR_NAME:
        return name_known(w, expr->ref.symbol);
    case GF_EXPR_LOAD:
    case GF_EXPR_ATOMIC:
        /* What a loop looks at comes one behind the other: to wait for it here would be waiting for it. */
        if (w->in_loop || !is_memory(w, expr->ref.symbol) ||
            (expr->kind == GF_EXPR_ATOMIC && expr->atomic != GF_ATOMIC_LOAD)) {
            return NOT;
        }
        all = known_of(w, expr->args[0]);
        if (all == LOADED) {
            return w->ahead->is_first ? NOT : FARTHER; /* it is only being fetched */
        }
        return all == LANE ? LOADED : all;
    case GF_EXPR_OP:
        if (expr->op >= GF_OP_EXP2) {
            return NOT;
        }
        break;
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        return NOT;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        all = more(all, known_of(w, expr->args[i]));
    }
    return all;
}

/* A loaded name against its bound, as in `e < row[v + 1]`. */
static bool is_bound(const walker *w, const gf_expr *condition) {
    if (condition->kind != GF_EXPR_OP || known_of(w, condition) < LOADED) {
        return false;
    }
    bool orders = condition->op == GF_OP_LT || condition->op == GF_OP_LE || condition->op == GF_OP_GT ||
                  condition->op == GF_OP_GE;
    const gf_expr *left = condition->args[0];
    return orders && left->kind == GF_EXPR_NAME && known_of(w, left) >= LOADED;
}

static bool note_wanted(void *user, const gf_expr *expr) {
    walker *w = user;
    const gf_symbol *symbol = expr->kind == GF_EXPR_NAME ? expr->ref.symbol : NULL;
    if (symbol != NULL && w->means[symbol->id] != NULL && !w->wanted[symbol->id]) {
        w->wanted[symbol->id] = w->changed = true;
        gf_visitor visitor = {.user = w, .expr = note_wanted};
        gf_visit_expr(&visitor, w->means[symbol->id]);
    }
    return true;
}

static bool note_unwanted(void *user, const gf_expr *expr) {
    walker *w = user;
    const gf_symbol *symbol = expr->kind == GF_EXPR_NAME ? expr->ref.symbol : NULL;
    w->changed |= symbol != NULL && w->means[symbol->id] != NULL && !w->wanted[symbol->id];
    return true;
}

/* Each name in it is wanted for an address too. */
static bool is_wanted(const walker *w, const gf_expr *expr) {
    walker search = *w;
    search.changed = false;
    gf_visitor visitor = {.user = &search, .expr = note_unwanted};
    gf_visit_expr(&visitor, expr);
    return !search.changed;
}

static void want(walker *w, const gf_expr *expr) {
    gf_visitor visitor = {.user = w, .expr = note_wanted};
    gf_visit_expr(&visitor, expr);
}

/* ---- fetches ---- */

static void emit_fetch(gf_emit *e, const gf_symbol *array, const gf_expr *index) {
    LLVMValueRef place = gf_extend(e, index->type, gf_emit_expr(e, index));
    if (e->only != NULL) {
        place = LLVMBuildSelect(e->ll.builder, e->only, place, gf_i64(e, 0), "");
    }
    LLVMValueRef at = gf_element_ptr(e, array, place);
    unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", 13);
    LLVMValueRef fetch = LLVMGetIntrinsicDeclaration(e->ll.module, id, &e->ll.ptr, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(e->ll.context, id, &e->ll.ptr, 1);
    LLVMValueRef args[] = {at, gf_i32(e, 0), gf_i32(e, 3), gf_i32(e, 1)}; /* to read, near, data */
    LLVMBuildCall2(e->ll.builder, type, fetch, args, 4, "");
}

/* Looking, all that could be fetched is noted: what is wanted by the end may be more than it was here. */
static bool fetch(walker *w, const gf_symbol *array, const gf_expr *index) {
    knowledge due = w->ahead->is_first ? LOADED : FARTHER;
    if (!is_memory(w, array) || known_of(w, index) != due) {
        return false;
    }
    if (w->mode == LOOK) {
        w->fetches++;
        want(w, index);
        return true;
    }
    for (unsigned i = 0; i < w->fetches; i++) {
        if (w->fetched[i] == array) {
            return true; /* most likely a neighbour, as row[v] and row[v + 1] are */
        }
    }
    if (w->fetches == GF_MOST_AHEAD) {
        return false;
    }
    w->fetched[w->fetches++] = array;
    if (w->mode == EMIT) {
        emit_fetch(w->e, array, index);
    }
    return true;
}

static void walk_call(walker *w, const gf_expr *call);

/* Where an address is itself loaded, that load is made here: only what it leads to is fetched. */
static bool fetch_access(void *user, const gf_expr *expr) {
    walker *w = user;
    if (expr->kind == GF_EXPR_CALL) {
        walk_call(w, expr);
        return false;
    }
    bool is_access = expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_ATOMIC;
    return !is_access || !fetch(w, expr->ref.symbol, expr->args[0]);
}

static void fetch_in(walker *w, const gf_expr *expr) {
    gf_visitor visitor = {.user = w, .expr = fetch_access};
    gf_visit_expr(&visitor, expr);
}

/* ---- the walk ---- */

static void walk_block(walker *w, const gf_block *block);

/* What has a value here has it under its name, as where the lane itself runs. */
static void name_value(walker *w, const gf_symbol *symbol, const gf_expr *value) {
    knowledge is = known_of(w, value);
    w->known[symbol->id] = is;
    w->means[symbol->id] = is != NOT ? value : NULL;
    if (is == NOT || !w->wanted[symbol->id]) {
        fetch_in(w, value);
    } else if (w->mode == LOOK) {
        want(w, value);
    } else if (w->mode == EMIT) {
        gf_name(w->e, symbol)->value = gf_emit_expr(w->e, value);
    }
}

static void walk_call(walker *w, const gf_expr *call) {
    const gf_symbol *function = call->ref.symbol;
    for (size_t i = 0; i < call->arg_count; i++) {
        name_value(w, function->arguments[i], call->args[i]);
    }
    uint64_t outer = w->e->call;
    w->e->call = gf_call_key(outer, call);
    walk_block(w, function->body);
    w->e->call = outer;
}

/* Whether there is something in the block that is not fetched yet. */
static bool finds_any(const walker *w, const gf_block *block) {
    walker inside = *w;
    inside.mode = COUNT;
    walk_block(&inside, block);
    return inside.fetches > w->fetches;
}

/* The block where `holds` (i1): a branch would be guessed wrong as often as in the lane itself. */
static void walk_under(walker *w, LLVMValueRef holds, const gf_block *block) {
    gf_emit *e = w->e;
    LLVMValueRef outer = e->only;
    if (w->mode == EMIT) {
        e->only = outer != NULL ? LLVMBuildAnd(e->ll.builder, outer, holds, "") : holds;
    }
    walk_block(w, block);
    e->only = outer;
}

static void walk_if(walker *w, const gf_stmt *stmt) {
    fetch_in(w, stmt->value);
    if (!is_bound(w, stmt->value)) {
        return;
    }
    if (w->mode == LOOK) {
        walk_block(w, stmt->body);
        if (w->wanted[stmt->value->args[0]->ref.symbol->id]) {
            want(w, stmt->value);
        }
    } else if (is_wanted(w, stmt->value) && finds_any(w, stmt->body)) {
        walk_under(w, w->mode == EMIT ? gf_emit_expr(w->e, stmt->value) : NULL, stmt->body);
    }
}

static LLVMValueRef emit_first_turn(gf_emit *e, const gf_stmt *stmt) {
    const gf_symbol *variable = stmt->target.symbol;
    gf_named *name = gf_name(e, variable);
    name->value = gf_emit_expr(e, stmt->from);
    name->wide = gf_extend(e, variable->type, name->value);
    LLVMValueRef end = gf_extend(e, variable->type, gf_emit_expr(e, stmt->to));
    return LLVMBuildICmp(e->ll.builder, LLVMIntSLT, name->wide, end, "");
}

static void walk_for(walker *w, const gf_stmt *stmt) {
    knowledge *variable = &w->known[stmt->target.symbol->id];
    bool in_loop = w->in_loop;
    fetch_in(w, stmt->from);
    fetch_in(w, stmt->to);
    *variable = more(known_of(w, stmt->from), known_of(w, stmt->to)) != NOT ? known_of(w, stmt->from) : NOT;
    w->in_loop = true;
    if (*variable != NOT && w->mode == LOOK) {
        unsigned before = w->fetches;
        walk_block(w, stmt->body);
        if (w->fetches > before) {
            want(w, stmt->from);
            want(w, stmt->to);
        }
    } else if (*variable != NOT && finds_any(w, stmt->body)) {
        walk_under(w, w->mode == EMIT ? emit_first_turn(w->e, stmt) : NULL, stmt->body);
    }
    *variable = NOT;
    w->in_loop = in_loop;
}

/* False where nothing behind the statement is come to. */
static bool walk_stmt(walker *w, const gf_stmt *stmt) {
    switch (stmt->kind) {
    case GF_STMT_LET:
        name_value(w, stmt->target.symbol, stmt->value);
        break;
    case GF_STMT_VAR:
        w->known[stmt->target.symbol->id] = NOT;
        fetch_in(w, stmt->value);
        break;
    case GF_STMT_ASSIGN:
        fetch_in(w, stmt->value);
        break;
    case GF_STMT_STORE:
        fetch_in(w, stmt->value);
        if (!fetch(w, stmt->target.symbol, stmt->index)) {
            fetch_in(w, stmt->index);
        }
        break;
    case GF_STMT_EXPR:
        fetch_in(w, stmt->value);
        break;
    case GF_STMT_IF:
        walk_if(w, stmt);
        break;
    case GF_STMT_FOR:
        walk_for(w, stmt);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        walk_block(w, stmt->body);
        break;
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_TRAP:
        return false;
    case GF_STMT_WHILE: /* what they look at changes from turn to turn */
    case GF_STMT_LOOP:
    case GF_STMT_ASSERT:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        break;
    }
    return true;
}

static void walk_block(walker *w, const gf_block *block) {
    unsigned *left = w->budget;
    for (size_t i = 0; block != NULL && i < block->count && left[0] > 0; i++) {
        left[0]--;
        if (!walk_stmt(w, block->items[i])) {
            return;
        }
    }
}

/* False where there was too much to walk through, or, looking, where more was wanted in the end than before. */
static bool walk(gf_emit *e, gf_ahead *ahead, mode stage) {
    unsigned budget = BUDGET;
    walker w = {.e = e, .ahead = ahead, .mode = stage, .budget = &budget, .wanted = ahead->wanted};
    w.known = gf_new_array(e->arena, knowledge, e->tree->symbol_count);
    w.means = gf_new_array(e->arena, const gf_expr *, e->tree->symbol_count);
    walk_block(&w, ahead->body);
    if (stage == COUNT) {
        ahead->count = w.fetches;
        memcpy(ahead->arrays, w.fetched, sizeof w.fetched);
    }
    return budget > 0 && !w.changed;
}

/* ---- for lanes.c ---- */

bool gf_ahead_find(gf_emit *e, const gf_block *body, bool is_first, gf_ahead *ahead) {
    *ahead = (gf_ahead){.body = body, .is_first = is_first};
    if (e->options.checked || e->in_group || e->running != NULL) {
        return false;
    }
    ahead->wanted = gf_new_array(e->arena, bool, e->tree->symbol_count);
    bool known = false;
    /* A name may be wanted only after it was gone by, and an argument has several values. */
    for (int turn = 0; turn < MOST_TURNS && !known; turn++) {
        known = walk(e, ahead, LOOK);
    }
    return known && walk(e, ahead, COUNT) && ahead->count > 0;
}

LLVMValueRef gf_ahead_pays(gf_emit *e, const gf_ahead *ahead) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef any = LLVMConstInt(e->ll.i1, 0, 0);
    for (unsigned i = 0; i < ahead->count; i++) {
        uint64_t few = FAR / gf_type_bytes(ahead->arrays[i]->type);
        LLVMValueRef many = LLVMBuildICmp(b, LLVMIntUGT, gf_array_count(e, ahead->arrays[i]), gf_i64(e, few), "");
        any = LLVMBuildOr(b, any, many, "");
    }
    return any;
}

/* Lanes that end before they come to a load, or have nothing to load, are looked at too: what a program without bounds
 * checks promises is not promised of these. */
void gf_ahead_fetch(gf_emit *e, gf_ahead *ahead) {
    bool unchecked = e->options.unchecked;
    e->options.unchecked = false;
    (void)walk(e, ahead, EMIT);
    e->options.unchecked = unchecked;
}
