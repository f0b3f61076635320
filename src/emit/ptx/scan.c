/* Prefix sums of the grid in one go: a segment makes values, another uses their sums, and nothing of either goes to
 * memory. Tile after tile is taken by block after block. A block makes the values of its tile, tells their sum, and
 * adds up what the tiles before have told, back to the nearest that has told the sum of all up to it ("decoupled
 * look-back": D. Merrill, M. Garland: Single-pass parallel prefix scan, 2016). Nobody waits for a tile that comes
 * later, so that it ends (lookback.c).
 *
 * A block waits twice in a tile, for what it loads and for the tiles before. What there is to do meanwhile is the work
 * of other blocks, so blocks are small, as many as the registers allow for, and their tiles large.
 *
 * Values are made a second time where a tile is not one of packs (at the ends). */
#include "emit/ptx/scan.h"
#include "ir/program.h"
#include <string.h>

#define MOST_PACKS 8      /* of a thread in a tile */
#define MOST_LINES 320    /* of the bodies for all of them */
#define MOST_REGISTERS 32 /* that values and what is loaded for them may take */
#define FEW_REGISTERS 16

_Static_assert(GF_PTX_MOST_SHIFT >= GF_PTX_PACK - 1, "tiles are counted with what the first lacks");

typedef struct scanning {
    gf_ptx_walk *walk;
    gf_ptx_emit *e;
    gf_ptx_scan *scan;
    gf_type type;   /* U32 or U64 */
    gf_ptx_tile at; /* the present one */
    gf_ptx_pack source, user;
    bool has_packs;
    unsigned packs;     /* of a thread in a tile */
    gf_pv fits;         /* bool: packs are aligned */
    gf_pv shift;        /* u32: the first tile begins so far before the space */
    gf_pv width;        /* u32: invocations */
    gf_pv tile_size;    /* u32: invocations */
    gf_pv tid, threads; /* u32 */
    /* u32, at present: gid.x of the first, and how many there are from it on */
    gf_pv base, left;
    gf_pv values[MOST_PACKS][GF_PTX_PACK];
    gf_pv before[MOST_PACKS];     /* the sum of those before a pack, of its warp */
    gf_ptx_part made[MOST_PACKS]; /* what was loaded for them */
} scanning;

/* ---- a tile of packs ---- */

static void set_pack(scanning *s, gf_ptx_pack *pack, unsigned j) {
    gf_ptx_emit *e = s->e;
    gf_pv row = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_MUL, s->at.warp, gf_ptx_u32(s->packs)), gf_ptx_u32(j));
    gf_pv column = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_MUL, row, gf_ptx_u32(32)), s->at.lane);
    gf_pv first = gf_ptx_do(e, GF_OP_ADD, s->base, gf_ptx_do(e, GF_OP_MUL, column, gf_ptx_u32(pack->size)));
    first = gf_ptx_register(&e->p, first);
    pack->first = first;
    pack->width = s->width;
    pack->y = gf_ptx_u32(0);
    pack->whole = pack->some = gf_ptx_constant(GF_TYPE_BOOL, 1);
    pack->is_whole = pack->is_sure = true;
    for (unsigned k = 0; k < pack->size; k++) {
        pack->x[k] = gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_u32(k));
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
            pack->own[k] = gf_ptx_variable(e, gf_ptx_constant(own, 0));
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

/* What lies before packs, as far as the warp knows; gives the sum of the warp's. Sums before single values are made
 * when they are used: until then there would be two registers for each. */
static gf_pv scan_rows(scanning *s) {
    gf_ptx_emit *e = s->e;
    unsigned size = s->source.size;
    gf_pv carry = gf_ptx_constant(s->type, 0);
    for (unsigned j = 0; j < s->packs; j++) {
        gf_pv own = s->values[j][0];
        for (unsigned k = 1; k < size; k++) {
            own = gf_ptx_do(e, GF_OP_ADD, own, s->values[j][k]);
        }
        own = gf_ptx_register(&e->p, own);
        gf_pv up_to = gf_ptx_scan_warp(e, s->at.lane, own);
        gf_pv next = gf_ptx_do(e, GF_OP_ADD, carry, gf_ptx_from_last_lane(e, up_to));
        s->before[j] = gf_ptx_do(e, GF_OP_ADD, carry, gf_ptx_do(e, GF_OP_SUB, up_to, own));
        carry = next;
    }
    return gf_ptx_register(&e->p, carry);
}

/* Of the warps before, and of all. */
static gf_pv scan_warps(scanning *s, gf_pv mine, gf_pv *total) {
    gf_ptx_emit *e = s->e;
    gf_pv zero = gf_ptx_constant(s->type, 0);
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, s->at.lane, gf_ptx_u32(0)), true, others);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, s->at.warp, 8), 0, mine);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    gf_pv warps = gf_ptx_do(e, GF_OP_SHR, s->threads, gf_ptx_u32(5));
    gf_pv of_warp = gf_ptx_get_shared(e, s->type, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, s->at.lane, 8), 0);
    of_warp = gf_ptx_register(&e->p, gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, s->at.lane, warps), of_warp, zero));
    gf_pv before =
        gf_ptx_register(&e->p, gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, s->at.lane, s->at.warp), of_warp, zero));
    *total = gf_ptx_fold_warp(e, GF_COMBINE_ADD, of_warp);
    return gf_ptx_fold_warp(e, GF_COMBINE_ADD, before);
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
        gf_pv sum = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, before, s->before[j]));
        for (unsigned k = 0; k < pack->size; k++) {
            pack->own[k] = sum;
            pack->own[k].type = own;
            sum = k + 1 < pack->size ? gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, sum, s->values[j][k])) : sum;
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
    gf_pv at = gf_ptx_do(e, GF_OP_ADD, step, s->tid), x = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, s->base, at));
    gf_pv in_tile = gf_ptx_do(e, GF_OP_LT, at, s->left);
    *exists = gf_ptx_register(&e->p, gf_ptx_both(e, in_tile, gf_ptx_do(e, GF_OP_LT, x, s->width)));
    return x;
}

static gf_pv add_singly(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_pv sum = gf_ptx_variable(e, gf_ptx_constant(s->type, 0)), step = gf_ptx_variable(e, gf_ptx_u32(0));
    uint32_t head = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv exists, x = place_of(s, step, &exists);
    gf_pv value = make_value(s, x, exists);
    gf_ptx_move(&e->p, sum, gf_ptx_do(e, GF_OP_ADD, sum, value));
    gf_ptx_move(&e->p, step, gf_ptx_do(e, GF_OP_ADD, step, s->threads));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, step, s->tile_size), true, head);
    return gf_ptx_fold_block(e, GF_COMBINE_ADD, s->type, sum);
}

static void use_singly(scanning *s, gf_pv before) {
    gf_ptx_emit *e = s->e;
    gf_pv carry = gf_ptx_variable(e, before), step = gf_ptx_variable(e, gf_ptx_u32(0)), total = carry;
    gf_pv own = s->walk->arrays[s->scan->node->second]->own;
    uint32_t head = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv exists, x = place_of(s, step, &exists);
    gf_pv sum = gf_ptx_do(e, GF_OP_ADD, carry, gf_ptx_scan_block(e, s->type, make_value(s, x, exists), &total));
    sum.type = own.type;
    gf_ptx_move(&e->p, own, sum);
    gf_ptx_scope scope = enter(s, s->scan->user);
    gf_ptx_set_item(e, s->scan->user, x);
    gf_ptx_emit_body(s->walk, s->scan->user, exists);
    gf_ptx_add_values(s->walk, s->scan->user, false);
    gf_ptx_leave(e, scope);
    gf_ptx_move(&e->p, carry, gf_ptx_do(e, GF_OP_ADD, carry, total));
    gf_ptx_move(&e->p, step, gf_ptx_do(e, GF_OP_ADD, step, s->threads));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, step, s->tile_size), true, head);
    gf_ptx_sync(e); /* the sums of warps have been read */
}

/* ---- all tiles ---- */

/* Registers that a pack takes while its block waits. */
static unsigned count_registers(scanning *s) {
    gf_ptx_scope scope = enter(s, s->scan->source);
    unsigned kept = gf_ptx_strips_kept(&s->source, &s->user);
    gf_ptx_leave(s->e, scope);
    return kept + s->source.size * (unsigned)gf_type_bytes(s->type) / 4;
}

/* The kernel's blocks are workgroups, as another segment wants it, which should not pay for the registers of this one.
 */
static bool has_groups(const gf_ptx_walk *walk) {
    bool has = false;
    for (size_t i = 0; i < walk->plan->segment_count && !walk->by_stages; i++) {
        has |= gf_ptx_needs_groups(walk->plan->segments[i]->tree);
    }
    return has;
}

/* As many as there is room for: the more, the less often anybody waits. */
static void choose_packs(scanning *s, size_t lines) {
    unsigned each = count_registers(s), most = has_groups(s->walk) ? FEW_REGISTERS : MOST_REGISTERS;
    s->packs = MOST_PACKS;
    while (s->packs > 1 && (s->packs * lines > MOST_LINES || s->packs * each > most)) {
        s->packs /= 2;
    }
    s->e->pack_weight = s->e->pack_weight > s->packs * each ? s->e->pack_weight : s->packs * each;
    s->e->block_size = GF_PTX_SCAN_THREADS;
}

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
    s->has_packs = s->has_packs && (has[0] || has[1]) && lines <= MOST_LINES;
    const gf_ptx_pack *leader = has[1] ? &s->user : &s->source;
    unsigned size = has[0] && has[1] && s->source.size > s->user.size ? s->source.size : leader->size;
    for (int i = 0; i < 2; i++) {
        packs[i]->size = size;
        packs[i]->anchor = leader->anchor;
        packs[i]->anchor_constant = leader->anchor_constant;
    }
    if (s->has_packs) {
        choose_packs(s, lines);
    } else {
        s->packs = s->source.size = s->user.size = 4;
    }
    s->scan->items = 32 * s->packs * s->source.size;
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
    aligned = gf_ptx_both(e, aligned, gf_ptx_strips_aligned(packs[1 - leader], shift));
    gf_ptx_leave(e, scope);
    s->fits = gf_ptx_both(e, aligned, gf_ptx_do(e, GF_OP_LE, s->width, gf_ptx_u32(UINT32_C(1) << 31)));
    s->fits = gf_ptx_register(&e->p, s->fits);
    s->shift = gf_ptx_register(&e->p, gf_ptx_choose(e, s->fits, shift, zero));
}

/* Whether this tile is one of packs: all of it exists, all elements are inside. */
static gf_pv is_of_packs(scanning *s) {
    gf_ptx_emit *e = s->e;
    gf_pv begins = gf_ptx_do(e, GF_OP_NE, s->at.tile, gf_ptx_u32(0));
    begins = gf_ptx_do(e, GF_OP_OR, begins, gf_ptx_do(e, GF_OP_EQ, s->shift, gf_ptx_u32(0)));
    gf_pv yes = gf_ptx_both(e, s->fits, begins);
    yes = gf_ptx_both(e, yes, gf_ptx_do(e, GF_OP_GE, s->left, s->tile_size));
    gf_ptx_pack *packs[] = {&s->source, &s->user};
    for (int i = 0; i < 2; i++) {
        gf_ptx_scope scope = enter(s, packs[i]->segment);
        e->gid[0] = s->base;
        yes = gf_ptx_both(e, yes, gf_ptx_strips_inside(packs[i], s->tile_size));
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
    gf_pv before = gf_ptx_exchange(e, &s->at, total);
    if (s->has_packs) {
        gf_ptx_jump_if(&e->p, packed, false, then);
        use_sums(s, gf_ptx_do(e, GF_OP_ADD, before, before_warp));
        gf_ptx_jump(&e->p, done);
        gf_ptx_place(&e->p, then);
    }
    use_singly(s, before);
    gf_ptx_place(&e->p, done);
}

/* Whoever has nothing to do, as its condition does not hold, takes one too: words are set to zero before they are
 * used. */
void gf_ptx_begin_tickets(gf_ptx_walk *walk, gf_ptx_scan *scan) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_tile at = {.words = gf_ptx_tile_words(e, scan->node->buffer)};
    uint32_t others = gf_ptx_label(&e->p);
    scan->ticket = gf_ptx_variable(e, gf_ptx_u32(0));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_ptx_move(&e->p, scan->ticket, gf_ptx_take_ticket(e, &at));
    gf_ptx_place(&e->p, others);
}

static gf_pv ticket_place(scanning *s) {
    return gf_ptx_sync_address(s->e, GF_PTX_SYNC_TICKET, gf_ptx_u32(0), 4);
}

/* The number of a block's first tile. In the kernel of the whole plan all blocks are there, and need not ask. */
static gf_pv first_tile(scanning *s) {
    gf_ptx_emit *e = s->e;
    if (!s->walk->by_stages) {
        gf_ptx_sync(e); /* what stood in gf_sync has been read: a reduction may be just before */
        return gf_ptx_block(e);
    }
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, s->tid, gf_ptx_u32(0)), true, others);
    gf_ptx_put_shared(e, ticket_place(s), 0, s->scan->ticket);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    return gf_ptx_get_shared(e, GF_TYPE_U32, ticket_place(s), 0);
}

/* Of the next one: the ticket that somebody has taken meanwhile. */
static gf_pv next_tile(scanning *s, gf_pv blocks) {
    gf_ptx_emit *e = s->e;
    if (!s->walk->by_stages) {
        return gf_ptx_do(e, GF_OP_ADD, s->at.tile, blocks);
    }
    return gf_ptx_get_shared(e, GF_TYPE_U32, ticket_place(s), 0);
}

/* Blocks take tiles in turn, or as they come to them: a ticket for each, the last for none. Where there are as many
 * blocks as tiles, one does: tiles that blocks come to again by ticket take 1.3 ms of 2^28 elements on an H200, turns
 * of blocks that are all there 0.75, and by hand blocks of one tile each 0.7. */
static void emit_tiles(scanning *s, gf_pv tiles) {
    gf_ptx_emit *e = s->e;
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_pv one = gf_ptx_u32(1), blocks = gf_ptx_blocks(e), none = gf_ptx_constant(GF_TYPE_BOOL, 0), again = none;
    s->at.takes = none;
    if (s->walk->by_stages) {
        gf_pv is_last = gf_ptx_do(e, GF_OP_EQ, gf_ptx_do(e, GF_OP_ADD, s->tid, one), s->threads);
        again = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_LT, blocks, tiles));
        s->at.takes = gf_ptx_register(&e->p, gf_ptx_both(e, is_last, again));
    }
    s->at.tile = gf_ptx_variable(e, first_tile(s));
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, s->at.tile, tiles), false, done);
    gf_pv begin = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_MUL, s->at.tile, s->tile_size));
    s->base = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_SUB, begin, s->shift));
    s->left = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_ADD, s->width, s->shift), begin));
    emit_tile(s);
    if (s->walk->by_stages) {
        gf_ptx_jump_if(&e->p, again, false, done);
    }
    gf_ptx_move(&e->p, s->at.tile, next_tile(s, blocks));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    if (!s->walk->by_stages) {
        gf_ptx_move(&e->p, s->at.round, gf_ptx_do(e, GF_OP_ADD, s->at.round, one));
    }
}

void gf_ptx_emit_scan(gf_ptx_walk *walk, gf_ptx_scan *scan) {
    gf_ptx_emit *e = walk->e;
    scanning *s = gf_new(e->arena, scanning);
    *s = (scanning){.walk = walk, .e = e, .scan = scan};
    s->type = gf_type_bytes(walk->plan->buffers[scan->node->buffer].symbol->type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    s->at.type = s->type;
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
    s->at.lane = gf_ptx_do(e, GF_OP_AND, s->tid, gf_ptx_u32(31));
    s->at.warp = gf_ptx_do(e, GF_OP_SHR, s->tid, gf_ptx_u32(5));
    s->at.words = gf_ptx_tile_words(e, scan->node->buffer);
    s->at.round = walk->scan_round;
    s->threads = walk->by_stages ? gf_ptx_u32(GF_PTX_SCAN_THREADS) : gf_ptx_threads(e);
    s->tile_size = gf_ptx_do(e, GF_OP_MUL, s->threads, gf_ptx_u32((uint64_t)s->packs * s->source.size));
    choose_begin(s);
    uint32_t none = gf_ptx_label(&e->p);
    gf_pv one = gf_ptx_u32(1);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, s->width, gf_ptx_u32(0)), true, none);
    gf_pv end = gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_ADD, s->width, s->shift), one);
    gf_pv tiles = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_DIV, end, s->tile_size), one);
    emit_tiles(s, gf_ptx_register(&e->p, tiles));
    gf_ptx_place(&e->p, none);
    e->segment = NULL;
}
