/* What a workload of the bench is given and gives back: arrays and params by name, as the program declares them, or
 * more.
 */
#ifndef GF_CLI_BENCH_DATA_H
#define GF_CLI_BENCH_DATA_H

#include "cli/cli.h"

#define GF_BENCH_NAMES 16

typedef struct gf_bench_array {
    const char *name; /* static storage, or of the program */
    gf_type type;
    void *data;     /* NULL: of an output only the size is known */
    uint64_t count; /* elements */
    bool borrowed;  /* data belongs to somebody else */
} gf_bench_array;

typedef struct gf_bench_arrays {
    gf_bench_array items[GF_BENCH_NAMES];
    size_t count;
} gf_bench_arrays;

typedef struct gf_bench_param {
    const char *name;
    double value; /* of an integer type: whole */
} gf_bench_param;

typedef struct gf_bench_case {
    char size[96]; /* in words */
    gf_bench_param params[GF_BENCH_NAMES];
    size_t param_count;
    gf_bench_arrays inputs;   /* what is `in`, and the first contents of what is `inout` */
    gf_bench_arrays outputs;  /* sizes of what is `out` */
    gf_bench_arrays expected; /* kept by the check from one result to the next */
} gf_bench_case;

void gf_bench_case_free(gf_bench_case *at);

const gf_bench_array *gf_bench_find(const gf_bench_arrays *arrays, const char *name); /* NULL: none */
/* Zeros, owned. NULL with a message. */
void *gf_bench_add(gf_bench_arrays *arrays, const char *name, gf_type type, uint64_t count, gf_diags *diags);
void gf_bench_borrow(gf_bench_arrays *arrays, const char *name, gf_type type, void *data, uint64_t count);
void gf_bench_arrays_free(gf_bench_arrays *arrays);
void gf_bench_set(gf_bench_case *at, const char *param, double value);
/* The value of a param of the case, which is there. */
double gf_bench_get(const gf_bench_case *at, const char *param);

/* Inputs and params as files of a folder (bench/README.md); what is there of that name is replaced. */
bool gf_bench_save(const gf_bench_case *at, const char *folder, gf_diags *diags);
/* The files out-NAME.TYPE of a folder that belong to an output or inout of the case; false with the reason where one
 * has not the right size. What is not there is left out. */
bool gf_bench_load_results(const gf_bench_case *at, const char *folder, gf_bench_arrays *results, char why[160]);
/* Removes the files that gf_bench_load_results reads; those that gf_bench_save writes too. */
void gf_bench_remove_results(const gf_bench_case *at, const char *folder);
void gf_bench_remove(const gf_bench_case *at, const char *folder);

#endif
