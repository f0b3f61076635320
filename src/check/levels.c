/* Who takes what together: sets the level of every statement, and refuses what cannot be. */
#include "check/checker.h"
#include "ir/visit.h"

typedef struct place {
    gf_level level;       /* all around is taken together at this level */
    const gf_stmt *plain; /* the innermost construct around that is not */
} place;

static void walk(checker *c, const gf_block *block, place at);

static gf_stmt *own(const gf_stmt *stmt) {
    return &as_check_stmt(stmt)->stmt;
}

static const char *describe(const gf_stmt *stmt) {
    switch (stmt->kind) {
    case GF_STMT_BARRIER:
        return "this barrier";
    case GF_STMT_GRID_BARRIER:
        return "this grid barrier";
    case GF_STMT_FORALL:
        return "this forall";
    case GF_STMT_COLLECTIVE:
        return "this collective";
    case GF_STMT_SWAP:
        return "this swap, which is a grid barrier";
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        return stmt->value->level == GF_LEVEL_GRID ? "this grid operation" : "this group operation";
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        return stmt->forced == GF_LEVEL_GRID ? "this grid-level control flow" : "this workgroup-level control flow";
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
    return "this";
}

/* Why the construct is one that must be taken together. */
static void note_reason(checker *c, const gf_stmt *stmt, gf_level level) {
    const check_stmt *s = as_check_stmt(stmt);
    const char *who = level == GF_LEVEL_GRID ? "the whole grid" : "the whole workgroup";
    if (stmt->forced == level) {
        return; /* it says so itself */
    }
    if (s->holds[level]) {
        const gf_stmt *holder = s->holder[level];
        gf_span span = holder->value != NULL && holder->value->kind == GF_EXPR_CROSS ? holder->value->span
                       : holder->head.source != NULL                                 ? holder->head
                                                                                     : holder->span;
        gf_note(c->diags, span, "%s must come to %s, so it takes the control flow around it together", who,
                describe(holder));
        gf_check_note_site(c, as_check_stmt(holder)->site);
    } else if (s->leaves[level] != NULL) {
        gf_note(c->diags, s->leaves[level]->span,
                "%s takes the loop together, so it leaves or repeats it together here", who);
    }
}

/* What could be moved out of an `if` to make it an ordinary one; NULL where that is more than one statement. */
static const char *movable(const gf_stmt *holder, gf_level level) {
    if (holder->kind == GF_STMT_IF || holder->kind == GF_STMT_FOR || holder->kind == GF_STMT_WHILE ||
        holder->kind == GF_STMT_LOOP) {
        return NULL;
    }
    return holder->kind == GF_STMT_FORALL ? "the forall" : level == GF_LEVEL_GRID ? "the grid barrier" : "the barrier";
}

static void refuse_head(checker *c, const gf_stmt *stmt, const gf_expr *head, const char *part, gf_level level) {
    bool is_if = stmt->kind == GF_STMT_IF;
    gf_code code = level == GF_LEVEL_GROUP ? GF_CODE_GROUP_NOT_UNIFORM
                   : is_if                 ? GF_CODE_IF_NOT_UNIFORM
                                           : GF_CODE_LOOP_NOT_UNIFORM;
    gf_check_fail(c, code, head->span, "%s of a %s-level %s is not %s-uniform", part,
                  level == GF_LEVEL_GRID ? "grid" : "workgroup", is_if ? "if" : "loop",
                  level == GF_LEVEL_GRID ? "grid" : "workgroup");
    gf_check_note_site(c, as_check_stmt(stmt)->site);
    note_reason(c, stmt, level);
    const check_stmt *s = as_check_stmt(stmt);
    gf_check_explain(c, head, true, level, is_if && s->holds[level] ? movable(s->holder[level], level) : NULL);
}

static bool need_uniform(checker *c, const gf_stmt *stmt, const gf_expr *head, const char *part, gf_level level) {
    if (head == NULL || gf_check_uniformity(c, head, true, level, NULL) >= level) {
        return true;
    }
    refuse_head(c, stmt, head, part, level);
    return false;
}

/* One value for the whole grid, outside of a head. */
static bool need_grid_value(checker *c, const gf_expr *expr, const char *what) {
    if (expr == NULL || gf_check_uniformity(c, expr, false, GF_LEVEL_GRID, NULL) == GF_LEVEL_GRID) {
        return true;
    }
    gf_check_fail(c, GF_CODE_BOUNDS_NOT_UNIFORM, expr->span, "%s is not one value for the whole grid", what);
    gf_check_explain(c, expr, false, GF_LEVEL_GRID, NULL);
    return false;
}

static void refuse_place(checker *c, const gf_stmt *stmt, const char *what, place at) {
    gf_check_fail(c, GF_CODE_NOT_GRID_LEVEL, stmt->span, "%s stands at grid level only", what);
    if (at.plain != NULL) {
        gf_note(c->diags, at.plain->head.source != NULL ? at.plain->head : at.plain->span,
                "each invocation takes this control flow by itself");
        gf_fix(c->diags, "if the whole grid takes it together, write `grid %s`",
               at.plain->kind == GF_STMT_IF      ? "if"
               : at.plain->kind == GF_STMT_FOR   ? "for"
               : at.plain->kind == GF_STMT_WHILE ? "while"
                                                 : "loop");
    }
    gf_check_note_site(c, as_check_stmt(stmt)->site);
}

/* A barrier, or an operation that is one, where the control flow around is not taken together. All that holds a barrier
 * is bound to be, so this is left for what stands in no kernel body of its own. */
static void need_place(checker *c, const gf_stmt *stmt, gf_level level, place at) {
    if (at.level >= level) {
        return;
    }
    gf_span span = stmt->value != NULL ? stmt->value->span : stmt->span;
    gf_check_fail(c, GF_CODE_BARRIER_PLACE, span, "%s cannot stand here: not all who must meet come by",
                  describe(stmt));
    if (at.plain != NULL) {
        gf_note(c->diags, at.plain->head, "each invocation takes this control flow by itself");
    }
}

static void walk_value(checker *c, const gf_stmt *stmt, place at) {
    gf_symbol *symbol = &as_check(stmt->target.symbol)->symbol;
    if (stmt->kind != GF_STMT_ASSIGN) {
        symbol->declared = at.level;
    }
    gf_level level = symbol->is_array ? GF_LEVEL_NONE : symbol->uniform;
    if (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
        need_place(c, stmt, stmt->value->level, at);
        if (stmt->value->cross == GF_CROSS_LOAD) {
            need_grid_value(c, stmt->value->args[0]->args[0], "the index of grid_load");
        }
        level = stmt->value->level > level ? stmt->value->level : level;
    }
    own(stmt)->level = level;
}

/* ---- forall ---- */

typedef struct forall_names {
    checker *c;
    const gf_stmt *forall;
    unsigned number;
} forall_names;

static void refuse_outer(const forall_names *at, const gf_expr *expr) {
    checker *c = at->c;
    const check_symbol *symbol = as_check(expr->ref.symbol);
    gf_check_fail(c, GF_CODE_FORALL_SEES, expr->span,
                  "a forall cannot see `%s`, which is not one value for the whole grid", symbol->user_name);
    gf_check_explain(c, expr, false, GF_LEVEL_GRID, NULL);
    gf_fix(c->diags, "hand it over in a buffer, or compute it inside the forall");
}

static bool look_at_name(void *user, const gf_expr *expr) {
    const forall_names *at = user;
    if (expr->kind == GF_EXPR_NAME) {
        const gf_symbol *s = expr->ref.symbol;
        bool is_local = s->kind == GF_SYMBOL_LET || s->kind == GF_SYMBOL_VAR || s->kind == GF_SYMBOL_LOOP;
        if (is_local && as_check(s)->forall != at->number && s->uniform != GF_LEVEL_GRID) {
            refuse_outer(at, expr);
        }
    }
    return true;
}

static void walk_forall(checker *c, const gf_stmt *stmt, place at) {
    if (at.level != GF_LEVEL_GRID) {
        refuse_place(c, stmt, "forall", at);
        return;
    }
    own(stmt)->level = GF_LEVEL_GRID;
    if (need_grid_value(c, stmt->from, "a bound of a forall")) {
        need_grid_value(c, stmt->to, "a bound of a forall");
    }
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        const gf_ref *outer = &stmt->reduces[i].outer;
        if (outer->symbol->uniform != GF_LEVEL_GRID) {
            gf_check_fail(c, GF_CODE_REDUCE_VARIABLE, outer->span,
                          "reduce combines into a grid-level variable, and `%s` is none", user_name(outer->symbol));
            gf_expr *name = gf_check_name_of(c, outer->symbol, outer->span);
            gf_check_explain(c, name, false, GF_LEVEL_GRID, NULL);
            gf_fix(c->diags, "declare a var at grid level that is assigned nothing else");
        }
    }
    forall_names names = {.c = c, .forall = stmt, .number = as_check(stmt->target.symbol)->forall};
    gf_visitor visitor = {.user = &names, .expr = look_at_name};
    gf_visit_block(&visitor, stmt->body);
    walk(c, stmt->body, (place){.level = GF_LEVEL_NONE, .plain = stmt});
}

/* ---- constructs ---- */

static void check_heads(checker *c, const gf_stmt *stmt, gf_level level) {
    (void)(need_uniform(c, stmt, stmt->value, "condition", level) &&
           need_uniform(c, stmt, stmt->from, "lower bound", level) &&
           need_uniform(c, stmt, stmt->to, "upper bound", level) && need_uniform(c, stmt, stmt->step, "step", level));
}

static void walk_construct(checker *c, const gf_stmt *stmt, place at) {
    place inside = at;
    if (stmt->level == GF_LEVEL_NONE) {
        inside = (place){.level = GF_LEVEL_NONE, .plain = stmt};
    } else {
        inside.level = stmt->level < at.level ? stmt->level : at.level;
        /* A workgroup-level construct is none of the grid: name it where something wants the grid. */
        inside.plain = stmt->level == GF_LEVEL_GROUP ? stmt : at.plain;
        check_heads(c, stmt, stmt->level);
    }
    if (stmt->forced > stmt->level) {
        gf_check_fail(c, GF_CODE_FORCED_PLACE, stmt->head,
                      stmt->forced == GF_LEVEL_GRID ? "grid-level control flow stands at grid level only"
                                                    : "workgroup-level control flow stands only where a barrier may");
        if (at.plain != NULL) {
            gf_note(c->diags, at.plain->head, "each invocation takes this control flow by itself");
        }
    }
    if (stmt->kind == GF_STMT_FOR) {
        as_check(stmt->target.symbol)->symbol.declared = inside.level;
    }
    walk(c, stmt->body, inside);
    walk(c, stmt->otherwise, inside);
}

static void walk_stmt(checker *c, const gf_stmt *stmt, place at) {
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        walk_value(c, stmt, at);
        break;
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        walk_construct(c, stmt, at);
        break;
    case GF_STMT_FORALL:
        walk_forall(c, stmt, at);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        walk(c, stmt->body, at);
        break;
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE: {
        const gf_stmt *target = as_check_stmt(stmt)->target;
        own(stmt)->level = target == NULL || target->kind == GF_STMT_FORALL ? GF_LEVEL_NONE : target->level;
        break;
    }
    case GF_STMT_RETURN:
        own(stmt)->level = at.level;
        break;
    case GF_STMT_BARRIER:
        own(stmt)->level = GF_LEVEL_GROUP;
        need_place(c, stmt, GF_LEVEL_GROUP, at);
        break;
    case GF_STMT_GRID_BARRIER:
        own(stmt)->level = GF_LEVEL_GRID;
        need_place(c, stmt, GF_LEVEL_GRID, at);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_COLLECTIVE:
        own(stmt)->level = GF_LEVEL_GRID;
        if (at.level != GF_LEVEL_GRID) {
            refuse_place(c, stmt,
                         stmt->kind == GF_STMT_SWAP        ? "swap"
                         : stmt->kind == GF_STMT_CONVERGED ? "converged"
                                                           : "a collective",
                         at);
        } else if (stmt->kind == GF_STMT_CONVERGED) {
            need_grid_value(c, stmt->value, "what converged is told");
        } else if (stmt->kind == GF_STMT_COLLECTIVE) {
            need_grid_value(c, stmt->value, "the root of broadcast");
        }
        break;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
}

static void walk(checker *c, const gf_block *block, place at) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        walk_stmt(c, block->items[i], at);
    }
}

/* Barriers of a level, edges of constructs among them. */
static bool holds_construct(const gf_block *block, gf_level level) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool is_construct = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE ||
                            stmt->kind == GF_STMT_LOOP;
        if ((is_construct && stmt->level == level) || holds_construct(stmt->body, level) ||
            holds_construct(stmt->otherwise, level)) {
            return true;
        }
    }
    return false;
}

void gf_check_levels(checker *c) {
    gf_check_uniform(c);
    walk(c, c->tree->kernel.body, (place){.level = GF_LEVEL_GRID});
    const gf_block *body = c->tree->kernel.body;
    c->tree->has_grid_barrier = gf_check_has_barrier(body, GF_LEVEL_GRID) || holds_construct(body, GF_LEVEL_GRID);
    c->tree->has_group_barrier = gf_check_has_barrier(body, GF_LEVEL_GROUP) || holds_construct(body, GF_LEVEL_GROUP);
}
