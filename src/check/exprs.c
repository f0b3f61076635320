/* Names and types of expressions. */
#include "check/checker.h"
#include <string.h>

gf_expr *gf_check_make(checker *c, gf_expr_kind kind, gf_type type, gf_span span) {
    gf_expr *made = gf_new(c->arena, gf_expr);
    made->kind = kind;
    made->type = type;
    made->span = span;
    return made;
}

gf_expr *gf_check_name_of(checker *c, const gf_symbol *symbol, gf_span span) {
    gf_expr *made = gf_check_make(c, GF_EXPR_NAME, symbol->type, span);
    made->ref = gf_check_ref(symbol, span);
    return made;
}

bool gf_check_element_type(gf_type type, bool allow_bool) {
    return type != GF_TYPE_NONE && (allow_bool || type != GF_TYPE_BOOL);
}

static bool refuse_place(checker *c, const gf_expr *expr, const char *what) {
    if (c->place == PLACE_CONST) {
        gf_check_fail(c, GF_CODE_NOT_CONSTANT, expr->span, "%s is a constant, and %s is none", c->place_what, what);
        gf_fix(c->diags, "use literals and consts");
    } else {
        gf_check_fail(c, GF_CODE_SIZE_EXPRESSION, expr->span, "%s cannot use %s", c->place_what, what);
        gf_fix(c->diags, "use constants, params declared before and len of `[]` buffers");
    }
    return false;
}

/* Declarations are used in sizes and defaults only below themselves. */
static bool is_declared_before(checker *c, const check_symbol *symbol, const gf_expr *expr) {
    if (symbol->position < c->place_position) {
        return true;
    }
    gf_check_fail(c, GF_CODE_DECLARED_LATER, expr->span, "%s uses `%s`, which is declared %s", c->place_what,
                  symbol->user_name, symbol->position == c->place_position ? "by it" : "further down");
    if (symbol->position > c->place_position) {
        gf_note(c->diags, symbol->symbol.span, "`%s` is declared here", symbol->user_name);
        gf_fix(c->diags, "move the declaration of `%s` up", symbol->user_name);
    }
    return false;
}

/* What a body may see of the names around it. */
static bool is_seen(checker *c, const check_symbol *symbol, gf_span span) {
    if (c->forall == NULL || symbol->forall == c->forall_number) {
        return true;
    }
    if (symbol->symbol.kind == GF_SYMBOL_SHARED) {
        gf_check_fail(c, GF_CODE_FORALL_SEES, span, "a forall cannot see the workgroup array `%s`", symbol->user_name);
        gf_note(c->diags, symbol->symbol.span, "`%s` belongs to a workgroup, and a forall has workgroups of its own",
                symbol->user_name);
        gf_fix(c->diags, "use a scratch buffer, or `reduce`");
        return false;
    }
    if (symbol->symbol.kind == GF_SYMBOL_VAR && symbol->symbol.is_array) {
        gf_check_fail(c, GF_CODE_FORALL_SEES, span,
                      "a forall cannot see the local array `%s`, which each invocation has "
                      "for itself",
                      symbol->user_name);
        gf_fix(c->diags, "use a scratch buffer");
        return false;
    }
    return true;
}

static gf_expr *check_name(checker *c, const gf_expr *parsed) {
    check_symbol *symbol = gf_check_lookup(c, &parsed->ref);
    if (symbol == NULL || symbol->poison) {
        return NULL;
    }
    const gf_symbol *s = &symbol->symbol;
    bool is_array = s->kind == GF_SYMBOL_BUFFER || s->kind == GF_SYMBOL_SHARED || s->is_array;
    if (is_array || s->kind == GF_SYMBOL_FUNCTION) {
        gf_check_fail(c, GF_CODE_NAME_KIND, parsed->span, "`%s` is %s, not a value", parsed->ref.name,
                      gf_check_symbol_noun(s));
        gf_fix(c->diags, is_array ? "write `%s[index]` for an element, len(%s) for its length" : "call it: `%s(...)`",
               parsed->ref.name, parsed->ref.name);
        return NULL;
    }
    if (c->place != PLACE_BODY) {
        bool allowed = s->kind == GF_SYMBOL_CONST || (s->kind == GF_SYMBOL_PARAM && c->place != PLACE_CONST);
        if (!allowed) {
            refuse_place(c, parsed, gf_arena_format(c->arena, "`%s`, %s,", user_name(s), gf_check_symbol_noun(s)));
            return NULL;
        }
        if (!is_declared_before(c, symbol, parsed)) {
            return NULL;
        }
    }
    gf_expr *made = gf_check_name_of(c, s, parsed->span);
    return made;
}

static gf_expr *check_builtin(checker *c, const gf_expr *parsed) {
    gf_builtin builtin = parsed->builtin;
    bool is_id = builtin == GF_BUILTIN_GID || builtin == GF_BUILTIN_LID || builtin == GF_BUILTIN_WID;
    bool is_rank = builtin == GF_BUILTIN_RANK || builtin == GF_BUILTIN_RANKS;
    const char *text = gf_check_text(c, parsed->span);
    if (is_rank != (parsed->axis == GF_AXIS_NONE) || (parsed->axis == GF_AXIS_LINEAR && !is_id)) {
        gf_check_fail(
            c, GF_CODE_AXIS, parsed->span,
            is_rank ? "`%s`: rank and ranks have no axes" : "`%s` is no number: an axis is missing or unknown", text);
        gf_fix(c->diags, is_rank ? "leave the axis out" : is_id ? "write .x, .y, .z or .linear" : "write .x, .y or .z");
        return NULL;
    }
    if (c->place != PLACE_BODY) {
        bool is_size =
            builtin == GF_BUILTIN_SPACE || builtin == GF_BUILTIN_GRID_SIZE || builtin == GF_BUILTIN_GROUP_SIZE;
        if (c->place != PLACE_SIZE || !is_size) {
            refuse_place(c, parsed, gf_arena_format(c->arena, "`%s`", text));
            return NULL;
        }
    }
    if (is_id && c->tree->kernel.space_kind == GF_SPACE_ONE && c->function == NULL) {
        gf_check_fail(c, GF_CODE_NO_SPACE, parsed->span,
                      "`%s` has no meaning in a kernel without a space, which is one "
                      "invocation",
                      text);
        gf_fix(c->diags, c->forall != NULL ? "use the variable of the forall"
                                           : "give the kernel a space, `kernel (n)`, or use forall");
        return NULL;
    }
    if (is_id && c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_SEES, parsed->span,
                      "a forall cannot see `%s`: its invocations are not those of the "
                      "kernel",
                      text);
        gf_fix(c->diags, "use the variable of the forall, `%s`", c->forall->target.name);
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_BUILTIN, GF_TYPE_U32, parsed->span);
    made->builtin = builtin;
    made->axis = parsed->axis;
    return made;
}

check_symbol *gf_check_array(checker *c, const gf_ref *ref, const char *what) {
    check_symbol *symbol = gf_check_lookup(c, ref);
    if (symbol == NULL || symbol->poison) {
        return NULL;
    }
    const gf_symbol *s = &symbol->symbol;
    if (s->kind != GF_SYMBOL_BUFFER && s->kind != GF_SYMBOL_SHARED && !s->is_array) {
        gf_check_fail(c, GF_CODE_NAME_KIND, ref->span, "`%s` is %s, and %s wants an array", ref->name,
                      gf_check_symbol_noun(s), what);
        gf_note(c->diags, s->span, "`%s` is declared here", ref->name);
        return NULL;
    }
    if (!is_seen(c, symbol, ref->span)) {
        return NULL;
    }
    if (s->kind == GF_SYMBOL_SHARED && c->tree->kernel.space_kind == GF_SPACE_ONE && c->function == NULL) {
        gf_check_fail(c, GF_CODE_NO_SPACE, ref->span,
                      "a kernel without a space has no workgroup, so nothing is `shared`");
        gf_fix(c->diags, "use a scratch buffer, or `reduce`");
        return NULL;
    }
    return symbol;
}

static gf_expr *check_len(checker *c, const gf_expr *parsed) {
    check_symbol *symbol = gf_check_array(c, &parsed->ref, "len");
    if (symbol == NULL) {
        return NULL;
    }
    const gf_symbol *s = &symbol->symbol;
    if (c->place == PLACE_CONST) {
        refuse_place(c, parsed, "len of an array");
        return NULL;
    }
    if (c->place != PLACE_BODY) {
        if (s->kind != GF_SYMBOL_BUFFER || s->size != NULL) {
            gf_check_fail(c, GF_CODE_SIZE_EXPRESSION, parsed->span,
                          "%s cannot use len of `%s`, which has a size of its own", c->place_what, user_name(s));
            const char *size = s->size == NULL ? "" : gf_check_text(c, s->size->span);
            if (size[0] != '\0') {
                gf_fix(c->diags, "write that size, `%s`", size);
            }
            return NULL;
        }
        if (!is_declared_before(c, symbol, parsed)) {
            return NULL;
        }
    }
    gf_type type = GF_TYPE_U32;
    if (s->kind == GF_SYMBOL_BUFFER && s->size != NULL &&
        (gf_type_bytes(s->size->type) == 8 || (s->size->kind == GF_EXPR_LITERAL && s->size->bits > UINT32_MAX))) {
        type = GF_TYPE_U64;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_LEN, type, parsed->span);
    made->ref = gf_check_ref(s, parsed->ref.span);
    return made;
}

/* The index of an element. */
static gf_expr *check_index(checker *c, const gf_expr *parsed, const gf_symbol *array) {
    gf_expr *index = gf_check_expr(c, parsed);
    if (index == NULL) {
        return NULL;
    }
    if (is_untyped(index) && !index->is_float) {
        bool negative = index->kind == GF_EXPR_OP && index->op == GF_OP_NEG;
        gf_type type = negative                                       ? GF_TYPE_I32
                       : gf_check_literal_fits(c, index, GF_TYPE_U32) ? GF_TYPE_U32
                                                                      : GF_TYPE_U64;
        return gf_check_settle(c, index, type) ? index : NULL;
    }
    if (is_untyped(index) || !gf_type_is_integer(index->type)) {
        gf_type type = is_untyped(index) ? gf_check_default_type(index) : index->type;
        gf_check_fail(c, GF_CODE_TYPE_MISMATCH, index->span, "an index of `%s` is an integer, and this is %s",
                      user_name(array), gf_type_name(type));
        gf_fix(c->diags, "write u32(%s)", gf_check_text(c, index->span));
        return NULL;
    }
    return index;
}

static gf_expr *check_load(checker *c, const gf_expr *parsed) {
    if (c->place != PLACE_BODY) {
        refuse_place(c, parsed, "an element of an array");
        return NULL;
    }
    check_symbol *array = gf_check_array(c, &parsed->ref, "an index");
    const gf_symbol *s = array == NULL ? NULL : &array->symbol;
    if (s == NULL) {
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, 1);
    args[0] = check_index(c, parsed->args[0], s);
    if (args[0] == NULL) {
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_LOAD, gf_type_loaded(s->type), parsed->span);
    made->ref = gf_check_ref(s, parsed->ref.span);
    made->args = (const gf_expr *const *)args;
    made->arg_count = 1;
    return made;
}

bool gf_check_writable(checker *c, const check_symbol *array, gf_span span, const char *how) {
    const gf_symbol *s = &array->symbol;
    if (s->kind != GF_SYMBOL_BUFFER || s->role != GF_ROLE_IN) {
        return true;
    }
    gf_check_fail(c, GF_CODE_READ_ONLY, span, "%s `%s`, which is an `in` buffer", how, user_name(s));
    gf_note(c->diags, s->span, "`%s` is declared here", user_name(s));
    gf_fix(c->diags, "declare it `inout %s %s[...]`", gf_type_name(s->type), user_name(s));
    return false;
}

static bool atomic_exists(gf_atomic atomic, gf_type type) {
    switch (type) {
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        return true;
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        return atomic != GF_ATOMIC_AND && atomic != GF_ATOMIC_OR && atomic != GF_ATOMIC_XOR;
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return false;
}

static gf_expr *check_atomic(checker *c, const gf_expr *parsed) {
    const char *name = gf_atomic_name(parsed->atomic);
    if (c->place != PLACE_BODY) {
        refuse_place(c, parsed, "an atomic");
        return NULL;
    }
    check_symbol *array = gf_check_array(c, &parsed->ref, name);
    if (array == NULL) {
        return NULL;
    }
    const gf_symbol *s = &array->symbol;
    if (s->kind == GF_SYMBOL_VAR) {
        gf_check_fail(c, GF_CODE_NAME_KIND, parsed->ref.span,
                      "`%s` is a local array, which one invocation has for itself: "
                      "atomics are for buffers and workgroup arrays",
                      user_name(s));
        gf_fix(c->diags, "use `%s[...]` as it is", user_name(s));
        return NULL;
    }
    if (!atomic_exists(parsed->atomic, s->type)) {
        gf_check_fail(c, GF_CODE_ATOMIC_TYPE, parsed->span, "there is no %s on %s elements", name,
                      gf_type_name(s->type));
        gf_note(c->diags, s->span, "`%s` holds %s", user_name(s), gf_type_name(s->type));
        if (gf_type_bytes(s->type) < 4) {
            gf_fix(c->diags, "use elements of 32 bits");
        }
        return NULL;
    }
    if (parsed->atomic != GF_ATOMIC_LOAD &&
        !gf_check_writable(c, array, parsed->span, gf_arena_format(c->arena, "%s writes", name))) {
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, parsed->arg_count);
    args[0] = check_index(c, parsed->args[0], s);
    bool right = args[0] != NULL;
    for (size_t i = 1; i < parsed->arg_count; i++) {
        args[i] =
            gf_check_value(c, parsed->args[i], s->type, gf_arena_format(c->arena, "%s on `%s`", name, user_name(s)));
        right = right && args[i] != NULL;
    }
    if (!right) {
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_ATOMIC, s->type, parsed->span);
    made->atomic = parsed->atomic;
    made->ref = gf_check_ref(s, parsed->ref.span);
    made->args = (const gf_expr *const *)args;
    made->arg_count = parsed->arg_count;
    return made;
}

static gf_expr *check_cast(checker *c, const gf_expr *parsed) {
    gf_type to = parsed->type;
    if (!gf_type_is_arithmetic(to)) {
        gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->span, "there are no values of type %s: only arrays hold them",
                      gf_type_name(to));
        gf_fix(c->diags, "cast to %s; storing wraps or rounds to the element by itself",
               gf_type_name(gf_type_loaded(to)));
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, 1);
    gf_expr *value = args[0] = gf_check_expr(c, parsed->args[0]);
    if (value == NULL) {
        return NULL;
    }
    if (is_untyped(value)) {
        /* f64(0.1) is the f64 next to 0.1; what does not fit takes the way of a cast. */
        gf_type type = to;
        if (to == GF_TYPE_BOOL || !gf_check_literal_fits(c, value, to) || (value->is_float && !gf_type_is_float(to))) {
            type = gf_check_default_type(value);
            if (type == GF_TYPE_U32 && !gf_check_literal_fits(c, value, type)) {
                type = GF_TYPE_U64;
            }
        }
        if (!gf_check_settle(c, value, type)) {
            return NULL;
        }
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_CAST, to, parsed->span);
    made->args = (const gf_expr *const *)args;
    made->arg_count = 1;
    return made;
}

static gf_expr *check_bitcast(checker *c, const gf_expr *parsed) {
    gf_type to = parsed->type;
    if (!gf_type_is_arithmetic(to) || to == GF_TYPE_BOOL) {
        gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->span, "there is no bitcast to %s", gf_type_name(to));
        gf_fix(c->diags, "bitcast goes between u32 i32 f32, and between u64 i64 f64");
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, 1);
    gf_expr *value = args[0] = gf_check_expr(c, parsed->args[0]);
    if (value == NULL) {
        return NULL;
    }
    if (is_untyped(value)) {
        bool wide = gf_type_bytes(to) == 8;
        gf_type type = value->is_float ? (wide ? GF_TYPE_F64 : GF_TYPE_F32) : (wide ? GF_TYPE_U64 : GF_TYPE_U32);
        if (!gf_check_settle(c, value, type)) {
            return NULL;
        }
    }
    if (value->type == GF_TYPE_BOOL || gf_type_bytes(value->type) != gf_type_bytes(to)) {
        gf_check_fail(c, GF_CODE_OPERAND_TYPE, parsed->span, "bitcast keeps the bits: %s and %s differ in width",
                      gf_type_name(value->type), gf_type_name(to));
        gf_fix(c->diags, "cast the value first, or use a type of the same width");
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_BITCAST, to, parsed->span);
    made->args = (const gf_expr *const *)args;
    made->arg_count = 1;
    return made;
}

static gf_expr *check_connective(checker *c, const gf_expr *parsed) {
    const char *what = parsed->kind == GF_EXPR_AND ? "a side of `&&`" : "a side of `||`";
    gf_expr **args = gf_new_array(c->arena, gf_expr *, 2);
    args[0] = gf_check_condition(c, parsed->args[0], what);
    args[1] = gf_check_condition(c, parsed->args[1], what);
    if (args[0] == NULL || args[1] == NULL) {
        return NULL;
    }
    gf_expr *made = gf_check_make(c, parsed->kind, GF_TYPE_BOOL, parsed->span);
    made->args = (const gf_expr *const *)args;
    made->arg_count = 2;
    return made;
}

static gf_expr *check_operation(checker *c, const gf_expr *parsed) {
    gf_expr **args = gf_new_array(c->arena, gf_expr *, parsed->arg_count);
    bool right = true;
    for (size_t i = 0; i < parsed->arg_count; i++) {
        args[i] = gf_check_expr(c, parsed->args[i]);
        right = right && args[i] != NULL;
    }
    if (!right) {
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_OP, GF_TYPE_NONE, parsed->span);
    made->op = parsed->op;
    made->args = (const gf_expr *const *)args;
    made->arg_count = parsed->arg_count;
    return gf_check_op(c, made, args);
}

static gf_expr *check_literal(checker *c, const gf_expr *parsed) {
    gf_expr *made = gf_check_make(c, GF_EXPR_LITERAL, parsed->type, parsed->span);
    made->bits = parsed->bits;
    made->text = parsed->text;
    made->is_float = parsed->is_float;
    return made;
}

static gf_expr *check_called(checker *c, const gf_expr *parsed) {
    check_symbol *function = gf_check_lookup(c, &parsed->ref);
    if (function == NULL || function->poison) {
        return NULL;
    }
    if (function->symbol.kind != GF_SYMBOL_FUNCTION) {
        gf_check_fail(c, GF_CODE_NAME_KIND, parsed->span, "`%s` is %s and cannot be called", parsed->ref.name,
                      gf_check_symbol_noun(&function->symbol));
        return NULL;
    }
    if (c->place != PLACE_BODY) {
        refuse_place(c, parsed, "a function");
        return NULL;
    }
    if (function->is_inlined) {
        gf_check_fail(c, GF_CODE_INLINE_PLACE, parsed->span,
                      "`%s` holds %s, so it cannot be called inside an expression", parsed->ref.name,
                      function->reason_text);
        gf_note(c->diags, function->reason, "it is here");
        gf_fix(c->diags, "write `let x = %s(...);` before it and use x", parsed->ref.name);
        return NULL;
    }
    gf_expr *call = gf_check_call(c, parsed, function);
    if (call != NULL && call->type == GF_TYPE_NONE) {
        gf_check_fail(c, GF_CODE_NO_VALUE, parsed->span, "`%s` gives nothing back", parsed->ref.name);
        gf_note(c->diags, function->symbol.span, "it is declared without a type");
        gf_fix(c->diags, "call it as a statement, `%s(...);`", parsed->ref.name);
        return NULL;
    }
    return call;
}

static gf_expr *refuse_cross(checker *c, const gf_expr *parsed) {
    const char *level = parsed->level == GF_LEVEL_GRID ? "grid" : "group";
    gf_check_fail(c, GF_CODE_CROSS_PLACE, parsed->span,
                  "%s_%s is a barrier and stands alone on the right side of a let, var "
                  "or =, or of a comparison in the condition of an if or while",
                  level, gf_cross_name(parsed->cross));
    gf_fix(c->diags,
           c->in_while ? "write `let x = %s;` before it and use x: as the first statement of a `loop`, with "
                         "`if !(...) { break; }` behind it"
                       : "write `let x = %s;` before it and use x",
           gf_check_text(c, parsed->span));
    return NULL;
}

static gf_expr *check_kind(checker *c, const gf_expr *parsed) {
    switch (parsed->kind) {
    case GF_EXPR_LITERAL:
        return check_literal(c, parsed);
    case GF_EXPR_NAME:
        return check_name(c, parsed);
    case GF_EXPR_BUILTIN:
        return check_builtin(c, parsed);
    case GF_EXPR_LEN:
        return check_len(c, parsed);
    case GF_EXPR_LOAD:
        return check_load(c, parsed);
    case GF_EXPR_OP:
        return check_operation(c, parsed);
    case GF_EXPR_AND:
    case GF_EXPR_OR:
        return check_connective(c, parsed);
    case GF_EXPR_CAST:
        return check_cast(c, parsed);
    case GF_EXPR_BITCAST:
        return check_bitcast(c, parsed);
    case GF_EXPR_ATOMIC:
        return check_atomic(c, parsed);
    case GF_EXPR_CROSS:
        return refuse_cross(c, parsed);
    case GF_EXPR_CALL:
        return check_called(c, parsed);
    }
    return NULL;
}

gf_expr *gf_check_expr(checker *c, const gf_expr *parsed) {
    if (!gf_check_count_node(c, parsed->span)) {
        return NULL;
    }
    if (c->expr_depth >= GF_CHECK_EXPR_DEPTH) {
        gf_check_fail(c, GF_CODE_TOO_LARGE, parsed->span, "an expression is nested deeper than %d levels",
                      GF_CHECK_EXPR_DEPTH);
        gf_fix(c->diags, "put parts of it into lets");
        return NULL;
    }
    c->expr_depth++;
    gf_expr *made = check_kind(c, parsed);
    c->expr_depth--;
    return made;
}

gf_expr *gf_check_require(checker *c, gf_expr *value, gf_type want, const char *what) {
    if (value == NULL) {
        return NULL;
    }
    if (is_untyped(value)) {
        return gf_check_settle(c, value, want == GF_TYPE_NONE ? gf_check_default_type(value) : want) ? value : NULL;
    }
    if (want == GF_TYPE_NONE || value->type == want) {
        return value;
    }
    gf_check_fail(c, GF_CODE_TYPE_MISMATCH, value->span, "%s takes %s, and this is %s", what, gf_type_name(want),
                  gf_type_name(value->type));
    const char *text = gf_check_text(c, value->span);
    if (want == GF_TYPE_BOOL) {
        gf_fix(c->diags, "compare it: `%s != 0`", gf_check_operand_text(c, value));
    } else {
        gf_fix(c->diags, "write %s(%s)", gf_type_name(want), text);
    }
    return NULL;
}

gf_expr *gf_check_value(checker *c, const gf_expr *parsed, gf_type want, const char *what) {
    return gf_check_require(c, gf_check_expr(c, parsed), want, what);
}

gf_expr *gf_check_integer(checker *c, const gf_expr *parsed, const char *what) {
    gf_expr *value = gf_check_expr(c, parsed);
    if (value == NULL) {
        return NULL;
    }
    if (is_untyped(value) && !value->is_float) {
        gf_type type = gf_check_literal_fits(c, value, GF_TYPE_U32) ? GF_TYPE_U32 : GF_TYPE_U64;
        return gf_check_settle(c, value, type) ? value : NULL;
    }
    if (is_untyped(value) || !gf_type_is_integer(value->type)) {
        gf_type type = is_untyped(value) ? gf_check_default_type(value) : value->type;
        gf_check_fail(c, GF_CODE_TYPE_MISMATCH, value->span, "%s is an integer, and this is %s", what,
                      gf_type_name(type));
        gf_fix(c->diags, "write u32(%s)", gf_check_text(c, value->span));
        return NULL;
    }
    return value;
}

gf_expr *gf_check_condition(checker *c, const gf_expr *parsed, const char *what) {
    return gf_check_value(c, parsed, GF_TYPE_BOOL, what);
}
