/* Prefix sums of the grid over values that lie in memory. Where the segments that make and use them are side by side,
 * scan.c does without. */
#include "emit/ptx/grid.h"

/* ---- prefix sums of the grid ---- */

typedef struct sums {
    gf_type type;
    gf_pv from, to; /* addresses */
    gf_pv begin, end;
} sums;

static gf_pv element(gf_ptx_emit *e, const sums *s, gf_pv base, gf_pv index) {
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u64(gf_type_bytes(s->type)));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, offset));
}

static gf_pv slot_of(gf_ptx_walk *walk, gf_pv index) {
    gf_ptx_emit *e = walk->e;
    gf_pv area = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, walk->scan_parity),
                           gf_ptx_u64((uint64_t)8 * GF_PTX_MOST_BLOCKS));
    gf_pv base = gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE), gf_ptx_u64(GF_PTX_STATE_SCAN));
    base = gf_ptx_do(e, GF_OP_ADD, base, area);
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u64(8))));
}

/* The sum of this block's part. */
static gf_pv sum_part(gf_ptx_emit *e, const sums *s) {
    gf_pv sum = gf_ptx_new_value(&e->p, s->type), i = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv step = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, sum, gf_ptx_constant(s->type, 0));
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, s->begin, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e))));
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, i, s->end), true, done);
    gf_ptx_move(&e->p, sum, gf_ptx_do(e, GF_OP_ADD, sum, gf_ptx_get_global(e, s->type, element(e, s, s->from, i))));
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    return gf_ptx_fold_block(e, GF_COMBINE_ADD, s->type, sum);
}

/* What lies before this block's part: the sums of the blocks before it. */
static gf_pv sum_before(gf_ptx_walk *walk, const sums *s) {
    gf_ptx_emit *e = walk->e;
    gf_pv sum = gf_ptx_new_value(&e->p, s->type), k = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv step = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    gf_pv block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_block(e));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, sum, gf_ptx_constant(s->type, 0));
    gf_ptx_move(&e->p, k, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e)));
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, k, block), true, done);
    gf_ptx_move(&e->p, sum, gf_ptx_do(e, GF_OP_ADD, sum, gf_ptx_get_global(e, s->type, slot_of(walk, k))));
    gf_ptx_move(&e->p, k, gf_ptx_do(e, GF_OP_ADD, k, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    return gf_ptx_fold_block(e, GF_COMBINE_ADD, s->type, sum);
}

static void scan_part(gf_ptx_emit *e, const sums *s, gf_pv before) {
    gf_pv carry = gf_ptx_new_value(&e->p, s->type), tile = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv value = gf_ptx_new_value(&e->p, s->type), total = value;
    gf_pv threads = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    gf_pv tid = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), none = gf_ptx_label(&e->p),
             past = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, carry, before);
    gf_ptx_move(&e->p, tile, s->begin);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, tile, s->end), true, done);
    gf_pv i = gf_ptx_do(e, GF_OP_ADD, tile, tid), inside = gf_ptx_do(e, GF_OP_LT, i, s->end);
    gf_ptx_move(&e->p, value, gf_ptx_constant(s->type, 0));
    gf_ptx_jump_if(&e->p, inside, false, none);
    gf_ptx_move(&e->p, value, gf_ptx_get_global(e, s->type, element(e, s, s->from, i)));
    gf_ptx_place(&e->p, none);
    gf_pv sum = gf_ptx_scan_block(e, s->type, value, &total);
    gf_ptx_jump_if(&e->p, inside, false, past);
    gf_pv to = element(e, s, s->to, i);
    gf_ptx_put_global(e, inside, to, gf_ptx_do(e, GF_OP_ADD, carry, sum));
    gf_ptx_place(&e->p, past);
    gf_ptx_move(&e->p, carry, gf_ptx_do(e, GF_OP_ADD, carry, total));
    gf_ptx_move(&e->p, tile, gf_ptx_do(e, GF_OP_ADD, tile, threads));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

static sums scan_of(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    size_t from = gf_ptx_arg_of_buffer(walk->plan, node->buffer), to = gf_ptx_arg_of_buffer(walk->plan, node->second);
    gf_pv count = gf_ptx_arg(e, GF_TYPE_U64, from + 1);
    count = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_arg(e, GF_TYPE_U64, to + 1));
    if (node->count != NULL) {
        gf_pv asked = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_emit_scalar(walk, node->count));
        count = gf_ptx_do(e, GF_OP_MIN, count, asked);
    }
    gf_ptx_settle(walk);
    gf_pv blocks = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_blocks(e));
    gf_pv block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_block(e));
    gf_pv up = gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_do(e, GF_OP_SUB, blocks, gf_ptx_u64(1)));
    gf_pv part = gf_ptx_do(e, GF_OP_DIV, up, blocks);
    sums s = {.type = walk->plan->buffers[node->buffer].symbol->type};
    s.from = gf_ptx_arg(e, GF_TYPE_U64, from);
    s.to = gf_ptx_arg(e, GF_TYPE_U64, to);
    s.begin = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_MUL, block, part));
    s.end = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_ADD, s.begin, part));
    return s;
}

static void put_sum(gf_ptx_walk *walk, const sums *s) {
    gf_ptx_emit *e = walk->e;
    gf_pv sum = sum_part(e, s), block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_block(e));
    gf_pv mine = gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0));
    gf_ptx_put_global(e, mine, slot_of(walk, block), sum);
}

void gf_ptx_scan_part(gf_ptx_walk *walk, const gf_plan_node *node, bool second) {
    sums s = scan_of(walk, node);
    if (second) {
        scan_part(walk->e, &s, sum_before(walk, &s));
    } else {
        put_sum(walk, &s);
    }
}

/* Each block sums up its part, meets the others, and goes over its part once more. */
void gf_ptx_scan_grid(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    sums s = scan_of(walk, node);
    put_sum(walk, &s);
    (void)gf_ptx_grid_barrier(walk, NULL);
    scan_part(e, &s, sum_before(walk, &s));
    gf_ptx_move(&e->p, walk->scan_parity, gf_ptx_do(e, GF_OP_XOR, walk->scan_parity, gf_ptx_u32(1)));
    walk->after_write = true;
    walk->after_read = false;
}
