/* Declarations and the head of the kernel. */
#include "check/checker.h"
#include "ir/eval.h"
#include <string.h>

static const gf_env no_env = {0};

static void enter(checker *c, expr_place place, const char *what, uint32_t position) {
    c->place = place;
    c->place_what = what;
    c->place_position = position;
}

static void leave(checker *c) {
    c->place = PLACE_BODY;
    c->place_what = NULL;
    c->place_position = UINT32_MAX;
}

bool gf_check_constant_size(checker *c, const gf_expr *parsed, const char *what, const gf_expr **size,
                            uint64_t *value) {
    expr_place place = c->place;
    const char *place_what = c->place_what;
    uint32_t position = c->place_position;
    enter(c, PLACE_CONST, what, UINT32_MAX);
    gf_expr *made = parsed == NULL ? NULL : gf_check_integer(c, parsed, what);
    enter(c, place, place_what, position);
    if (made == NULL) {
        if (parsed == NULL) {
            gf_check_fail(c, GF_CODE_NOT_CONSTANT, GF_NO_SPAN, "%s is missing", what);
        }
        return false;
    }
    if (!gf_eval_size(made, &no_env, what, value, c->diags)) {
        c->errors++;
        return false;
    }
    *size = made;
    return true;
}

static bool refuse_scalar(checker *c, const gf_symbol *parsed) {
    gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->span, "`%s` cannot be %s: only arrays hold it", parsed->name,
                  gf_type_name(parsed->type));
    gf_fix(c->diags, "make it %s", gf_type_name(gf_type_loaded(parsed->type)));
    return false;
}

static bool check_const(checker *c, const gf_symbol *parsed, check_symbol *made) {
    if (!gf_type_is_arithmetic(parsed->type)) {
        return refuse_scalar(c, parsed);
    }
    enter(c, PLACE_CONST, gf_arena_format(c->arena, "`%s`", parsed->name), made->position);
    gf_expr *value = gf_check_value(c, parsed->value, parsed->type, c->place_what);
    if (value == NULL) {
        return false;
    }
    made->symbol.value = value;
    made->symbol.constant.type = parsed->type;
    if (!gf_eval_constant(value, &no_env, parsed->type, c->place_what, &made->symbol.constant.bits, c->diags)) {
        c->errors++;
        return false;
    }
    return true;
}

static bool check_param(checker *c, const gf_symbol *parsed, check_symbol *made) {
    if (!gf_type_is_arithmetic(parsed->type)) {
        return refuse_scalar(c, parsed);
    }
    if (parsed->value == NULL) {
        return true;
    }
    enter(c, PLACE_DEFAULT, gf_arena_format(c->arena, "the default of `%s`", parsed->name), made->position);
    made->symbol.value =
        gf_check_value(c, parsed->value, parsed->type, gf_arena_format(c->arena, "`%s`", parsed->name));
    return made->symbol.value != NULL;
}

static bool check_buffer_decl(checker *c, const gf_symbol *parsed, check_symbol *made) {
    bool right = true;
    if (!gf_check_element_type(parsed->type, false)) {
        right =
            gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->span, "a buffer cannot hold %s", gf_type_name(parsed->type));
        gf_fix(c->diags, "use u8, and compare with `!= 0`");
    }
    enter(c, PLACE_SIZE, gf_arena_format(c->arena, "the size of `%s`", parsed->name), made->position);
    if (parsed->size != NULL) {
        made->symbol.size = gf_check_integer(c, parsed->size, c->place_what);
        right = right && made->symbol.size != NULL;
    } else if (parsed->role == GF_ROLE_SCRATCH || parsed->role == GF_ROLE_OUT) {
        right = gf_check_fail(
            c, GF_CODE_SIZE_EXPRESSION, parsed->span, "`%s` needs a size: nothing is bound to %s", parsed->name,
            parsed->role == GF_ROLE_OUT ? "an `out` buffer that would give it one" : "a scratch buffer");
        gf_fix(c->diags, "write its size, for instance `[n]` or `[len(input)]`");
    }
    if (parsed->returns_from == NULL || parsed->returns_to == NULL) { /* both or none */
        return right;
    }
    if (parsed->role != GF_ROLE_OUT) {
        gf_check_fail(c, GF_CODE_RETURNS_RULE, parsed->returns_from->span,
                      "returns is for `out` buffers, and `%s` is none", parsed->name);
        gf_fix(c->diags, "declare it `out`, or leave `returns` out");
        return false;
    }
    c->place_what = gf_arena_format(c->arena, "the range that `%s` returns", parsed->name);
    made->symbol.returns_from = gf_check_integer(c, parsed->returns_from, c->place_what);
    made->symbol.returns_to = gf_check_integer(c, parsed->returns_to, c->place_what);
    return right && made->symbol.returns_from != NULL && made->symbol.returns_to != NULL;
}

static bool check_shared(checker *c, const gf_symbol *parsed, check_symbol *made) {
    if (!gf_check_element_type(parsed->type, false)) {
        gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->span, "a workgroup array cannot hold %s",
                      gf_type_name(parsed->type));
        gf_fix(c->diags, "use u32");
        return false;
    }
    if (c->parsed->kernel.space_kind == GF_SPACE_ONE) {
        gf_check_fail(c, GF_CODE_NO_SPACE, parsed->span,
                      "a kernel without a space has no workgroup, so nothing is `shared`");
        gf_fix(c->diags, "use a scratch buffer, or `reduce`");
        return false;
    }
    const char *what = gf_arena_format(c->arena, "the size of `%s`", parsed->name);
    if (!gf_check_constant_size(c, parsed->size, what, &made->symbol.size, &made->symbol.length)) {
        return false;
    }
    if (made->symbol.length > GF_CHECK_ARRAY_BYTES / gf_type_bytes(parsed->type)) {
        gf_check_fail(c, GF_CODE_TOO_LARGE, parsed->span, "`%s` has more than 1 GiB for each workgroup", parsed->name);
        gf_fix(c->diags, "use a scratch buffer");
        return false;
    }
    return true;
}

static bool check_decl(checker *c, const gf_symbol *parsed, check_symbol *made) {
    switch (parsed->kind) {
    case GF_SYMBOL_CONST:
        return check_const(c, parsed, made);
    case GF_SYMBOL_PARAM:
        return check_param(c, parsed, made);
    case GF_SYMBOL_BUFFER:
        return check_buffer_decl(c, parsed, made);
    case GF_SYMBOL_SHARED:
        return check_shared(c, parsed, made);
    case GF_SYMBOL_FUNCTION:
    case GF_SYMBOL_LET:
    case GF_SYMBOL_VAR:
    case GF_SYMBOL_LOOP:
    case GF_SYMBOL_ARGUMENT:
        break;
    }
    return true;
}

static bool is_array_kind(gf_symbol_kind kind) {
    return kind == GF_SYMBOL_BUFFER || kind == GF_SYMBOL_SHARED;
}

/* What is linear in each of these for a person's program is their product for a machine's. */
static void count_declarations(checker *c, check_symbol *const *made, size_t count) {
    uint32_t arrays = 0, params = 0;
    for (size_t i = 0; i < count && arrays <= GF_CHECK_DECLS && params <= GF_CHECK_DECLS; i++) {
        bool is_array = is_array_kind(made[i]->symbol.kind), is_param = made[i]->symbol.kind == GF_SYMBOL_PARAM;
        made[i]->array_number = arrays;
        arrays += is_array;
        params += is_param;
        if (arrays > GF_CHECK_DECLS || params > GF_CHECK_DECLS) {
            gf_check_fail(c, GF_CODE_TOO_LARGE, made[i]->symbol.span, "the program has more than %d %s", GF_CHECK_DECLS,
                          is_array ? "buffers and workgroup arrays" : "params");
            gf_fix(c->diags, is_array ? "put what has one type into one buffer, each part at its offset"
                                      : "hand them over in a buffer");
            c->too_large = true;
        }
    }
}

void gf_check_declarations(checker *c) {
    size_t count = c->parsed->decl_count;
    check_symbol **made = gf_new_array(c->arena, check_symbol *, count);
    for (size_t i = 0; i < count; i++) {
        const gf_symbol *parsed = c->parsed->decls[i];
        made[i] = gf_check_symbol_new(c, parsed->kind, parsed->name, parsed->type, parsed->span);
        made[i]->position = (uint32_t)i;
        made[i]->parsed = parsed;
        made[i]->symbol.role = parsed->role;
        made[i]->symbol.is_array = is_array_kind(parsed->kind);
        made[i]->symbol.trivia = parsed->trivia;
        made[i]->symbol.uniform = GF_LEVEL_GRID;
        made[i]->symbol.declared = GF_LEVEL_GRID;
        gf_check_bind(c, parsed->name, parsed->span, made[i]);
        if (parsed->kind == GF_SYMBOL_FUNCTION) {
            gf_push(c->arena, &c->functions, made[i]);
        }
    }
    count_declarations(c, made, count);
    gf_check_scan_functions(c);
    for (size_t i = 0; i < count && !c->too_large; i++) {
        if (made[i]->symbol.kind != GF_SYMBOL_FUNCTION && !check_decl(c, c->parsed->decls[i], made[i])) {
            made[i]->poison = true;
        }
    }
    leave(c);
    const gf_symbol **kept = gf_new_array(c->arena, const gf_symbol *, count);
    for (size_t i = 0; i < count; i++) {
        if (i == c->parsed->kernel_position) {
            c->tree->kernel_position = c->tree->decl_count;
        }
        if (made[i]->is_inlined) {
            continue;
        }
        if (made[i]->symbol.kind == GF_SYMBOL_FUNCTION) {
            made[i]->symbol.id = (uint32_t)c->symbols.count;
            gf_push(c->arena, &c->symbols, made[i]);
        }
        kept[c->tree->decl_count++] = &made[i]->symbol;
    }
    if (c->parsed->kernel_position >= count) {
        c->tree->kernel_position = c->tree->decl_count;
    }
    c->tree->decls = kept;
}

static void check_workgroup(checker *c) {
    const gf_kernel_decl *parsed = &c->parsed->kernel;
    gf_kernel_decl *kernel = &c->tree->kernel;
    kernel->workgroup_axes = parsed->workgroup_axes;
    kernel->workgroup[0] = parsed->workgroup_axes == 0 && kernel->space_kind != GF_SPACE_ONE ? 256 : 1;
    kernel->workgroup[1] = kernel->workgroup[2] = 1;
    if (parsed->workgroup_axes > 0 && kernel->space_kind == GF_SPACE_ONE) {
        gf_check_fail(c, GF_CODE_WORKGROUP_SIZE, parsed->workgroup_size[0]->span,
                      "a kernel without a space is one invocation "
                      "and has no workgroup");
        gf_fix(c->diags, "leave `workgroup` out: the device chooses the width of each forall");
        return;
    }
    uint64_t product = 1;
    for (size_t i = 0; i < parsed->workgroup_axes && i < 3; i++) {
        uint64_t size = 0;
        if (!gf_check_constant_size(c, parsed->workgroup_size[i], "the workgroup size", &kernel->workgroup_size[i],
                                    &size)) {
            return;
        }
        product = size > GF_CHECK_GROUP ? GF_CHECK_GROUP + 1 : product * size;
        if (size == 0 || product > GF_CHECK_GROUP) {
            gf_check_fail(c, GF_CODE_WORKGROUP_SIZE, parsed->workgroup_size[i]->span,
                          size == 0 ? "a workgroup has at least one invocation on each axis, at most %d in all"
                                    : "a workgroup has at most %d invocations in all",
                          GF_CHECK_GROUP);
            return;
        }
        kernel->workgroup[i] = (uint32_t)size;
    }
}

static void check_indirect(checker *c) {
    const gf_kernel_decl *parsed = &c->parsed->kernel;
    check_symbol *buffer = gf_check_array(c, &parsed->indirect, "indirect");
    if (buffer == NULL) {
        return;
    }
    const gf_symbol *s = &buffer->symbol;
    bool is_given = s->kind == GF_SYMBOL_BUFFER && (s->role == GF_ROLE_IN || s->role == GF_ROLE_INOUT);
    if (!is_given || s->type != GF_TYPE_U32) {
        gf_check_fail(c, GF_CODE_INDIRECT_RULE, parsed->indirect.span,
                      "the workgroup counts come from a u32 buffer that is `in` "
                      "or `inout`, and `%s` is none",
                      s->name);
        gf_note(c->diags, s->span, "`%s` is declared here", s->name);
        gf_fix(c->diags, "declare it `in u32 %s[3];`", s->name);
        return;
    }
    c->tree->kernel.indirect = gf_check_ref(s, parsed->indirect.span);
    enter(c, PLACE_DEFAULT, "the index of the workgroup counts", UINT32_MAX);
    if (parsed->indirect_index != NULL) {
        c->tree->kernel.indirect_index = gf_check_integer(c, parsed->indirect_index, c->place_what);
    }
    leave(c);
}

void gf_check_kernel_head(checker *c) {
    const gf_kernel_decl *parsed = &c->parsed->kernel;
    gf_kernel_decl *kernel = &c->tree->kernel;
    kernel->span = parsed->span;
    kernel->space_kind = parsed->space_kind;
    kernel->space_axes = parsed->space_axes;
    kernel->watched_listed = parsed->watched_listed;
    kernel->trivia = parsed->trivia;
    enter(c, PLACE_DEFAULT, "the space", UINT32_MAX);
    for (size_t i = 0; i < parsed->space_axes && i < 3; i++) {
        kernel->space[i] = gf_check_integer(c, parsed->space[i], "the space");
    }
    if (parsed->fixpoint != NULL) {
        c->place_what = "the limit of passes";
        kernel->fixpoint = gf_check_integer(c, parsed->fixpoint, c->place_what);
    }
    leave(c);
    check_workgroup(c);
    if (parsed->space_kind == GF_SPACE_INDIRECT) {
        check_indirect(c);
    }
}

static void check_watched(checker *c, size_t i, gf_ref *made) {
    const gf_kernel_decl *parsed = &c->parsed->kernel;
    const gf_ref *ref = &parsed->watched[i];
    check_symbol *symbol = gf_check_lookup(c, ref);
    if (symbol == NULL || symbol->poison) {
        return;
    }
    const gf_symbol *s = &symbol->symbol;
    made[i] = gf_check_ref(s, ref->span);
    if (s->kind != GF_SYMBOL_BUFFER) {
        gf_check_fail(c, GF_CODE_WATCHED, ref->span, "a fixpoint compares buffers, and `%s` is %s", s->name,
                      gf_check_symbol_noun(s));
    } else if (s->role == GF_ROLE_IN) {
        gf_check_fail(c, GF_CODE_WATCHED, ref->span, "`%s` is an `in` buffer and never changes", s->name);
        gf_fix(c->diags, "name a buffer that the kernel writes");
    } else if (!symbol->written && c->errors == 0) {
        gf_check_fail(c, GF_CODE_WATCHED, ref->span, "nothing writes `%s`, so it never changes", s->name);
        gf_fix(c->diags, "name a buffer that the kernel writes");
    }
    for (size_t k = 0; k < i; k++) {
        if (made[k].symbol == s) {
            gf_check_fail(c, GF_CODE_WATCHED, ref->span, "`%s` is named twice", s->name);
            return;
        }
    }
}

void gf_check_kernel_rules(checker *c) {
    const gf_kernel_decl *parsed = &c->parsed->kernel;
    gf_kernel_decl *kernel = &c->tree->kernel;
    gf_check_mark_written(c);
    if (parsed->watched_listed) {
        gf_ref *made = gf_new_array(c->arena, gf_ref, parsed->watched_count);
        for (size_t i = 0; i < parsed->watched_count; i++) {
            check_watched(c, i, made);
        }
        if (parsed->fixpoint == NULL && parsed->watched_count > 0) {
            gf_check_fail(c, GF_CODE_WATCHED, parsed->watched[0].span, "`on` belongs to a fixpoint, and there is none");
            gf_fix(c->diags, "write `fixpoint(limit) on (...)`");
        }
        kernel->watched = made;
        kernel->watched_count = parsed->watched_count;
        return;
    }
    if (parsed->fixpoint == NULL) {
        return;
    }
    gf_ref *made = gf_new_array(c->arena, gf_ref, c->tree->decl_count);
    for (size_t i = 0; i < c->tree->decl_count; i++) {
        const gf_symbol *s = c->tree->decls[i];
        if (s->kind == GF_SYMBOL_BUFFER && s->role != GF_ROLE_IN && as_check(s)->written) {
            made[kernel->watched_count++] = gf_check_ref(s, s->span);
        }
    }
    kernel->watched = made;
}
