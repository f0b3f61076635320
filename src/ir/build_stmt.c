/* Statements of the builder. */
#include "ir/builder.h"

#include <string.h>

/* The places of a statement that hold expressions, to be checked together. */
typedef struct parts {
    const gf_build_expr *value, *index, *from, *to, *step;
} parts;

static bool take_part(gf_builder *b, const gf_build_expr *given, const gf_expr **field) {
    *field = gf_build_inner(given);
    return given == NULL || (gf_build_check_optional(b, given) && gf_build_use(b, given));
}

static bool add_parts(gf_builder *b, gf_stmt draft, parts given, bool opens) {
    return gf_build_check_place(b, true) && take_part(b, given.value, &draft.value) &&
           take_part(b, given.index, &draft.index) && take_part(b, given.from, &draft.from) &&
           take_part(b, given.to, &draft.to) && take_part(b, given.step, &draft.step) &&
           gf_build_add_stmt(b, &draft, opens);
}

static bool add(gf_builder *b, gf_stmt draft, parts given) {
    return add_parts(b, draft, given, false);
}

/* `right`: what the caller has checked so far. A body is open afterwards in any case. */
static bool open_body(gf_builder *b, bool right, gf_stmt draft, parts given) {
    return (right && add_parts(b, draft, given, true)) || gf_build_open_broken(b);
}

static gf_ref named(const char *name) {
    return (gf_ref){.name = name};
}

bool gf_build_let(gf_builder *b, const char *name, const gf_build_expr *value) {
    return gf_build_check_name(b, name) && gf_build_check_expr(b, value) &&
           add(b, (gf_stmt){.kind = GF_STMT_LET, .target = named(name)}, (parts){.value = value});
}

static bool add_var(gf_builder *b, gf_symbol symbol, const gf_build_expr *value, const gf_build_expr *size) {
    if (!gf_build_check_name(b, symbol.name) || !gf_build_check_optional(b, size)) {
        return false;
    }
    if (symbol.type == GF_TYPE_NONE || (unsigned)symbol.type >= GF_TYPE_COUNT) {
        return gf_build_fail(b, GF_CODE_BUILD_KIND, "%d is no type", (int)symbol.type);
    }
    symbol.size = gf_build_inner(size);
    gf_stmt draft = {.kind = GF_STMT_VAR, .target = {.name = symbol.name, .symbol = &symbol}};
    return gf_build_use(b, size) && add(b, draft, (parts){.value = value});
}

bool gf_build_var(gf_builder *b, gf_type type, const char *name, const gf_build_expr *value) {
    return add_var(b, (gf_symbol){.kind = GF_SYMBOL_VAR, .name = name, .type = type}, value, NULL);
}

bool gf_build_var_array(gf_builder *b, gf_type type, const char *name, const gf_build_expr *size) {
    return gf_build_check_expr(b, size) &&
           add_var(b, (gf_symbol){.kind = GF_SYMBOL_VAR, .name = name, .type = type, .is_array = true}, NULL, size);
}

bool gf_build_assign(gf_builder *b, const char *name, const char *op, const gf_build_expr *value) {
    gf_stmt draft = {.kind = GF_STMT_ASSIGN, .target = named(name)};
    return gf_build_check_name(b, name) && gf_build_check_op(b, op, &draft.op) && gf_build_check_expr(b, value) &&
           add(b, draft, (parts){.value = value});
}

bool gf_build_store(gf_builder *b, const char *array, const gf_build_expr *index, const char *op,
                    const gf_build_expr *value) {
    gf_stmt draft = {.kind = GF_STMT_STORE, .target = named(array)};
    return gf_build_check_name(b, array) && gf_build_check_op(b, op, &draft.op) && gf_build_check_expr(b, index) &&
           gf_build_check_expr(b, value) && add(b, draft, (parts){.value = value, .index = index});
}

bool gf_build_do(gf_builder *b, const gf_build_expr *value) {
    if (!gf_build_check_expr(b, value)) {
        return false;
    }
    if (value->expr->kind != GF_EXPR_ATOMIC && value->expr->kind != GF_EXPR_CALL) {
        return gf_build_fail(b, GF_CODE_BUILD_KIND, "only an atomic or a call can stand as a statement");
    }
    return add(b, (gf_stmt){.kind = GF_STMT_EXPR}, (parts){.value = value});
}

bool gf_build_swap(gf_builder *b, const char *first, const char *second) {
    return gf_build_check_name(b, first) && gf_build_check_name(b, second) &&
           add(b, (gf_stmt){.kind = GF_STMT_SWAP, .target = named(first), .second = named(second)}, (parts){0});
}

bool gf_build_converged(gf_builder *b, const gf_build_expr *condition) {
    return gf_build_check_expr(b, condition) &&
           add(b, (gf_stmt){.kind = GF_STMT_CONVERGED}, (parts){.value = condition});
}

bool gf_build_if(gf_builder *b, const gf_build_expr *condition) {
    return open_body(b, gf_build_check_expr(b, condition), (gf_stmt){.kind = GF_STMT_IF}, (parts){.value = condition});
}

bool gf_build_for(gf_builder *b, const char *name, const gf_build_expr *from, const gf_build_expr *to,
                  const gf_build_expr *step) {
    bool right = gf_build_check_name(b, name) && gf_build_check_expr(b, from) && gf_build_check_expr(b, to);
    return open_body(b, right, (gf_stmt){.kind = GF_STMT_FOR, .target = named(name)},
                     (parts){.from = from, .to = to, .step = step});
}

bool gf_build_while(gf_builder *b, const gf_build_expr *condition) {
    return open_body(b, gf_build_check_expr(b, condition), (gf_stmt){.kind = GF_STMT_WHILE},
                     (parts){.value = condition});
}

bool gf_build_loop(gf_builder *b) {
    return open_body(b, b != NULL, (gf_stmt){.kind = GF_STMT_LOOP}, (parts){0});
}

bool gf_build_forall(gf_builder *b, const char *name, const gf_build_expr *from, const gf_build_expr *to) {
    bool right = gf_build_check_name(b, name) && gf_build_check_expr(b, from) && gf_build_check_expr(b, to);
    return open_body(b, right, (gf_stmt){.kind = GF_STMT_FORALL, .target = named(name)},
                     (parts){.from = from, .to = to});
}

bool gf_build_region(gf_builder *b, const char *label) {
    return open_body(b, gf_build_check_text(b, label), (gf_stmt){.kind = GF_STMT_REGION, .text = label}, (parts){0});
}

bool gf_build_block(gf_builder *b) {
    return open_body(b, b != NULL, (gf_stmt){.kind = GF_STMT_BLOCK}, (parts){0});
}

bool gf_build_together(gf_builder *b, bool grid) {
    if (!gf_build_check_place(b, true)) {
        return false;
    }
    gf_build_frame *frame = &b->frames[b->depth - 1];
    if (frame->broken) {
        return false;
    }
    bool fits = frame->stmt != NULL && (frame->stmt->kind == GF_STMT_IF || frame->stmt->kind == GF_STMT_FOR ||
                                        frame->stmt->kind == GF_STMT_WHILE || frame->stmt->kind == GF_STMT_LOOP);
    if (!fits || frame->body.count != 0 || frame->in_else) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "gf_build_together comes right behind an if, for, while or loop");
    }
    frame->stmt->forced = grid ? GF_LEVEL_GRID : GF_LEVEL_GROUP;
    return true;
}

bool gf_build_break(gf_builder *b) {
    return add(b, (gf_stmt){.kind = GF_STMT_BREAK}, (parts){0});
}

bool gf_build_continue(gf_builder *b) {
    return add(b, (gf_stmt){.kind = GF_STMT_CONTINUE}, (parts){0});
}

bool gf_build_return(gf_builder *b, const gf_build_expr *value) {
    return add(b, (gf_stmt){.kind = GF_STMT_RETURN}, (parts){.value = value});
}

bool gf_build_barrier(gf_builder *b) {
    return add(b, (gf_stmt){.kind = GF_STMT_BARRIER}, (parts){0});
}

bool gf_build_grid_barrier(gf_builder *b) {
    return add(b, (gf_stmt){.kind = GF_STMT_GRID_BARRIER}, (parts){0});
}

bool gf_build_assert(gf_builder *b, const gf_build_expr *condition, const char *text) {
    return gf_build_check_text(b, text) && gf_build_check_expr(b, condition) &&
           add(b, (gf_stmt){.kind = GF_STMT_ASSERT, .text = text}, (parts){.value = condition});
}

bool gf_build_trap(gf_builder *b, const char *tag, const gf_build_expr *address) {
    return gf_build_check_text(b, tag) && gf_build_check_expr(b, address) &&
           add(b, (gf_stmt){.kind = GF_STMT_TRAP, .text = tag}, (parts){.value = address});
}

bool gf_build_all_reduce(gf_builder *b, const char *buffer, const char *op) {
    gf_stmt draft = {.kind = GF_STMT_COLLECTIVE, .collective = GF_COLLECTIVE_ALL_REDUCE, .target = named(buffer)};
    return gf_build_check_name(b, buffer) && gf_build_check_combine(b, op, &draft.combine) && add(b, draft, (parts){0});
}

bool gf_build_all_gather(gf_builder *b, const char *input, const char *output) {
    gf_stmt draft = {.kind = GF_STMT_COLLECTIVE,
                     .collective = GF_COLLECTIVE_ALL_GATHER,
                     .target = named(input),
                     .second = named(output)};
    return gf_build_check_name(b, input) && gf_build_check_name(b, output) && add(b, draft, (parts){0});
}

bool gf_build_reduce_scatter(gf_builder *b, const char *input, const char *output, const char *op) {
    gf_stmt draft = {.kind = GF_STMT_COLLECTIVE,
                     .collective = GF_COLLECTIVE_REDUCE_SCATTER,
                     .target = named(input),
                     .second = named(output)};
    return gf_build_check_name(b, input) && gf_build_check_name(b, output) &&
           gf_build_check_combine(b, op, &draft.combine) && add(b, draft, (parts){0});
}

bool gf_build_broadcast(gf_builder *b, const char *buffer, const gf_build_expr *root) {
    gf_stmt draft = {.kind = GF_STMT_COLLECTIVE, .collective = GF_COLLECTIVE_BROADCAST, .target = named(buffer)};
    return gf_build_check_name(b, buffer) && gf_build_check_expr(b, root) && add(b, draft, (parts){.value = root});
}

bool gf_build_copy_async(gf_builder *b, const char *to, const gf_build_expr *to_index, const char *from,
                         const gf_build_expr *from_index, const gf_build_expr *count, const char *tag) {
    gf_stmt draft = {
        .kind = GF_STMT_COPY_ASYNC, .target = named(to), .second = named(from), .text = tag, .tag_quoted = true};
    return gf_build_check_name(b, to) && gf_build_check_name(b, from) && gf_build_check_text(b, tag) &&
           gf_build_check_expr(b, to_index) && gf_build_check_expr(b, from_index) && gf_build_check_expr(b, count) &&
           add(b, draft, (parts){.index = to_index, .from = from_index, .to = count});
}

bool gf_build_wait(gf_builder *b, const char *tag) {
    return gf_build_check_text(b, tag) &&
           add(b, (gf_stmt){.kind = GF_STMT_WAIT, .text = tag, .tag_quoted = true}, (parts){0});
}
