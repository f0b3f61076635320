/* The body of a segment for a pack. Each statement is there once for each invocation, one behind the other, so that
 * loads of all of them are under way together. */
#include "emit/ptx/pack.h"
#include "emit/ptx/rows.h"
#include "ir/program.h"
#include "ir/visit.h"
#include <string.h>

#define MOST_LINES 200 /* of the text for one invocation: more is better alone */

static gf_pv truth(void) {
    return gf_ptx_constant(GF_TYPE_BOOL, 1);
}

static gf_pv either(gf_ptx_emit *e, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_OR, GF_TYPE_BOOL, GF_TYPE_BOOL, a, b, (gf_pv){0});
}

static gf_pv not_of(gf_ptx_emit *e, gf_pv a) {
    return gf_ptx_op(&e->p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_BOOL, a, (gf_pv){0}, (gf_pv){0});
}

static bool is_true(gf_pv v) {
    return v.is_constant && v.bits != 0;
}

/* ---- questions ---- */

typedef struct question {
    gf_ptx_emit *e;
    bool loops, effects, returns, strips, others;
    bool assigns; /* what is there behind the statement, or a function's own */
} question;

static bool is_for_one(gf_stmt_kind kind) {
    return kind == GF_STMT_FOR || kind == GF_STMT_WHILE || kind == GF_STMT_LOOP || kind == GF_STMT_TRAP ||
           kind == GF_STMT_ASSERT || kind == GF_STMT_COPY_ASYNC || kind == GF_STMT_WAIT;
}

static bool ask_stmt(void *user, const gf_stmt *stmt) {
    question *q = user;
    q->loops |= is_for_one(stmt->kind) || (stmt->kind == GF_STMT_VAR && stmt->target.symbol->is_array);
    q->returns |= stmt->kind == GF_STMT_RETURN && stmt->value == NULL;
    q->assigns |= stmt->kind == GF_STMT_ASSIGN || stmt->kind == GF_STMT_STORE;
    if (stmt->kind == GF_STMT_STORE) {
        q->effects = true;
        q->strips |= gf_ptx_close(q->e, stmt->index) != NULL;
    }
    if (stmt->kind == GF_STMT_LET) {
        gf_ptx_close_name(q->e, stmt->target.symbol, gf_ptx_close(q->e, stmt->value));
    }
    return true;
}

static bool ask_expr(void *user, const gf_expr *expr) {
    question *q = user;
    q->effects |= expr->kind == GF_EXPR_ATOMIC && expr->atomic != GF_ATOMIC_LOAD;
    for (size_t i = 0; expr->kind == GF_EXPR_CALL && i < expr->arg_count; i++) {
        gf_ptx_close_name(q->e, expr->ref.symbol->arguments[i], gf_ptx_close(q->e, expr->args[i]));
    }
    if (expr->kind == GF_EXPR_LOAD || (expr->kind == GF_EXPR_ATOMIC && expr->atomic == GF_ATOMIC_LOAD)) {
        bool is_strip = gf_ptx_close(q->e, expr->args[0]) != NULL;
        q->strips |= is_strip;
        q->others |= !is_strip;
    }
    return true;
}

/* A guess where names are bound later: nothing depends on it but how well the code is. */
static question look_at(gf_ptx_pack *pack, const gf_stmt *stmt, const gf_block *block, const gf_expr *expr) {
    question q = {.e = pack->e};
    gf_visitor visitor = {.user = &q, .stmt = ask_stmt, .expr = ask_expr, .into_calls = true};
    gf_visit_stmt(&visitor, stmt);
    gf_visit_block(&visitor, block);
    gf_visit_expr(&visitor, expr);
    return q;
}

/* ---- the invocations ---- */

static void take(gf_ptx_pack *pack, unsigned k) {
    gf_ptx_emit *e = pack->e;
    e->names = pack->names[k];
    e->is_quiet = k > 0;
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = pack->ids[k].gid[axis];
        e->wid[axis] = pack->ids[k].wid[axis];
        e->lid[axis] = pack->ids[k].lid[axis];
    }
}

static void set_ids(gf_ptx_pack *pack, unsigned k) {
    gf_ptx_emit *e = pack->e;
    const uint32_t *size = pack->segment->tree->kernel.workgroup;
    gf_ptx_ids *ids = &pack->ids[k];
    gf_pv zero = gf_ptx_u32(0);
    *ids = (gf_ptx_ids){.gid = {pack->x[k], pack->y, zero}, .wid = {zero, zero, zero}, .lid = {zero, zero, zero}};
    for (int axis = 0; axis < 2 && pack->has_groups; axis++) {
        ids->wid[axis] = gf_ptx_do(e, GF_OP_DIV, ids->gid[axis], gf_ptx_u32(size[axis]));
        ids->lid[axis] = gf_ptx_do(e, GF_OP_REM, ids->gid[axis], gf_ptx_u32(size[axis]));
    }
}

static gf_pv exists(gf_ptx_pack *pack, unsigned k) {
    gf_ptx_emit *e = pack->e;
    if (pack->is_whole) {
        return truth();
    }
    return gf_ptx_do(e, GF_OP_LT, gf_ptx_do(e, GF_OP_ADD, pack->first, gf_ptx_u32(k)), pack->width);
}

static gf_pv is_meant(gf_ptx_pack *pack, unsigned k) {
    return gf_ptx_both(pack->e, pack->part->holds[k], pack->alive[k]);
}

gf_pv gf_ptx_pack_mask(gf_ptx_pack *pack, unsigned k) {
    gf_pv is_there = exists(pack, k);
    return gf_ptx_both(pack->e, is_there, is_meant(pack, k));
}

static bool is_for_all(const gf_ptx_pack *pack) {
    return is_true(pack->part->holds[0]) && is_true(pack->alive[0]);
}

static gf_pv vote(gf_ptx_emit *e, gf_pv mine) {
    gf_pv any = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    mine = gf_ptx_register(&e->p, mine);
    gf_ptx_line(&e->p, "vote.sync.any.pred %s, %s, 0xffffffff;", gf_ptx_spell(any).text, gf_ptx_spell(mine).text);
    return any;
}

void gf_ptx_pack_refuse(gf_ptx_pack *pack, gf_pv condition) {
    gf_ptx_emit *e = pack->e;
    if (condition.is_constant && condition.bits == 0) {
        return;
    }
    gf_ptx_jump_if(&e->p, vote(e, condition), true, pack->on_refusal);
}

/* What packs cannot do, for those who are meant. */
static void refuse_meant(gf_ptx_pack *pack) {
    gf_pv any = gf_ptx_constant(GF_TYPE_BOOL, 0);
    pack->is_bad |= pack->has_effects || is_for_all(pack);
    pack->refuses = true;
    for (unsigned k = 0; k < pack->count; k++) {
        any = either(pack->e, any, gf_ptx_pack_mask(pack, k));
    }
    gf_ptx_pack_refuse(pack, any);
}

/* ---- statements ---- */

static void emit_block(gf_ptx_pack *pack, const gf_block *block);

static void emit_alone(gf_ptx_pack *pack, const gf_stmt *stmt) {
    gf_block block = {.items = &stmt, .count = 1};
    gf_ptx_emit_block(pack->e, &block);
}

/* Into a register: it does not matter what of it those have who do not exist. */
static bool is_own_store(gf_ptx_pack *pack, const gf_stmt *stmt) {
    if (stmt->kind != GF_STMT_STORE || look_at(pack, NULL, NULL, stmt->value).effects) {
        return false;
    }
    const gf_ptx_array *array = gf_ptx_name_of(pack->e, stmt->target.symbol)->array;
    return array != NULL && array->space == GF_PTX_OWN;
}

/* Once for each; where it has an effect, for those who exist, and on a condition for those who are meant, unless it
 * does no harm to do more. */
static void emit_each(gf_ptx_pack *pack, const gf_stmt *stmt) {
    gf_ptx_emit *e = pack->e;
    for (unsigned k = 0; k < pack->count; k++) {
        take(pack, k);
        question q = look_at(pack, stmt, NULL, NULL);
        q.effects = q.effects && !is_own_store(pack, stmt);
        bool is_guarded = q.effects || (!is_for_all(pack) && (q.others || q.assigns));
        if (!is_guarded) {
            emit_alone(pack, stmt);
            continue;
        }
        uint32_t after = gf_ptx_label(&e->p);
        gf_ptx_jump_if(&e->p, q.effects ? gf_ptx_pack_mask(pack, k) : is_meant(pack, k), false, after);
        emit_alone(pack, stmt);
        gf_ptx_place(&e->p, after);
    }
}

/* A value of each; what is not cheap only for those who are meant. */
static void evaluate_each(gf_ptx_pack *pack, const gf_expr *expr, gf_pv *values) {
    gf_ptx_emit *e = pack->e;
    for (unsigned k = 0; k < pack->count; k++) {
        take(pack, k);
        if (is_for_all(pack) || !look_at(pack, NULL, NULL, expr).others) {
            values[k] = gf_ptx_emit_expr(e, expr);
            continue;
        }
        uint32_t after = gf_ptx_label(&e->p);
        values[k] = gf_ptx_new_value(&e->p, expr->type);
        gf_ptx_move(&e->p, values[k], gf_ptx_constant(expr->type, 0));
        gf_ptx_jump_if(&e->p, is_meant(pack, k), false, after);
        gf_ptx_move(&e->p, values[k], gf_ptx_peek_expr(e, expr));
        gf_ptx_place(&e->p, after);
    }
}

/* Side by side where that is where they lie. */
static void emit_store(gf_ptx_pack *pack, const gf_stmt *stmt) {
    gf_ptx_emit *e = pack->e;
    const gf_symbol *array = stmt->target.symbol;
    gf_pv values[GF_PTX_PACK], old[GF_PTX_PACK];
    unsigned bit = 0;
    take(pack, 0);
    question q = look_at(pack, NULL, NULL, stmt->value);
    gf_ptx_strip *strip = q.effects ? NULL : gf_ptx_strip_of_store(pack, array, stmt->index, &bit);
    if (strip == NULL) {
        emit_each(pack, stmt);
        return;
    }
    gf_ptx_remark(e, stmt);
    if (stmt->op != GF_OP_NONE) {
        gf_expr load = {.kind = GF_EXPR_LOAD,
                        .type = gf_type_loaded(array->type),
                        .span = stmt->span,
                        .ref = stmt->target,
                        .args = &stmt->index,
                        .arg_count = 1};
        evaluate_each(pack, &load, old);
    }
    evaluate_each(pack, stmt->value, values);
    for (unsigned k = 0; k < pack->count && stmt->op != GF_OP_NONE; k++) {
        values[k] = gf_ptx_emit_operation(e, stmt->op, gf_type_loaded(array->type), stmt->value->type, old[k],
                                          values[k], (gf_pv){0}, stmt->span);
    }
    take(pack, 0);
    gf_ptx_strips_store(pack, strip, bit, gf_ptx_is_own(e, stmt->index), values);
    gf_ptx_pack_wrote(e, array);
}

/* ---- parts ---- */

static void begin_part(gf_ptx_pack *pack, const gf_pv *holds) {
    gf_ptx_emit *e = pack->e;
    if (pack->is_recording) {
        gf_push(e->arena, &pack->parts, gf_new(e->arena, gf_ptx_part));
        pack->parts.items[pack->parts.count - 1]->has_strips = !pack->has_effects;
    }
    gf_ptx_part *part = pack->parts.items[pack->next_part++];
    part->outer = pack->part;
    part->known = e->known;
    memcpy(part->holds, holds, sizeof part->holds);
    pack->part = part;
}

/* Code for those for whom the conditions hold, which nobody goes through if there are none in the warp. */
static void emit_part(gf_ptx_pack *pack, const gf_block *block, const gf_pv *conditions, bool when) {
    gf_ptx_emit *e = pack->e;
    gf_pv holds[GF_PTX_PACK] = {{0}}, some = gf_ptx_constant(GF_TYPE_BOOL, 0);
    if (block == NULL || block->count == 0) {
        return;
    }
    for (unsigned k = 0; k < pack->count; k++) {
        holds[k] = when ? conditions[k] : not_of(e, conditions[k]);
        holds[k] = gf_ptx_register(&e->p, gf_ptx_both(e, pack->part->holds[k], holds[k]));
    }
    begin_part(pack, holds);
    for (unsigned k = 0; k < pack->count; k++) {
        some = either(e, some, gf_ptx_pack_mask(pack, k));
    }
    uint32_t after = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, vote(e, some), false, after);
    gf_ptx_strips_begin(pack, some);
    emit_block(pack, block);
    gf_ptx_place(&e->p, after);
    pack->part = pack->part->outer;
}

static void refuse_where(gf_ptx_pack *pack, const gf_pv *conditions, bool when) {
    gf_ptx_emit *e = pack->e;
    gf_ptx_part part = *pack->part;
    part.outer = pack->part;
    for (unsigned k = 0; k < pack->count; k++) {
        gf_pv mine = when ? conditions[k] : not_of(e, conditions[k]);
        part.holds[k] = gf_ptx_register(&e->p, gf_ptx_both(e, part.holds[k], mine));
    }
    pack->part = &part;
    refuse_meant(pack);
    pack->part = part.outer;
}

static void emit_side(gf_ptx_pack *pack, const gf_stmt *stmt, const gf_pv *conditions, bool when) {
    gf_ptx_emit *e = pack->e;
    const gf_block *block = when ? stmt->body : stmt->otherwise;
    take(pack, 0);
    if (look_at(pack, NULL, block, NULL).loops) {
        refuse_where(pack, conditions, when);
        return;
    }
    gf_ptx_known known = {.outer = e->known, .condition = stmt->value};
    e->known = when ? &known : e->known;
    emit_part(pack, block, conditions, when);
    e->known = known.outer;
}

static void emit_if(gf_ptx_pack *pack, const gf_stmt *stmt) {
    gf_ptx_emit *e = pack->e;
    gf_pv conditions[GF_PTX_PACK];
    take(pack, 0);
    question q = look_at(pack, stmt, NULL, NULL), head = look_at(pack, NULL, NULL, stmt->value);
    question inside = look_at(pack, NULL, stmt->body, NULL), other = look_at(pack, NULL, stmt->otherwise, NULL);
    if (head.effects || head.loops) {
        pack->is_bad = true;
        return;
    }
    if (!q.loops && !inside.returns && !other.returns && !inside.strips && !other.strips) {
        emit_each(pack, stmt);
        return;
    }
    gf_ptx_remark(e, stmt);
    evaluate_each(pack, stmt->value, conditions);
    for (unsigned k = 0; k < pack->count && (inside.returns || other.returns); k++) {
        if (!pack->alive[k].is_constant) {
            continue; /* the register of the code around, which is set for those who never come here */
        }
        gf_pv alive = gf_ptx_new_value(&e->p, GF_TYPE_BOOL); /* whoever goes through what follows may change it */
        gf_ptx_move(&e->p, alive, pack->alive[k]);
        pack->alive[k] = alive;
    }
    emit_side(pack, stmt, conditions, true);
    emit_side(pack, stmt, conditions, false);
}

static void emit_return(gf_ptx_pack *pack) {
    for (unsigned k = 0; k < pack->count; k++) {
        gf_pv stays = gf_ptx_both(pack->e, pack->alive[k], not_of(pack->e, pack->part->holds[k]));
        if (pack->alive[k].is_constant) {
            pack->alive[k] = stays; /* at the top: nobody is left */
        } else {
            gf_ptx_move(&pack->e->p, pack->alive[k], stays);
        }
    }
}

static void emit_stmt(gf_ptx_pack *pack, const gf_stmt *stmt) {
    if (stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) {
        emit_block(pack, stmt->body);
    } else if (stmt->kind == GF_STMT_STORE) {
        emit_store(pack, stmt);
    } else if (stmt->kind == GF_STMT_IF) {
        emit_if(pack, stmt);
    } else if (stmt->kind == GF_STMT_RETURN) {
        emit_return(pack);
    } else {
        emit_each(pack, stmt);
    }
}

static bool is_over(const gf_ptx_pack *pack) {
    return pack->alive[0].is_constant && pack->alive[0].bits == 0;
}

static void emit_block(gf_ptx_pack *pack, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count && !pack->is_bad && !is_over(pack); i++) {
        const gf_stmt *stmt = block->items[i];
        bool is_open = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK;
        take(pack, 0);
        if (!is_open && look_at(pack, stmt, NULL, NULL).loops) {
            refuse_meant(pack);
            return;
        }
        emit_stmt(pack, stmt);
        if (stmt->kind == GF_STMT_RETURN) {
            return;
        }
    }
}

/* ---- values that are combined ---- */

static void name_own(gf_ptx_pack *pack, const gf_symbol *symbol, unsigned k, gf_pv value) {
    gf_ptx_array *own = gf_new(pack->e->arena, gf_ptx_array);
    *own = (gf_ptx_array){.space = GF_PTX_OWN, .own = value};
    pack->names[k][symbol->id].array = own;
}

static void begin_values(gf_ptx_pack *pack) {
    gf_ptx_emit *e = pack->e;
    for (size_t i = 0; i < pack->segment->buffer_count; i++) {
        for (unsigned k = 0; k < pack->count && pack->has_own && pack->segment->buffers[i].buffer == pack->own_buffer;
             k++) {
            name_own(pack, pack->segment->buffers[i].symbol, k, pack->own[k]);
        }
        const gf_ptx_fuse *fuse = &pack->walk->fuse[pack->segment->buffers[i].buffer];
        if (!fuse->is_fused || fuse->writer != pack->segment) {
            continue;
        }
        gf_pv neutral = gf_ptx_neutral(fuse->combine, fuse->type);
        for (unsigned k = 0; k < pack->count; k++) {
            gf_pv own = gf_ptx_new_value(&e->p, fuse->sum.type);
            gf_ptx_move(&e->p, own, gf_ptx_constant(fuse->sum.type, neutral.bits));
            name_own(pack, pack->segment->buffers[i].symbol, k, own);
        }
    }
}

static void add_values(gf_ptx_pack *pack) {
    gf_ptx_emit *e = pack->e;
    for (size_t i = 0; i < pack->segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &pack->walk->fuse[pack->segment->buffers[i].buffer];
        if (!fuse->is_fused || fuse->writer != pack->segment || (pack->keeps_sums && fuse->is_ordered)) {
            continue;
        }
        gf_type type = fuse->sum.type;
        gf_pv neutral = gf_ptx_constant(type, gf_ptx_neutral(fuse->combine, fuse->type).bits);
        for (unsigned k = 0; k < pack->count; k++) {
            gf_pv own = pack->names[k][pack->segment->buffers[i].symbol->id].array->own;
            own = pack->is_whole ? own
                                 : gf_ptx_op(&e->p, GF_OP_SELECT, type, GF_TYPE_NONE, exists(pack, k), own, neutral);
            gf_ptx_move(&e->p, fuse->sum, gf_ptx_combine(&e->p, fuse->combine, type, fuse->sum, own));
        }
    }
}

/* ---- both ways ---- */

static bool ask_groups(void *user, const gf_expr *expr) {
    gf_ptx_pack *pack = user;
    pack->has_groups |=
        expr->kind == GF_EXPR_BUILTIN && (expr->builtin == GF_BUILTIN_LID || expr->builtin == GF_BUILTIN_WID);
    return true;
}

/* Whoever stores into a register of its own does not say where. */
static bool skip_own(void *user, const gf_stmt *stmt) {
    gf_ptx_pack *pack = user;
    if (stmt->kind != GF_STMT_STORE) {
        return true;
    }
    const gf_ptx_array *array = gf_ptx_name_of(pack->e, stmt->target.symbol)->array;
    if (array == NULL || array->space != GF_PTX_OWN) {
        return true;
    }
    gf_visitor visitor = {.user = pack, .expr = ask_groups, .into_calls = true};
    gf_visit_expr(&visitor, stmt->value);
    return false;
}

static void go_through(gf_ptx_pack *pack) {
    gf_ptx_emit *e = pack->e;
    gf_pv holds[GF_PTX_PACK];
    uint32_t symbols = e->tree->symbol_count;
    gf_ptx_named *names = e->names;
    const gf_ptx_known *known = e->known;
    for (unsigned k = 0; k < GF_PTX_PACK; k++) {
        holds[k] = pack->alive[k] = truth();
    }
    for (unsigned k = 0; k < pack->count; k++) {
        pack->names[k] = gf_new_array(e->arena, gf_ptx_named, symbols);
        memcpy(pack->names[k], names, symbols * sizeof *names);
    }
    pack->part = NULL;
    pack->next_part = pack->dirty.count = 0;
    pack->has_effects = false;
    e->pack = pack;
    for (unsigned k = 0; k < pack->count; k++) {
        set_ids(pack, k);
    }
    begin_values(pack);
    take(pack, 0);
    begin_part(pack, holds);
    pack->on_end = gf_ptx_label(&e->p);
    gf_ptx_strips_begin(pack, pack->some);
    emit_block(pack, e->tree->kernel.body);
    add_values(pack);
    gf_ptx_place(&e->p, pack->on_end);
    e->pack = NULL;
    e->is_quiet = false;
    e->names = names;
    e->known = known;
    e->is_open = true;
}

static void record(gf_ptx_pack *pack) {
    gf_ptx_emit *e = pack->e;
    gf_visitor visitor = {.user = pack, .stmt = skip_own, .expr = ask_groups, .into_calls = true};
    gf_visit_block(&visitor, e->tree->kernel.body);
    pack->is_recording = true;
    pack->count = pack->size = 1;
    pack->x[0] = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    pack->y = pack->first = pack->width = pack->x[0];
    pack->some = pack->whole = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    go_through(pack);
    pack->is_recording = false;
}

size_t gf_ptx_pack_record(gf_ptx_pack *pack) {
    gf_ptx *p = &pack->e->p;
    gf_ptx saved = *p;
    size_t lines = 0;
    record(pack);
    for (size_t i = saved.text.length; i < p->text.length; i++) {
        lines += p->text.text[i] == '\n';
    }
    if (p->text.length > 0) {
        p->text.length = saved.text.length;
        p->text.text[p->text.length] = '\0';
    }
    memcpy(p->count, saved.count, sizeof p->count);
    p->labels = saved.labels;
    return lines;
}

bool gf_ptx_pack_is_worth(gf_ptx_pack *pack) {
    gf_ptx_row_list shared;
    if (gf_ptx_pack_record(pack) > MOST_LINES || pack->is_bad) {
        return false;
    }
    if (pack->refuses && gf_ptx_find_rows(pack->e, pack->e->tree->kernel.body, &shared)) {
        return false; /* their threads want to meet at the end of the body */
    }
    return gf_ptx_strips_choose(pack);
}

bool gf_ptx_pack_is_flat(const gf_ptx_pack *pack) {
    bool flat = !pack->is_bad && !pack->refuses;
    for (size_t i = 1; i < pack->parts.count; i++) {
        flat = flat && pack->parts.items[i]->strips.count == 0;
    }
    return flat;
}

gf_pv gf_ptx_pack_value(const gf_ptx_pack *pack, const gf_symbol *values, unsigned k) {
    return pack->names[k][values->id].array->own;
}

void gf_ptx_pack_emit(gf_ptx_pack *pack) {
    unsigned weight = gf_ptx_strips_weight(pack);
    pack->e->pack_weight = weight > pack->e->pack_weight ? weight : pack->e->pack_weight;

    pack->count = pack->size;
    go_through(pack);
}
