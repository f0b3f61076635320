/* Several neighbouring invocations of a row as one piece of code: a pack.
 *
 *   index.c   indices as sums
 *   strips.c  elements side by side: what a pack loads and stores at once
 *   pack.c    the body of a segment for a pack, statement by statement
 *   tiles.c   the space of a segment, shared out in packs
 *
 * The body is gone through twice: first for one invocation, to see what it loads and stores, the text thrown away; then
 * for all of the pack. Conditions do not lead apart: what they guard is done by those for whom they hold. Where a pack
 * cannot go on (an element might lie outside its array, or a loop wants to be run), its warp does all of its packs
 * again from the start, invocation by invocation; nothing has been written by then. */
#ifndef GF_EMIT_PTX_PACK_H
#define GF_EMIT_PTX_PACK_H

#include "emit/ptx/grid.h"
#include "emit/ptx/index.h"

#define GF_PTX_PACK 4 /* invocations at most */

/* Accesses to one array whose indices differ by constants. Bit GF_PTX_STRIP_MIDDLE + d of the masks is the element `d`
 * behind that of the first access, for the first invocation of the pack. */
#define GF_PTX_STRIP_MIDDLE 12
#define GF_PTX_STRIP_SPAN (2 * GF_PTX_STRIP_MIDDLE + GF_PTX_PACK)

typedef struct gf_ptx_strip {
    const gf_symbol *array;
    bool is_atomic;          /* of atomic_loads */
    gf_ptx_sum sum;          /* of the first access */
    uint32_t loaded, stored; /* masks, for one invocation */
    gf_pv address;           /* while the pack is emitted: of the lowest element of all */
    gf_pv elements[GF_PTX_STRIP_SPAN];
} gf_ptx_strip;

/* Code that is gone through under one condition, and what can be loaded where it begins. */
typedef struct gf_ptx_part {
    struct gf_ptx_part *outer;
    GF_VEC(gf_ptx_strip *) strips;
    bool has_strips;           /* something may have been written before: there is no way back */
    const gf_ptx_known *known; /* deeper, what is loaded is loaded on a condition */
    /* By invocation: the conditions around hold; constants at the top. */
    gf_pv holds[GF_PTX_PACK];
} gf_ptx_part;

typedef struct gf_ptx_ids {
    gf_pv gid[3], wid[3], lid[3];
} gf_ptx_ids;

typedef struct gf_ptx_pack {
    gf_ptx_emit *e;
    gf_ptx_walk *walk;
    const gf_segment *segment;
    bool is_recording;
    unsigned count; /* invocations: 1 while recording */
    unsigned size;  /* of packs, a power of 2 */

    gf_ptx_part *part;
    GF_VEC(gf_ptx_part *) parts; /* in the order in which they begin */
    size_t next_part;
    GF_VEC(const gf_symbol *) dirty;
    bool has_effects;
    bool is_bad;     /* no pack can be made of it */
    bool refuses;    /* on what it loads: packs are for spaces that have enough of them */
    bool is_flat;    /* nobody waits for the warp behind the first loads */
    bool has_groups; /* somebody asks for lid or wid */

    bool is_whole;   /* all of them exist, whenever it is gone through */
    bool is_sure;    /* and all elements are inside */
    bool keeps_sums; /* sums of floats are taken from gf_ptx_pack_value */
    /* Of a tile of prefix sums (scan.c): */
    bool has_own; /* the values of this buffer are handed on in registers */
    uint32_t own_buffer;
    gf_pv own[GF_PTX_PACK];
    const struct gf_ptx_pack *given; /* has loaded elements that need not be loaded again; NULL: none */

    const gf_ptx_strip *anchor; /* packs begin where its elements are aligned */
    uint64_t anchor_constant;

    /* this thread's pack */
    gf_ptx_named *names[GF_PTX_PACK];
    gf_pv x[GF_PTX_PACK]; /* u32: gid.x; of what does not exist too */
    gf_ptx_ids ids[GF_PTX_PACK];
    gf_pv alive[GF_PTX_PACK];    /* bool: has not returned */
    gf_pv y;                     /* u32: gid.y */
    gf_pv first;                 /* u32: invocation k exists if first + k is below the width */
    gf_pv width;                 /* u32: of the space */
    gf_pv whole;                 /* bool: all of them exist */
    gf_pv some;                  /* bool: one of them exists */
    uint32_t on_refusal, on_end; /* labels */
} gf_ptx_pack;

/* ---- strips.c ---- */
/* Where code of a pack is emitted (e->pack): a load's value, if it is at hand. */
bool gf_ptx_pack_load(gf_ptx_emit *e, const gf_expr *expr, gf_pv *value);
void gf_ptx_pack_wrote(gf_ptx_emit *e, const gf_symbol *array);
/* The strip of a store's element, and its bit; NULL: it is in none. While recording it is noted. */
gf_ptx_strip *gf_ptx_strip_of_store(gf_ptx_pack *pack, const gf_symbol *array, const gf_expr *index, unsigned *bit);
/* Where a part begins: loads, for threads where `some` holds; where an element lies outside, all of the warp refuse. */
void gf_ptx_strips_begin(gf_ptx_pack *pack, gf_pv some);
/* Stores one value of each invocation: of all where `whole` holds, else of those of the masks. */
void gf_ptx_strips_store(gf_ptx_pack *pack, const gf_ptx_strip *strip, unsigned bit, bool is_own, const gf_pv *values);
/* Chooses size and anchor; false: there is nothing to gain. */
bool gf_ptx_strips_choose(gf_ptx_pack *pack);
/* Registers of elements of `source` that stay for `user`, which loads them too, beside the values that are handed on:
 * those that are not these values themselves. The emitter is at the tree of `source`. */
unsigned gf_ptx_strips_kept(const gf_ptx_pack *source, const gf_ptx_pack *user);
/* Registers that the pack's elements and addresses take. */
unsigned gf_ptx_strips_weight(const gf_ptx_pack *pack);
/* The bool whether strips are inside where one invocation after the other, `count` (u32) of them, begin at the
 * emitter's gid.x. */
gf_pv gf_ptx_strips_inside(gf_ptx_pack *pack, gf_pv count);
/* u32: how far the first pack of a row begins before it; and the bool whether strips are aligned and long enough. */
gf_pv gf_ptx_strips_shift(gf_ptx_pack *pack, gf_pv *are_aligned);
/* The same for packs that begin where others do. */
gf_pv gf_ptx_strips_aligned(gf_ptx_pack *pack, gf_pv shift);

/* ---- pack.c ---- */
/* Goes through the body once, and forgets what was written; gives how many lines that was. */
size_t gf_ptx_pack_record(gf_ptx_pack *pack);
void gf_ptx_pack_emit(gf_ptx_pack *pack);
/* bool: invocation k exists, has not returned, and is meant by the conditions around. */
gf_pv gf_ptx_pack_mask(gf_ptx_pack *pack, unsigned k);
/* All the warp do it again in another way if the bool holds for one of them. */
void gf_ptx_pack_refuse(gf_ptx_pack *pack, gf_pv condition);

/* Goes through the body once; false: packs are no gain, or cannot be. */
bool gf_ptx_pack_is_worth(gf_ptx_pack *pack);
/* Nothing in the pack may make it refuse, once its elements are known to be inside. */
bool gf_ptx_pack_is_flat(const gf_ptx_pack *pack);
/* What invocation k has given to be combined, behind gf_ptx_pack_emit. */
gf_pv gf_ptx_pack_value(const gf_ptx_pack *pack, const gf_symbol *values, unsigned k);

/* ---- tiles.c ---- */
/* Whether the space of the segment is one for packs. */
bool gf_ptx_may_pack(const gf_ptx_walk *walk, const gf_segment *segment);
/* Emits the segment in packs; false: it is none for them, and nothing was emitted. */
bool gf_ptx_emit_tiles(gf_ptx_walk *walk, const gf_segment *segment);
/* By stages, before: finds out how, as far as the arguments say it. */
void gf_ptx_ready_tiles(gf_ptx_walk *walk, const gf_segment *segment);

#endif
