/* A draft as a program of its own: its declarations are what it uses, its symbols its own. */
#include "plan/split.h"
#include <string.h>

typedef struct symbol_vec {
    const gf_symbol **items;
    size_t count, capacity;
} symbol_vec;

typedef struct segmenter {
    gf_split *split;
    const gf_draft *draft;
    gf_arena *arena;
    gf_segment *segment;
    gf_tree *tree;
    const gf_symbol **clone_of; /* by plan symbol id; shared by all segments, cleared after each */
    symbol_vec touched;
    symbol_vec params, constants, shared, functions;
    bool *is_param; /* by plan symbol id: seen already */
    gf_rewriter rewriter;
    symbol_vec decls;
} segmenter;

/* ---- what is used ---- */

static bool is_plan_register(const gf_split *split, const gf_symbol *symbol) {
    if (symbol->kind != GF_SYMBOL_VAR && symbol->kind != GF_SYMBOL_LET && symbol->kind != GF_SYMBOL_LOOP)
        return false;
    if (symbol->id < split->tree->symbol_count)
        return split->is_register[symbol->id];
    for (size_t i = 0; i < split->registers.count; i++)
        if (split->registers.items[i] == symbol)
            return true;
    return false;
}

static void note_symbol(segmenter *s, const gf_symbol *symbol);

/* The register of a size of the kernel that a forall speaks of, or NULL. */
static const gf_symbol *size_register(const segmenter *s, const gf_expr *expr) {
    if (!s->segment->is_forall || expr->kind != GF_EXPR_BUILTIN || expr->axis > GF_AXIS_Z)
        return NULL;
    return expr->builtin <= GF_BUILTIN_SPACE ? s->split->sizes[expr->builtin][expr->axis] : NULL;
}

/* A length is of the type of the size that is declared, and that may be a register now where it was an expression. */
static const gf_expr *length_as_declared(const segmenter *s, const gf_expr *expr) {
    const gf_expr *size = expr->ref.symbol->size;
    if (size == NULL || size->type == expr->type || size->type != GF_TYPE_U64)
        return expr;
    gf_expr *length = gf_new(s->arena, gf_expr);
    *length = *expr;
    length->type = size->type;
    return gf_make_cast(s->arena, expr->type, length);
}

static const gf_expr *size_to_register(void *user, const gf_expr *expr) {
    segmenter *s = user;
    if (expr->kind == GF_EXPR_LEN)
        return length_as_declared(s, expr);
    const gf_symbol *size = size_register(s, expr);
    return size == NULL ? expr : gf_make_name(s->arena, s->clone_of[size->id]);
}

static bool note_expr(void *user, const gf_expr *expr) {
    segmenter *s = user;
    if (size_register(s, expr) != NULL)
        note_symbol(s, size_register(s, expr));
    if (expr->ref.symbol != NULL)
        note_symbol(s, expr->ref.symbol);
    return true;
}

static bool note_stmt(void *user, const gf_stmt *stmt) {
    segmenter *s = user;
    if (stmt->target.symbol != NULL)
        note_symbol(s, stmt->target.symbol);
    if (stmt->second.symbol != NULL)
        note_symbol(s, stmt->second.symbol);
    return true;
}

static void note_in(segmenter *s, const gf_expr *expr) {
    gf_visitor visitor = {.user = s, .expr = note_expr};
    gf_visit_expr(&visitor, expr);
}

static void note_symbol(segmenter *s, const gf_symbol *symbol) {
    if (s->is_param[symbol->id])
        return;
    bool is_register = is_plan_register(s->split, symbol);
    bool wanted = is_register || symbol->kind == GF_SYMBOL_PARAM || symbol->kind == GF_SYMBOL_CONST ||
                  (symbol->kind == GF_SYMBOL_SHARED && s->split->level == GF_LEVEL_GRID) ||
                  symbol->kind == GF_SYMBOL_FUNCTION;
    if (!wanted)
        return;
    s->is_param[symbol->id] = true;
    gf_push(s->arena, &s->touched, symbol);
    gf_visitor visitor = {.user = s, .expr = note_expr, .stmt = note_stmt};
    if (symbol->kind == GF_SYMBOL_CONST) {
        gf_visit_expr(&visitor, symbol->value);
        gf_push(s->arena, &s->constants, symbol);
    } else if (symbol->kind == GF_SYMBOL_SHARED) {
        gf_visit_expr(&visitor, symbol->size);
        gf_push(s->arena, &s->shared, symbol);
    } else if (symbol->kind == GF_SYMBOL_FUNCTION) {
        gf_visit_block(&visitor, symbol->body);
        gf_push(s->arena, &s->functions, symbol);
    } else {
        gf_push(s->arena, &s->params, symbol);
    }
}

/* ---- clones ---- */

static gf_symbol *clone(segmenter *s, const gf_symbol *symbol) {
    gf_symbol *copy = gf_arena_copy(s->arena, symbol, sizeof *symbol);
    copy->id = s->tree->symbol_count++;
    copy->trivia = (gf_trivia){0};
    if (s->draft->as_var != NULL && symbol->id < s->split->tree->symbol_count && s->draft->as_var[symbol->id])
        copy->kind = GF_SYMBOL_VAR;
    s->clone_of[symbol->id] = copy;
    gf_push(s->arena, &s->touched, symbol);
    return copy;
}

static const gf_symbol *clone_on_sight(void *user, const gf_symbol *symbol) {
    segmenter *s = user;
    const gf_symbol *known = s->clone_of[symbol->id];
    return known != NULL ? known : clone(s, symbol);
}

static void declare(segmenter *s, const gf_symbol *symbol) {
    gf_push(s->arena, &s->decls, symbol);
}

static int by_id(const gf_split *split, const gf_symbol *a, const gf_symbol *b) {
    bool ra = is_plan_register(split, a), rb = is_plan_register(split, b);
    if (ra != rb)
        return ra ? 1 : -1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Few: insertion keeps them in the order of the program's declarations, registers behind. */
static void sort_by_id(const gf_split *split, symbol_vec *vec) {
    for (size_t i = 1; i < vec->count; i++)
        for (size_t k = i; k > 0 && by_id(split, vec->items[k], vec->items[k - 1]) < 0; k--) {
            const gf_symbol *swap = vec->items[k];
            vec->items[k] = vec->items[k - 1];
            vec->items[k - 1] = swap;
        }
}

static void declare_constants(segmenter *s) {
    sort_by_id(s->split, &s->constants);
    for (size_t i = 0; i < s->constants.count; i++) {
        gf_symbol *copy = clone(s, s->constants.items[i]);
        copy->value = gf_rewrite_expr(&s->rewriter, copy->value);
        declare(s, copy);
    }
}

static void declare_params(segmenter *s) {
    sort_by_id(s->split, &s->params);
    gf_segment_param *params = gf_new_array(s->arena, gf_segment_param, s->params.count);
    for (size_t i = 0; i < s->params.count; i++) {
        gf_symbol *copy = clone(s, s->params.items[i]);
        copy->kind = GF_SYMBOL_PARAM;
        copy->value = NULL; /* the present value comes with each launch */
        copy->uniform = copy->declared = GF_LEVEL_NONE;
        params[i] = (gf_segment_param){.source = s->params.items[i], .symbol = copy};
        if (s->segment->is_forall && s->params.items[i] == s->draft->piece->from)
            s->segment->forall_from = &params[i];
        declare(s, copy);
    }
    s->segment->params = params;
    s->segment->param_count = s->params.count;
}

/* The size to declare: what the segment can say itself, else the register of the length; NULL: as long as bound. */
static const gf_expr *size_of(const segmenter *s, uint32_t b) {
    const gf_split *split = s->split;
    if (b < split->length_count && split->length[b] != NULL && split->buffers.items[b].size != NULL)
        return gf_make_name(s->arena, split->length[b]);
    return split->buffers.items[b].size;
}

static void declare_buffers(segmenter *s) {
    const gf_split *split = s->split;
    size_t used = 0;
    for (uint32_t b = 0; b < split->buffers.count; b++)
        used += s->draft->buffers[b].used;
    gf_segment_buffer *table = gf_new_array(s->arena, gf_segment_buffer, used);
    size_t at = 0;
    for (uint32_t b = 0; b < split->buffers.count; b++) {
        if (!s->draft->buffers[b].used)
            continue;
        const gf_plan_buffer *buffer = &split->buffers.items[b];
        gf_symbol *copy = clone(s, buffer->symbol);
        copy->kind = GF_SYMBOL_BUFFER;
        copy->role = s->draft->roles[b];
        copy->returns_from = copy->returns_to = NULL;
        const gf_expr *size = size_of(s, b);
        copy->size = size == NULL ? NULL : gf_rewrite_expr(&s->rewriter, size);
        declare(s, copy);
        table[at++] = (gf_segment_buffer){
            .buffer = b, .symbol = copy, .role = s->draft->roles[b], .overwrites = s->draft->fresh[b]};
    }
    s->segment->buffers = table;
    s->segment->buffer_count = used;
}

static void declare_shared(segmenter *s) {
    sort_by_id(s->split, &s->shared);
    for (size_t i = 0; i < s->shared.count; i++) {
        gf_symbol *copy = clone(s, s->shared.items[i]);
        copy->size = gf_rewrite_expr(&s->rewriter, copy->size);
        declare(s, copy);
    }
}

static void declare_functions(segmenter *s) {
    sort_by_id(s->split, &s->functions);
    /* A function may call an earlier or a later one: all have their symbols before any body is rewritten. */
    for (size_t i = 0; i < s->functions.count; i++)
        clone(s, s->functions.items[i]);
    for (size_t i = 0; i < s->functions.count; i++) {
        gf_symbol *copy = (gf_symbol *)s->clone_of[s->functions.items[i]->id];
        const gf_symbol **arguments = gf_new_array(s->arena, const gf_symbol *, copy->argument_count);
        for (size_t k = 0; k < copy->argument_count; k++)
            arguments[k] = clone(s, copy->arguments[k]);
        copy->arguments = arguments;
        copy->body = gf_rewrite_block(&s->rewriter, copy->body);
        declare(s, copy);
    }
}

/* ---- the kernel ---- */

static const gf_expr *space_of(segmenter *s, size_t axis) {
    const gf_split *split = s->split;
    if (s->segment->is_forall)
        return gf_make_name(s->arena, s->draft->piece->count);
    if (split->tree->kernel.space_kind == GF_SPACE_INDIRECT)
        return gf_make_name(s->arena, split->plan->group_count[axis]);
    return split->space[axis];
}

static void set_kernel(segmenter *s) {
    const gf_kernel_decl *from = &s->split->tree->kernel;
    gf_kernel_decl *kernel = &s->tree->kernel;
    kernel->span = from->span;
    kernel->space_kind = from->space_kind;
    kernel->space_axes = from->space_axes;
    if (s->segment->is_forall) {
        kernel->space_kind = GF_SPACE_ITEMS;
        kernel->space_axes = 1;
        kernel->workgroup[0] = 256;
        kernel->workgroup[1] = kernel->workgroup[2] = 1;
    } else {
        if (from->space_kind == GF_SPACE_INDIRECT) {
            kernel->space_kind = GF_SPACE_GROUPS;
            kernel->space_axes = 3;
        }
        kernel->workgroup_axes = from->workgroup_axes;
        memcpy(kernel->workgroup, from->workgroup, sizeof kernel->workgroup);
        for (size_t i = 0; i < from->workgroup_axes; i++)
            kernel->workgroup_size[i] = gf_make_literal(s->arena, GF_TYPE_U32, from->workgroup[i]);
    }
    for (size_t i = 0; i < kernel->space_axes; i++)
        kernel->space[i] = gf_rewrite_expr(&s->rewriter, space_of(s, i));
}

static void note_everything(segmenter *s) {
    const gf_split *split = s->split;
    gf_visitor visitor = {.user = s, .expr = note_expr, .stmt = note_stmt};
    gf_visit_block(&visitor, s->draft->body);
    for (size_t i = 0; i < split->tree->kernel.space_axes && !s->segment->is_forall; i++)
        note_in(s, split->space[i]);
    if (s->segment->is_forall)
        note_symbol(s, s->draft->piece->count);
    if (s->segment->is_forall && s->draft->piece->from != NULL)
        note_symbol(s, s->draft->piece->from);
    for (size_t i = 0; i < 3 && split->plan->group_count[i] != NULL && !s->segment->is_forall; i++)
        note_symbol(s, split->plan->group_count[i]);
    for (uint32_t b = 0; b < split->buffers.count; b++)
        if (s->draft->buffers[b].used && size_of(s, b) != NULL)
            note_in(s, size_of(s, b));
}

const gf_segment *gf_split_segment(gf_split *split, const gf_draft *draft) {
    gf_segment *segment = gf_new(split->arena, gf_segment);
    segment->index = (uint32_t)split->segments.count;
    segment->region = draft->region;
    segment->is_forall = draft->piece->kind == GF_PIECE_FORALL;
    segment->forall_count = draft->piece->count;
    gf_tree *tree = gf_new(split->arena, gf_tree);
    segmenter s = {.split = split, .draft = draft, .arena = split->arena, .segment = segment, .tree = tree};
    s.clone_of = split->clone_of;
    s.is_param = split->seen;
    s.rewriter = (gf_rewriter){.arena = split->arena, .user = &s, .symbol = clone_on_sight, .expr = size_to_register};

    note_everything(&s);
    declare_constants(&s);
    declare_params(&s);
    declare_buffers(&s);
    declare_shared(&s);
    declare_functions(&s);
    tree->name = gf_arena_format(split->arena, "%s_%u", split->tree->name, segment->index);
    tree->decls = s.decls.items;
    tree->decl_count = tree->kernel_position = s.decls.count;
    set_kernel(&s);
    tree->kernel.body = gf_rewrite_block(&s.rewriter, draft->body);
    gf_visitor visitor = {.user = &tree->has_group_barrier, .stmt = gf_split_note_meeting};
    gf_visit_block(&visitor, tree->kernel.body);

    segment->tree = tree;
    for (size_t i = 0; i < s.touched.count; i++) {
        split->clone_of[s.touched.items[i]->id] = NULL;
        split->seen[s.touched.items[i]->id] = false;
    }
    gf_push(split->arena, &split->segments, segment);
    return segment;
}
