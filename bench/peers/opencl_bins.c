/* histogram and kmeans. */
#include "opencl.h"
#include <stdio.h>
#include <string.h>

#define VALUES 256u /* of bins.cl */
#define LANES 16u
#define CHUNKS 1024u

static const char *const files[] = {"bins.cl"};

static uint32_t n, chunk;
static ocl_array x;

static void load_points(const char *type, const char *options) {
    ocl_build(files, sizeof files / sizeof *files, options);
    n = (uint32_t)peer_param("n");
    chunk = n / CHUNKS + 1;
    x = ocl_read("x", type);
}

/* ---- histogram ---- */

static ocl_array count, begin;
static cl_kernel count_values, find_begin;

void histogram_load(void) {
    load_points("u8", "");
    count = ocl_new(VALUES);
    begin = ocl_new(VALUES);
    count_values = ocl_kernel("histogram_count");
    find_begin = ocl_kernel("histogram_begin");
    ocl_args(count_values, "uubb", n, chunk, &x, &count);
    ocl_args(find_begin, "bb", &count, &begin);
}

void histogram_run(void) {
    uint32_t word;
    ocl_fill(&count, 0);
    ocl_launch(count_values, CHUNKS, 1);
    ocl_launch(find_begin, 1, 1);
    ocl_words(&begin, 1, &word);
}

void histogram_write(void) {
    ocl_write("count", "u32", &count);
    ocl_write("begin", "u32", &begin);
}

/* ---- kmeans ---- */

static uint32_t dims, centres, limit, turns;
static ocl_array centre, turned, label, sums, some, members, moved;
static void *first;
static cl_kernel turn_centres, assign, find_centres;

void kmeans_load(void) {
    char options[64];
    dims = (uint32_t)peer_param("dims");
    centres = (uint32_t)peer_param("k");
    limit = (uint32_t)peer_param_or("max_iter", 100);
    (void)snprintf(options, sizeof options, "-DDIMS=%u -DCENTRES=%u", (unsigned)dims, (unsigned)centres);
    load_points("f32", options);
    first = peer_read("centre", "f32", NULL);
    centre = ocl_new((size_t)centres * dims);
    turned = ocl_new((size_t)(centres / LANES + 1) * LANES * dims);
    label = ocl_new(n);
    sums = ocl_new((size_t)CHUNKS * centres * dims);
    some = ocl_new((size_t)CHUNKS * centres);
    members = ocl_new(centres);
    moved = ocl_new(1);
    turn_centres = ocl_kernel("kmeans_turn");
    assign = ocl_kernel("kmeans_assign");
    find_centres = ocl_kernel("kmeans_centres");
    ocl_args(turn_centres, "bb", &centre, &turned);
    ocl_args(find_centres, "ubbbb", CHUNKS, &sums, &some, &centre, &members);
}

void kmeans_reset(void) {
    memcpy(ocl_host(&centre), first, centre.bytes);
    ocl_device(&centre);
}

void kmeans_run(void) {
    uint32_t changed = n;
    for (turns = 0; turns < limit && changed != 0; turns++) {
        ocl_fill(&moved, 0);
        ocl_launch(turn_centres, (size_t)(centres + LANES - 1) / LANES * LANES, LANES);
        ocl_args(assign, "uuubbbbbb", n, chunk, (cl_uint)(turns == 0), &x, &turned, &label, &sums, &some, &moved);
        ocl_launch(assign, CHUNKS, 1);
        ocl_launch(find_centres, (size_t)centres * dims, 1);
        ocl_words(&moved, 1, &changed);
    }
}

void kmeans_write(void) {
    ocl_write("centre", "f32", &centre);
    ocl_write("label", "u32", &label);
    ocl_write("members", "u32", &members);
    peer_write("iterations", "u32", &turns, 1);
}
