/* Statements: names and types, and what a statement may stand in. */
#include "check/checker.h"
#include <string.h>

check_stmt *gf_check_stmt_new(checker *c, const gf_stmt *parsed) {
    check_stmt *made = gf_new(c->arena, check_stmt);
    made->stmt.kind = parsed->kind;
    made->stmt.span = parsed->span;
    made->stmt.head = parsed->head;
    made->stmt.forced = parsed->forced;
    made->stmt.op = parsed->op;
    made->stmt.collective = parsed->collective;
    made->stmt.combine = parsed->combine;
    made->stmt.text = parsed->text;
    made->stmt.tag_quoted = parsed->tag_quoted;
    made->stmt.trivia = parsed->trivia;
    made->site = c->site;
    made->forall = c->forall;
    return made;
}

void gf_check_emit(checker *c, stmt_list *out, check_stmt *stmt) {
    gf_push(c->arena, out, &stmt->stmt);
}

const gf_block *gf_check_block_of(checker *c, stmt_list *list, const char *comments) {
    gf_block *block = gf_new(c->arena, gf_block);
    block->items = list->items;
    block->count = list->count;
    block->comments = comments;
    return block;
}

void gf_check_stmts(checker *c, const gf_block *block, stmt_list *out) {
    for (size_t i = 0; block != NULL && i < block->count && !c->too_large && c->errors < GF_CHECK_ERRORS; i++) {
        gf_check_stmt_into(c, block->items[i], out);
    }
}

const gf_block *gf_check_block(checker *c, const gf_block *block) {
    stmt_list list = {0};
    gf_check_scope_open(c);
    gf_check_stmts(c, block, &list);
    gf_check_scope_close(c);
    return gf_check_block_of(c, &list, block == NULL ? NULL : block->comments);
}

const gf_symbol *gf_check_emit_let(checker *c, stmt_list *out, const char *name, gf_expr *value, gf_span span) {
    check_symbol *symbol = gf_check_symbol_new(c, GF_SYMBOL_LET, name, value->type, span);
    symbol->definition = gf_check_behind(value);
    gf_stmt shape = {.kind = GF_STMT_LET, .span = value->span, .head = value->span};
    check_stmt *let = gf_check_stmt_new(c, &shape);
    let->stmt.target = gf_check_ref(&symbol->symbol, span);
    let->stmt.value = value;
    gf_check_emit(c, out, let);
    return &symbol->symbol;
}

gf_expr *gf_check_right_side(checker *c, const gf_expr *parsed, gf_type want, const char *what, stmt_list *out) {
    if (parsed->kind == GF_EXPR_CROSS) {
        return gf_check_count_node(c, parsed->span) ? gf_check_require(c, gf_check_cross(c, parsed), want, what) : NULL;
    }
    if (parsed->kind == GF_EXPR_CALL) {
        check_symbol *function = gf_check_lookup(c, &parsed->ref);
        if (function == NULL || function->poison) {
            return NULL;
        }
        if (function->symbol.kind == GF_SYMBOL_FUNCTION && function->is_inlined) {
            gf_expr *value = gf_check_inline(c, parsed, function, out);
            if (value == NULL) {
                if (!function->broken && function->symbol.type == GF_TYPE_NONE) {
                    gf_check_fail(c, GF_CODE_NO_VALUE, parsed->span, "`%s` gives nothing back", parsed->ref.name);
                    gf_fix(c->diags, "call it as a statement, `%s(...);`", parsed->ref.name);
                }
                return NULL;
            }
            return gf_check_require(c, value, want, what);
        }
    }
    return gf_check_value(c, parsed, want, what);
}

/* A let or var of a wrong value is there all the same, so that its uses are no errors of their own. */
void gf_check_bind_poison(checker *c, gf_symbol_kind kind, const gf_ref *target) {
    bool dry = c->dry;
    c->dry = true;
    check_symbol *symbol = gf_check_symbol_new(c, kind, target->name, GF_TYPE_NONE, target->span);
    c->dry = dry;
    symbol->poison = true;
    gf_check_bind(c, target->name, target->span, symbol);
}

static void check_let(checker *c, const gf_stmt *parsed, stmt_list *out) {
    gf_expr *value = gf_check_right_side(c, parsed->value, GF_TYPE_NONE, parsed->target.name, out);
    if (value == NULL) {
        gf_check_bind_poison(c, GF_SYMBOL_LET, &parsed->target);
        return;
    }
    check_symbol *symbol = gf_check_symbol_new(c, GF_SYMBOL_LET, parsed->target.name, value->type, parsed->target.span);
    symbol->definition = gf_check_behind(value);
    gf_check_bind(c, parsed->target.name, parsed->target.span, symbol);
    check_stmt *let = gf_check_stmt_new(c, parsed);
    let->stmt.target = gf_check_ref(&symbol->symbol, parsed->target.span);
    let->stmt.value = value;
    gf_check_emit(c, out, let);
}

static void check_var(checker *c, const gf_stmt *parsed, stmt_list *out) {
    const gf_symbol *declared = parsed->target.symbol;
    const char *name = parsed->target.name;
    gf_type type = declared == NULL ? GF_TYPE_NONE : declared->type;
    bool is_array = declared != NULL && declared->is_array;
    if (!is_array && !gf_type_is_arithmetic(type)) {
        gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->target.span,
                      "there are no values of type %s: only arrays hold them", gf_type_name(type));
        gf_fix(c->diags, "declare it `var %s %s`", gf_type_name(gf_type_loaded(type)), name);
        gf_check_bind_poison(c, GF_SYMBOL_VAR, &parsed->target);
        return;
    }
    const gf_expr *size = NULL;
    uint64_t length = 0;
    if (is_array) {
        const char *what = gf_arena_format(c->arena, "the size of `%s`", name);
        if (!gf_check_constant_size(c, declared->size, what, &size, &length)) {
            gf_check_bind_poison(c, GF_SYMBOL_VAR, &parsed->target);
            return;
        }
        if (length > GF_CHECK_ARRAY_BYTES / gf_type_bytes(type)) {
            gf_check_fail(c, GF_CODE_TOO_LARGE, parsed->target.span, "`%s` has more than 1 GiB for each invocation",
                          name);
            gf_fix(c->diags, "use a scratch buffer");
            gf_check_bind_poison(c, GF_SYMBOL_VAR, &parsed->target);
            return;
        }
    }
    gf_expr *value = NULL;
    if (parsed->value != NULL && !is_array) {
        value = gf_check_right_side(c, parsed->value, type, gf_arena_format(c->arena, "`%s`", name), out);
    }
    check_symbol *symbol = gf_check_symbol_new(c, GF_SYMBOL_VAR, name, type, parsed->target.span);
    symbol->symbol.is_array = is_array;
    symbol->symbol.size = size;
    symbol->symbol.length = length;
    gf_check_bind(c, name, parsed->target.span, symbol);
    check_stmt *var = gf_check_stmt_new(c, parsed);
    var->stmt.target = gf_check_ref(&symbol->symbol, parsed->target.span);
    var->stmt.value = value;
    gf_check_emit(c, out, var);
}

static void refuse_assign(checker *c, const gf_symbol *s, const gf_ref *ref) {
    gf_check_fail(c, GF_CODE_IMMUTABLE, ref->span, "`%s` is %s and keeps its value", ref->name,
                  gf_check_symbol_noun(s));
    gf_note(c->diags, s->span, "`%s` is declared here", ref->name);
    switch (s->kind) {
    case GF_SYMBOL_LET:
        gf_fix(c->diags, "declare it `var %s %s = ...;`", gf_type_name(s->type), ref->name);
        break;
    case GF_SYMBOL_LOOP:
    case GF_SYMBOL_ARGUMENT:
    case GF_SYMBOL_PARAM:
    case GF_SYMBOL_CONST:
        gf_fix(c->diags, "copy it, `var %s my_%s = %s;`, and change the copy", gf_type_name(s->type), ref->name,
               ref->name);
        break;
    case GF_SYMBOL_BUFFER:
    case GF_SYMBOL_SHARED:
    case GF_SYMBOL_FUNCTION:
    case GF_SYMBOL_VAR:
        break;
    }
}

/* The operation of `op=` over what is there and the value. NULL after an error. */
static gf_expr *check_update(checker *c, const gf_stmt *parsed, gf_type type, gf_expr *value) {
    if (parsed->op == GF_OP_NONE || value == NULL) {
        return value;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, 2);
    args[0] = gf_check_make(c, GF_EXPR_NAME, type, parsed->target.span);
    args[1] = value;
    gf_expr *probe = gf_check_make(c, GF_EXPR_OP, GF_TYPE_NONE, gf_span_join(parsed->target.span, value->span));
    probe->op = parsed->op;
    probe->args = (const gf_expr *const *)args;
    probe->arg_count = 2;
    return gf_check_op(c, probe, args) == NULL ? NULL : value;
}

static void check_assign(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_symbol *symbol = gf_check_lookup(c, &parsed->target);
    const gf_symbol *s = symbol == NULL ? NULL : &symbol->symbol;
    const char *name = parsed->target.name;
    bool right = s != NULL && !symbol->poison;
    if (right && (s->kind == GF_SYMBOL_BUFFER || s->kind == GF_SYMBOL_SHARED || s->is_array)) {
        right = gf_check_fail(c, GF_CODE_NAME_KIND, parsed->target.span, "`%s` is %s: only its elements are assigned",
                              name, gf_check_symbol_noun(s));
        gf_fix(c->diags, "write `%s[index] = ...;`", name);
    } else if (right && s->kind != GF_SYMBOL_VAR) {
        refuse_assign(c, s, &parsed->target);
        right = false;
    } else if (right && c->forall != NULL && symbol->forall != c->forall_number) {
        right = gf_check_fail(c, GF_CODE_FORALL_SEES, parsed->target.span,
                              "a forall cannot assign `%s`, which is declared "
                              "outside of it",
                              name);
        gf_note(c->diags, s->span, "`%s` is declared here", name);
        gf_fix(c->diags, "combine into it: `reduce(add %s)`, or min, max, and, or", name);
    }
    bool is_shift = parsed->op != GF_OP_NONE && gf_op_rule(parsed->op) == GF_RULE_SHIFT;
    gf_expr *value;
    if (parsed->op == GF_OP_NONE || parsed->value->kind == GF_EXPR_CROSS) {
        gf_type want = right && parsed->op == GF_OP_NONE ? s->type : GF_TYPE_NONE;
        value = gf_check_right_side(c, parsed->value, want, gf_arena_format(c->arena, "`%s`", name), out);
    } else if (right && !is_shift && parsed->value->kind == GF_EXPR_CALL) {
        value = gf_check_right_side(c, parsed->value, GF_TYPE_NONE, name, out);
    } else {
        value = gf_check_expr(c, parsed->value);
    }
    if (!right || value == NULL) {
        return;
    }
    if (parsed->op != GF_OP_NONE && value->kind == GF_EXPR_CROSS) {
        const gf_symbol *answer = gf_check_emit_let(c, out, "answer", value, parsed->value->span);
        value = gf_check_name_of(c, answer, parsed->value->span);
    }
    value = check_update(c, parsed, s->type, value);
    if (value == NULL) {
        return;
    }
    check_stmt *assign = gf_check_stmt_new(c, parsed);
    assign->stmt.target = gf_check_ref(s, parsed->target.span);
    assign->stmt.value = value;
    gf_check_emit(c, out, assign);
}

/* An index, for statements that have one. */
static gf_expr *check_stmt_index(checker *c, const gf_expr *parsed, const char *what) {
    gf_expr *index = gf_check_expr(c, parsed);
    if (index == NULL) {
        return NULL;
    }
    if (is_untyped(index) && index->kind == GF_EXPR_OP && index->op == GF_OP_NEG && !index->is_float) {
        return gf_check_settle(c, index, GF_TYPE_I32) ? index : NULL;
    }
    if (is_untyped(index) && !index->is_float) {
        gf_type type = gf_check_literal_fits(c, index, GF_TYPE_U32) ? GF_TYPE_U32 : GF_TYPE_U64;
        return gf_check_settle(c, index, type) ? index : NULL;
    }
    if (is_untyped(index) || !gf_type_is_integer(index->type)) {
        gf_check_fail(c, GF_CODE_TYPE_MISMATCH, index->span, "%s is an integer, and this is %s", what,
                      gf_type_name(is_untyped(index) ? gf_check_default_type(index) : index->type));
        gf_fix(c->diags, "write u32(%s)", gf_check_text(c, index->span));
        return NULL;
    }
    return index;
}

static void check_store(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_symbol *array = gf_check_array(c, &parsed->target, "an index");
    bool right = array != NULL && gf_check_writable(c, array, parsed->target.span, "this writes");
    const char *name = parsed->target.name;
    gf_expr *index = check_stmt_index(c, parsed->index, gf_arena_format(c->arena, "an index of `%s`", name));
    gf_type type = array == NULL ? GF_TYPE_NONE : gf_type_loaded(array->symbol.type);
    gf_expr *value = parsed->op == GF_OP_NONE
                         ? gf_check_value(c, parsed->value, type, gf_arena_format(c->arena, "`%s`", name))
                         : gf_check_expr(c, parsed->value);
    if (array == NULL || !right || index == NULL || value == NULL) {
        return;
    }
    value = check_update(c, parsed, type, value);
    if (value == NULL) {
        return;
    }
    check_stmt *store = gf_check_stmt_new(c, parsed);
    store->stmt.target = gf_check_ref(&array->symbol, parsed->target.span);
    store->stmt.index = index;
    store->stmt.value = value;
    gf_check_emit(c, out, store);
}

static void check_expr_stmt(checker *c, const gf_stmt *parsed, stmt_list *out) {
    gf_expr *value = NULL;
    if (parsed->value->kind == GF_EXPR_CALL) {
        check_symbol *function = gf_check_lookup(c, &parsed->value->ref);
        if (function == NULL || function->poison) {
            return;
        }
        if (function->symbol.kind == GF_SYMBOL_FUNCTION) {
            if (function->is_inlined) {
                gf_check_inline(c, parsed->value, function, out);
                return;
            }
            if (!gf_check_count_node(c, parsed->span)) {
                return;
            }
            value = gf_check_call(c, parsed->value, function);
        } else {
            value = gf_check_expr(c, parsed->value);
        }
    } else {
        value = gf_check_expr(c, parsed->value);
    }
    if (value == NULL) {
        return;
    }
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.value = value;
    gf_check_emit(c, out, made);
}

static void check_if(checker *c, const gf_stmt *parsed, stmt_list *out) {
    gf_expr *condition = gf_check_head(c, parsed->value, "the condition of an if", out);
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.value = condition;
    made->stmt.body = gf_check_block(c, parsed->body);
    made->stmt.otherwise = parsed->otherwise == NULL ? NULL : gf_check_block(c, parsed->otherwise);
    if (condition != NULL) {
        gf_check_emit(c, out, made);
    }
}

static void check_leave(checker *c, const gf_stmt *parsed, stmt_list *out) {
    const char *word = parsed->kind == GF_STMT_BREAK ? "break" : "continue";
    if (c->loops == NULL) {
        gf_check_fail(c, GF_CODE_LOOP_CONTROL, parsed->span, "`%s` stands outside of any loop", word);
        if (c->site != NULL || c->function != NULL) {
            gf_fix(c->diags, "a function cannot leave a loop of its caller: give a bool back and test it there");
        } else {
            gf_fix(c->diags, "to end the invocation write `return;`");
        }
        return;
    }
    if (c->loops->stmt->kind == GF_STMT_FORALL && parsed->kind == GF_STMT_BREAK) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->span,
                      "a forall cannot be left by `break`: its indices come in any order");
        gf_fix(c->diags, "`continue;` ends one index; an answer comes out by `reduce(or found)`");
        return;
    }
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->target = c->loops->stmt;
    gf_check_emit(c, out, made);
}

static void check_return(checker *c, const gf_stmt *parsed, stmt_list *out) {
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->span, "a forall holds no `return`");
        gf_fix(c->diags, "`continue;` ends one index");
        return;
    }
    gf_type type = c->function == NULL ? GF_TYPE_NONE : c->function->symbol.type;
    check_stmt *made = gf_check_stmt_new(c, parsed);
    if (parsed->value == NULL && type != GF_TYPE_NONE) {
        gf_check_fail(c, GF_CODE_RETURN_VALUE, parsed->span, "`%s` gives %s back, and this return has no value",
                      c->function->symbol.name, gf_type_name(type));
        return;
    }
    if (parsed->value != NULL && type == GF_TYPE_NONE) {
        gf_check_fail(c, GF_CODE_RETURN_VALUE, parsed->value->span,
                      c->function == NULL ? "the kernel gives nothing back%s" : "`%s` gives nothing back",
                      c->function == NULL ? "" : c->function->symbol.name);
        gf_fix(c->diags,
               c->function == NULL ? "store it in a buffer" : "declare the function with a type, `fn u32 %s(...)`",
               c->function == NULL ? "" : c->function->symbol.name);
        return;
    }
    if (parsed->value != NULL) {
        const char *what = gf_arena_format(c->arena, "a return of `%s`", c->function->symbol.name);
        made->stmt.value = gf_check_value(c, parsed->value, type, what);
        if (made->stmt.value == NULL) {
            return;
        }
    }
    gf_check_emit(c, out, made);
}

static void check_barrier(checker *c, const gf_stmt *parsed, stmt_list *out) {
    bool is_grid = parsed->kind == GF_STMT_GRID_BARRIER;
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->span, "a forall holds no barrier");
        gf_note(c->diags, c->forall->head, "the forall is here");
        gf_fix(c->diags, "end the forall, write `grid_barrier;`, and begin another");
        return;
    }
    if (!is_grid && c->tree->kernel.space_kind == GF_SPACE_ONE && !c->dry) {
        gf_check_fail(c, GF_CODE_NO_SPACE, parsed->span, "a kernel without a space has no workgroup to wait for");
        gf_fix(c->diags, "between two foralls write `grid_barrier;`");
        return;
    }
    gf_check_emit(c, out, gf_check_stmt_new(c, parsed));
}

static void check_test(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_stmt *made = gf_check_stmt_new(c, parsed);
    if (parsed->kind == GF_STMT_ASSERT) {
        made->stmt.value = gf_check_condition(c, parsed->value, "the condition of an assert");
    } else if (parsed->value != NULL) {
        made->stmt.value = check_stmt_index(c, parsed->value, "the address of a trap");
    }
    if (parsed->value == NULL || made->stmt.value != NULL) {
        gf_check_emit(c, out, made);
    }
}

static void check_converged(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_stmt *made = gf_check_stmt_new(c, parsed);
    if (c->parsed->kernel.fixpoint != NULL) {
        gf_check_fail(c, GF_CODE_CONVERGED_RULE, parsed->span,
                      "converged is for programs without a fixpoint, and this one has "
                      "one");
        gf_note(c->diags, c->parsed->kernel.fixpoint->span, "the fixpoint says itself whether it converged");
        gf_fix(c->diags, "leave the statement out");
        return;
    }
    made->stmt.value = gf_check_condition(c, parsed->value, "converged");
    if (made->stmt.value != NULL) {
        gf_check_emit(c, out, made);
    }
}

static void check_nested(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.body = parsed->kind == GF_STMT_LOOP ? gf_check_loop_body(c, &made->stmt, parsed->body)
                                                   : gf_check_block(c, parsed->body);
    gf_check_emit(c, out, made);
}

static void check_any(checker *c, const gf_stmt *parsed, stmt_list *out) {
    switch (parsed->kind) {
    case GF_STMT_LET:
        check_let(c, parsed, out);
        break;
    case GF_STMT_VAR:
        check_var(c, parsed, out);
        break;
    case GF_STMT_ASSIGN:
        check_assign(c, parsed, out);
        break;
    case GF_STMT_STORE:
        check_store(c, parsed, out);
        break;
    case GF_STMT_EXPR:
        check_expr_stmt(c, parsed, out);
        break;
    case GF_STMT_SWAP:
        gf_check_swap(c, parsed, out);
        break;
    case GF_STMT_CONVERGED:
        check_converged(c, parsed, out);
        break;
    case GF_STMT_IF:
        check_if(c, parsed, out);
        break;
    case GF_STMT_FOR:
        gf_check_for(c, parsed, out);
        break;
    case GF_STMT_WHILE:
        gf_check_while(c, parsed, out);
        break;
    case GF_STMT_FORALL:
        gf_check_forall(c, parsed, out);
        break;
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
        check_leave(c, parsed, out);
        break;
    case GF_STMT_RETURN:
        check_return(c, parsed, out);
        break;
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
        check_barrier(c, parsed, out);
        break;
    case GF_STMT_LOOP:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        check_nested(c, parsed, out);
        break;
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        check_test(c, parsed, out);
        break;
    case GF_STMT_COLLECTIVE:
        gf_check_collective(c, parsed, out);
        break;
    case GF_STMT_COPY_ASYNC:
        gf_check_copy(c, parsed, out);
        break;
    case GF_STMT_WAIT:
        gf_check_wait(c, parsed, out);
        break;
    }
}

void gf_check_stmt_into(checker *c, const gf_stmt *parsed, stmt_list *out) {
    if (!gf_check_count_node(c, parsed->span)) {
        return;
    }
    if (++c->block_depth > 2 * GF_CHECK_DEPTH) {
        if (!c->too_large) {
            c->too_large = true;
            gf_check_fail(c, GF_CODE_TOO_LARGE, parsed->span,
                          "blocks are nested deeper than %d levels once functions are "
                          "inlined",
                          2 * GF_CHECK_DEPTH);
        }
    } else {
        check_any(c, parsed, out);
    }
    c->block_depth--;
}
