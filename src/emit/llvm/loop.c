/* Loops of an invocation.
 *
 * A counted loop has two forms. The fast one is taken where every access that is affine in its variable is in bounds
 * for all turns, which is asked once before; it has no checks for these and, being short, asks nobody whether to stop.
 * The slow one checks each access and asks in each turn. Deeper than FAST_DEPTH all loops are slow: each level doubles
 * what is inside. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"

#define FAST_DEPTH 4
#define FAST_TURNS ((uint64_t)1 << 20)
#define MOST_TURNS ((uint64_t)1 << 40) /* with these limits no fast loop goes around all 64-bit numbers */
#define STEP_LIMIT ((int64_t)1 << 20)

typedef struct counted {
    const gf_stmt *stmt;
    gf_type type;
    LLVMValueRef first, step, turns; /* i64 */
    bool polls;
} counted;

/* for (t = 0; t != turns; t++) with the variable first + t * step, as a value of the type and in 64 bits. */
static void emit_turns(gf_emit *e, const counted *loop, gf_affine_loop *affine) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = gf_block_new(e, "for"), body = gf_block_new(e, "turn"),
                      latch = gf_block_new(e, "next"), after = gf_block_new(e, "endfor");
    gf_branch(e, head);
    gf_at(e, head);
    LLVMValueRef t = LLVMBuildPhi(b, e->ll.i64, "t");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, t, loop->turns, ""), body, after);
    gf_at(e, body);
    LLVMValueRef wide = LLVMBuildAdd(b, loop->first, LLVMBuildMul(b, t, loop->step, ""), "");
    gf_name(e, loop->stmt->target.symbol)->wide = wide;
    gf_name(e, loop->stmt->target.symbol)->value = LLVMBuildTrunc(b, wide, gf_ll_type(&e->ll, loop->type), "");
    for (size_t i = affine != NULL ? affine->first : 0; affine != NULL && i < affine->end; i++) {
        e->proven.items[i].variable = wide;
    }
    gf_exit exit = {.outer = e->exit, .on_break = after, .on_continue = latch};
    e->exit = &exit;
    gf_emit_block(e, loop->stmt->body);
    e->exit = exit.outer;
    gf_branch(e, latch);
    gf_at(e, latch);
    if (loop->polls) {
        gf_poll(e);
    }
    LLVMValueRef next = LLVMBuildAdd(b, t, gf_i64(e, 1), "");
    LLVMValueRef values[] = {gf_i64(e, 0), next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(b)};
    gf_branch(e, head);
    LLVMAddIncoming(t, values, blocks, 2);
    gf_at(e, after);
}

/* The same with results that go past the caches, line by line. */
typedef struct streamed {
    const counted *loop;
    gf_affine_loop *affine;
    const gf_streams *streams;
} streamed;

static void emit_some_turns(gf_emit *e, LLVMValueRef from, LLVMValueRef to, void *context) {
    const streamed *all = context;
    counted loop = *all->loop;
    loop.first = LLVMBuildAdd(e->ll.builder, loop.first, from, "");
    loop.turns = LLVMBuildSub(e->ll.builder, to, from, "");
    emit_turns(e, &loop, all->affine);
}

static void emit_line_of_turns(gf_emit *e, LLVMValueRef first, void *context) {
    const streamed *all = context;
    counted loop = *all->loop;
    loop.first = LLVMBuildAdd(e->ll.builder, loop.first, first, "");
    loop.turns = gf_i64(e, all->streams->per_line);
    emit_turns(e, &loop, all->affine);
}

static void emit_fast(gf_emit *e, const counted *loop, gf_affine_loop *affine) {
    gf_streams streams = {0};
    if (LLVMIsAConstantInt(loop->step) != NULL && LLVMConstIntGetZExtValue(loop->step) == 1 &&
        LLVMIsAConstantInt(loop->turns) == NULL) {
        gf_stream_find_in_loop(e, affine, loop->stmt, &streams);
    }
    if (streams.count == 0) {
        emit_turns(e, loop, affine);
        return;
    }
    streamed all = {.loop = loop, .affine = affine, .streams = &streams};
    gf_stretches stretches = {.streams = &streams,
                              .origin = loop->first,
                              .from = gf_i64(e, 0),
                              .to = loop->turns,
                              .pays = gf_stream_pays_in_loop(e, &streams, loop->turns),
                              .plain = emit_some_turns,
                              .line = emit_line_of_turns,
                              .context = &all};
    gf_stream_stretches(e, &stretches);
}

static bool is_small_step(LLVMValueRef step) {
    return LLVMIsAConstantInt(step) != NULL && LLVMConstIntGetSExtValue(step) > -STEP_LIMIT &&
           LLVMConstIntGetSExtValue(step) < STEP_LIMIT;
}

static bool is_few(LLVMValueRef turns) {
    return LLVMIsAConstantInt(turns) != NULL && LLVMConstIntGetZExtValue(turns) <= FAST_TURNS;
}

/* fast where the guard holds, else slow. */
static void emit_both(gf_emit *e, counted *loop, gf_affine_loop *affine, LLVMValueRef guard, bool innermost) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef fast = gf_block_new(e, "fast"), slow = gf_block_new(e, "slow"), after = gf_block_new(e, "");
    if (!is_few(loop->turns)) {
        LLVMValueRef few =
            LLVMBuildICmp(b, LLVMIntULE, loop->turns, gf_i64(e, innermost ? FAST_TURNS : MOST_TURNS), "");
        guard = guard != NULL ? LLVMBuildAnd(b, guard, few, "") : few;
    }
    gf_branch_likely(e, guard, fast, slow);
    gf_at(e, fast);
    loop->polls = !innermost;
    e->fast_depth++;
    emit_fast(e, loop, affine);
    e->fast_depth--;
    gf_branch(e, after);
    gf_at(e, slow);
    e->proven.count = affine->first;
    loop->polls = true;
    e->is_slow = true;
    emit_turns(e, loop, NULL);
    e->is_slow = false;
    gf_branch(e, after);
    gf_at(e, after);
}

void gf_emit_for(gf_emit *e, const gf_stmt *stmt) {
    LLVMBuilderRef b = e->ll.builder;
    if (e->folded != NULL && e->folded->loop == stmt) {
        gf_rows_take(e, e->folded, e->folded_first);
        return;
    }
    counted loop = {.stmt = stmt, .type = stmt->target.symbol->type};
    LLVMValueRef from = gf_emit_expr(e, stmt->from), to = gf_emit_expr(e, stmt->to);
    LLVMValueRef step = stmt->step != NULL ? gf_emit_expr(e, stmt->step) : NULL;
    loop.turns = gf_ll_turns(&e->ll, loop.type, from, to, step);
    loop.first = gf_extend(e, loop.type, from);
    loop.step = step != NULL ? gf_extend(e, loop.type, step) : gf_i64(e, 1);
    bool innermost = !gf_holds_long_loop(stmt->body);
    gf_affine_loop affine = {.body = stmt->body, .variable = stmt->target.symbol, .first = e->proven.count};
    affine.end = affine.first;
    affine.is_short = innermost && is_small_step(loop.step);
    affine.grows = LLVMIsAConstantInt(loop.step) != NULL && LLVMConstIntGetSExtValue(loop.step) > 0;
    if (!e->is_slow && e->fast_depth < FAST_DEPTH && is_small_step(loop.step)) {
        gf_affine_find(e, &affine);
    }
    if (affine.end > affine.first && e->options.unchecked) {
        loop.polls = !innermost;
        emit_fast(e, &loop, &affine);
    } else if (affine.end > affine.first) {
        LLVMValueRef back = LLVMBuildMul(b, LLVMBuildSub(b, loop.turns, gf_i64(e, 1), ""), loop.step, "");
        LLVMValueRef last = LLVMBuildAdd(b, loop.first, back, "");
        emit_both(e, &loop, &affine, gf_affine_guard(e, &affine, loop.first, last), innermost);
    } else if (innermost && !is_few(loop.turns) && !e->is_slow && e->fast_depth < FAST_DEPTH) {
        emit_both(e, &loop, &affine, NULL, innermost);
    } else {
        loop.polls = !innermost || !is_few(loop.turns);
        emit_turns(e, &loop, NULL);
    }
    e->proven.count = affine.first;
}

void gf_emit_while(gf_emit *e, const gf_stmt *stmt) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef head = gf_block_new(e, "while"), body = gf_block_new(e, "turn"), latch = gf_block_new(e, "next"),
                      after = gf_block_new(e, "endwhile");
    gf_branch(e, head);
    gf_at(e, head);
    if (stmt->kind == GF_STMT_WHILE) {
        LLVMBuildCondBr(b, gf_emit_expr(e, stmt->value), body, after);
    } else {
        gf_branch(e, body);
    }
    gf_at(e, body);
    gf_exit exit = {.outer = e->exit, .on_break = after, .on_continue = latch};
    e->exit = &exit;
    gf_emit_block(e, stmt->body);
    e->exit = exit.outer;
    gf_branch(e, latch);
    gf_at(e, latch);
    gf_poll(e);
    gf_branch(e, head);
    gf_at(e, after);
}

LLVMValueRef gf_emit_range(gf_emit *e, LLVMValueRef from, LLVMValueRef to, const char *name, gf_turn_fn *turn,
                           void *context) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = gf_block_new(e, name), body = gf_block_new(e, ""),
                      after = gf_block_new(e, "");
    gf_branch(e, head);
    gf_at(e, head);
    LLVMValueRef variable = LLVMBuildPhi(b, e->ll.i64, name);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, variable, to, ""), body, after);
    gf_at(e, body);
    turn(e, variable, context);
    LLVMValueRef next = LLVMBuildAdd(b, variable, gf_i64(e, 1), "");
    LLVMValueRef values[] = {from, next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(b)};
    LLVMValueRef back = LLVMBuildBr(b, head);
    LLVMAddIncoming(variable, values, blocks, 2);
    gf_at(e, after);
    return back;
}
