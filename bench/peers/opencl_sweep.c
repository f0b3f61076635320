/* flows_to, reach and pagerank: an item per vertex in every launch. */
#include "opencl.h"
#include <string.h>

#define MERGED 1024u /* of graph.cl */

static const char *const files[] = {"reduce.cl", "graph.cl"};

static uint32_t n;
static ocl_array row, col, flag;

static void load_graph(void) {
    ocl_build(files, sizeof files / sizeof *files, "");
    n = (uint32_t)peer_param("n");
    row = ocl_read("row", "u32");
    col = ocl_read("col", "u32");
    flag = ocl_new(16);
}

/* ---- flows_to ---- */

static ocl_array target, state, fresh, arriving, reached, deepest;
static cl_kernel seed, hop, merge;

void flows_load(void) {
    load_graph();
    target = ocl_read("target", "u32");
    state = ocl_new(n);
    fresh = ocl_new(n);
    arriving = ocl_new(n);
    reached = ocl_new(32);
    deepest = ocl_new(32);
    seed = ocl_kernel("flows_seed");
    hop = ocl_kernel("flows_hop");
    merge = ocl_kernel("flows_merge");
    ocl_args(seed, "uubbbb", n, (cl_uint)target.count, &target, &state, &fresh, &arriving);
    ocl_args(hop, "ubbbbbb", n, &row, &col, &state, &fresh, &arriving, &flag);
}

void flows_run(void) {
    uint32_t more = 1;
    ocl_fill(&reached, 0);
    ocl_fill(&deepest, 0);
    ocl_launch(seed, n, OCL_GROUP);
    for (uint32_t hops = 1; more != 0; hops++) {
        ocl_args(merge, "uubbbbbb", n, hops, &state, &fresh, &arriving, &reached, &deepest, &flag);
        ocl_launch(hop, n, OCL_GROUP);
        ocl_launch(merge, (n + MERGED - 1) / MERGED, 1);
        ocl_words(&flag, 1, &more);
    }
}

void flows_write(void) {
    ocl_write("state", "u32", &state);
    ocl_write("count", "u32", &reached);
    ocl_write("deepest", "u32", &deepest);
}

/* ---- reach ---- */

static ocl_array dist, followed;
static void *first;
static cl_kernel reach;

void reach_load(void) {
    load_graph();
    first = peer_read("dist", "u32", NULL);
    dist = ocl_new(n);
    followed = ocl_new(n);
    reach = ocl_kernel("reach");
}

void reach_reset(void) {
    memcpy(ocl_host(&dist), first, dist.bytes);
    ocl_device(&dist);
}

void reach_run(void) {
    uint32_t changed[2] = {1, 1};
    ocl_fill(&flag, 0);
    ocl_fill(&followed, 0);
    for (uint32_t turn = 0; changed[(turn + 1) % 2] != 0; turn++) {
        ocl_args(reach, "ubbbbbu", n, &row, &col, &dist, &followed, &flag, turn);
        ocl_launch(reach, n, OCL_GROUP);
        ocl_words(&flag, 2, changed);
    }
}

void reach_write(void) {
    ocl_write("dist", "u32", &dist);
}

/* ---- pagerank ---- */

static ocl_array out_row, score, share, next_share, losses, changes, sums;
static cl_kernel spread, total, pull;
static float damping, tolerance;
static uint32_t limit, turns;
static float change;

void rank_load(void) {
    load_graph();
    damping = (float)peer_param_or("damping", 0.85);
    tolerance = (float)peer_param_or("tol", 1e-6);
    limit = (uint32_t)peer_param_or("max_iter", 100);
    out_row = ocl_read("out_row", "u32");
    score = ocl_new(n);
    share = ocl_new(n);
    next_share = ocl_new(n);
    losses = ocl_new((n / OCL_GROUP / 16 + 1) * 16);
    changes = ocl_new(losses.count);
    sums = ocl_new(2);
    spread = ocl_kernel("rank_start");
    pull = ocl_kernel("rank_pull");
    total = ocl_kernel("total");
}

/* The sum of the parts into sums[at]. */
static void add_parts(ocl_array *parts, uint32_t at) {
    ocl_args(total, "bubu", parts, (cl_uint)(parts->count / 16), &sums, at);
    ocl_launch(total, 1, 1);
}

void rank_run(void) {
    float base = 1.0F / (float)n;
    ocl_args(spread, "ufbbbb", n, base, &out_row, &score, &share, &losses);
    ocl_launch(spread, n, OCL_GROUP);
    add_parts(&losses, 0);
    change = tolerance + 1.0F;
    for (turns = 0; turns < limit && change > tolerance; turns++) {
        float both[2];
        ocl_args(pull, "uffbbbbbbbbb", n, damping, base, &sums, &row, &col, &out_row, &score, &share, &next_share,
                 &losses, &changes);
        ocl_launch(pull, (n + OCL_GROUP - 1) / OCL_GROUP, 1);
        add_parts(&losses, 0);
        add_parts(&changes, 1);
        ocl_words(&sums, 2, both);
        change = both[1];
        ocl_array old = share;
        share = next_share;
        next_share = old;
    }
}

void rank_write(void) {
    ocl_write("score", "f32", &score);
    peer_write("iterations", "u32", &turns, 1);
    peer_write("residual", "f32", &change, 1);
}
