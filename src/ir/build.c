/* The builder: life, checks of arguments, and how nodes get into the tree. */
#include "base/memory.h"
#include "base/utf8.h"
#include "ir/builder.h"

#include <stdio.h>
#include <string.h>

bool gf_build_fail(gf_builder *b, gf_code code, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    b->failed = true;
    return gf_fail(b->diags, code, GF_NO_SPAN, "%s", text);
}

bool gf_build_fail_memory(gf_builder *b) {
    b->failed = true;
    return gf_fail_memory(b->diags);
}

static bool is_identifier(const char *name) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name != NULL && *name != 0 && strchr(first, *name) != NULL && name[strspn(name, rest)] == 0;
}

/* A message shows what was given, but not a whole file of it. */
enum { SHOWN = 60 };

bool gf_build_check_name(gf_builder *b, const char *name) {
    if (b == NULL || is_identifier(name)) {
        return b != NULL;
    }
    if (name == NULL) {
        return gf_build_fail(b, GF_CODE_BUILD_NAME, "a name is NULL");
    }
    char shown[SHOWN + 1];
    size_t length = 0;
    for (; length < SHOWN && name[length] != 0; length++) {
        shown[length] = (unsigned char)name[length] < 0x20 || (unsigned char)name[length] >= 0x7f ? '?' : name[length];
    }
    shown[length] = 0;
    return gf_build_fail(b, GF_CODE_BUILD_NAME, "`%s` is not an identifier", shown);
}

bool gf_build_check_text(gf_builder *b, const char *text) {
    if (b == NULL) {
        return false;
    }
    if (text == NULL) {
        return gf_build_fail(b, GF_CODE_BUILD_TEXT, "a text is NULL");
    }
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t code_point = 0;
        size_t bytes = gf_utf8_decode(text + at, length - at, &code_point);
        if (bytes == 0 || (code_point < 0x20 && code_point != '\n' && code_point != '\t') || code_point == 0x7f) {
            return gf_build_fail(b, GF_CODE_BUILD_TEXT, "the byte 0x%02x cannot stand in a text",
                                 (unsigned char)text[at]);
        }
        at += bytes;
    }
    return true;
}

bool gf_build_check_expr(gf_builder *b, const gf_build_expr *expr) {
    if (b == NULL) {
        return false;
    }
    if (expr == NULL) {
        /* Most likely what an earlier failed call gave: that one has said why. */
        return b->failed ? false : gf_build_fail(b, GF_CODE_BUILD_VALUE, "an expression is NULL");
    }
    return gf_build_check_optional(b, expr);
}

bool gf_build_check_optional(gf_builder *b, const gf_build_expr *expr) {
    if (b == NULL) {
        return false;
    }
    if (expr != NULL && expr->owner != b) {
        return gf_build_fail(b, GF_CODE_BUILD_VALUE, "an expression belongs to another builder");
    }
    return true;
}

bool gf_build_check_place(gf_builder *b, bool in_body) {
    if (b == NULL) {
        return false;
    }
    if (in_body == (b->depth != 0)) {
        return true;
    }
    return gf_build_fail(b, GF_CODE_BUILD_PLACE,
                         in_body ? "a statement stands in the body of a kernel or function, and none is open"
                                 : "a declaration cannot stand in a body; close what is open with gf_build_end first");
}

bool gf_build_check_op(gf_builder *b, const char *name, gf_op *op) {
    *op = name == NULL ? GF_OP_NONE : gf_op_from_name(name, strlen(name), 2);
    if (b == NULL || name == NULL ||
        (*op != GF_OP_NONE && gf_op_rule(*op) != GF_RULE_EQUAL && gf_op_rule(*op) != GF_RULE_ORDER &&
         gf_op_form(*op) == GF_FORM_INFIX)) {
        return b != NULL;
    }
    return gf_build_fail(b, GF_CODE_BUILD_KIND, "there is no assignment `%.20s=`", name);
}

bool gf_build_check_combine(gf_builder *b, const char *name, gf_combine *combine) {
    *combine = GF_COMBINE_ADD;
    if (b == NULL || (name != NULL && gf_combine_from_name(name, strlen(name), combine))) {
        return b != NULL;
    }
    gf_build_fail(b, GF_CODE_BUILD_KIND, "`%.20s` is no way to combine", name == NULL ? "NULL" : name);
    gf_fix(b->diags, "use add, min, max, and, or");
    return false;
}

bool gf_build_use(gf_builder *b, const gf_build_expr *expr) {
    b->nodes += expr == NULL ? 0 : expr->nodes;
    if (b->nodes > GF_BUILD_NODES) {
        return gf_build_fail(b, GF_CODE_BUILD_DEPTH, "the program has more than %d operations", GF_BUILD_NODES);
    }
    return true;
}

gf_builder *gf_build_program(const char *name, gf_diags *diags) {
    gf_builder *b = gf_calloc(1, sizeof *b);
    if (b != NULL) {
        b->arena = gf_arena_create();
        b->diags = diags;
    }
    if (b == NULL || b->arena == NULL) {
        gf_build_destroy(b);
        gf_fail_memory(diags);
        return NULL;
    }
    gf_symbol draft = {.name = name};
    /* The name goes the way of a declaration's, and the declaration is dropped again. */
    if (!gf_build_check_name(b, name) || !gf_build_add_decl(b, &draft)) {
        gf_build_destroy(b);
        return NULL;
    }
    b->tree.name = b->decls.items[0]->name;
    b->decls.count = 0;
    return b;
}

void gf_build_destroy(gf_builder *b) {
    if (b != NULL) {
        gf_arena_destroy(b->arena);
        gf_free(b);
    }
}

static const char *copy_string(gf_arena *arena, const char *text) {
    return text == NULL ? NULL : gf_arena_string(arena, text, strlen(text));
}

typedef struct decl_job {
    gf_builder *b;
    const gf_symbol *draft;
} decl_job;

static void add_decl(void *context) {
    decl_job *job = context;
    gf_symbol *symbol = gf_arena_copy(job->b->arena, job->draft, sizeof *symbol);
    symbol->name = copy_string(job->b->arena, symbol->name);
    gf_push(job->b->arena, &job->b->decls, symbol);
}

bool gf_build_add_decl(gf_builder *b, const gf_symbol *draft) {
    decl_job job = {b, draft};
    return gf_arena_protect(b->arena, add_decl, &job) || gf_build_fail_memory(b);
}

typedef struct stmt_job {
    gf_builder *b;
    const gf_stmt *draft;
    gf_stmt *made;
} stmt_job;

static void add_stmt(void *context) {
    stmt_job *job = context;
    gf_arena *arena = job->b->arena;
    gf_stmt *stmt = gf_arena_copy(arena, job->draft, sizeof *stmt);
    stmt->target.name = copy_string(arena, stmt->target.name);
    stmt->second.name = copy_string(arena, stmt->second.name);
    stmt->text = copy_string(arena, stmt->text);
    if (stmt->target.symbol != NULL) { /* the declaration in a VAR */
        gf_symbol *symbol = gf_arena_copy(arena, stmt->target.symbol, sizeof *symbol);
        symbol->name = stmt->target.name;
        stmt->target.symbol = symbol;
    }
    gf_build_frame *frame = &job->b->frames[job->b->depth - 1];
    gf_push(arena, &frame->body, stmt);
    job->made = stmt;
}

bool gf_build_add_stmt(gf_builder *b, const gf_stmt *draft, bool opens) {
    if (opens && b->depth == GF_BUILD_DEPTH) {
        return gf_build_fail(b, GF_CODE_BUILD_DEPTH, "bodies are nested more than %d deep", GF_BUILD_DEPTH);
    }
    stmt_job job = {.b = b, .draft = draft};
    if (!gf_arena_protect(b->arena, add_stmt, &job)) {
        return gf_build_fail_memory(b);
    }
    if (opens) {
        b->frames[b->depth++] = (gf_build_frame){.stmt = job.made};
    }
    return true;
}

bool gf_build_open_broken(gf_builder *b) {
    if (b != NULL && b->depth < GF_BUILD_DEPTH) {
        b->frames[b->depth++] = (gf_build_frame){.broken = true};
    } else if (b != NULL) {
        b->beyond++;
    }
    return false;
}

static void finish_tree(void *context) {
    gf_builder *b = context;
    b->tree.decls =
        b->decls.count == 0 ? NULL : gf_arena_copy(b->arena, b->decls.items, b->decls.count * sizeof *b->decls.items);
    b->tree.decl_count = b->decls.count;
    b->tree.kernel.watched = b->watched.items;
    b->tree.kernel.watched_count = b->watched.count;
    b->tree.kernel.watched_listed = b->watched.count != 0;
}

const gf_tree *gf_build_tree(gf_builder *b, gf_diags *diags) {
    if (b == NULL) {
        return NULL;
    }
    if (!b->failed && (b->depth != 0 || !b->has_kernel)) {
        gf_fail(diags, GF_CODE_BUILD_OPEN, GF_NO_SPAN,
                b->depth != 0 ? "program `%s` is finished while a body is open" : "program `%s` has no kernel",
                b->tree.name);
        return NULL;
    }
    if (b->failed) {
        /* The messages are in the sink of the builder; this call owes one to its own. */
        if (diags != b->diags || gf_diags_error_count(diags) == 0) {
            gf_fail(diags, GF_CODE_BUILD_OPEN, GF_NO_SPAN, "program `%s` was not built without errors", b->tree.name);
        }
        return NULL;
    }
    if (!gf_arena_protect(b->arena, finish_tree, b)) {
        gf_fail_memory(diags);
        return NULL;
    }
    return &b->tree;
}
