/* scan and sort. */
#include "opencl.h"
#include <string.h>

#define SCAN_CHUNK 16384u
#define DIGITS 256u /* of arrays.cl */
#define DIGIT_BITS 8u
#define SORT_CHUNKS 16u /* per thread */

static const char *const files[] = {"arrays.cl"};

static uint32_t n;

/* ---- scan ---- */

static ocl_array x, y, sums, total;
static cl_kernel add_chunk, scan_chunks, write_sums;

void scan_load(void) {
    ocl_build(files, sizeof files / sizeof *files, "");
    n = (uint32_t)peer_param("n");
    x = ocl_read("x", "u32");
    y = ocl_new(n);
    sums = ocl_new(n / SCAN_CHUNK + 1);
    total = ocl_new(1);
    add_chunk = ocl_kernel("scan_sums");
    scan_chunks = ocl_kernel("scan_chunks");
    write_sums = ocl_kernel("scan_write");
    ocl_args(add_chunk, "uubb", n, SCAN_CHUNK, &x, &sums);
    ocl_args(scan_chunks, "ubb", (cl_uint)sums.count, &sums, &total);
    ocl_args(write_sums, "uubbb", n, SCAN_CHUNK, &x, &sums, &y);
}

void scan_run(void) {
    uint32_t sum;
    ocl_launch(add_chunk, sums.count, 1);
    ocl_launch(scan_chunks, 1, 1);
    ocl_launch(write_sums, sums.count, 1);
    ocl_words(&total, 1, &sum);
}

void scan_write(void) {
    ocl_write("y", "u32", &y);
    ocl_write("total", "u32", &total);
}

/* ---- sort ---- */

static ocl_array key, sorted, hist;
static void *first;
static cl_kernel count_digits, find_places, scatter;
static uint32_t chunks, chunk;

void sort_load(void) {
    ocl_build(files, sizeof files / sizeof *files, "");
    n = (uint32_t)peer_param("n");
    first = peer_read("key", "u32", NULL);
    key = ocl_new(n);
    sorted = ocl_new(n);
    chunks = SORT_CHUNKS * (uint32_t)peer_threads;
    chunk = n / chunks + 1;
    hist = ocl_new((size_t)chunks * DIGITS);
    count_digits = ocl_kernel("sort_count");
    find_places = ocl_kernel("sort_offsets");
    scatter = ocl_kernel("sort_scatter");
    ocl_args(find_places, "ub", (cl_uint)hist.count, &hist);
}

void sort_reset(void) {
    memcpy(ocl_host(&key), first, key.bytes);
    ocl_device(&key);
}

void sort_run(void) {
    uint32_t word;
    for (uint32_t shift = 0; shift < 32; shift += DIGIT_BITS) {
        ocl_args(count_digits, "uuubb", n, chunk, shift, &key, &hist);
        ocl_launch(count_digits, chunks, 1);
        ocl_launch(find_places, 1, 1);
        ocl_args(scatter, "uuubbb", n, chunk, shift, &key, &hist, &sorted);
        ocl_launch(scatter, chunks, 1);
        ocl_array other = key;
        key = sorted;
        sorted = other;
    }
    ocl_words(&key, 1, &word);
}

void sort_write(void) {
    ocl_write("key", "u32", &key);
}
