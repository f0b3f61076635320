/* Every name becomes another one. */
#include "ir/visit.h"
#include "metamorphic/change.h"

static void rename_symbol(change *c, const gf_symbol *symbol) {
    if (symbol == NULL) {
        return;
    }
    gf_symbol *own = (gf_symbol *)(uintptr_t)symbol;
    own->name = new_name(c);
    c->made++;
}

static void follow(const gf_ref *ref) {
    if (ref->symbol != NULL) {
        ((gf_ref *)(uintptr_t)ref)->name = ref->symbol->name;
    }
}

static bool declare(void *user, const gf_stmt *stmt) {
    bool declares = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_FOR ||
                    stmt->kind == GF_STMT_FORALL;
    rename_symbol(user, declares ? stmt->target.symbol : NULL);
    return true;
}

static bool follow_expr(void *user, const gf_expr *expr) {
    (void)user;
    follow(&expr->ref);
    return true;
}

static bool follow_stmt(void *user, const gf_stmt *stmt) {
    (void)user;
    const gf_visitor sizes = {.expr = follow_expr};
    if (stmt->kind == GF_STMT_VAR) {
        gf_visit_expr(&sizes, stmt->target.symbol->size);
    }
    follow(&stmt->target);
    follow(&stmt->second);
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        follow(&stmt->reduces[i].outer);
        /* In the text both have one name. */
        ((gf_symbol *)(uintptr_t)stmt->reduces[i].inner)->name = stmt->reduces[i].outer.symbol->name;
    }
    return true;
}

void rename_all(change *c) {
    const gf_kernel_decl *kernel = &c->tree->kernel;
    const gf_visitor names = {.user = c, .stmt = declare}, uses = {.user = c, .stmt = follow_stmt, .expr = follow_expr};
    for (size_t i = 0; i < c->tree->decl_count; i++) {
        const gf_symbol *symbol = c->tree->decls[i];
        rename_symbol(c, symbol);
        for (size_t k = 0; k < symbol->argument_count; k++) {
            rename_symbol(c, symbol->arguments[k]);
        }
        gf_visit_block(&names, symbol->body);
    }
    gf_visit_block(&names, kernel->body);
    for (size_t i = 0; i < c->tree->decl_count; i++) {
        const gf_symbol *symbol = c->tree->decls[i];
        const gf_expr *const exprs[] = {symbol->size, symbol->value, symbol->returns_from, symbol->returns_to};
        for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++) {
            gf_visit_expr(&uses, exprs[k]);
        }
        gf_visit_block(&uses, symbol->body);
    }
    for (size_t i = 0; i < 3; i++) {
        gf_visit_expr(&uses, kernel->space[i]);
        gf_visit_expr(&uses, kernel->workgroup_size[i]);
    }
    follow(&kernel->indirect);
    gf_visit_expr(&uses, kernel->indirect_index);
    gf_visit_expr(&uses, kernel->fixpoint);
    for (size_t i = 0; i < kernel->watched_count; i++) {
        follow(&kernel->watched[i]);
    }
    gf_visit_block(&uses, kernel->body);
}
