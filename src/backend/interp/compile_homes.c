/* What the compiler must know of a statement before it comes to it. */
#include "backend/interp/compile.h"

/* ---- whose variable it is ---- */

/* The checker's word, as far as the places of the assignments bear it out. */
static void find_homes(gf_compiler *c, const gf_block *block, gf_level context) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        gf_level inside = context;
        switch (stmt->kind) {
        case GF_STMT_LET:
        case GF_STMT_VAR: {
            const gf_symbol *symbol = stmt->target.symbol;
            c->home[symbol->id] =
                (unsigned char)(symbol->is_array
                                    ? GF_LEVEL_NONE
                                    : gf_lower_level(context, gf_lower_level(symbol->uniform, symbol->declared)));
            break;
        }
        case GF_STMT_ASSIGN:
            c->home[stmt->target.symbol->id] =
                (unsigned char)gf_lower_level((gf_level)c->home[stmt->target.symbol->id], context);
            break;
        case GF_STMT_IF:
        case GF_STMT_FOR:
        case GF_STMT_WHILE:
        case GF_STMT_LOOP:
            inside = gf_lower_level(context, stmt->level);
            break;
        case GF_STMT_FORALL:
            inside = GF_LEVEL_NONE;
            break;
        case GF_STMT_STORE:
        case GF_STMT_EXPR:
        case GF_STMT_SWAP:
        case GF_STMT_CONVERGED:
        case GF_STMT_BREAK:
        case GF_STMT_CONTINUE:
        case GF_STMT_RETURN:
        case GF_STMT_BARRIER:
        case GF_STMT_GRID_BARRIER:
        case GF_STMT_REGION:
        case GF_STMT_BLOCK:
        case GF_STMT_ASSERT:
        case GF_STMT_TRAP:
        case GF_STMT_COLLECTIVE:
        case GF_STMT_COPY_ASYNC:
        case GF_STMT_WAIT:
            break;
        }
        find_homes(c, stmt->body, inside);
        find_homes(c, stmt->otherwise, inside);
    }
}

void gf_find_homes(gf_compiler *c) {
    find_homes(c, c->tree->kernel.body, GF_LEVEL_GRID);
}

/* The highest stop that the statement holds. */
gf_level gf_stops_of(const gf_stmt *stmt) {
    gf_level most = GF_LEVEL_NONE;
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        return stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS ? stmt->value->level : GF_LEVEL_NONE;
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        return stmt->level;
    case GF_STMT_SWAP:
    case GF_STMT_FORALL:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        return GF_LEVEL_GRID;
    case GF_STMT_BARRIER:
        return GF_LEVEL_GROUP;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        for (size_t i = 0; stmt->body != NULL && i < stmt->body->count; i++) {
            gf_level level = gf_stops_of(stmt->body->items[i]);
            most = level > most ? level : most;
        }
        return most;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
    return most;
}
