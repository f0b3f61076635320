/* From statements to pieces: the stretches between barriers of the level, and what the level takes together. */
#include "plan/split.h"
#include <string.h>

/* ---- what is known of the symbols before anything moves ---- */

static bool note_assignments(void *user, const gf_stmt *stmt) {
    gf_split *split = user;
    if (stmt->kind == GF_STMT_ASSIGN)
        split->reassigned[stmt->target.symbol->id] = true;
    if (stmt->kind == GF_STMT_LET || (stmt->kind == GF_STMT_VAR && !stmt->target.symbol->is_array)) {
        if (stmt->value != NULL && stmt->value->kind != GF_EXPR_CROSS)
            split->definition[stmt->target.symbol->id] = stmt;
    }
    for (size_t i = 0; i < stmt->reduce_count; i++)
        split->reassigned[stmt->reduces[i].outer.symbol->id] = true;
    if (stmt->kind == GF_STMT_SWAP) {
        uint32_t a = split->same[stmt->target.symbol->id], b = split->same[stmt->second.symbol->id];
        for (uint32_t i = 0; i < split->tree->symbol_count; i++)
            if (split->same[i] == b)
                split->same[i] = a;
        split->written[stmt->target.symbol->id] = split->written[stmt->second.symbol->id] = true;
    }
    return true;
}

void gf_split_prepare(gf_split *split) {
    const gf_tree *tree = split->tree;
    size_t count = tree->symbol_count;
    split->symbol_count = tree->symbol_count;
    split->definition = gf_new_array(split->arena, const gf_stmt *, count);
    split->reassigned = gf_new_array(split->arena, bool, count);
    split->written = gf_new_array(split->arena, bool, count);
    split->same = gf_new_array(split->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        split->same[i] = i;

    gf_visitor visitor = {.user = split, .stmt = note_assignments};
    gf_visit_block(&visitor, tree->kernel.body);
    for (uint32_t i = 0; i < count; i++)
        if (split->reassigned[i])
            split->definition[i] = NULL;

    gf_access_list accesses = {0};
    gf_effects_block(split->arena, tree->kernel.body, &accesses);
    for (size_t i = 0; i < accesses.count; i++)
        if (gf_access_writes(&accesses.items[i]))
            split->written[accesses.items[i].array->id] = true;
    /* Names that trade storage are one buffer. */
    for (uint32_t i = 0; i < count; i++)
        if (split->written[i])
            split->written[split->same[i]] = true;
    for (uint32_t i = 0; i < count; i++)
        split->written[i] = split->written[split->same[i]];

    split->array_number = gf_new_array(split->arena, uint32_t, count);
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_BUFFER || symbol->kind == GF_SYMBOL_SHARED)
            split->array_number[symbol->id] = split->array_count++;
    }
    for (uint32_t i = 0; i < count; i++)
        split->array_number[i] = split->array_number[split->same[i]];
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_BUFFER)
            gf_push(split->arena, &split->buffers,
                    ((gf_plan_buffer){.symbol = symbol, .kind = GF_PLAN_BUFFER_PROGRAM, .size = symbol->size}));
    }
    /* Cut at its own barriers, a workgroup outlives its segments: its arrays are buffers of theirs. */
    for (size_t i = 0; i < tree->decl_count && split->level == GF_LEVEL_GROUP; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_SHARED)
            gf_push(split->arena, &split->buffers,
                    ((gf_plan_buffer){.symbol = symbol,
                                      .kind = GF_PLAN_BUFFER_SHARED,
                                      .size = gf_make_literal(split->arena, GF_TYPE_U64, symbol->length),
                                      .reason = "a workgroup array"}));
    }
}

/* ---- names, hidden buffers, registers ---- */

uint32_t gf_split_add_buffer(gf_split *split, gf_plan_buffer_kind kind, const char *name, gf_type type,
                             const gf_expr *size, const char *reason) {
    gf_symbol *symbol = gf_make_symbol(split->arena, GF_SYMBOL_BUFFER, gf_split_fresh_name(split, "gf_", name), type,
                                       split->symbol_count++);
    gf_split_take_name(split, symbol->name);
    symbol->role = GF_ROLE_SCRATCH;
    symbol->size = size;
    gf_push(split->arena, &split->buffers,
            ((gf_plan_buffer){.symbol = symbol, .kind = kind, .size = size, .reason = reason}));
    return (uint32_t)split->buffers.count - 1;
}

gf_symbol *gf_split_new_register(gf_split *split, const char *name, gf_type type) {
    gf_symbol *symbol = gf_make_symbol(split->arena, GF_SYMBOL_VAR, gf_split_fresh_name(split, "gf_", name), type,
                                       split->symbol_count++);
    gf_split_take_name(split, symbol->name);
    symbol->uniform = split->level;
    symbol->declared = split->level;
    gf_push(split->arena, &split->registers, (const gf_symbol *)symbol);
    return symbol;
}

/* ---- slots ---- */

static const gf_expr *product_of_axes(gf_arena *arena, gf_builtin builtin) {
    const gf_expr *x = gf_make_builtin(arena, builtin, GF_AXIS_X), *y = gf_make_builtin(arena, builtin, GF_AXIS_Y),
                  *z = gf_make_builtin(arena, builtin, GF_AXIS_Z);
    return gf_make_op2(arena, GF_OP_MUL, gf_make_op2(arena, GF_OP_MUL, x, y), z);
}

static uint32_t group_invocations(const gf_split *split) {
    const uint32_t *w = split->tree->kernel.workgroup;
    return w[0] * w[1] * w[2];
}

static bool one_axis(const gf_split *split) {
    gf_space_kind kind = split->tree->kernel.space_kind;
    return kind == GF_SPACE_ONE || (kind != GF_SPACE_INDIRECT && split->tree->kernel.space_axes == 1 &&
                                    split->tree->kernel.workgroup[1] == 1 && split->tree->kernel.workgroup[2] == 1);
}

/* gid.x where that is the linear id: it reads better. */
const gf_expr *gf_split_own_slot(const gf_split *split) {
    if (split->level == GF_LEVEL_GROUP)
        return gf_make_builtin(split->arena, GF_BUILTIN_LID, GF_AXIS_LINEAR);
    if (split->tree->kernel.space_kind == GF_SPACE_ONE)
        return gf_make_literal(split->arena, GF_TYPE_U32, 0);
    return gf_make_builtin(split->arena, GF_BUILTIN_GID, one_axis(split) ? GF_AXIS_X : GF_AXIS_LINEAR);
}

const gf_expr *gf_split_slot_count(const gf_split *split) {
    if (split->level == GF_LEVEL_GROUP)
        return gf_make_literal(split->arena, GF_TYPE_U32, group_invocations(split));
    if (split->tree->kernel.space_kind == GF_SPACE_ONE)
        return gf_make_literal(split->arena, GF_TYPE_U32, 1);
    if (one_axis(split))
        return gf_make_builtin(split->arena, GF_BUILTIN_SPACE, GF_AXIS_X);
    return product_of_axes(split->arena, GF_BUILTIN_SPACE);
}

/* With one axis the linear id runs through the groups in order, so that the values of a reduction lie close packed,
 * the last group perhaps shorter. Else each group has its own stretch of slots, those of padding lanes unused. */
bool gf_split_values_compact(const gf_split *split) {
    return split->level == GF_LEVEL_GROUP || one_axis(split);
}

const gf_expr *gf_split_value_slot(const gf_split *split) {
    if (gf_split_values_compact(split))
        return gf_split_own_slot(split);
    gf_arena *arena = split->arena;
    const gf_expr *group = gf_make_op2(arena, GF_OP_MUL, gf_make_builtin(arena, GF_BUILTIN_WID, GF_AXIS_LINEAR),
                                       gf_make_literal(arena, GF_TYPE_U32, group_invocations(split)));
    return gf_make_op2(arena, GF_OP_ADD, group, gf_make_builtin(arena, GF_BUILTIN_LID, GF_AXIS_LINEAR));
}

const gf_expr *gf_split_value_count(const gf_split *split) {
    if (gf_split_values_compact(split))
        return gf_split_slot_count(split);
    return gf_make_op2(split->arena, GF_OP_MUL, product_of_axes(split->arena, GF_BUILTIN_GRID_SIZE),
                       gf_make_literal(split->arena, GF_TYPE_U32, group_invocations(split)));
}

/* ---- pieces ---- */

typedef struct flattener {
    gf_split *split;
    gf_piece_list *list;
} flattener;

static gf_piece *add_piece(gf_split *split, gf_piece_list *list, gf_piece_kind kind, const gf_stmt *stmt,
                           const gf_path *path) {
    gf_piece *piece = gf_new(split->arena, gf_piece);
    piece->kind = kind;
    piece->stmt = stmt;
    piece->path = path;
    piece->nested = list != &split->pieces;
    piece->note = SIZE_MAX;
    piece->values = piece->result = UINT32_MAX;
    piece->flow = UINT32_MAX;
    gf_push(split->arena, list, piece);
    return piece;
}

static void add_item(gf_split *split, gf_piece_list *list, gf_item_kind kind, const gf_stmt *stmt,
                     const gf_path *path) {
    gf_piece *last = list->count == 0 ? NULL : list->items[list->count - 1];
    if (last == NULL || last->kind != GF_PIECE_STRETCH)
        last = add_piece(split, list, GF_PIECE_STRETCH, stmt, path);
    gf_push(split->arena, &last->items, ((gf_item){.kind = kind, .stmt = stmt, .path = path}));
}

/* With keep_empty every stretch has its segment, also one with nothing in it. */
static void keep_stretch(gf_split *split, gf_piece_list *list, const gf_stmt *stmt, const gf_path *path) {
    if (split->options.keep_empty && (list->count == 0 || list->items[list->count - 1]->kind != GF_PIECE_STRETCH))
        add_piece(split, list, GF_PIECE_STRETCH, stmt, path);
}

static size_t add_note(gf_split *split, const gf_stmt *stmt, const char *what) {
    gf_push(split->arena, &split->notes,
            ((gf_barrier_note){
                .span = stmt->head.source ? stmt->head : stmt->span, .what = what, .reason = "orders accesses"}));
    return split->notes.count - 1;
}

bool gf_split_is_uniform_def(const gf_split *split, const gf_stmt *stmt) {
    if (stmt->kind != GF_STMT_LET && stmt->kind != GF_STMT_VAR && stmt->kind != GF_STMT_ASSIGN)
        return false;
    const gf_symbol *symbol = stmt->target.symbol;
    return symbol->uniform >= split->level && symbol->declared >= split->level && !symbol->is_array;
}

static const gf_stmt *with_value(gf_split *split, const gf_stmt *stmt, const gf_expr *value) {
    gf_stmt *copy = gf_arena_copy(split->arena, stmt, sizeof *stmt);
    copy->value = value;
    copy->level = GF_LEVEL_NONE;
    return copy;
}

/* target = cross(argument): the stretch before stores the argument, the tree combines, the stretch behind goes on. */
static void flatten_cross(gf_split *split, gf_piece_list *list, const gf_stmt *stmt, const gf_path *path) {
    const gf_expr *cross = stmt->value;
    const gf_symbol *target = stmt->target.symbol;
    const char *what = gf_arena_format(split->arena, "%s_%s", split->level == GF_LEVEL_GRID ? "grid" : "group",
                                       gf_cross_name(cross->cross));
    bool uniform = gf_split_is_uniform_def(split, stmt);
    const gf_symbol *reg = target;
    if (!uniform && cross->cross != GF_CROSS_SCAN_ADD) {
        gf_symbol *fresh = gf_split_new_register(split, target->name, cross->type);
        reg = fresh;
    }
    if (cross->cross == GF_CROSS_LOAD) {
        gf_piece *piece = add_piece(split, list, GF_PIECE_LOAD, stmt, path);
        piece->target = reg;
        piece->note = add_note(split, stmt, what);
    } else {
        const gf_expr *argument = cross->args[0];
        gf_type type = argument->type;
        if (type == GF_TYPE_BOOL) {
            argument = gf_make_cast(split->arena, GF_TYPE_U32, argument);
            type = GF_TYPE_U8;
        }
        uint32_t values = gf_split_add_buffer(
            split, GF_PLAN_BUFFER_VALUES, gf_arena_format(split->arena, "values_%s", target->name), type,
            gf_split_value_count(split), gf_arena_format(split->arena, "what %s combines", what));
        const gf_stmt *store =
            gf_make_store(split->arena, split->buffers.items[values].symbol, gf_split_value_slot(split), argument);
        ((gf_stmt *)store)->span = stmt->span;
        ((gf_stmt *)store)->head = stmt->head;
        add_item(split, list, GF_ITEM_WORK, store, path);
        bool scan = cross->cross == GF_CROSS_SCAN_ADD;
        gf_piece *piece = add_piece(split, list, scan ? GF_PIECE_SCAN : GF_PIECE_REDUCE, stmt, path);
        piece->values = values;
        piece->note = add_note(split, stmt, what);
        if (scan) {
            piece->result = gf_split_add_buffer(
                split, GF_PLAN_BUFFER_VALUES, gf_arena_format(split->arena, "scan_%s", target->name), type,
                gf_split_value_count(split), gf_arena_format(split->arena, "what %s gives", what));
            const gf_expr *load =
                gf_make_load(split->arena, split->buffers.items[piece->result].symbol, gf_split_value_slot(split));
            add_item(split, list, GF_ITEM_WORK, with_value(split, stmt, load), path);
            return;
        }
        piece->target = reg;
    }
    if (!uniform)
        add_item(split, list, GF_ITEM_WORK, with_value(split, stmt, gf_make_name(split->arena, reg)), path);
}

static bool is_cut(const gf_split *split, const gf_stmt *stmt) {
    switch (stmt->kind) {
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
        return stmt->level != GF_LEVEL_NONE && stmt->level >= split->level;
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        return stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS && stmt->value->level == split->level;
    case GF_STMT_GRID_BARRIER:
        return true;
    case GF_STMT_BARRIER:
        return split->level == GF_LEVEL_GROUP;
    case GF_STMT_FORALL:
    case GF_STMT_SWAP:
    case GF_STMT_COLLECTIVE:
        return split->level == GF_LEVEL_GRID;
    case GF_STMT_CONVERGED:
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        return false;
    }
    return false;
}

static void flatten_block(gf_split *split, gf_piece_list *list, const gf_block *block, const gf_path *path);

static void flatten_cut(gf_split *split, gf_piece_list *list, const gf_stmt *stmt, const gf_path *path) {
    gf_piece *piece;
    switch (stmt->kind) {
    case GF_STMT_IF:
        piece = add_piece(split, list, GF_PIECE_IF, stmt, path);
        piece->note = add_note(split, stmt, "edges of if");
        flatten_block(split, &piece->body, stmt->body, path);
        flatten_block(split, &piece->otherwise, stmt->otherwise, path);
        break;
    case GF_STMT_FOR:
        piece = add_piece(split, list, GF_PIECE_FOR, stmt, path);
        piece->note = add_note(split, stmt, "edges of for");
        flatten_block(split, &piece->body, stmt->body, path);
        break;
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        piece = add_piece(split, list, GF_PIECE_WHILE, stmt, path);
        piece->note = add_note(split, stmt, stmt->kind == GF_STMT_LOOP ? "edges of loop" : "edges of while");
        flatten_block(split, &piece->body, stmt->body, path);
        break;
    case GF_STMT_FORALL:
        piece = add_piece(split, list, GF_PIECE_FORALL, stmt, path);
        if (stmt->reduce_count != 0)
            piece->note = add_note(split, stmt, "end of forall with reduce");
        break;
    case GF_STMT_SWAP:
        piece = add_piece(split, list, GF_PIECE_SWAP, stmt, path);
        piece->note = add_note(split, stmt, "swap");
        break;
    case GF_STMT_COLLECTIVE:
        piece = add_piece(split, list, GF_PIECE_COLLECTIVE, stmt, path);
        piece->note = add_note(split, stmt, "collective");
        break;
    case GF_STMT_GRID_BARRIER:
        keep_stretch(split, list, stmt, path);
        piece = add_piece(split, list, GF_PIECE_BARRIER, stmt, path);
        piece->note = add_note(split, stmt, "grid_barrier");
        break;
    case GF_STMT_BARRIER:
        keep_stretch(split, list, stmt, path);
        piece = add_piece(split, list, GF_PIECE_BARRIER, stmt, path);
        piece->note = add_note(split, stmt, "barrier");
        break;
    case GF_STMT_BREAK:
        add_piece(split, list, GF_PIECE_BREAK, stmt, path);
        break;
    case GF_STMT_CONTINUE:
        add_piece(split, list, GF_PIECE_CONTINUE, stmt, path);
        break;
    case GF_STMT_RETURN:
        add_piece(split, list, GF_PIECE_RETURN, stmt, path);
        break;
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        flatten_cross(split, list, stmt, path);
        break;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
}

static void flatten_block(gf_split *split, gf_piece_list *list, const gf_block *block, const gf_path *path) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) {
            gf_path *inner = gf_new(split->arena, gf_path);
            *inner = (gf_path){.parent = path, .stmt = stmt};
            flatten_block(split, list, stmt->body, inner);
        } else if (is_cut(split, stmt)) {
            flatten_cut(split, list, stmt, path);
        } else {
            bool set = stmt->kind == GF_STMT_CONVERGED || gf_split_is_uniform_def(split, stmt);
            add_item(split, list, set ? GF_ITEM_SET : GF_ITEM_WORK, stmt, path);
        }
    }
}

void gf_split_flatten(gf_split *split) {
    flatten_block(split, &split->pieces, split->tree->kernel.body, NULL);
    if (split->pieces.count == 0 || split->pieces.items[split->pieces.count - 1]->kind == GF_PIECE_BARRIER)
        keep_stretch(split, &split->pieces, NULL, NULL);
}

/* ---- owners ---- */

static const gf_expr *behind_names(const gf_split *split, const gf_expr *expr) {
    for (unsigned i = 0; i < 64 && expr->kind == GF_EXPR_NAME; i++) {
        const gf_symbol *symbol = expr->ref.symbol;
        if ((symbol->kind != GF_SYMBOL_LET && symbol->kind != GF_SYMBOL_VAR) ||
            symbol->id >= split->tree->symbol_count || split->definition[symbol->id] == NULL)
            break;
        expr = split->definition[symbol->id]->value;
    }
    return expr;
}

gf_owner gf_split_owner(const gf_split *split, const gf_symbol *array, const gf_expr *index, const gf_stmt *forall) {
    /* A kernel without a space is one invocation: whatever stands outside its foralls is done by it. */
    if (forall == NULL && split->tree->kernel.space_kind == GF_SPACE_ONE)
        return (gf_owner){.kind = GF_OWNER_SELF};
    if (index == NULL)
        return (gf_owner){.kind = GF_OWNER_ANY};
    index = behind_names(split, index);
    if (index->kind == GF_EXPR_NAME && forall != NULL && index->ref.symbol == forall->target.symbol)
        return (gf_owner){.kind = GF_OWNER_FORALL, .forall = forall};
    if (index->kind != GF_EXPR_BUILTIN || forall != NULL)
        return (gf_owner){.kind = GF_OWNER_ANY};
    gf_builtin own = array->kind == GF_SYMBOL_SHARED ? GF_BUILTIN_LID : GF_BUILTIN_GID;
    bool linear = index->axis == GF_AXIS_LINEAR || (index->axis == GF_AXIS_X && one_axis(split));
    bool self = index->builtin == own && linear;
    return (gf_owner){.kind = self ? GF_OWNER_SELF : GF_OWNER_ANY};
}

/* Only constants, params and len: the same value at both foralls. */
static bool is_fixed(const gf_expr *expr) {
    if (expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL ||
        expr->kind == GF_EXPR_CROSS)
        return false;
    if (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind != GF_SYMBOL_PARAM &&
        expr->ref.symbol->kind != GF_SYMBOL_CONST)
        return false;
    for (size_t i = 0; i < expr->arg_count; i++)
        if (!is_fixed(expr->args[i]))
            return false;
    return true;
}

bool gf_owner_same(gf_owner a, gf_owner b) {
    if (a.kind != b.kind || a.kind == GF_OWNER_ANY)
        return false;
    if (a.kind == GF_OWNER_SELF)
        return true;
    return is_fixed(a.forall->from) && is_fixed(a.forall->to) && gf_equal_expr(a.forall->from, b.forall->from) &&
           gf_equal_expr(a.forall->to, b.forall->to);
}
