/* Declarations, functions and the kernel. */
#include "ir/builder.h"

#include <string.h>

static bool check_type(gf_builder *b, gf_type type, bool none_allowed) {
    if (b == NULL || (none_allowed && type == GF_TYPE_NONE) ||
        (type > GF_TYPE_NONE && (unsigned)type < GF_TYPE_COUNT)) {
        return b != NULL;
    }
    return gf_build_fail(b, GF_CODE_BUILD_KIND, "%d is no type", (int)type);
}

static bool declare(gf_builder *b, gf_symbol draft, const gf_build_expr *size, const gf_build_expr *value) {
    if (!gf_build_check_place(b, false) || !check_type(b, draft.type, false) || !gf_build_check_name(b, draft.name) ||
        !gf_build_check_optional(b, size) || !gf_build_check_optional(b, value) || !gf_build_use(b, size) ||
        !gf_build_use(b, value)) {
        return false;
    }
    draft.size = gf_build_inner(size);
    draft.value = gf_build_inner(value);
    return gf_build_add_decl(b, &draft);
}

bool gf_build_const(gf_builder *b, gf_type type, const char *name, const gf_build_expr *value) {
    return gf_build_check_expr(b, value) &&
           declare(b, (gf_symbol){.kind = GF_SYMBOL_CONST, .name = name, .type = type}, NULL, value);
}

bool gf_build_param(gf_builder *b, gf_type type, const char *name, const gf_build_expr *value) {
    return declare(b, (gf_symbol){.kind = GF_SYMBOL_PARAM, .name = name, .type = type}, NULL, value);
}

bool gf_build_buffer(gf_builder *b, gf_buffer_role role, gf_type type, const char *name, const gf_build_expr *size) {
    static const gf_role roles[] = {
        [GF_BUFFER_IN] = GF_ROLE_IN,
        [GF_BUFFER_INOUT] = GF_ROLE_INOUT,
        [GF_BUFFER_OUT] = GF_ROLE_OUT,
        [GF_BUFFER_SCRATCH] = GF_ROLE_SCRATCH,
    };
    if (b == NULL) {
        return false;
    }
    if ((unsigned)role >= sizeof roles / sizeof *roles) {
        return gf_build_fail(b, GF_CODE_BUILD_KIND, "%d is no role of a buffer", (int)role);
    }
    gf_symbol draft = {.kind = GF_SYMBOL_BUFFER, .name = name, .type = type, .role = roles[role], .is_array = true};
    return declare(b, draft, size, NULL);
}

bool gf_build_returns(gf_builder *b, const char *buffer, const gf_build_expr *from, const gf_build_expr *to) {
    if (!gf_build_check_place(b, false) || !gf_build_check_name(b, buffer) || !gf_build_check_expr(b, from) ||
        !gf_build_check_expr(b, to) || !gf_build_use(b, from) || !gf_build_use(b, to)) {
        return false;
    }
    for (size_t i = 0; i < b->decls.count; i++) {
        gf_symbol *symbol = b->decls.items[i];
        if (symbol->kind == GF_SYMBOL_BUFFER && strcmp(symbol->name, buffer) == 0) {
            symbol->returns_from = from->expr;
            symbol->returns_to = to->expr;
            return true;
        }
    }
    return gf_build_fail(b, GF_CODE_BUILD_PLACE, "no buffer `%.60s` is declared yet", buffer);
}

bool gf_build_shared(gf_builder *b, gf_type type, const char *name, const gf_build_expr *size) {
    return gf_build_check_expr(b, size) &&
           declare(b, (gf_symbol){.kind = GF_SYMBOL_SHARED, .name = name, .type = type, .is_array = true}, size, NULL);
}

bool gf_build_function(gf_builder *b, gf_type type, const char *name) {
    gf_symbol draft = {.kind = GF_SYMBOL_FUNCTION, .name = name, .type = type};
    if (!gf_build_check_place(b, false) || !check_type(b, type, true) || !gf_build_check_name(b, name) ||
        !gf_build_add_decl(b, &draft)) {
        return gf_build_open_broken(b);
    }
    b->frames[b->depth++] = (gf_build_frame){.function = b->decls.items[b->decls.count - 1]};
    return true;
}

typedef struct list_job {
    gf_builder *b;
    gf_symbol argument;
    gf_ref ref;
    gf_combine combine;
} list_job;

static void add_argument(void *context) {
    list_job *job = context;
    gf_arena *arena = job->b->arena;
    gf_symbol *symbol = gf_arena_copy(arena, &job->argument, sizeof *symbol);
    symbol->name = gf_arena_string(arena, symbol->name, strlen(symbol->name));
    gf_push(arena, &job->b->frames[job->b->depth - 1].arguments, symbol);
}

bool gf_build_argument(gf_builder *b, gf_type type, const char *name) {
    if (!gf_build_check_place(b, true) || !check_type(b, type, false) || !gf_build_check_name(b, name)) {
        return false;
    }
    const gf_build_frame *frame = &b->frames[b->depth - 1];
    if (frame->broken) {
        return false;
    }
    if (frame->function == NULL || frame->body.count != 0) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "argument `%.60s` does not stand at the begin of a function",
                             name);
    }
    list_job job = {.b = b, .argument = {.kind = GF_SYMBOL_ARGUMENT, .name = name, .type = type}};
    return gf_arena_protect(b->arena, add_argument, &job) || gf_build_fail_memory(b);
}

bool gf_build_kernel(gf_builder *b) {
    if (!gf_build_check_place(b, false)) {
        return gf_build_open_broken(b);
    }
    if (b->has_kernel) {
        gf_build_fail(b, GF_CODE_BUILD_PLACE, "program `%s` has a kernel already", b->tree.name);
        return gf_build_open_broken(b);
    }
    b->has_kernel = true;
    b->tree.kernel_position = b->decls.count;
    b->frames[b->depth++] = (gf_build_frame){0};
    return true;
}

/* Whether the kernel is open and holds no statement yet. */
static bool check_kernel_head(gf_builder *b) {
    if (b == NULL) {
        return false;
    }
    const gf_build_frame *frame = &b->frames[0];
    if (b->depth == 1 && frame->broken) {
        return false;
    }
    if (b->depth == 1 && frame->function == NULL && frame->stmt == NULL && frame->body.count == 0) {
        return true;
    }
    return gf_build_fail(b, GF_CODE_BUILD_PLACE, "what belongs to the kernel's head comes before its first statement");
}

/* Axes from the first on; one that is left out ends the list. */
static bool take_axes(gf_builder *b, const gf_build_expr *const given[3], const gf_expr **axes, size_t *count) {
    if (!check_kernel_head(b) || !gf_build_check_expr(b, given[0])) {
        return false;
    }
    *count = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!gf_build_check_optional(b, given[i]) || !gf_build_use(b, given[i])) {
            return false;
        }
        if (given[i] != NULL && *count < i) {
            return gf_build_fail(b, GF_CODE_BUILD_VALUE, "the third axis is given without the second");
        }
        axes[i] = gf_build_inner(given[i]);
        *count += given[i] != NULL;
    }
    return true;
}

static bool take_space(gf_builder *b, gf_space_kind kind, const gf_build_expr *x, const gf_build_expr *y,
                       const gf_build_expr *z) {
    if (b != NULL && b->tree.kernel.space_kind != GF_SPACE_ONE) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "the kernel has a space already");
    }
    if (b == NULL ||
        !take_axes(b, (const gf_build_expr *const[3]){x, y, z}, b->tree.kernel.space, &b->tree.kernel.space_axes)) {
        return false;
    }
    b->tree.kernel.space_kind = kind;
    return true;
}

bool gf_build_space(gf_builder *b, const gf_build_expr *x, const gf_build_expr *y, const gf_build_expr *z) {
    return take_space(b, GF_SPACE_ITEMS, x, y, z);
}

bool gf_build_groups(gf_builder *b, const gf_build_expr *x, const gf_build_expr *y, const gf_build_expr *z) {
    return take_space(b, GF_SPACE_GROUPS, x, y, z);
}

static void copy_ref(void *context) {
    list_job *job = context;
    job->ref.name = gf_arena_string(job->b->arena, job->ref.name, strlen(job->ref.name));
}

bool gf_build_indirect(gf_builder *b, const char *buffer, const gf_build_expr *index) {
    if (!check_kernel_head(b) || !gf_build_check_name(b, buffer) || !gf_build_check_expr(b, index) ||
        !gf_build_use(b, index)) {
        return false;
    }
    if (b->tree.kernel.space_kind != GF_SPACE_ONE) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "the kernel has a space already");
    }
    list_job job = {.b = b, .ref = {.name = buffer}};
    if (!gf_arena_protect(b->arena, copy_ref, &job)) {
        return gf_build_fail_memory(b);
    }
    b->tree.kernel.space_kind = GF_SPACE_INDIRECT;
    b->tree.kernel.indirect = job.ref;
    b->tree.kernel.indirect_index = index->expr;
    return true;
}

bool gf_build_workgroup(gf_builder *b, const gf_build_expr *x, const gf_build_expr *y, const gf_build_expr *z) {
    return b != NULL && take_axes(b, (const gf_build_expr *const[3]){x, y, z}, b->tree.kernel.workgroup_size,
                                  &b->tree.kernel.workgroup_axes);
}

bool gf_build_fixpoint(gf_builder *b, const gf_build_expr *max_passes) {
    if (!check_kernel_head(b) || !gf_build_check_expr(b, max_passes) || !gf_build_use(b, max_passes)) {
        return false;
    }
    b->tree.kernel.fixpoint = max_passes->expr;
    return true;
}

static void add_watched(void *context) {
    list_job *job = context;
    copy_ref(job);
    gf_push(job->b->arena, &job->b->watched, job->ref);
}

bool gf_build_watch(gf_builder *b, const char *buffer) {
    if (!check_kernel_head(b) || !gf_build_check_name(b, buffer)) {
        return false;
    }
    list_job job = {.b = b, .ref = {.name = buffer}};
    return gf_arena_protect(b->arena, add_watched, &job) || gf_build_fail_memory(b);
}

static void add_reduce(void *context) {
    list_job *job = context;
    copy_ref(job);
    gf_reduce reduce = {.combine = job->combine, .outer = job->ref};
    gf_push(job->b->arena, &job->b->frames[job->b->depth - 1].reduces, reduce);
}

bool gf_build_reduce(gf_builder *b, const char *op, const char *variable) {
    list_job job = {.b = b, .ref = {.name = variable}};
    if (!gf_build_check_place(b, true) || !gf_build_check_combine(b, op, &job.combine) ||
        !gf_build_check_name(b, variable)) {
        return false;
    }
    const gf_build_frame *frame = &b->frames[b->depth - 1];
    if (frame->broken) {
        return false;
    }
    if (frame->stmt == NULL || frame->stmt->kind != GF_STMT_FORALL || frame->body.count != 0) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "a reduction stands at the begin of a forall");
    }
    return gf_arena_protect(b->arena, add_reduce, &job) || gf_build_fail_memory(b);
}

/* ---- the end of a body ---- */

typedef struct close_job {
    gf_builder *b;
    gf_block *block;
} close_job;

static void make_block(void *context) {
    close_job *job = context;
    const gf_build_frame *frame = &job->b->frames[job->b->depth - 1];
    job->block = gf_new(job->b->arena, gf_block);
    job->block->items = frame->body.items;
    job->block->count = frame->body.count;
}

/* The statements so far as the body, or the other body, of what is open. */
static bool close_body(gf_builder *b) {
    close_job job = {.b = b};
    if (b->frames[b->depth - 1].broken) {
        return true;
    }
    if (!gf_arena_protect(b->arena, make_block, &job)) {
        return gf_build_fail_memory(b);
    }
    gf_build_frame *frame = &b->frames[b->depth - 1];
    if (frame->stmt != NULL) {
        *(frame->in_else ? &frame->stmt->otherwise : &frame->stmt->body) = job.block;
        frame->stmt->reduces = frame->reduces.items;
        frame->stmt->reduce_count = frame->reduces.count;
    } else if (frame->function != NULL) {
        frame->function->body = job.block;
        frame->function->arguments = frame->arguments.items;
        frame->function->argument_count = frame->arguments.count;
    } else {
        b->tree.kernel.body = job.block;
    }
    return true;
}

bool gf_build_else(gf_builder *b) {
    if (!gf_build_check_place(b, true)) {
        return false;
    }
    gf_build_frame *frame = &b->frames[b->depth - 1];
    if (frame->broken) {
        return false;
    }
    if (frame->stmt == NULL || frame->stmt->kind != GF_STMT_IF || frame->in_else) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "there is no open `if` for this else");
    }
    if (!close_body(b)) {
        return false;
    }
    *frame = (gf_build_frame){.stmt = frame->stmt, .in_else = true};
    return true;
}

bool gf_build_end(gf_builder *b) {
    if (b == NULL) {
        return false;
    }
    if (b->beyond != 0) {
        b->beyond--;
        return false;
    }
    if (b->depth == 0) {
        return gf_build_fail(b, GF_CODE_BUILD_PLACE, "there is nothing open to end");
    }
    bool done = close_body(b);
    b->depth--;
    return done;
}
