/* From a checked program to its plan. */
#include "plan/plan.h"
#include "base/memory.h"
#include "ir/eval.h"
#include "plan/split.h"

/* ---- what is fixed before the body is looked at ---- */

static uint32_t buffer_of(const gf_split *split, const gf_symbol *symbol) {
    for (uint32_t b = 0; b < split->buffers.count; b++)
        if (split->buffers.items[b].symbol == symbol)
            return b;
    return UINT32_MAX;
}

/* The register that holds the length of a buffer of the program. */
static const gf_symbol *length_register(gf_split *split, const gf_symbol *buffer) {
    uint32_t b = buffer_of(split, buffer);
    if (split->length[b] != NULL)
        return split->length[b];
    gf_arena *arena = split->arena;
    gf_symbol *reg = gf_split_new_register(split, gf_arena_format(arena, "len_%s", buffer->name), GF_TYPE_U64);
    gf_expr *length = gf_new(arena, gf_expr);
    *length = (gf_expr){.kind = GF_EXPR_LEN,
                        .type = GF_TYPE_U64,
                        .ref = {.name = buffer->name, .span = buffer->span, .symbol = buffer},
                        .span = buffer->span};
    gf_plan_node *set = gf_new(arena, gf_plan_node);
    *set = (gf_plan_node){.kind = GF_PLAN_SET, .target = reg, .value = length, .span = buffer->span};
    set->buffer = set->second = UINT32_MAX;
    gf_push(arena, &split->prologue, (const gf_plan_node *)set);
    split->length[b] = reg;
    return reg;
}

/* A segment that does not use a buffer does not have it: its length then comes in a register. */
static const gf_expr *len_to_register(void *user, const gf_expr *expr) {
    gf_split *split = user;
    if (expr->kind != GF_EXPR_LEN)
        return expr;
    return gf_make_cast(split->arena, expr->type, gf_make_name(split->arena, length_register(split, expr->ref.symbol)));
}

static bool find_foreign(void *user, const gf_expr *expr) {
    bool *found = user;
    *found |= expr->kind == GF_EXPR_LEN || expr->kind == GF_EXPR_BUILTIN;
    return true;
}

/* Buffers whose size a segment could not say by itself, because it speaks of other buffers or of the program's space:
 * the size is their own length. */
static void prepare_sizes(gf_split *split) {
    split->length = gf_new_array(split->arena, const gf_symbol *, split->buffers.count);
    for (uint32_t b = 0; b < split->buffers.count; b++) {
        bool foreign = false;
        gf_visitor visitor = {.user = &foreign, .expr = find_foreign};
        gf_visit_expr(&visitor, split->buffers.items[b].size);
        if (foreign)
            length_register(split, split->buffers.items[b].symbol);
    }
    split->length_count = split->buffers.count;
}

static void prepare_space(gf_split *split) {
    const gf_kernel_decl *kernel = &split->tree->kernel;
    gf_arena *arena = split->arena;
    gf_rewriter rewriter = {.arena = arena, .user = split, .expr = len_to_register};
    for (size_t i = 0; i < kernel->space_axes && kernel->space_kind != GF_SPACE_INDIRECT; i++)
        split->space[i] = gf_rewrite_expr(&rewriter, kernel->space[i]);
    if (kernel->space_kind != GF_SPACE_INDIRECT)
        return;
    static const char *const names[] = {"groups_x", "groups_y", "groups_z"};
    for (unsigned i = 0; i < 3; i++) {
        gf_symbol *reg = gf_split_new_register(split, names[i], GF_TYPE_U32);
        split->plan->group_count[i] = reg;
        const gf_expr *index = kernel->indirect_index;
        if (i != 0)
            index = gf_make_op2(arena, GF_OP_ADD, index, gf_make_literal(arena, index->type, i));
        gf_plan_node *set = gf_new(arena, gf_plan_node);
        *set = (gf_plan_node){.kind = GF_PLAN_SET,
                              .target = reg,
                              .value = gf_make_load(arena, kernel->indirect.symbol, index),
                              .span = kernel->span};
        gf_push(arena, &split->prologue, (const gf_plan_node *)set);
    }
}

/* A size of the kernel's own. Those of an indirect launch are known from its counts alone. */
static const gf_expr *size_of_kernel(const gf_split *split, gf_builtin builtin, gf_axis axis) {
    gf_arena *arena = split->arena;
    const gf_symbol *groups = split->plan->group_count[axis];
    if (groups == NULL || builtin == GF_BUILTIN_GROUP_SIZE)
        return gf_make_builtin(arena, builtin, axis);
    const gf_expr *count = gf_make_name(arena, groups);
    if (builtin == GF_BUILTIN_GRID_SIZE)
        return count;
    return gf_make_op2(arena, GF_OP_MUL, count, gf_make_builtin(arena, GF_BUILTIN_GROUP_SIZE, axis));
}

static bool note_size(void *user, const gf_expr *expr) {
    gf_split *split = user;
    bool is_size =
        expr->kind == GF_EXPR_BUILTIN && expr->builtin >= GF_BUILTIN_GRID_SIZE && expr->builtin <= GF_BUILTIN_SPACE;
    if (!is_size || split->sizes[expr->builtin][expr->axis] != NULL)
        return true;
    static const char *const names[] = {
        [GF_BUILTIN_GRID_SIZE] = "grid_size", [GF_BUILTIN_GROUP_SIZE] = "group_size", [GF_BUILTIN_SPACE] = "space"};
    const char *name = gf_arena_format(split->arena, "%s_%c", names[expr->builtin], "xyz"[expr->axis]);
    gf_plan_node *set = gf_new(split->arena, gf_plan_node);
    *set = (gf_plan_node){.kind = GF_PLAN_SET,
                          .target = gf_split_new_register(split, name, GF_TYPE_U32),
                          .value = size_of_kernel(split, expr->builtin, expr->axis),
                          .span = expr->span};
    set->buffer = set->second = UINT32_MAX;
    gf_push(split->arena, &split->prologue, (const gf_plan_node *)set);
    split->sizes[expr->builtin][expr->axis] = set->target;
    return true;
}

static bool look_into_forall(void *user, const gf_stmt *stmt) {
    const gf_visitor visitor = {.user = user, .expr = note_size, .into_calls = true};
    if (stmt->kind == GF_STMT_FORALL)
        gf_visit_block(&visitor, stmt->body);
    return true;
}

/* The segment of a forall has a space and workgroups of its own: what it says of the kernel's comes in registers. */
static void prepare_forall_sizes(gf_split *split) {
    const gf_visitor visitor = {.user = split, .stmt = look_into_forall};
    gf_visit_block(&visitor, split->tree->kernel.body);
}

static void set_watched(gf_split *split) {
    const gf_kernel_decl *kernel = &split->tree->kernel;
    gf_plan *plan = split->plan;
    plan->is_fixpoint = kernel->fixpoint != NULL;
    uint32_t *watched = gf_new_array(split->arena, uint32_t, kernel->watched_count);
    size_t count = 0;
    for (size_t i = 0; i < kernel->watched_count && plan->is_fixpoint; i++)
        for (uint32_t b = 0; b < split->buffers.count; b++)
            if (split->buffers.items[b].symbol == kernel->watched[i].symbol)
                watched[count++] = b;
    plan->watched = watched;
    plan->watched_count = count;
}

static void finish(gf_split *split) {
    gf_plan *plan = split->plan;
    plan->registers = split->registers.items;
    plan->register_count = split->registers.count;
    plan->buffers = split->buffers.items;
    plan->buffer_count = split->buffers.count;
    plan->segments = (const gf_segment *const *)split->segments.items;
    plan->segment_count = split->segments.count;
    plan->crossings = split->crossings.items;
    plan->crossing_count = split->crossings.count;
    plan->barriers = split->notes.items;
    plan->barrier_count = split->notes.count;
    plan->symbol_count = split->symbol_count;
}

void gf_split_limit(gf_split *split, size_t nodes, size_t columns, const char *what) {
    if (split->refused || columns == 0 || nodes <= GF_PLAN_CELLS / columns)
        return;
    split->refused = true;
    gf_fail(split->diags, GF_CODE_PLAN_LARGE, split->tree->kernel.span,
            "%zu stretches and barriers with %zu %s are more than a plan is made for", nodes, columns, what);
    gf_fix(split->diags, "put what repeats into loops and arrays, or run it on the interpreter with --strategy native");
}

static void limit_meetings(gf_split *split) {
    if (split->notes.count <= GF_PLAN_MEETINGS)
        return;
    split->refused = true;
    gf_fail(split->diags, GF_CODE_PLAN_LARGE, split->notes.items[GF_PLAN_MEETINGS].span,
            "the program has more than %d places where the %s meets", GF_PLAN_MEETINGS,
            split->level == GF_LEVEL_GRID ? "grid" : "workgroup");
    gf_fix(split->diags, "put what repeats into a loop, or run it on the interpreter with --strategy native");
}

static void split_program(void *context) {
    gf_split *split = context;
    gf_arena *arena = split->arena;
    split->plan = gf_new(arena, gf_plan);
    split->plan->program = split->program;
    split->plan->options = split->options;
    split->plan->level = split->level;
    atomic_init(&split->plan->references, 1);
    gf_split_prepare(split);
    prepare_sizes(split);
    prepare_space(split);
    prepare_forall_sizes(split);
    gf_split_flatten(split);
    limit_meetings(split);
    if (split->refused)
        return;
    gf_split_build_flow(split);
    gf_split_drop(split);
    gf_split_registers(split);
    gf_split_prepare_foralls(split);
    gf_split_build_flow(split);
    gf_live live = {0};
    gf_split_live(split, &live);
    gf_fates fates = {0};
    if (!split->refused)
        gf_split_fates(split, &live, &fates);
    gf_split_stretches(split);
    gf_split_limit(split, split->flow.count, split->buffers.count, "buffers");
    if (split->refused)
        return;
    gf_split_drafts(split, &live, &fates);
    gf_split_roles(split, &fates);
    split->clone_of = gf_new_array(arena, const gf_symbol *, split->symbol_count);
    split->seen = gf_new_array(arena, bool, split->symbol_count);
    gf_split_tree(split);
    set_watched(split);
    if (split->options.lower_exits)
        gf_plan_lower_exits(split);
    finish(split);
    gf_split_once(split);
    gf_split_overwritten(split);
    gf_split_kept(split);
}

/* ---- handles ---- */

static bool make_segment_programs(gf_plan *plan, gf_diags *diags) {
    for (size_t i = 0; i < plan->segment_count; i++) {
        gf_program *program = gf_calloc(1, sizeof *program);
        if (program == NULL)
            return gf_fail_memory(diags);
        program->source = plan->program->source;
        program->checked = plan->segments[i]->tree;
        program->parent = gf_program_hold(plan->root);
        atomic_init(&program->references, 1);
        ((gf_segment *)plan->segments[i])->program = program;
    }
    return true;
}

static bool usable(const gf_program *program, const gf_plan_options *options, gf_diags *diags) {
    if (program == NULL)
        return false;
    if (program->checked == NULL)
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "a plan needs a checked program");
    if (options != NULL && options->workgroup && program->checked->has_grid_barrier) {
        gf_fail(diags, GF_CODE_PLAN_LEVEL, program->checked->kernel.span,
                "a program with grid barriers cannot be cut at its workgroup barriers");
        gf_fix(diags, "make a plan of it first, then one of each segment");
        return false;
    }
    return true;
}

gf_plan *gf_plan_create(gf_program *program, const gf_plan_options *options, gf_diags *diags) {
    if (!usable(program, options, diags))
        return NULL;
    gf_program *root = gf_program_new(program, diags);
    if (root == NULL)
        return NULL;
    gf_split split = {.arena = root->arena, .program = program, .tree = program->checked, .diags = diags};
    if (options != NULL)
        split.options = *options;
    split.options.keep_empty = split.options.keep_empty || split.options.checked;
    split.level = split.options.workgroup ? GF_LEVEL_GROUP : GF_LEVEL_GRID;
    split.many_passes = split.options.many_passes || program->checked->kernel.fixpoint != NULL;
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    bool done = gf_arena_protect(root->arena, split_program, &split);
    gf_float_mode_leave(&mode);
    if (!done || split.refused) {
        if (!done)
            gf_fail_memory(diags);
        gf_program_destroy(root);
        return NULL;
    }
    split.plan->root = root;
    if (!make_segment_programs(split.plan, diags)) {
        gf_plan_destroy(split.plan);
        return NULL;
    }
    return split.plan;
}

gf_plan *gf_plan_hold(gf_plan *plan) {
    if (plan != NULL)
        atomic_fetch_add(&plan->references, 1);
    return plan;
}

void gf_plan_destroy(gf_plan *plan) {
    if (plan == NULL || atomic_fetch_sub(&plan->references, 1) != 1)
        return;
    for (size_t i = 0; i < plan->segment_count; i++)
        gf_program_destroy(plan->segments[i]->program);
    /* The plan itself lies in the arena of its root. */
    gf_program_destroy(plan->root);
}

size_t gf_plan_segment_count(const gf_plan *plan) {
    return plan == NULL ? 0 : plan->segment_count;
}

gf_program *gf_plan_segment_program(const gf_plan *plan, size_t index) {
    return plan == NULL || index >= plan->segment_count ? NULL : plan->segments[index]->program;
}
