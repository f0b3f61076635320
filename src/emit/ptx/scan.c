/* Prefix sums of the grid in one go: a segment makes values, another uses their sums, and nothing of either goes to
 * memory. Tile after tile is taken by block after block. A block makes the values of its tile, tells their sum, and
 * adds up what the tiles before have told, back to the nearest that has told the sum of all up to it ("decoupled
 * look-back": D. Merrill, M. Garland: Single-pass parallel prefix scan, 2016). Blocks are all there, and nobody waits
 * for a tile that comes later, so that it ends.
 *
 * What a tile tells is a word, or two of 64-bit sums: a half of the sum above; below the number of the round, and 1 for
 * the tile's own sum, 2 for the sum of all. A block has words for four rounds, used in turn: nobody is so far ahead of
 * somebody who still reads. Values are made a second time where a tile is not one of packs (at the ends). */
#include "emit/ptx/scan.h"
#include "ir/effects.h"
#include "ir/program.h"
#include <string.h>

#define MOST_PACKS 4  /* of a thread in a tile */
#define MOST_LINES 48 /* of both bodies: so often are they there */
#define ROUNDS 4

typedef struct scanning {
    gf_ptx_walk *walk;
    gf_ptx_emit *e;
    const gf_ptx_scan *scan;
    gf_type type; /* U32 or U64 */
    gf_ptx_pack source, user;
    bool has_packs;
    unsigned packs;                                /* of a thread in a tile */
    gf_pv fits;                                    /* bool: packs are aligned */
    gf_pv shift;                                   /* u32: the first tile begins so far before the space */
    gf_pv width;                                   /* u32: invocations */
    gf_pv tile_size;                               /* u32: invocations */
    gf_pv tid, lane, warp, block, blocks, threads; /* u32 */
    /* u32, at present: number of the round in this run; gid.x of the first, and how many there are from it on */
    gf_pv tile, round, base, left;
    gf_pv values[MOST_PACKS][GF_PTX_PACK]; /* then the sums before them */
    gf_ptx_part made[MOST_PACKS];          /* what was loaded for them */
} scanning;

static gf_pv op(gf_ptx_emit *e, gf_op o, gf_pv a, gf_pv b) {
    return gf_ptx_do(e, o, a, b);
}

static gf_pv choose(gf_ptx_emit *e, gf_pv condition, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_SELECT, a.type, GF_TYPE_NONE, condition, a, b);
}

static gf_pv variable(gf_ptx_emit *e, gf_pv from) {
    gf_pv v = gf_ptx_new_value(&e->p, from.type);
    gf_ptx_move(&e->p, v, from);
    return v;
}

static gf_pv both(gf_ptx_emit *e, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_AND, GF_TYPE_BOOL, GF_TYPE_BOOL, a, b, b);
}

/* ---- which ---- */

typedef struct use_count {
    unsigned reduces, scans, segments;
} use_count;

static void count_nodes(const gf_plan_block *block, uint32_t buffer, use_count *use) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        use->scans += node->kind == GF_PLAN_SCAN && (node->buffer == buffer || node->second == buffer);
        use->reduces += node->kind == GF_PLAN_REDUCE && node->buffer == buffer;
        count_nodes(node->body, buffer, use);
        count_nodes(node->otherwise, buffer, use);
    }
}

static bool is_used_once(const gf_plan *plan, uint32_t buffer) {
    use_count use = {0};
    count_nodes(plan->body, buffer, &use);
    for (size_t k = 0; k < plan->segment_count; k++) {
        for (size_t i = 0; i < plan->segments[k]->buffer_count; i++) {
            use.segments += plan->segments[k]->buffers[i].buffer == buffer;
        }
    }
    return use.scans == 1 && use.reduces == 0 && use.segments == 1;
}

static bool uses(const gf_segment *segment, uint32_t buffer, bool writing) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer && (!writing || segment->buffers[i].role != GF_ROLE_IN)) {
            return true;
        }
    }
    return false;
}

static bool holds_trap(const gf_segment *segment) {
    const gf_block *body = segment->tree->kernel.body;
    for (size_t i = 0; i < body->count; i++) {
        if (gf_holds_trap(body->items[i])) {
            return true;
        }
    }
    return false;
}

/* Makes values and does nothing else, so that it may do so twice; and nothing that the user writes comes in. */
static bool only_makes(const gf_segment *source, const gf_segment *user, uint32_t values) {
    for (size_t i = 0; i < source->buffer_count; i++) {
        const gf_segment_buffer *buffer = &source->buffers[i];
        if ((buffer->buffer != values && buffer->role != GF_ROLE_IN) || uses(user, buffer->buffer, true)) {
            return false;
        }
    }
    return !holds_trap(source) && !holds_trap(user);
}

static bool sets_param(const gf_plan_node *set, const gf_segment *segment) {
    for (size_t i = 0; i < segment->param_count; i++) {
        if (segment->params[i].source == set->target) {
            return true;
        }
    }
    return false;
}

static bool is_simple(const gf_segment *segment) {
    return !segment->is_forall && !gf_ptx_needs_groups(segment->tree) && gf_ptx_has_one_axis(segment->tree);
}

/* Sums of floats have an order of their own, which is not that of tiles. */
static bool has_ordered(const gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered) {
            return true;
        }
    }
    return false;
}

static bool may_fuse(const gf_ptx_walk *walk, const gf_plan_node *node, const gf_segment *source,
                     const gf_segment *user) {
    return node->count == NULL && is_simple(source) && is_simple(user) && uses(source, node->buffer, true) &&
           uses(user, node->second, false) && !uses(user, node->second, true) &&
           only_makes(source, user, node->buffer) && is_used_once(walk->plan, node->buffer) &&
           is_used_once(walk->plan, node->second) && !has_ordered(walk, user);
}

static void find_in(gf_ptx_walk *walk, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        find_in(walk, node->body);
        find_in(walk, node->otherwise);
        if (node->kind != GF_PLAN_SCAN || i == 0 || block->items[i - 1]->kind != GF_PLAN_SEGMENT) {
            continue;
        }
        const gf_segment *source = block->items[i - 1]->segment;
        size_t next = i + 1;
        while (next < block->count && block->items[next]->kind == GF_PLAN_SET &&
               !sets_param(block->items[next], source)) {
            next++;
        }
        if (next == block->count || block->items[next]->kind != GF_PLAN_SEGMENT ||
            !may_fuse(walk, node, source, block->items[next]->segment)) {
            continue;
        }
        gf_ptx_scan scan = {.node = node, .source = source, .user = block->items[next]->segment};
        gf_push(walk->e->arena, &walk->scans, scan);
    }
}

/* ---- words of tiles ---- */

static gf_pv word_address(gf_ptx_emit *e, gf_pv round, gf_pv block, gf_pv blocks, unsigned half) {
    gf_pv at = op(e, GF_OP_ADD, op(e, GF_OP_AND, round, gf_ptx_u32(ROUNDS - 1)), gf_ptx_u32((uint64_t)ROUNDS * half));
    at = op(e, GF_OP_ADD, op(e, GF_OP_MUL, at, blocks), block);
    at = op(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, at), gf_ptx_u64(8));
    gf_pv state = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE);
    return gf_ptx_register(&e->p, op(e, GF_OP_ADD, op(e, GF_OP_ADD, state, gf_ptx_u64(GF_PTX_STATE_TILES)), at));
}

void gf_ptx_find_scans(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    if (walk->by_stages || e->options.native || e->options.checked) {
        return;
    }
    find_in(walk, walk->plan->body);
    if (walk->scans.count == 0) {
        return;
    }
    for (size_t i = 0; i < walk->scans.count; i++) {
        const uint32_t buffers[] = {walk->scans.items[i].node->buffer, walk->scans.items[i].node->second};
        for (int k = 0; k < 2; k++) {
            gf_type type = gf_type_loaded(walk->plan->buffers[buffers[k]].symbol->type);
            gf_ptx_array *own = gf_new(e->arena, gf_ptx_array);
            *own = (gf_ptx_array){.space = GF_PTX_OWN, .own = gf_ptx_new_value(&e->p, type)};
            gf_ptx_move(&e->p, own->own, gf_ptx_constant(type, 0));
            walk->arrays[buffers[k]] = own;
        }
    }
    walk->scan_round = variable(e, gf_ptx_u32(0));
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_GE, gf_ptx_thread(e), gf_ptx_u32((uint64_t)2 * ROUNDS)), true, others);
    gf_pv at = word_address(e, gf_ptx_u32(0), gf_ptx_special(e, "%ctaid.x"), gf_ptx_u32(0), 0);
    gf_pv step = op(e, GF_OP_MUL, gf_ptx_thread(e), gf_ptx_special(e, "%nctaid.x"));
    step = op(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, step), gf_ptx_u64(8));
    at = gf_ptx_register(&e->p, op(e, GF_OP_ADD, at, step));
    gf_pv zero = gf_ptx_register(&e->p, gf_ptx_u64(0));
    gf_ptx_line(&e->p, "st.global.u64 [%s], %s;", gf_ptx_spell(at).text, gf_ptx_spell(zero).text);
    gf_ptx_place(&e->p, others);
    walk->after_write = true;
}

const gf_ptx_scan *gf_ptx_scan_by(const gf_ptx_walk *walk, const gf_plan_node *node) {
    for (size_t i = 0; i < walk->scans.count; i++) {
        const gf_ptx_scan *scan = &walk->scans.items[i];
        if (scan->node == node ||
            (node->kind == GF_PLAN_SEGMENT && (scan->source == node->segment || scan->user == node->segment))) {
            return scan;
        }
    }
    return NULL;
}

static gf_pv half_of(gf_ptx_emit *e, gf_pv sum, unsigned half) {
    if (half == 1) {
        sum = op(e, GF_OP_SHR, sum, gf_ptx_u32(32));
    }
    return gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_cast(&e->p, GF_TYPE_U32, sum));
}

static gf_pv tag_of(gf_ptx_emit *e, gf_pv round) {
    return op(e, GF_OP_SHL, op(e, GF_OP_ADD, round, gf_ptx_u32(1)), gf_ptx_u32(2));
}

/* By one thread. */
static void tell(scanning *s, gf_pv sum, gf_pv kind) {
    gf_ptx_emit *e = s->e;
    gf_pv low = gf_ptx_cast(&e->p, GF_TYPE_U64, op(e, GF_OP_OR, tag_of(e, s->round), kind));
    for (unsigned half = 0; half < gf_type_bytes(s->type) / 4; half++) {
        gf_pv word = op(e, GF_OP_OR, op(e, GF_OP_SHL, half_of(e, sum, half), gf_ptx_u32(32)), low);
        word = gf_ptx_register(&e->p, word);
        gf_pv at = word_address(e, s->round, s->block, s->blocks, half);
        gf_ptx_line(&e->p, "st.relaxed.gpu.global.u64 [%s], %s;", gf_ptx_spell(at).text, gf_ptx_spell(word).text);
    }
}

static gf_pv vote(gf_ptx_emit *e, gf_pv mine) {
    gf_pv mask = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    mine = gf_ptx_register(&e->p, mine);
    gf_ptx_line(&e->p, "vote.sync.ballot.b32 %s, %s, 0xffffffff;", gf_ptx_spell(mask).text, gf_ptx_spell(mine).text);
    return mask;
}

static gf_pv add_up_warp(gf_ptx_emit *e, gf_pv value) {
    for (unsigned by = 16; by > 0; by /= 2) {
        value = op(e, GF_OP_ADD, value, gf_ptx_shuffled(e, "bfly", value, by));
    }
    return value;
}

/* A word of the tile that is `away` tiles before, until it is of its round: sum and kind. */
typedef struct told {
    gf_pv sum, kind, is_there;
} told;

static told look(scanning *s, gf_pv at[2], gf_pv tag) {
    gf_ptx_emit *e = s->e;
    unsigned halves = (unsigned)gf_type_bytes(s->type) / 4;
    gf_pv word[2], low = {0}, sum = {0};
    told got = {0};
    for (unsigned half = 0; half < halves; half++) {
        word[half] = gf_ptx_new_value(&e->p, GF_TYPE_U64);
        gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u64 %s, [%s];", gf_ptx_spell(word[half]).text,
                    gf_ptx_spell(at[half]).text);
    }
    for (unsigned half = 0; half < halves; half++) {
        gf_pv below = gf_ptx_cast(&e->p, GF_TYPE_U32, word[half]);
        gf_pv above = op(e, GF_OP_SHR, word[half], gf_ptx_u32(32));
        if (half == 0) {
            low = below;
            got.kind = op(e, GF_OP_SUB, below, tag);
            got.is_there = op(e, GF_OP_LE, op(e, GF_OP_SUB, got.kind, gf_ptx_u32(1)), gf_ptx_u32(1));
            sum = above;
        } else {
            got.is_there = both(e, got.is_there, op(e, GF_OP_EQ, below, low));
            sum = op(e, GF_OP_OR, sum, op(e, GF_OP_SHL, above, gf_ptx_u32(32)));
        }
    }
    got.sum = gf_ptx_cast(&e->p, s->type, sum);
    return got;
}

/* By the first warp: the sum of all tiles before. Lane by lane one tile further back. */
static gf_pv look_back(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_pv sum = variable(e, gf_ptx_constant(s->type, 0)), one = gf_ptx_u32(1);
    gf_pv away = variable(e, op(e, GF_OP_ADD, s->lane, one)), most = op(e, GF_OP_MIN, s->tile, s->blocks);
    uint32_t further = gf_ptx_label(&e->p), spin = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, further);
    gf_pv exists = op(e, GF_OP_LE, away, most), wraps = op(e, GF_OP_GT, away, s->block);
    exists = gf_ptx_register(&e->p, exists);
    gf_pv block = op(e, GF_OP_SUB, s->block, away);
    block = op(e, GF_OP_ADD, block, choose(e, wraps, s->blocks, gf_ptx_u32(0)));
    block = choose(e, exists, block, gf_ptx_u32(0));
    gf_pv round = op(e, GF_OP_SUB, s->round, choose(e, wraps, one, gf_ptx_u32(0)));
    gf_pv at[2], tag = gf_ptx_register(&e->p, tag_of(e, round));
    for (unsigned half = 0; half < gf_type_bytes(s->type) / 4; half++) {
        at[half] = word_address(e, round, block, s->blocks, half);
    }
    gf_ptx_place(&e->p, spin);
    told got = look(s, at, tag);
    gf_pv there = vote(e, both(e, exists, got.is_there));
    gf_pv whole = op(e, GF_OP_EQ, got.kind, gf_ptx_u32(2));
    whole = vote(e, both(e, both(e, exists, got.is_there), whole));
    /* Those up to the nearest that knows all before it: all bits where nobody does. */
    gf_pv wanted = op(e, GF_OP_XOR, op(e, GF_OP_SUB, whole, one), whole);
    gf_pv all = vote(e, exists);
    wanted = op(e, GF_OP_AND, wanted, all);
    gf_pv missing = op(e, GF_OP_NE, op(e, GF_OP_AND, wanted, there), wanted);
    gf_ptx_jump_if(&e->p, missing, true, spin);
    gf_pv mine = op(e, GF_OP_AND, op(e, GF_OP_SHR, wanted, s->lane), one);
    gf_pv part = choose(e, op(e, GF_OP_NE, mine, gf_ptx_u32(0)), got.sum, gf_ptx_constant(s->type, 0));
    gf_ptx_move(&e->p, sum, op(e, GF_OP_ADD, sum, add_up_warp(e, gf_ptx_register(&e->p, part))));
    gf_ptx_move(&e->p, away, op(e, GF_OP_ADD, away, gf_ptx_u32(32)));
    gf_ptx_jump_if(&e->p, op(e, GF_OP_EQ, whole, gf_ptx_u32(0)), true, further);
    return sum;
}

/* What lies before the tile, of which `total` is the sum; all threads get it. */
static gf_pv exchange(scanning *s, gf_pv total) {
    gf_ptx_emit *e = s->e;
    uint32_t others = gf_ptx_label(&e->p), told_label = gf_ptx_label(&e->p), known = gf_ptx_label(&e->p),
             not_first = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_pv zero = gf_ptx_u32(0), before = variable(e, gf_ptx_constant(s->type, 0));
    gf_pv is_first = gf_ptx_register(&e->p, op(e, GF_OP_EQ, s->tile, zero));
    gf_pv kind = choose(e, is_first, gf_ptx_u32(2), gf_ptx_u32(1));
    gf_pv place = gf_ptx_sync_address(e, GF_PTX_SYNC_VALUE, zero, 8);
    total = gf_ptx_register(&e->p, total);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_NE, s->warp, zero), true, others);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_NE, s->lane, zero), true, told_label);
    tell(s, total, kind);
    gf_ptx_place(&e->p, told_label);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_jump_if(&e->p, is_first, true, known);
    gf_ptx_move(&e->p, before, look_back(s));
    gf_ptx_jump_if(&e->p, op(e, GF_OP_NE, s->lane, zero), true, not_first);
    tell(s, op(e, GF_OP_ADD, before, total), gf_ptx_u32(2));
    gf_ptx_place(&e->p, not_first);
    gf_ptx_place(&e->p, known);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_NE, s->lane, zero), true, done);
    gf_ptx_put_shared(e, place, 0, before);
    gf_ptx_place(&e->p, done);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    return gf_ptx_get_shared(e, s->type, place, 0);
}

/* ---- a tile of packs ---- */

static void set_pack(scanning *s, gf_ptx_pack *pack, unsigned j) {
    gf_ptx_emit *e = s->e;
    gf_pv row = op(e, GF_OP_ADD, op(e, GF_OP_MUL, s->warp, gf_ptx_u32(s->packs)), gf_ptx_u32(j));
    gf_pv column = op(e, GF_OP_ADD, op(e, GF_OP_MUL, row, gf_ptx_u32(32)), s->lane);
    gf_pv first = op(e, GF_OP_ADD, s->base, op(e, GF_OP_MUL, column, gf_ptx_u32(pack->size)));
    first = gf_ptx_register(&e->p, first);
    pack->first = first;
    pack->width = s->width;
    pack->y = gf_ptx_u32(0);
    pack->whole = pack->some = gf_ptx_constant(GF_TYPE_BOOL, 1);
    pack->is_whole = pack->is_sure = true;
    for (unsigned k = 0; k < pack->size; k++) {
        pack->x[k] = op(e, GF_OP_ADD, first, gf_ptx_u32(k));
    }
}

/* Names and geometry of a segment for its code. */
static gf_ptx_scope enter(scanning *s, const gf_segment *segment) {
    gf_ptx_scope scope = gf_ptx_enter(s->walk, segment);
    s->e->segment = segment;
    return scope;
}

/* A part as it is now: its strips are used again for the next pack. */
static void keep_part(scanning *s, unsigned j) {
    const gf_ptx_part *part = s->source.parts.items[0];
    gf_ptx_part *kept = &s->made[j];
    *kept = *part;
    kept->strips.items = gf_new_array(s->e->arena, gf_ptx_strip *, part->strips.count + 1);
    for (size_t i = 0; i < part->strips.count; i++) {
        kept->strips.items[i] = gf_arena_copy(s->e->arena, part->strips.items[i], sizeof(gf_ptx_strip));
    }
}

static void make_values(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_ptx_pack *pack = &s->source;
    gf_type own = gf_type_loaded(s->walk->plan->buffers[s->scan->node->buffer].symbol->type);
    gf_ptx_scope scope = enter(s, s->scan->source);
    for (unsigned j = 0; j < s->packs; j++) {
        set_pack(s, pack, j);
        for (unsigned k = 0; k < pack->size; k++) {
            pack->own[k] = variable(e, gf_ptx_constant(own, 0));
        }
        gf_ptx_pack_emit(pack);
        keep_part(s, j);
        for (unsigned k = 0; k < pack->size; k++) {
            s->values[j][k] = pack->own[k];
            s->values[j][k].type = s->type;
        }
    }
    gf_ptx_leave(e, scope);
}

/* Lane by lane the sum of the lanes up to it. */
static gf_pv scan_warp(scanning *s, gf_pv value) {
    gf_ptx_emit *e = s->e;
    gf_pv sum = variable(e, value);
    for (unsigned by = 1; by < 32; by *= 2) {
        gf_pv from = gf_ptx_register(&e->p, gf_ptx_shuffled(e, "up", sum, by));
        gf_pv adds = gf_ptx_register(&e->p, op(e, GF_OP_GE, s->lane, gf_ptx_u32(by)));
        gf_ptx_line(&e->p, "@%s add.%s %s, %s, %s;", gf_ptx_spell(adds).text, gf_ptx_suffix(s->type),
                    gf_ptx_spell(sum).text, gf_ptx_spell(sum).text, gf_ptx_spell(from).text);
    }
    return sum;
}

static gf_pv from_last_lane(scanning *s, gf_pv value) {
    gf_ptx_emit *e = s->e;
    gf_pv halves[2], got[2];
    if (gf_type_bytes(s->type) == 4) {
        got[0] = gf_ptx_new_value(&e->p, s->type);
        gf_ptx_line(&e->p, "shfl.sync.idx.b32 %s, %s, 31, 31, 0xffffffff;", gf_ptx_spell(got[0]).text,
                    gf_ptx_spell(value).text);
        return got[0];
    }
    for (unsigned half = 0; half < 2; half++) {
        halves[half] = gf_ptx_register(&e->p, gf_ptx_cast(&e->p, GF_TYPE_U32, half_of(e, value, half)));
        got[half] = gf_ptx_new_value(&e->p, GF_TYPE_U32);
        gf_ptx_line(&e->p, "shfl.sync.idx.b32 %s, %s, 31, 31, 0xffffffff;", gf_ptx_spell(got[half]).text,
                    gf_ptx_spell(halves[half]).text);
    }
    gf_pv high = op(e, GF_OP_SHL, gf_ptx_cast(&e->p, GF_TYPE_U64, got[1]), gf_ptx_u32(32));
    return op(e, GF_OP_OR, high, gf_ptx_cast(&e->p, GF_TYPE_U64, got[0]));
}

/* Values become the sums before them, as far as the warp knows; gives the sum of the warp's. */
static gf_pv scan_rows(scanning *s) {
    gf_ptx_emit *e = s->e;
    unsigned size = s->source.size;
    gf_pv carry = gf_ptx_constant(s->type, 0);
    for (unsigned j = 0; j < s->packs; j++) {
        gf_pv own = s->values[j][0];
        for (unsigned k = 1; k < size; k++) {
            own = op(e, GF_OP_ADD, own, s->values[j][k]);
        }
        own = gf_ptx_register(&e->p, own);
        gf_pv up_to = scan_warp(s, own), next = op(e, GF_OP_ADD, carry, from_last_lane(s, up_to));
        gf_pv before = op(e, GF_OP_ADD, carry, op(e, GF_OP_SUB, up_to, own));
        for (unsigned k = 0; k < size; k++) {
            gf_pv value = s->values[j][k];
            s->values[j][k] = before;
            before = k + 1 < size ? op(e, GF_OP_ADD, before, value) : before;
        }
        carry = next;
    }
    return gf_ptx_register(&e->p, carry);
}

/* Of the warps before, and of all. */
static gf_pv scan_warps(scanning *s, gf_pv mine, gf_pv *total) {
    gf_ptx_emit *e = s->e;
    gf_pv zero = gf_ptx_constant(s->type, 0);
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_NE, s->lane, gf_ptx_u32(0)), true, others);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, s->warp, 8), 0, mine);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    gf_pv warps = op(e, GF_OP_SHR, s->threads, gf_ptx_u32(5));
    gf_pv of_warp = gf_ptx_get_shared(e, s->type, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, s->lane, 8), 0);
    of_warp = gf_ptx_register(&e->p, choose(e, op(e, GF_OP_LT, s->lane, warps), of_warp, zero));
    gf_pv before = gf_ptx_register(&e->p, choose(e, op(e, GF_OP_LT, s->lane, s->warp), of_warp, zero));
    *total = add_up_warp(e, of_warp);
    return add_up_warp(e, before);
}

static void use_sums(scanning *s, gf_pv before) {
    gf_ptx_emit *e = s->e;
    gf_ptx_pack *pack = &s->user;
    gf_type own = gf_type_loaded(s->walk->plan->buffers[s->scan->node->second].symbol->type);
    gf_ptx_scope scope = enter(s, s->scan->user);
    gf_ptx_part *kept = s->source.parts.items[0];
    before = gf_ptx_register(&e->p, before);
    for (unsigned j = 0; j < s->packs; j++) {
        set_pack(s, pack, j);
        for (unsigned k = 0; k < pack->size; k++) {
            pack->own[k] = gf_ptx_register(&e->p, op(e, GF_OP_ADD, before, s->values[j][k]));
            pack->own[k].type = own;
        }
        s->source.parts.items[0] = &s->made[j];
        pack->given = &s->source;
        gf_ptx_pack_emit(pack);
    }
    s->source.parts.items[0] = kept;
    gf_ptx_leave(e, scope);
}

/* ---- a tile of single invocations ---- */

/* One invocation of each thread: its value; nothing where it does not exist. */
static gf_pv make_value(scanning *s, gf_pv x, gf_pv exists) {
    gf_ptx_emit *e = s->e;
    gf_pv own = s->walk->arrays[s->scan->node->buffer]->own;
    gf_ptx_scope scope = enter(s, s->scan->source);
    gf_ptx_move(&e->p, own, gf_ptx_constant(own.type, 0));
    gf_ptx_set_item(e, s->scan->source, x);
    gf_ptx_emit_body(s->walk, s->scan->source, exists);
    gf_ptx_leave(e, scope);
    own.type = s->type;
    return own;
}

/* gid.x `step` behind the first of the tile, and whether it exists: the sum may go around. */
static gf_pv place_of(scanning *s, gf_pv step, gf_pv *exists) {
    gf_ptx_emit *e = s->e;
    gf_pv at = op(e, GF_OP_ADD, step, s->tid), x = gf_ptx_register(&e->p, op(e, GF_OP_ADD, s->base, at));
    *exists = gf_ptx_register(&e->p, both(e, op(e, GF_OP_LT, at, s->left), op(e, GF_OP_LT, x, s->width)));
    return x;
}

static gf_pv add_singly(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_pv sum = variable(e, gf_ptx_constant(s->type, 0)), step = variable(e, gf_ptx_u32(0));
    uint32_t head = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv exists, x = place_of(s, step, &exists);
    gf_pv value = make_value(s, x, exists);
    gf_ptx_move(&e->p, sum, op(e, GF_OP_ADD, sum, value));
    gf_ptx_move(&e->p, step, op(e, GF_OP_ADD, step, s->threads));
    gf_ptx_jump_if(&e->p, op(e, GF_OP_LT, step, s->tile_size), true, head);
    return gf_ptx_fold_block(e, GF_COMBINE_ADD, s->type, sum);
}

static void use_singly(scanning *s, gf_pv before) {
    gf_ptx_emit *e = s->e;
    gf_pv carry = variable(e, before), step = variable(e, gf_ptx_u32(0)), total = carry;
    gf_pv own = s->walk->arrays[s->scan->node->second]->own;
    uint32_t head = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv exists, x = place_of(s, step, &exists);
    gf_pv sum = op(e, GF_OP_ADD, carry, gf_ptx_scan_block(e, s->type, make_value(s, x, exists), &total));
    sum.type = own.type;
    gf_ptx_move(&e->p, own, sum);
    gf_ptx_scope scope = enter(s, s->scan->user);
    gf_ptx_set_item(e, s->scan->user, x);
    gf_ptx_emit_body(s->walk, s->scan->user, exists);
    gf_ptx_add_values(s->walk, s->scan->user, false);
    gf_ptx_leave(e, scope);
    gf_ptx_move(&e->p, carry, op(e, GF_OP_ADD, carry, total));
    gf_ptx_move(&e->p, step, op(e, GF_OP_ADD, step, s->threads));
    gf_ptx_jump_if(&e->p, op(e, GF_OP_LT, step, s->tile_size), true, head);
    gf_ptx_sync(e); /* the sums of warps have been read */
}

/* ---- all tiles ---- */

/* How large they are, and whether there are packs in them. */
static void choose_tiles(scanning *s) {
    gf_ptx_emit *e = s->e;
    size_t lines = 0;
    s->source = (gf_ptx_pack){.e = e, .walk = s->walk, .segment = s->scan->source, .has_own = true};
    s->user = (gf_ptx_pack){.e = e, .walk = s->walk, .segment = s->scan->user, .has_own = true};
    s->source.own_buffer = s->scan->node->buffer;
    s->user.own_buffer = s->scan->node->second;
    gf_ptx_pack *packs[] = {&s->source, &s->user};
    bool has[2];
    for (int i = 0; i < 2; i++) {
        uint32_t buffer = packs[i]->own_buffer;
        packs[i]->own[0] = gf_ptx_new_value(&e->p, gf_type_loaded(s->walk->plan->buffers[buffer].symbol->type));
        gf_ptx_scope scope = enter(s, packs[i]->segment);
        lines += gf_ptx_pack_record(packs[i]);
        gf_ptx_leave(e, scope);
        has[i] = gf_ptx_strips_choose(packs[i]);
        s->has_packs = (i == 0 || s->has_packs) && gf_ptx_pack_is_flat(packs[i]);
    }
    s->has_packs = s->has_packs && (has[0] || has[1]) && lines <= (size_t)4 * MOST_LINES;
    const gf_ptx_pack *leader = has[1] ? &s->user : &s->source;
    unsigned size = has[0] && has[1] && s->source.size > s->user.size ? s->source.size : leader->size;
    for (int i = 0; i < 2; i++) {
        packs[i]->size = size;
        packs[i]->anchor = leader->anchor;
        packs[i]->anchor_constant = leader->anchor_constant;
    }
    s->packs = lines <= MOST_LINES ? 4 : lines <= (size_t)2 * MOST_LINES ? 2 : 1;
    if (!s->has_packs) {
        s->packs = 4;
        s->source.size = s->user.size = 4;
    }
}

static void choose_begin(scanning *s) {
    gf_ptx_emit *e = s->e;
    s->fits = gf_ptx_constant(GF_TYPE_BOOL, 0);
    s->shift = gf_ptx_u32(0);
    if (!s->has_packs) {
        return;
    }
    gf_ptx_pack *packs[] = {&s->source, &s->user};
    int leader = s->user.anchor == s->source.anchor && s->user.parts.items[0]->strips.count > 0 ? 1 : 0;
    gf_pv aligned, zero = gf_ptx_u32(0);
    gf_ptx_scope scope = enter(s, packs[leader]->segment);
    gf_pv shift = gf_ptx_strips_shift(packs[leader], &aligned);
    gf_ptx_leave(e, scope);
    scope = enter(s, packs[1 - leader]->segment);
    aligned = both(e, aligned, gf_ptx_strips_aligned(packs[1 - leader], shift));
    gf_ptx_leave(e, scope);
    s->fits = both(e, aligned, op(e, GF_OP_LE, s->width, gf_ptx_u32(UINT32_C(1) << 31)));
    s->fits = gf_ptx_register(&e->p, s->fits);
    s->shift = gf_ptx_register(&e->p, choose(e, s->fits, shift, zero));
}

/* Whether this tile is one of packs: all of it exists, all elements are inside. */
static gf_pv is_of_packs(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_pv begins = op(e, GF_OP_OR, op(e, GF_OP_NE, s->tile, gf_ptx_u32(0)), op(e, GF_OP_EQ, s->shift, gf_ptx_u32(0)));
    gf_pv yes = both(e, both(e, s->fits, begins), op(e, GF_OP_GE, s->left, s->tile_size));
    gf_ptx_pack *packs[] = {&s->source, &s->user};
    for (int i = 0; i < 2; i++) {
        gf_ptx_scope scope = enter(s, packs[i]->segment);
        e->gid[0] = s->base;
        yes = both(e, yes, gf_ptx_strips_inside(packs[i], s->tile_size));
        gf_ptx_leave(e, scope);
    }
    return gf_ptx_register(&e->p, yes);
}

static void emit_tile(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_pv total = gf_ptx_new_value(&e->p, s->type), before_warp = gf_ptx_new_value(&e->p, s->type);
    uint32_t singly = gf_ptx_label(&e->p), summed = gf_ptx_label(&e->p), then = gf_ptx_label(&e->p),
             done = gf_ptx_label(&e->p);
    gf_pv packed = gf_ptx_constant(GF_TYPE_BOOL, 0);
    if (s->has_packs) {
        packed = is_of_packs(s);
        gf_pv all;
        gf_ptx_jump_if(&e->p, packed, false, singly);
        gf_ptx_line(&e->p, "// values in packs of %u", s->source.size);
        make_values(s);
        gf_ptx_move(&e->p, before_warp, scan_warps(s, scan_rows(s), &all));
        gf_ptx_move(&e->p, total, all);
        gf_ptx_jump(&e->p, summed);
        gf_ptx_place(&e->p, singly);
    }
    gf_ptx_line(&e->p, "// values one by one");
    gf_ptx_move(&e->p, total, add_singly(s));
    gf_ptx_place(&e->p, summed);
    gf_pv before = exchange(s, total);
    if (s->has_packs) {
        gf_ptx_jump_if(&e->p, packed, false, then);
        use_sums(s, op(e, GF_OP_ADD, before, before_warp));
        gf_ptx_jump(&e->p, done);
        gf_ptx_place(&e->p, then);
    }
    use_singly(s, before);
    gf_ptx_place(&e->p, done);
}

void gf_ptx_emit_scan(gf_ptx_walk *walk, const gf_ptx_scan *scan) {
    gf_ptx_emit *e = walk->e;
    scanning *s = gf_new(e->arena, scanning);
    *s = (scanning){.walk = walk, .e = e, .scan = scan};
    s->type = gf_type_bytes(walk->plan->buffers[scan->node->buffer].symbol->type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    gf_ptx_line(&e->p, "// segments %u and %u with prefix sums between them", (unsigned)scan->source->index,
                (unsigned)scan->user->index);
    gf_ptx_scope scope = gf_ptx_enter(walk, scan->user);
    gf_ptx_begin_items(walk, scan->user);
    gf_ptx_leave(e, scope);
    s->width = e->space[0];
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = gf_ptx_u32(0);
    }
    choose_tiles(s);
    s->tid = gf_ptx_thread(e);
    s->lane = op(e, GF_OP_AND, s->tid, gf_ptx_u32(31));
    s->warp = op(e, GF_OP_SHR, s->tid, gf_ptx_u32(5));
    s->block = gf_ptx_special(e, "%ctaid.x");
    s->blocks = gf_ptx_special(e, "%nctaid.x");
    s->threads = gf_ptx_threads(e);
    s->tile_size = op(e, GF_OP_MUL, s->threads, gf_ptx_u32((uint64_t)s->packs * s->source.size));
    choose_begin(s);
    unsigned live = s->packs * s->source.size * (unsigned)gf_type_bytes(s->type) / 4;
    e->pack_weight = e->pack_weight > live ? e->pack_weight : live;
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), none = gf_ptx_label(&e->p);
    gf_pv one = gf_ptx_u32(1);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_EQ, s->width, gf_ptx_u32(0)), true, none);
    gf_pv end = op(e, GF_OP_SUB, op(e, GF_OP_ADD, s->width, s->shift), one);
    gf_pv tiles = gf_ptx_register(&e->p, op(e, GF_OP_ADD, op(e, GF_OP_DIV, end, s->tile_size), one));
    s->tile = variable(e, s->block);
    s->round = variable(e, walk->scan_round);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_LT, s->tile, tiles), false, done);
    gf_pv begin = gf_ptx_register(&e->p, op(e, GF_OP_MUL, s->tile, s->tile_size));
    s->base = gf_ptx_register(&e->p, op(e, GF_OP_SUB, begin, s->shift));
    s->left = gf_ptx_register(&e->p, op(e, GF_OP_SUB, op(e, GF_OP_ADD, s->width, s->shift), begin));
    emit_tile(s);
    gf_ptx_move(&e->p, s->tile, op(e, GF_OP_ADD, s->tile, s->blocks));
    gf_ptx_move(&e->p, s->round, op(e, GF_OP_ADD, s->round, one));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    gf_pv last = op(e, GF_OP_SUB, tiles, one);
    gf_pv rounds = op(e, GF_OP_ADD, op(e, GF_OP_DIV, last, s->blocks), one);
    gf_ptx_move(&e->p, walk->scan_round, op(e, GF_OP_ADD, walk->scan_round, rounds));
    gf_ptx_place(&e->p, none);
    e->segment = NULL;
}
