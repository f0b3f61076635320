/* bfs, components and sssp: what is done depends on what a launch has found, so the host asks after each. */
#include "opencl.h"
#include <string.h>

#define CHUNK 64u /* of traverse.cl */
#define UNREACHED UINT32_MAX
#define ALPHA 15u /* S. Beamer, K. Asanovic, D. Patterson: Direction-optimizing breadth-first search (SC 2012) */
#define BETA 18u
#define ROUNDS 2u /* M. Sutton, T. Ben-Nun, A. Barak: Optimizing parallel graph connectivity (IPDPS 2018) */
#define SAMPLES 1024u

static const char *const files[] = {"traverse.cl"};

static uint32_t n, source;
static ocl_array row, col, queue, next, count;

static void load_graph(void) {
    ocl_build(files, sizeof files / sizeof *files, "");
    n = (uint32_t)peer_param("n");
    source = (uint32_t)peer_param_or("source", 0);
    row = ocl_read("row", "u32");
    col = ocl_read("col", "u32");
    queue = ocl_new(n);
    next = ocl_new(n);
    count = ocl_new(2);
}

static void swap_queues(void) {
    ocl_array other = queue;
    queue = next;
    next = other;
}

/* The queue of one vertex. */
static void start_queue(ocl_array *values, uint32_t first) {
    ocl_fill(values, UNREACHED);
    ((uint32_t *)ocl_host(values))[first] = 0;
    ocl_device(values);
    ((uint32_t *)ocl_host(&queue))[0] = first;
    ocl_device(&queue);
}

/* ---- bfs ---- */

static ocl_array in_row, in_col, level;
static cl_kernel push, pull, collect;
static uint32_t depth;
static bool can_pull; /* where the in-edges are given */

void bfs_load(void) {
    load_graph();
    bool twice = peer_has("in_row", "u32"); /* else the graph is symmetric */
    in_row = twice ? ocl_read("in_row", "u32") : row;
    in_col = twice ? ocl_read("in_col", "u32") : col;
    can_pull = in_row.count > n;
    level = ocl_new(n);
    push = ocl_kernel("bfs_push");
    pull = ocl_kernel("bfs_pull");
    collect = ocl_kernel("bfs_collect");
}

static void launch_push(uint32_t frontier) {
    ocl_args(push, "uubbbbbb", frontier, depth, &row, &col, &level, &queue, &next, &count);
    ocl_launch(push, (frontier + CHUNK - 1) / CHUNK, 1);
    swap_queues();
}

static void launch_pull(void) {
    ocl_args(pull, "uubbbbb", n, depth, &row, &in_row, &in_col, &level, &count);
    ocl_launch(pull, (n + CHUNK * 4 - 1) / (CHUNK * 4), 1);
}

static void launch_collect(void) {
    ocl_fill(&count, 0);
    ocl_args(collect, "uubbb", n, depth, &level, &queue, &count);
    ocl_launch(collect, (n + CHUNK * 4 - 1) / (CHUNK * 4), 1);
}

void bfs_run(void) {
    start_queue(&level, source);
    const uint32_t *rows = row.data;
    uint32_t found[2] = {1, rows[source + 1] - rows[source]};
    uint64_t left = col.count; /* edges of what is not reached */
    bool pulls = false;
    uint32_t before = 0;
    for (depth = 0; found[0] != 0; depth++) {
        left -= found[1];
        bool queued = !pulls;
        if (!pulls) {
            pulls = can_pull && found[1] > left / ALPHA && found[0] > before;
        } else {
            pulls = found[0] >= n / BETA || found[0] > before;
        }
        before = found[0];
        if (!pulls && !queued) {
            launch_collect();
        }
        ocl_fill(&count, 0);
        if (pulls) {
            launch_pull();
        } else {
            launch_push(before);
        }
        ocl_words(&count, 2, found);
    }
}

void bfs_write(void) {
    ocl_write("level", "u32", &level);
    peer_write("levels", "u32", &depth, 1);
}

/* ---- components ---- */

static ocl_array comp;
static cl_kernel start, round_of, rest, compress, count_roots;

void components_load(void) {
    load_graph();
    comp = ocl_new(n);
    start = ocl_kernel("comp_start");
    round_of = ocl_kernel("comp_round");
    rest = ocl_kernel("comp_rest");
    compress = ocl_kernel("comp_compress");
    count_roots = ocl_kernel("comp_count");
    ocl_args(start, "ub", n, &comp);
    ocl_args(compress, "ub", n, &comp);
    ocl_args(count_roots, "ubb", n, &comp, &count);
}

/* The label that most of a sample have: votes that cancel out find it where it has half of them, and else any will do.
 */
static uint32_t find_giant(void) {
    const uint32_t *labels = ocl_host(&comp);
    uint32_t giant = 0;
    uint32_t votes = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t label = labels[(uint64_t)i * n / SAMPLES];
        giant = votes == 0 ? label : giant;
        votes += label == giant ? 1 : UINT32_MAX;
    }
    ocl_device(&comp);
    return giant;
}

void components_run(void) {
    ocl_fill(&count, 0);
    ocl_launch(start, n, OCL_GROUP);
    for (uint32_t turn = 0; turn < ROUNDS; turn++) {
        ocl_args(round_of, "uubbb", n, turn, &row, &col, &comp);
        ocl_launch(round_of, n, OCL_GROUP);
        ocl_launch(compress, n, OCL_GROUP);
    }
    ocl_args(rest, "uuubbb", n, ROUNDS, find_giant(), &row, &col, &comp);
    ocl_launch(rest, n, OCL_GROUP);
    ocl_launch(compress, n, OCL_GROUP);
    ocl_launch(count_roots, (n + CHUNK * 16 - 1) / (CHUNK * 16), 1);
    uint32_t roots;
    ocl_words(&count, 1, &roots);
}

void components_write(void) {
    ocl_write("comp", "u32", &comp);
    peer_write("count", "u32", ocl_host(&count), 1);
    ocl_device(&count);
}

/* ---- sssp ---- */

static ocl_array weight, dist, stamp;
static cl_kernel relax, least, collect_bucket;
static uint32_t delta;

void sssp_load(void) {
    load_graph();
    delta = (uint32_t)peer_param_or("delta", 16);
    weight = ocl_read("weight", "u32");
    dist = ocl_new(n);
    stamp = ocl_new(n);
    relax = ocl_kernel("path_relax");
    least = ocl_kernel("path_least");
    collect_bucket = ocl_kernel("path_collect");
}

/* The first distance that is not below `low`, or UNREACHED. */
static uint32_t find_least(uint32_t low) {
    uint32_t words[2];
    ocl_fill(&count, UNREACHED);
    ocl_args(least, "uubb", n, low, &dist, &count);
    ocl_launch(least, (n + CHUNK * 16 - 1) / (CHUNK * 16), 1);
    ocl_words(&count, 2, words);
    return words[1];
}

static uint32_t collect_vertices(uint32_t low, uint32_t high) {
    uint32_t found;
    ocl_fill(&count, 0);
    ocl_args(collect_bucket, "uuubbb", n, low, high, &dist, &queue, &count);
    ocl_launch(collect_bucket, (n + CHUNK * 4 - 1) / (CHUNK * 4), 1);
    ocl_words(&count, 1, &found);
    return found;
}

/* Where the bucket of a distance ends. */
static uint32_t bucket_end(uint32_t distance) {
    uint32_t low = distance / delta * delta;
    return low + (delta < UNREACHED - low ? delta : UNREACHED - low);
}

void sssp_run(void) {
    uint32_t found = 1;
    uint32_t turn = 1;
    uint32_t low = 0;
    start_queue(&dist, source);
    ocl_fill(&stamp, 0);
    while (low != UNREACHED) {
        uint32_t high = bucket_end(low);
        while (found != 0) {
            ocl_fill(&count, 0);
            ocl_args(relax, "uuubbbbbbbb", found, high, turn, &row, &col, &weight, &dist, &stamp, &queue, &next,
                     &count);
            ocl_launch(relax, (found + CHUNK - 1) / CHUNK, 1);
            ocl_words(&count, 1, &found);
            swap_queues();
            turn++;
        }
        low = high == UNREACHED ? UNREACHED : find_least(high);
        if (low != UNREACHED) {
            found = collect_vertices(low, bucket_end(low));
        }
    }
}

void sssp_write(void) {
    ocl_write("dist", "u32", &dist);
}
