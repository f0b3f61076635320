/* Buffers that stay with their invocations while a loop goes on (gf_plan.kept), in shared memory: a block takes those
 * elements in where the loop begins, and gives back at its end what the loop writes. In between nobody else looks at
 * them, and what they would take of the second cache and of the way there is left to others: conjugate gradients go
 * through five vectors in each turn, and three of them are near.
 *
 * Item i is done by the block i / 4096 then, as sums of floats have it anyway, so loops without such sums are left as
 * they are. The launcher says whether each block has no more than 4096 elements, and room for them; else the same code
 * works on the buffers themselves. Either way their addresses are generic ones, which each segment takes from a table
 * in shared memory: they are the block's, and would be registers of each of its threads through the whole loop. */
#include "emit/ptx/near.h"
#include "emit/ptx/scan.h"

#define BLOCK GF_PTX_BLOCK_ITEMS
#define MOST_BYTES 65536 /* of a block */

/* ---- which ---- */

typedef struct survey {
    bool has_sums, fits; /* sums of floats; and all segments that look at the buffers may go block by block */
} survey;

static bool is_taken(const gf_ptx_near *near, uint32_t buffer) {
    for (size_t i = 0; i < near->count; i++) {
        if (near->buffers[i] == buffer) {
            return true;
        }
    }
    return false;
}

static bool uses_one_of(const gf_segment *segment, const gf_ptx_near *near) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (is_taken(near, segment->buffers[i].buffer)) {
            return true;
        }
    }
    return false;
}

static void look_at_block(gf_ptx_walk *walk, const gf_plan_block *block, const gf_ptx_near *near, survey *s) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->kind == GF_PLAN_SEGMENT && uses_one_of(node->segment, near)) {
            const gf_segment *segment = node->segment;
            bool is_apart = gf_ptx_needs_groups(segment->tree) || gf_ptx_scan_by(walk, node) != NULL;
            s->fits = s->fits && !is_apart && gf_ptx_goes_by_block(walk, segment);
            s->has_sums |= gf_ptx_sums_by_block(walk, segment);
        }
        look_at_block(walk, node->body, near, s);
        look_at_block(walk, node->otherwise, near, s);
    }
}

/* Those that most segments look at, as many as there is room for. */
static void choose_buffers(const gf_ptx_walk *walk, const gf_plan_node *loop, gf_ptx_near *near) {
    const gf_ptx_options *options = &walk->e->options;
    const gf_plan_kept *best = NULL;
    do {
        best = NULL;
        for (size_t i = 0; i < walk->plan->kept_count; i++) {
            const gf_plan_kept *kept = &walk->plan->kept[i];
            size_t bytes = gf_type_bytes(walk->plan->buffers[kept->buffer].symbol->type);
            bool is_tracked = options->tracked != NULL && options->tracked[kept->buffer];
            bool can = kept->loop == loop && bytes >= 4 && !is_tracked && !is_taken(near, kept->buffer) &&
                       near->bytes + BLOCK * bytes <= MOST_BYTES;
            best = can && (best == NULL || kept->uses > best->uses) ? kept : best;
        }
        if (best != NULL) {
            near->buffers[near->count] = best->buffer;
            near->is_written[near->count] = best->is_written;
            near->offsets[near->count++] = near->bytes;
            near->bytes += BLOCK * gf_type_bytes(walk->plan->buffers[best->buffer].symbol->type);
        }
    } while (best != NULL && near->count < GF_PTX_MOST_NEAR);
}

/* ---- addresses ---- */

static gf_pv given_room(gf_ptx_emit *e) {
    return gf_ptx_arg(e, GF_TYPE_U64, e->near_word);
}

static gf_pv is_near(gf_ptx_emit *e) {
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_NE, given_room(e), gf_ptx_u64(0)));
}

/* In shared memory, u32: of the block's first element. */
static gf_pv place_of(gf_ptx_emit *e, const gf_ptx_near *near, size_t k) {
    gf_pv base = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, gf_shared;", gf_ptx_spell(base).text);
    gf_pv room = gf_ptx_do(e, GF_OP_SUB, gf_ptx_to_u32(e, given_room(e)), gf_ptx_u32(GF_PTX_NEAR_UNIT));
    room = gf_ptx_do(e, GF_OP_ADD, room, gf_ptx_u32(near->offsets[k]));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, room));
}

static gf_type type_of(const gf_ptx_walk *walk, uint32_t buffer) {
    return walk->plan->buffers[buffer].symbol->type;
}

static gf_pv first_item(gf_ptx_emit *e) {
    return gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_block(e)), gf_ptx_u64(BLOCK));
}

/* By one thread: where element 0 would lie, of the buffer itself or if all of it were near. */
static void write_table(gf_ptx_walk *walk, const gf_ptx_near *near) {
    gf_ptx_emit *e = walk->e;
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_pv here = is_near(e);
    for (size_t k = 0; k < near->count; k++) {
        gf_pv wide = gf_ptx_register(&e->p, gf_ptx_to_u64(e, place_of(e, near, k)));
        gf_pv place = gf_ptx_new_value(&e->p, GF_TYPE_U64);
        gf_ptx_line(&e->p, "cvta.shared.u64 %s, %s;", gf_ptx_spell(place).text, gf_ptx_spell(wide).text);
        gf_pv before = gf_ptx_u64(gf_type_bytes(type_of(walk, near->buffers[k])));
        before = gf_ptx_do(e, GF_OP_MUL, first_item(e), before);
        gf_pv base = gf_ptx_do(e, GF_OP_SUB, place, before);
        gf_pv far = gf_ptx_arg(e, GF_TYPE_U64, gf_ptx_arg_of_buffer(walk->plan, near->buffers[k]));
        base = gf_ptx_register(&e->p, gf_ptx_choose(e, here, base, far));
        gf_ptx_line(&e->p, "st.shared.u64 [gf_near+%zu], %s;", 8 * k, gf_ptx_spell(base).text);
    }
    gf_ptx_place(&e->p, others);
}

gf_pv gf_ptx_near_base(gf_ptx_emit *e, unsigned slot) {
    gf_pv base = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_line(&e->p, "ld.shared.u64 %s, [gf_near+%u];", gf_ptx_spell(base).text, 8 * slot);
    return base;
}

/* ---- in and out ---- */

/* The block's elements of one buffer, one way or the other. */
static void move_elements(gf_ptx_walk *walk, const gf_ptx_near *near, size_t k, bool goes_in) {
    gf_ptx_emit *e = walk->e;
    size_t word = gf_ptx_arg_of_buffer(walk->plan, near->buffers[k]),
           bytes = gf_type_bytes(type_of(walk, near->buffers[k]));
    gf_pv count = gf_ptx_arg(e, GF_TYPE_U64, word + 1), far = gf_ptx_arg(e, GF_TYPE_U64, word);
    gf_pv at = gf_ptx_variable(e, gf_ptx_thread(e)), first = gf_ptx_register(&e->p, first_item(e));
    gf_pv place = place_of(e, near, k), size = gf_ptx_u64(bytes);
    gf_pv left = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_SUB, count, first));
    gf_pv most = gf_ptx_do(e, GF_OP_MIN, left, gf_ptx_u64(BLOCK));
    most = gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, first, count), gf_ptx_to_u32(e, most), gf_ptx_u32(0));
    most = gf_ptx_register(&e->p, most);
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, at, most), false, done);
    gf_ptx_place(&e->p, head);
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_to_u64(e, at)), size);
    gf_pv global = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, far, offset));
    gf_pv own = gf_ptx_do(e, GF_OP_ADD, place, gf_ptx_do(e, GF_OP_MUL, at, gf_ptx_u32(bytes)));
    own = gf_ptx_register(&e->p, own);
    gf_pv value = gf_ptx_new_value(&e->p, bytes == 8 ? GF_TYPE_U64 : GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.%s.b%zu %s, [%s];", goes_in ? "global" : "shared", 8 * bytes, gf_ptx_spell(value).text,
                gf_ptx_spell(goes_in ? global : own).text);
    gf_ptx_line(&e->p, "st.%s.b%zu [%s], %s;", goes_in ? "shared" : "global", 8 * bytes,
                gf_ptx_spell(goes_in ? own : global).text, gf_ptx_spell(value).text);
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_threads(e)));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, at, most), true, head);
    gf_ptx_place(&e->p, done);
}

static void move_all(gf_ptx_walk *walk, const gf_ptx_near *near, bool goes_in) {
    gf_ptx_emit *e = walk->e;
    uint32_t far = gf_ptx_label(&e->p);
    gf_ptx_line(&e->p, "// what stays with this block, %s", goes_in ? "taken in" : "given back");
    gf_ptx_jump_if(&e->p, is_near(e), false, far);
    for (size_t k = 0; k < near->count; k++) {
        if (goes_in || near->is_written[k]) {
            move_elements(walk, near, k, goes_in);
        }
    }
    gf_ptx_place(&e->p, far);
}

/* ---- loops ---- */

void gf_ptx_begin_near(gf_ptx_walk *walk, const gf_plan_node *loop, gf_ptx_near *near) {
    gf_ptx_emit *e = walk->e;
    const gf_ptx_options *options = &e->options;
    survey s = {.fits = true};
    *near = (gf_ptx_near){0};
    if (walk->level != GF_LEVEL_GRID || walk->by_stages || !options->near || options->checked || options->wide ||
        options->passes || options->compare) {
        return;
    }
    choose_buffers(walk, loop, near);
    look_at_block(walk, loop->body, near, &s);
    if (!s.fits || !s.has_sums) {
        near->count = 0;
        return;
    }
    gf_ptx_settle(walk);
    write_table(walk, near);
    move_all(walk, near, true);
    gf_ptx_sync(e);
    for (size_t k = 0; k < near->count; k++) {
        gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
        *array = (gf_ptx_array){.space = GF_PTX_NEAR, .slot = (unsigned)k, .is_written = true};
        walk->arrays[near->buffers[k]] = array;
        e->near[near->buffers[k]] = true;
    }
    e->near_bytes = near->bytes > e->near_bytes ? near->bytes : e->near_bytes;
}

void gf_ptx_end_near(gf_ptx_walk *walk, const gf_ptx_near *near) {
    if (near->count == 0) {
        return;
    }
    for (size_t k = 0; k < near->count; k++) {
        walk->arrays[near->buffers[k]] = NULL;
    }
    gf_ptx_sync(walk->e);
    move_all(walk, near, false);
    walk->after_write = true;
}

bool gf_ptx_looks_near(const gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_array *array = walk->arrays[segment->buffers[i].buffer];
        if (array != NULL && array->space == GF_PTX_NEAR) {
            return true;
        }
    }
    return false;
}
