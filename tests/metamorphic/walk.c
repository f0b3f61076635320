#include "metamorphic/change.h"

bool one_in(change *c, unsigned many) {
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (c->random >> 33) % many == 0;
}

const char *new_name(change *c) {
    return gf_arena_format(c->arena, "made_%u", c->names++);
}

gf_stmt *own_stmt(const gf_stmt *stmt) {
    return (gf_stmt *)(uintptr_t)stmt;
}

gf_stmt *copy_stmt(change *c, const gf_stmt *stmt) {
    return gf_arena_copy(c->arena, stmt, sizeof *stmt);
}

void put(change *c, statements *out, const gf_stmt *stmt) {
    gf_push(c->arena, out, stmt);
}

static void walk(change *c, const gf_block *block, gf_level level, change_block *hook) {
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool is_plain = stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK;
        gf_level inner = is_plain ? level : stmt->kind == GF_STMT_FORALL ? GF_LEVEL_NONE : stmt->level;
        if (stmt->body != NULL) {
            walk(c, stmt->body, inner, hook);
        }
        if (stmt->otherwise != NULL) {
            walk(c, stmt->otherwise, inner, hook);
        }
    }
    statements out = {0};
    hook(c, block, level, &out);
    gf_block *own = (gf_block *)(uintptr_t)block;
    own->items = out.items;
    own->count = out.count;
}

void change_blocks(change *c, change_block *hook) {
    for (size_t i = 0; i < c->tree->decl_count; i++) {
        if (c->tree->decls[i]->body != NULL) {
            walk(c, c->tree->decls[i]->body, GF_LEVEL_NONE, hook);
        }
    }
    walk(c, c->tree->kernel.body, GF_LEVEL_GRID, hook);
}
