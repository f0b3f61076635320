/* Loops over inputs and results of the bench, by all CPUs: what is made and checked around a measurement. */
#ifndef GF_CLI_BENCH_THREADS_H
#define GF_CLI_BENCH_THREADS_H

#include <stdint.h>

/* Does [begin, end). */
typedef void gf_bench_body(void *context, uint64_t begin, uint64_t end);

/* Calls the body for parts of [0, count), at the same time, and waits for all of them. `grain`: what a part has at
 * least. Where threads cannot be had, those that are there do it. */
void gf_bench_share(uint64_t count, uint64_t grain, gf_bench_body *body, void *context);

#endif
