/* Operations over the group or grid, where they may stand. */
#include "check/checker.h"

static bool cross_takes(gf_cross cross, gf_type type) {
    switch (cross) {
    case GF_CROSS_ANY:
    case GF_CROSS_ALL:
        return type == GF_TYPE_BOOL;
    case GF_CROSS_MIN:
    case GF_CROSS_MAX:
    case GF_CROSS_ADD:
        return type != GF_TYPE_BOOL;
    case GF_CROSS_SCAN_ADD:
        return gf_type_is_integer(type);
    case GF_CROSS_LOAD:
    case GF_CROSS_COUNT:
        break;
    }
    return true;
}

gf_expr *gf_check_cross(checker *c, const gf_expr *parsed) {
    const char *name = gf_arena_format(c->arena, "%s_%s", parsed->level == GF_LEVEL_GRID ? "grid" : "group",
                                       gf_cross_name(parsed->cross));
    if (c->tree->kernel.space_kind == GF_SPACE_ONE && c->function == NULL && c->forall == NULL) {
        gf_check_fail(c, GF_CODE_NO_SPACE, parsed->span,
                      "a kernel without a space is one invocation, so %s has nobody to combine", name);
        gf_fix(c->diags, parsed->cross == GF_CROSS_LOAD
                             ? "load it in the condition where it is needed, or bring it out "
                               "of a forall by `reduce`"
                             : "use `forall ... reduce(...)`");
        return NULL;
    }
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->span, "%s is a barrier, and a forall holds none", name);
        gf_fix(c->diags, parsed->cross == GF_CROSS_LOAD ? "put a let before the forall"
                                                        : "combine with `forall ... reduce(...)`");
        return NULL;
    }
    gf_expr *value = NULL;
    if (parsed->cross == GF_CROSS_LOAD) {
        const gf_expr *element = parsed->args[0];
        if (element->kind != GF_EXPR_LOAD) {
            gf_check_fail(c, GF_CODE_NAME_KIND, element->span,
                          "grid_load takes an element of a buffer, as in grid_load(%s)", "b[i]");
            return NULL;
        }
        value = gf_check_expr(c, element);
        if (value != NULL && value->ref.symbol->kind != GF_SYMBOL_BUFFER) {
            gf_check_fail(c, GF_CODE_NAME_KIND, element->span, "grid_load takes an element of a buffer, and `%s` is %s",
                          value->ref.name, gf_check_symbol_noun(value->ref.symbol));
            return NULL;
        }
    } else {
        bool wants_bool = parsed->cross == GF_CROSS_ANY || parsed->cross == GF_CROSS_ALL;
        value = gf_check_value(c, parsed->args[0], wants_bool ? GF_TYPE_BOOL : GF_TYPE_NONE, name);
    }
    if (value == NULL) {
        return NULL;
    }
    if (!cross_takes(parsed->cross, value->type)) {
        gf_check_fail(c, GF_CODE_OPERAND_TYPE, value->span, "%s takes %s, and this is %s", name,
                      parsed->cross == GF_CROSS_SCAN_ADD ? "integers" : "numbers", gf_type_name(value->type));
        if (value->type == GF_TYPE_BOOL) {
            gf_fix(c->diags, "write u32(%s), which is 0 or 1", gf_check_text(c, value->span));
        }
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, 1);
    args[0] = value;
    gf_expr *made = gf_check_make(c, GF_EXPR_CROSS, value->type, parsed->span);
    made->cross = parsed->cross;
    made->level = parsed->level;
    made->args = (const gf_expr *const *)args;
    made->arg_count = 1;
    return made;
}
